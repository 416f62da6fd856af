"""A v5 document of a chat and the memory so far (PRD §8-C), picked sentence by sentence."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from functions.adapters.extractive_choice import (
    TURNING,
    heaviest,
    stretches,
    weighed,
    weight,
    weightiest,
)
from functions.adapters.extractive_prompt import UNKNOWN_TIME, Memory, Said
from functions.adapters.extractive_text import (
    USER,
    harmless,
    is_korean,
    label,
    quotation,
    said,
    sentences,
    sourced,
)
from functions.adapters.extractive_words import Words

MOST_MEMORIES = 12
MOST_TRAITS = 8

_NEW_MEMORIES = 3
_NEW_TRAITS = 3
_RECENT = 4
_QUOTE = 80
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_FIRST_PERSON = re.compile(r"[나난내저전제]|\b(?:[Ii]|[Mm]y|[Cc]all me)\b")
_OF_ONESELF = re.compile(
    r"(?:^|\s)(?:나는?|난|내가?|저는?|전|제가?)\s.*(?:다녀|다니|살아|살고|살거든|일해(?!야)|일하고|전공"
    r"|공부해(?!야)|키워|키우|알레르기|이름은|생일은|직업은"
    r"|(?:학생|선생님|회사원|디자이너|개발자|작가|[가-힣]사|\d+ ?살)(?:이야|야|예요|이에요|입니다))"
    r"|\b(?:my name is|call me|i work (?:as|at|in|for)|i live in|i study|i go to|i(?:'m| am) from"
    r"|my (?:birthday|job|major|hometown) is|i(?:'m| am) (?:an? )?(?:\w+ )?(?:student|teacher|nurse"
    r"|doctor|engineer|designer|writer))\b",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    """One event of the lorebook."""

    title: str
    keywords: list[str]
    when: str
    record: str
    sources: list[str]


def summary_document(chat: Sequence[Said], memory: Memory) -> str:
    """`=== MEMORY ===` with its four slots, then `=== LOREBOOK ===`. Same input, same output."""
    korean = is_korean(message.text for message in chat)
    spoken = weighed(chat)
    return "\n".join(
        [
            "=== MEMORY ===",
            section("## Recent context", _recent(spoken, korean=korean)),
            section("## Long-term memory(LTM)", _memories(spoken, memory.ltm, korean=korean)),
            "## Soul persona",
            section("### Relational", memory.relational[:MOST_TRAITS]),
            "## User persona",
            section("### Profile", _profile(spoken, memory.profile, korean=korean)),
            section("### How Soul sees the user", memory.how[:MOST_TRAITS]),
            "=== LOREBOOK ===",
            *(_entry_text(entry) for entry in _lorebook(spoken, korean=korean)),
        ]
    )


def section(heading: str, bullets: Sequence[str]) -> str:
    """A heading and its bullets, and an empty line after them. Bullets hold no delimiters."""
    return "\n".join([heading, *(f"- {harmless(bullet)}" for bullet in bullets), ""])


def bounded(bullets: Sequence[str], room: int) -> list[str]:
    """At most `room` long-term memories, in order: the lightest go, the oldest of those first."""
    by_worth = sorted(
        range(len(bullets)),
        key=lambda index: (weight(bullets[index]) >= TURNING, _date(bullets[index]), index),
    )
    dropped = set(by_worth[: max(0, len(bullets) - room)])
    return [bullet for index, bullet in enumerate(bullets) if index not in dropped]


def _date(bullet: str) -> str:
    """The date in a bullet's brackets; unknown times count as the oldest."""
    found = _DATE.search(bullet.partition("]")[0])
    return found[0] if found else ""


def _recent(spoken: Sequence[Said], *, korean: bool) -> list[str]:
    """The last things that were said; one line that says so when nothing was."""
    if not spoken:
        return ["글로 오간 말이 없었다." if korean else "Nothing was said in words."]
    return [_at(message, korean) + _said(message, korean=korean) for message in spoken[-_RECENT:]]


