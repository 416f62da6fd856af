"""Whether what follows a keyword in a word is wholly an ending of it (PRD §4.10)."""

from collections import defaultdict

from shared.recall.grammar import INCOMPLETE, OPENS, Part, State
from shared.recall.lookalikes import (
    LONGEST_LOOKALIKE,
    LOOKALIKE_FORMS,
    LOOKALIKE_STEMS,
    LOOKALIKE_WORDS,
)
from shared.recall.normal_form import Final, final_of, is_syllable, is_word, open_syllable
from shared.recall.particles import COPULA, PARTICLES
from shared.recall.verb_endings import VERB_ENDINGS, VERBAL_SYLLABLES

# Longer than any real ending: what bounds the cost of one look at the text.
_LONGEST_ENDING = 16
# What a bare 일 must come before to be the copula: 소희일 거야, not the day in 마감일.
_AFTER_COPULA_PROSPECT = frozenset("거것걸건게때수줄리텐테듯뿐지")


def _lexicon() -> dict[str, tuple[Part, ...]]:
    found: defaultdict[str, list[Part]] = defaultdict(list)
    for word, part in (*PARTICLES, *COPULA, *VERB_ENDINGS):
        found[word].append(part)
    return {word: tuple(parts) for word, parts in found.items()}


_LEXICON = _lexicon()
_LONGEST_PART = max(map(len, _LEXICON))
_FUSED_STATES = {4: State.FUSED_N, 8: State.FUSED_L, 17: State.FUSED_B}


def stands_as_word(text: str, start: int, end: int, fused_final: int = 0) -> bool:
    """Whether the noun at `text[start:end]` is followed by the end of its word or by an ending.

    `text` is in normal form and a word begins at `start`. `fused_final` is the number of the
    final that the noun's last syllable has from a copula melted into it (소흰데, 소흽니다).
    Constant time.
    """
    last = text[end - 1]
    if fused_final:
        return _is_ending(text, end, _FUSED_STATES[fused_final], Final.CONSONANT)
    if not is_word(last):
        return True
    if end == len(text) or not is_word(text[end]):
        return not _is_in_number(text, end)
    if not is_syllable(text[end]):
        return False
    ends = _is_ending(text, end, _state_of(text[start:end]), final_of(last))
    return ends and not _is_lookalike(text, start, end)


def may_be_fused(word: str) -> bool:
    """Whether `word` is long enough and ends in a syllable that a copula may have melted into."""
    return len(word) > 1 and is_syllable(word[-1]) and open_syllable(word[-1])[1] in _FUSED_STATES


def _state_of(noun: str) -> State:
    if len(noun) > 1:
        return State.NOUN
    return State.VERBAL_SYLLABLE if noun in VERBAL_SYLLABLES else State.SYLLABLE


def _is_in_number(text: str, end: int) -> bool:
    """Whether a number goes on behind a mark: the 3 in 3.14."""
    return (
        text[end - 1].isdigit()
        and text[end : end + 1] in {".", ",", ":"}
        and text[end + 1 : end + 2].isdigit()
    )


def _is_lookalike(text: str, start: int, end: int) -> bool:
    for stop in range(end + 1, min(start + LONGEST_LOOKALIKE, len(text)) + 1):
        word = text[start:stop]
        if word in LOOKALIKE_STEMS:
            return True
        if word in LOOKALIKE_FORMS and (stop == len(text) or not is_syllable(text[stop])):
            return True
        if word in LOOKALIKE_WORDS and _ends_word(text, stop):
            return True
    return False


def _ends_word(text: str, end: int) -> bool:
    if end == len(text) or not is_syllable(text[end]):
        return True
    return _is_ending(text, end, State.NOUN, final_of(text[end - 1]))


def _is_ending(text: str, start: int, state: State, final: Final) -> bool:
    """Whether the Hangul from `start` on is parts that may follow each other from `state`."""
    end = start
    while end < len(text) and is_syllable(text[end]):
        end += 1
        if end - start > _LONGEST_ENDING:
            return False
    pending = [(start, state, final)]
    seen = set(pending)
    while pending:
        position, state, final = pending.pop()
        if position == end and _may_stop(text, end, state):
            return True
        for stop in range(position + 1, min(position + _LONGEST_PART, end) + 1):
            for part in _LEXICON.get(text[position:stop], ()):
                if part.slot not in OPENS[state] or final not in part.after:
                    continue
                following = (stop, part.leads_to, final_of(text[stop - 1]))
                if following not in seen:
                    seen.add(following)
                    pending.append(following)
    return False


def _may_stop(text: str, end: int, state: State) -> bool:
    """Whether a word may end at `end` in `state`; an adnominal copula needs its next word."""
    if state is State.COPULA_ADNOMINAL:
        return text[end : end + 1] == " " and is_word(text[end + 1 : end + 2] or " ")
    if state is State.COPULA_PROSPECT:
        return text[end : end + 1] == " " and text[end + 1 : end + 2] in _AFTER_COPULA_PROSPECT
    return state not in INCOMPLETE
