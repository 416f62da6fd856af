"""A v4 document of episode summaries (PRD §8-B), and the summaries of scenes (PRD §5.0)."""

import re
from collections.abc import Sequence

from functions.adapters.extractive_choice import pieces, spread, weightiest
from functions.adapters.extractive_prompt import Memory, Told
from functions.adapters.extractive_summary import MOST_MEMORIES, MOST_TRAITS, bounded, section
from functions.adapters.extractive_text import (
    first_sentences,
    is_korean,
    label,
    sentences,
    sourced,
    trimmed,
)

_LEAST_MEMORIES = 4
_MOST_SUMMARIES = 8
_MEMORY = 160
_SUMMARY = 300
_NEW_TRAITS = 4

_IDS = re.compile(r" \(s\d+\)$")
_TOWARDS_THE_USER = re.compile(
    r"\{user\}(?:에게만|한테만| 앞에서[는만])|\b(?:only (?:to|with|for)|in front of) \{user\}"
)
_STATED_OF_THE_USER = re.compile(
    r"\{user\}(?:는|은|가|이|의) .*(?:이름|별명|직업|나이|학년|전공|대학|회사에|학원"
    r"|살이|다녔|다니는|일했|일하는)"
    r"|\{user\}(?:'s (?:name|job|age|nickname)| (?:worked|works|lived|lives|studied|studies) )"
)
_SEEN_IN_THE_USER = re.compile(
    r"\{user\}.*(?:사람이라고|사람으로|처럼 보였|라고 여겼|라고 느꼈)"
    r"|(?:thought|felt|saw) (?:that |of )?\{user\} (?:was|as) "
)


def first_memory_document(told: Sequence[Told], memory: Memory) -> str:
    """The three slots of v4. With a memory so far, the new is merged into it."""
    found = [sentence for one in told for sentence in sentences(one.text)]
    return "\n".join(
        [
            section("## Long-term memory(LTM)", _memories(told, memory.ltm)),
            "## Soul persona",
            section("### Relational", _traits(memory.relational, found, _TOWARDS_THE_USER)),
            "## User persona",
            section("### Profile", _traits(memory.profile, found, _STATED_OF_THE_USER)),
            section("### How Soul sees the user", _traits(memory.how, found, _SEEN_IN_THE_USER)),
        ]
    )


def scene_summaries(scenes: Sequence[str]) -> str:
    """One to eight paragraphs, each of the first sentences of a stretch of scenes."""
    lines: list[str] = []
    for run in pieces(scenes, _MOST_SUMMARIES):
        each = _SUMMARY // len(run)
        found = (first_sentences(scene, max(each, 60)) for scene in run)
        lines.append(trimmed(" ".join(part for part in found if part), _SUMMARY))
    written = [f"- {line}" for line in lines if line]
    return "\n".join(written or ["- 글로 적힌 것이 없었다."])


def _memories(told: Sequence[Told], baseline: Sequence[str]) -> list[str]:
    """A bullet a summary, evenly over all of them; of few summaries, several each."""
    korean = is_korean(one.text for one in told)
    bullets = [bullet for one in _parts(told) for bullet in _memory(one, korean=korean)]
    fresh = [bullet for bullet in dict.fromkeys(bullets) if not _known(bullet, baseline)]
    room = MOST_MEMORIES - min(len(baseline), MOST_MEMORIES - _LEAST_MEMORIES)
    new = spread(fresh, room)
    return [*bounded(baseline, MOST_MEMORIES - len(new)), *new]


def _parts(told: Sequence[Told]) -> list[Told]:
    """The summaries, cut into runs of sentences where there are too few of them."""
    if len(told) >= _LEAST_MEMORIES or not told:
        return list(told)
    each = -(-_LEAST_MEMORIES // len(told))
    return [
        one._replace(text=" ".join(run))
        for one in told
        for run in pieces(sentences(one.text), each)
    ]


def _memory(one: Told, *, korean: bool) -> list[str]:
    text = first_sentences(one.text, _MEMORY)
    if not text:
        return []
    episode = label(one.episode, 60) or ("제목 없음" if korean else "Untitled")
    name = label(weightiest(text), 20 if korean else 40) or ("있었던 일" if korean else "What was")
    when = label(one.when, 40) or "(시간 불명)"
    return [sourced(f'[Episode / "{episode}" / {when} / {name}] {text}', one.source)]


def _known(bullet: str, baseline: Sequence[str]) -> bool:
    text = _IDS.sub("", bullet.partition("] ")[2])
    return any(text in known for known in baseline)


def _traits(baseline: Sequence[str], found: Sequence[str], wanted: re.Pattern[str]) -> list[str]:
    """The baseline, and the sentences that state such a trait, as they stand."""
    new = [trimmed(sentence, _MEMORY) for sentence in found if wanted.search(sentence)]
    fresh = [line for line in dict.fromkeys(new) if line not in baseline][:_NEW_TRAITS]
    return [*baseline[:MOST_TRAITS], *fresh][:MOST_TRAITS]
