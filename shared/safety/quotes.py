"""Quoted words in a line of memory, and who is said to have spoken them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shared.model.thread import Role

_DOUBLE = '"“”„‟＂〝〞'
_MARKS = _DOUBLE + "‘'「『("
# Characters of one quotation: longer than any that is stored. Without a bound, marks that never
# close would be read by the square of their number.
_WORDS = "{1,1000}"
_PAIRS = ('""', "“”", '“"', '"”', "„“", "＂＂", "〝〞", "「」", "『』")
_QUOTE = re.compile(
    "|".join(rf"{pair[0]}([^{pair[1]}\n]{_WORDS}){pair[1]}" for pair in _PAIRS)
    + rf"|‘((?:[^‘’\n]|(?<=[A-Za-z])’(?=[A-Za-z])){_WORDS})’"
    + rf"|(?<![^\W_])['＇](?=\S)((?:[^'＇\n]|(?<=[A-Za-z])'(?=[A-Za-z])){_WORDS})"
    + r"(?<=\S)['＇](?![A-Za-z0-9])"
)
_SENTENCE_END = re.compile(r"[.!?…。]\s+|\n")
CLAUSE_END = re.compile(r"(?<=[자고며서만니데])\s|,\s*")
_PARTICLE = rf"(?:님|\s?씨)?(?:께서는|께서|이가|이는|이도|가|이|는|은|도)(?=[\s,{_MARKS}]|$)"
_SAID = r"(?:said|says|asked|asks|replied|answered|wrote|whispered|promised|added|told|admitted)"
_GOES_ON = re.compile(
    r"[\s,·]*(?:(?:이?라고|이?라며|하고|고)?\s?(?:하고|하며|했고|말하고|말했고)?|그리고|와|과|and)[\s,·]*"
)
_NOUN_ENDING = re.compile(r"(?:을|를|의|에|에서|에게|으로|로|와|과|이|가|은|는|도)(?=[\s,.]|$)")
_NAMING = re.compile(
    r"(?:이란|란|이라는|라는)\s?(?!말|고백|약속|대답|답|질문|인사|부탁|얘기|이야기|메시지|문자)"
    r"|이?라고\s?(?:부르|불렀|불러|불린|칭|이름|저장)"
)
_HEARD = re.compile(
    r"이?라는\s?\S{1,5}\s?(?:들었|들은|듣|받았|받은|받고|읽)|이?라고\s?(?:들었|들은|듣)"
)


class Quote(NamedTuple):
    """Words between quotation marks; `start` and `end` are those of the marks."""

    words: str
    start: int
    end: int


class Names:
    """What the two in the chat are called, for finding who is said to have spoken."""

    def __init__(self, soul_name: str) -> None:
        self.user: tuple[str, ...] = ("{user}", "유저", "사용자", "the user")
        self.soul = _forms_of(unicodedata.normalize("NFC", soul_name))
        both: tuple[tuple[Role, Sequence[str]], ...] = (("user", self.user), ("soul", self.soul))
        known = [(role, _either(names)) for role, names in both if names]
        self._subjects = [(role, _subject(either)) for role, either in known]
        self._after = [(role, _named_after(either)) for role, either in known]

    def subjects(self, clause: str) -> frozenset[Role]:
        """Who is a subject of the clause: `소희가`, `{user}는`, `Theo said`."""
        return frozenset(role for role, found in self._subjects if found.search(clause))

    def speakers(self, lead: str, tail: str) -> frozenset[Role]:
        """Who speaks the quote between `lead` and `tail`: the nearest subject, or one after it."""
        for clause in reversed(CLAUSE_END.split(_SENTENCE_END.split(lead)[-1])):
            if found := self.subjects(clause):
                return found
        return frozenset(role for role, found in self._after if found.match(tail))


def quotes_in(text: str) -> list[Quote]:
    """Every quotation of the text, the outer one where they are nested."""
    return [
        Quote(next(group for group in found.groups() if group is not None), *found.span())
        for found in _QUOTE.finditer(text)
    ]


def spoken(text: str, names: Names) -> Iterator[tuple[Quote, frozenset[Role]]]:
    """Each quote, and who is said to have spoken it: nobody, one, or one of two.

    A quoted word that is only a noun of the sentence, or words that somebody heard, are
    nobody's.
    """
    found = quotes_in(text)
    speakers: frozenset[Role] = frozenset()
    for index, quote in enumerate(found):
        start = found[index - 1].end if index else 0
        end = found[index + 1].start if index + 1 < len(found) else len(text)
        lead, tail = text[start : quote.start], text[quote.end : end]
        if not index or not _GOES_ON.fullmatch(lead):
            speakers = names.speakers(lead, tail)
        yield quote, speakers if is_speech(text, quote) else frozenset()


def is_speech(text: str, quote: Quote) -> bool:
    """Whether the quote is words that somebody is said to speak, no mere noun of its sentence."""
    tail = text[quote.end :]
    return not any(found.match(tail) for found in (_NOUN_ENDING, _NAMING, _HEARD))


def _forms_of(name: str) -> tuple[str, ...]:
    """A name, its parts, and a Korean full name without the family name."""
    forms = [name, *name.split()]
    forms += [part[1:] for part in forms if re.fullmatch(r"[가-힣]{3}", part)]
    return tuple(form for form in dict.fromkeys(forms) if len(form) > 1 or form == name != "")


def _either(names: Sequence[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def _subject(either: str) -> re.Pattern[str]:
    korean = rf"(?:{either}){_PARTICLE}"
    english = rf"(?i:(?:{either})\s+(?:\w+\s+){{0,4}}?{_SAID}\b)"
    return re.compile(rf"(?<![\w{{])(?:{korean}|{english})")


def _named_after(either: str) -> re.Pattern[str]:
    korean = rf"\s?(?:이?라고|이?라며|고|하고)?\s?(?:{either})(?:님|\s?씨)?(?:가|이|는|은|도)\s"
    english = rf",?\s?(?:{_SAID}\s+(?:{either})(?!\w)|(?:{either})\s+{_SAID}\b)"
    return re.compile(f"{korean}|{english}", re.IGNORECASE)
