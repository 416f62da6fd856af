"""Made-up secrets of every kind, drawn from a fixed seed; keys are put together from parts."""

import base64
import json
import random
import string
from collections.abc import Callable

from tests.safety import redaction_personal as personal
from tests.safety.redaction_disguises import DISGUISES

WORD = string.ascii_letters + string.digits
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
HEX = "0123456789abcdef"
DASHES = "-" * 5


def draw(spec: str, chance: random.Random) -> str:
    """A value of `kind` or `kind disguise`, such as `mobile full_width`."""
    kind, _, disguise = spec.partition(" ")
    value = (KEYS.get(kind) or personal.VALUES[kind])(chance)
    return DISGUISES[disguise](value, chance) if disguise else value


def _of(prefix: tuple[str, ...], length: int, letters: str = WORD) -> Callable[..., str]:
    def key(chance: random.Random) -> str:
        # A key has digits and letters of both cases; a draw without any is no likely key.
        body = "".join(chance.choices(letters, k=length - 3)) + "a7" + letters[0]
        return "".join(prefix) + body

    return key


def _segment(part: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def jwt(chance: random.Random) -> str:
    claims = {"sub": f"user-{chance.randrange(10**8)}", "iat": 1700000000 + chance.randrange(10**7)}
    signature = base64.urlsafe_b64encode(chance.randbytes(32)).rstrip(b"=").decode()
    return f"{_segment({'alg': 'HS256', 'typ': 'JWT'})}.{_segment(claims)}.{signature}"


def _pem(name: str) -> Callable[[random.Random], str]:
    def pem(chance: random.Random) -> str:
        body = base64.b64encode(chance.randbytes(144)).decode()
        lines = "\n".join(body[start : start + 64] for start in range(0, len(body), 64))
        words = f"{name}PRIVATE KEY"
        return f"{DASHES}BEGIN {words}{DASHES}\n{lines}\n{DASHES}END {words}{DASHES}"

    return pem


def _telegram(chance: random.Random) -> str:
    return f"{chance.randrange(10**9, 10**10)}:" + _of(("A", "A"), 33)(chance)


def _sendgrid(chance: random.Random) -> str:
    return ".".join(("SG", _of((), 22)(chance), _of((), 43)(chance)))


KEYS: dict[str, Callable[[random.Random], str]] = {
    "openai": _of(("s", "k-"), 48),
    "openai_project": _of(("s", "k-", "proj-"), 64),
    "anthropic": _of(("s", "k-", "ant-", "api03-"), 60),
    "google": _of(("AI", "za", "Sy"), 33),
    "google_oauth": _of(("GOC", "SPX-"), 28),
    "github": _of(("gh", "p_"), 36),
    "github_fine": _of(("github", "_pat_"), 60),
    "gitlab": _of(("gl", "pat-"), 20),
    "huggingface": _of(("h", "f_"), 34),
    "slack": _of(("xo", "xb-"), 40, string.digits + string.ascii_letters),
    "aws": lambda chance: "AKIA" + "".join(chance.choices(UPPER, k=16)),
    "aws_secret": _of((), 40),
    "stripe": _of(("sk_", "live_"), 24),
    "toss": _of(("test_", "sk_"), 32),
    "npm": _of(("npm", "_"), 36),
    "pypi": _of(("py", "pi-"), 60),
    "notion": _of(("nt", "n_"), 46),
    "hex_token": lambda chance: "".join(chance.choices(HEX, k=38)) + "a7",
    "telegram": _telegram,
    "sendgrid": _sendgrid,
    "jwt": jwt,
    "pem": _pem(""),
    "pem_rsa": _pem("RSA "),
    "openssh": _pem("OPENSSH "),
}
