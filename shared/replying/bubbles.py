"""A model's text as the messages of a turn: one a line, and nothing that may not be sent.

PRD §8-A: a line break is a new bubble; no timestamps, metadata, labels, brackets, stage
directions or system markers.
"""

import re
from collections.abc import Callable

from shared.safety.masking import mask

MAX_BUBBLES = 12
MAX_CHARACTERS = 4_000  # UTF-16 units, as a client's own messages (contract)

_TAG = re.compile(
    r"</?(?:data|think|system|user|model|assistant)\b[^>\n]*>|<\|[^|\n]{0,40}\|>", re.I
)
_LINE_MARKER = re.compile(r"^\s*(?:\|\s|#{1,6}\s|```\w*\s*$|[-*•]\s+|>\s|===.*===\s*$)+")
_STAMP = re.compile(
    r"[\[(（【]?\s*(?:\d{4}-\d{1,2}-\d{1,2}\s*)?(?:\([월화수목금토일]\)\s*)?\d{1,2}:\d{2}(?::\d{2})?\s*[\])）】]"
)
_BRACKETED = re.compile(r"\[[^\]\n]{0,80}\]|【[^】\n]{0,80}】|\{\{[^}\n]{0,80}\}\}")
_EMPHASIS = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")
_STARRED = re.compile(r"\*[^*\n]{1,80}\*")
# What is done and not said: (웃으며), (고개를 끄덕인다), (sighs). A face or an aside is none.
_ACTION = re.compile(
    r"[(（](?:[^()（）\n]{0,40}?(?:며|면서|고서|듯이?|채로?|[다음]|[은는]\s?중|웃음|한숨|침묵|미소|눈물)"
    r"|(?:softly |quietly )?[a-z]+(?:s|ing|ly)(?: [a-z' ]{0,40})?)\.?[)）]"
)
_USER = re.compile(r"\{user\}(?:이?[야아]|님|씨|[은는이가을를도와과의]|에게|한테)?[,!~]?\s?")
_SPACES = re.compile(r"[ \t]{2,}")
_SOMETHING = re.compile(r"[^\W_]|[^\w\s.,~!?…·\-'\"()\[\]*|:;]")


def bubbles_of(text: str, display_name: str) -> list[str]:
    """The messages to send, in order; none where nothing of `text` may be sent.

    What is sensitive is masked. More than MAX_BUBBLES are joined into the last one.
    """
    found = [bubble for line in text.splitlines() if (bubble := bubble_of(line, display_name))]
    if len(found) > MAX_BUBBLES:
        found = [*found[: MAX_BUBBLES - 1], " ".join(found[MAX_BUBBLES - 1 :])]
    return [_cut(mask(bubble).text) for bubble in found]


def bubble_of(line: str, display_name: str) -> str:
    """One line as a message, or empty: only what the Soul says."""
    line = _TAG.sub("", line)
    line = _LINE_MARKER.sub("", line)
    line = _without_label(_STAMP.sub("", line).strip(), display_name)
    line = _EMPHASIS.sub(lambda found: found[1] or found[2], line)
    for unsaid in (_BRACKETED, _STARRED, _ACTION, _USER):
        line = unsaid.sub("", line)
    line = _SPACES.sub(" ", line).strip().removeprefix("|").strip()
    return _unquoted(line) if _SOMETHING.search(line) else ""


def _without_label(line: str, display_name: str) -> str:
    """`소희: 응` is the Soul's label and its words."""
    names = [display_name, *display_name.split(), "model", "assistant", "Soul", "나"]
    either = "|".join(re.escape(name) for name in names if name)
    return re.sub(rf"^(?:{either})\s?[:：]\s?", "", line, flags=re.IGNORECASE)


def _unquoted(line: str) -> str:
    pairs = (('"', '"'), ("“", "”"), ("「", "」"))
    for opening, closing in pairs:
        inside = line[1:-1]
        if line.startswith(opening) and line.endswith(closing) and opening not in inside and inside:
            return inside.strip()
    return line


def _cut(text: str) -> str:
    """At most MAX_CHARACTERS UTF-16 units, no character broken in two."""
    kept, units = [], 0
    for char in text:
        units += 2 if ord(char) > 0xFFFF else 1
        if units > MAX_CHARACTERS:
            break
        kept.append(char)
    return "".join(kept)


class BubbleStream:
    """Tells each bubble as soon as its line is finished, while a model still writes."""

    def __init__(self, tell: Callable[[str], None], display_name: str) -> None:
        self._tell = tell
        self._display_name = display_name
        self._pending = ""

    def add(self, text: str) -> None:
        """More of the model's text. The last, unfinished line waits; a reply's end is not told."""
        lines = (self._pending + text).splitlines(keepends=True)
        is_open = bool(lines) and lines[-1] == lines[-1].splitlines()[0]
        self._pending = lines.pop() if is_open else ""
        for line in "".join(lines).splitlines():
            if bubble := bubble_of(line, self._display_name):
                self._tell(mask(bubble).text)

    def finish(self) -> None:
        """The text has ended."""
        self.add("\n")