def _at(message: Said, korean: bool) -> str:
    when = f"{message.day} {message.time}".strip()
    return f"{when}에 " if korean else f"{when}: "


def _said(message: Said, *, korean: bool) -> str:
    text = weightiest(message.text)
    return said(message.speaker, text, _QUOTE, korean=korean)


def _memories(spoken: Sequence[Said], baseline: Sequence[str], *, korean: bool) -> list[str]:
    """The baseline, and up to three new memories at its end; one at least where it was empty."""
    turning = [message for message in spoken if message.weight >= TURNING]
    if not turning and not baseline and spoken:
        turning = [heaviest(spoken)]
    new: dict[str, str] = {}
    for message in sorted(turning, key=lambda message: -message.weight):
        if len(new) < _NEW_MEMORIES:
            quote = quotation(weightiest(message.text), _QUOTE)
            new.setdefault(quote, _memory(message, korean=korean))
    fresh = [new[quote] for quote in new if not any(quote in bullet for bullet in baseline)]
    return bounded(baseline, MOST_MEMORIES - len(fresh)) + sorted(fresh, key=_date)


def _memory(message: Said, *, korean: bool) -> str:
    name = label(weightiest(message.text), 20 if korean else 40) or _untitled(korean)
    when = message.day or UNKNOWN_TIME
    told = _said(message, korean=korean)
    return sourced(f"[Messenger / DM / {when} / {name}] {told}", message.source)


def _untitled(korean: bool) -> str:
    return "주고받은 말" if korean else "A few words"


def _profile(spoken: Sequence[Said], baseline: Sequence[str], *, korean: bool) -> list[str]:
    """The baseline, and what the user said of themselves in so many words, quoted."""
    new: list[str] = []
    for message in spoken:
        own = message.speaker == USER and _FIRST_PERSON.search(message.text)
        for sentence in sentences(message.text) if own else ():
            if sentence.endswith(("?", "？")) or not _OF_ONESELF.search(sentence):
                continue
            quote = quotation(sentence, _QUOTE)
            if not any(quote in bullet for bullet in [*baseline, *new]):
                new.append(said(USER, sentence, _QUOTE, korean=korean))
    return [*baseline[:MOST_TRAITS], *new[:_NEW_TRAITS]][:MOST_TRAITS]


def _lorebook(spoken: Sequence[Said], *, korean: bool) -> list[Entry]:
    """Three to eight events over the days of the chat; fewer where little was said."""
    if not spoken:
        return []
    count = min(max(3, min(8, len(spoken) // 12)), max(1, len(spoken) // 2))
    words = Words(
        (message.text for message in spoken),
        names={message.speaker for message in spoken},
    )
    return [_entry(stretch, words, korean=korean) for stretch in stretches(spoken, count)]


def _entry(stretch: Sequence[Said], words: Words, *, korean: bool) -> Entry:
    """The weightiest message of a stretch and those around it, two to five in all."""
    centre = stretch.index(heaviest(stretch))
    start = max(0, min(centre - 1, len(stretch) - 4))
    around = stretch[start : start + 4]
    texts = [harmless(message.text) for message in (stretch[centre], *around)]
    when = stretch[centre].day
    keywords = words.keywords(texts, most=5)
    if len(keywords) < 2:
        keywords += [found for found in [when[:10]] if found] or ["DM"]
    return Entry(
        title=label(weightiest(stretch[centre].text), 20 if korean else 40) or _untitled(korean),
        keywords=keywords,
        when=when or UNKNOWN_TIME,
        record=" ".join(said(one.speaker, one.text, 120, korean=korean) for one in around),
        sources=[one.source for one in around if one.source],
    )


def _entry_text(entry: Entry) -> str:
    fields = [
        f"### {entry.title}",
        f"- keywords: {', '.join(entry.keywords)}",
        f"- 시점: {entry.when}",
        f"- 기록: {entry.record}",
        *([f"- sources: {', '.join(entry.sources)}"] if entry.sources else []),
    ]
    return "\n".join(fields) + "\n"
