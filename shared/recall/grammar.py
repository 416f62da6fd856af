"""The shape of a Korean ending: which part may follow which (PRD §4.10)."""

from collections.abc import Iterable
from enum import StrEnum, auto
from typing import NamedTuple

from shared.recall.normal_form import Final


class State(StrEnum):
    """What has been read so far of a word: the keyword itself, or the last part after it."""

    NOUN = auto()
    SYLLABLE = auto()  # a keyword of one character: few endings are unambiguous after it
    VERBAL_SYLLABLE = auto()  # one of the few that make a verb with 하다: 말하다
    FUSED_N = auto()  # the keyword's last syllable took the copula's ㄴ: 소흰데
    FUSED_L = auto()
    FUSED_B = auto()
    NAMED = auto()  # 재민이
    TITLED = auto()  # 소희씨, 소희네
    PLURAL = auto()
    CASED = auto()
    LIMITED = auto()
    TOPIC = auto()  # 소희는: only 요 can follow
    DONE = auto()
    ENDED = auto()  # a sentence ending: only 요 can follow
    COPULA_ADNOMINAL = auto()  # 소희인 (줄)
    COPULA_PROSPECT = auto()  # 소희일 (거야)
    PLAIN = auto()  # 하-
    INFINITIVE = auto()  # 해
    PAST = auto()  # 했-
    ADNOMINAL = auto()  # 한, 하는, 하던
    PROSPECT = auto()  # 할
    NOMINAL = auto()  # 함, 하기
    FORMAL = auto()  # 합-
    THING = auto()  # 하는 거


class Slot(StrEnum):
    """The kinds of parts; each state opens some of them."""

    NAME = auto()
    TITLE = auto()
    PLURAL = auto()
    HOUSE = auto()
    CASE = auto()
    LONG_CASE = auto()  # also verbs or nouns of their own, so never after one syllable
    COMPARE = auto()
    LIMIT = auto()
    LONG_LIMIT = auto()
    TOPIC = auto()
    CHOICE = auto()
    ALSO = auto()
    POLITE = auto()
    CUTE_POLITE = auto()
    VOCATIVE = auto()
    COPULA = auto()
    LONG_COPULA = auto()
    BARE_COPULA = auto()  # 이 left out after a vowel: 소희라고
    DEPENDENT = auto()
    LIKE = auto()
    FUSED_N = auto()
    FUSED_L = auto()
    FUSED_B = auto()
    LIGHT_VERB = auto()
    HONORIFIC = auto()
    AUXILIARY = auto()
    PLAIN_END = auto()
    INFINITIVE_END = auto()
    PAST_END = auto()
    SHARED_END = auto()  # after 하- and after 했-
    ADNOMINAL_END = auto()
    DECLARATIVE_END = auto()
    PROSPECT_END = auto()
    FORMAL_END = auto()
    THING = auto()


ANY = frozenset(Final)
AFTER_VOWEL = frozenset({Final.VOWEL, Final.UNKNOWN})
AFTER_CONSONANT = frozenset({Final.CONSONANT, Final.RIEUL, Final.UNKNOWN})
AFTER_HANGUL_CONSONANT = frozenset({Final.CONSONANT, Final.RIEUL})
AFTER_VOWEL_OR_RIEUL = frozenset({Final.VOWEL, Final.RIEUL, Final.UNKNOWN})
AFTER_HARD_CONSONANT = frozenset({Final.CONSONANT, Final.UNKNOWN})


class Part(NamedTuple):
    """One way to read a piece of an ending."""

    slot: Slot
    after: frozenset[Final]
    leads_to: State


Entry = tuple[str, Part]


def entries(
    slot: Slot, leads_to: State, words: str, after: frozenset[Final] = ANY
) -> Iterable[Entry]:
    """Lexicon entries for the space-separated `words`, all of one kind."""
    return [(word, Part(slot, after, leads_to)) for word in words.split()]


_PARTICLES = frozenset({Slot.CASE, Slot.COMPARE, Slot.LIMIT, Slot.TOPIC, Slot.CHOICE})
_LONG = frozenset(
    {Slot.LONG_CASE, Slot.LONG_LIMIT, Slot.ALSO, Slot.POLITE, Slot.LONG_COPULA, Slot.COPULA}
) | {Slot.BARE_COPULA, Slot.DEPENDENT, Slot.LIKE}
_NAME_TAIL = frozenset({Slot.TITLE, Slot.PLURAL, Slot.HOUSE, Slot.VOCATIVE})
_VERB_TAIL = frozenset({Slot.THING, Slot.ADNOMINAL_END})

OPENS: dict[State, frozenset[Slot]] = {
    State.NOUN: _PARTICLES | _LONG | _NAME_TAIL | {Slot.NAME, Slot.LIGHT_VERB},
    State.SYLLABLE: _PARTICLES | {Slot.COPULA, Slot.PLURAL},
    State.VERBAL_SYLLABLE: _PARTICLES | {Slot.COPULA, Slot.PLURAL, Slot.LIGHT_VERB},
    State.FUSED_N: frozenset({Slot.FUSED_N}),
    State.FUSED_L: frozenset({Slot.FUSED_L}),
    State.FUSED_B: frozenset({Slot.FUSED_B}),
    State.NAMED: _PARTICLES | _LONG | {Slot.TITLE, Slot.PLURAL, Slot.HOUSE},
    State.TITLED: _PARTICLES | _LONG | _NAME_TAIL,
    State.PLURAL: _PARTICLES | _LONG | {Slot.VOCATIVE, Slot.HOUSE},
    State.CASED: frozenset({Slot.COMPARE, Slot.LIMIT, Slot.LONG_LIMIT, Slot.TOPIC, Slot.CHOICE})
    | {Slot.POLITE, Slot.COPULA, Slot.BARE_COPULA},
    State.LIMITED: _PARTICLES | {Slot.LONG_LIMIT, Slot.POLITE, Slot.COPULA, Slot.BARE_COPULA},
    State.TOPIC: frozenset({Slot.POLITE}),
    State.DONE: frozenset(),
    State.ENDED: frozenset({Slot.POLITE, Slot.CUTE_POLITE}),
    State.COPULA_ADNOMINAL: _VERB_TAIL,
    State.COPULA_PROSPECT: frozenset({Slot.THING, Slot.PROSPECT_END}),
    State.PLAIN: frozenset({Slot.PLAIN_END, Slot.SHARED_END, Slot.HONORIFIC}),
    State.INFINITIVE: frozenset({Slot.INFINITIVE_END, Slot.AUXILIARY, Slot.CUTE_POLITE}),
    State.PAST: frozenset({Slot.PAST_END, Slot.SHARED_END}),
    State.ADNOMINAL: _VERB_TAIL | {Slot.DECLARATIVE_END},
    State.PROSPECT: frozenset({Slot.THING, Slot.PROSPECT_END}),
    State.NOMINAL: frozenset({Slot.LIMIT, Slot.TOPIC, Slot.CHOICE}),
    State.FORMAL: frozenset({Slot.FORMAL_END}),
    State.THING: _PARTICLES | {Slot.COPULA, Slot.BARE_COPULA, Slot.POLITE, Slot.LIKE},
}

INCOMPLETE = frozenset(
    {State.PLAIN, State.PAST, State.FORMAL, State.FUSED_N, State.FUSED_L, State.FUSED_B}
)
