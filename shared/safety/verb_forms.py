"""Korean verbs as memory writes them: what was not done yet, and how it reads once it is."""

import re
from functools import lru_cache
from typing import NamedTuple

_NOT_YET = re.compile(
    r"(?:아직|여전히|끝내|못내)[^.!?\n]{0,40}?([가-힣]{1,6})지\s?(?:는\s?)?(?:않|못)"
)
_UNDONE = re.compile(r"([가-힣]{2,6})지\s?(?:는\s?)?(?:않은|못한)\s?(?:채|상태|약속)")
_NOT_DONE = re.compile(
    r"(?:아직|여전히|끝내)[^.!?\n]{0,40}?(?<![가-힣])[못안]\s?([가-힣]{2,5}?)(?:다|지만|고|는데|음)(?![가-힣])"
)
_PROMISED = re.compile(
    r"((?:[가-힣]{1,5} 주)|[가-힣]{2,6}?)(?:겠다[던는고]|기로)[^.!?\n]{0,12}약속"
)
_FIRST = 0xAC00
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS, _NIEUN, _MIEUM, _SS = 28, 4, 16, 20
_CONTRACTED = {
    "ㅏ": "ㅏ",
    "ㅓ": "ㅓ",
    "ㅐ": "ㅐ",
    "ㅔ": "ㅔ",
    "ㅕ": "ㅕ",
    "ㅗ": "ㅘ",
    "ㅜ": "ㅝ",
    "ㅣ": "ㅕ",
    "ㅚ": "ㅙ",
    "ㅡ": "ㅓ",
}


# 찾았다 may tell of the search alone.
_ODD_PASTS = {
    "가": ["다녀왔", "다녀온", "갔"],
    "찾": [r"찾아\s?[냈줬왔]", "찾았(?:어|지|네|음|대)"],
}


class Verb(NamedTuple):
    """How a verb reads once it is done: plainly, and as a line of memory may put it besides."""

    stem: str
    past: re.Pattern[str]
    affirmed: re.Pattern[str]


def undone_verbs(line: str) -> list[Verb]:
    """The verbs of what a line says is not done yet.

    >>> [gave] = undone_verbs("소희는 아직 우산을 돌려주지 않았다.")
    >>> gave.past.search("우산 돌려줬어")[0], gave.affirmed.search("돌려준 우산")[0]
    ('돌려줬', '돌려준')
    >>> [mended] = undone_verbs("{user}는 노트북을 아직 못 고쳤다.")
    >>> mended.affirmed.search("노트북을 고쳐 주었다")[0]
    '고쳐'
    """
    found = (form.findall(line) for form in (_NOT_YET, _UNDONE, _PROMISED))
    stems = dict.fromkeys(stem for stems in found for stem in stems)
    pasts = (word for word in _NOT_DONE.findall(line) if final_of(word[-1]) == _SS)
    return [*(_by_stem(stem) for stem in stems), *(_by_past(past) for past in dict.fromkeys(pasts))]


@lru_cache(maxsize=256)
def _by_stem(stem: str) -> Verb:
    """Of 돌려주: 돌려줬, 돌려주었, 돌려준 거; and 돌려준, 돌려줌, 돌려주고, 돌려줘."""
    pasts = _ODD_PASTS.get(stem) or [f"{stem}[았었였]", *_past_syllables(stem)]
    if final_of(stem[-1]):
        done = f"{stem}은"
        besides = [rf"{stem}(?:[은음아어고]|으며)"]
    else:
        done = stem[:-1] + _with_final(stem[-1], _NIEUN)
        noun = stem[:-1] + _with_final(stem[-1], _MIEUM)
        besides = [done, noun, rf"{stem}(?:고|며|면서|어|여)"]
        besides += [past[:-1] + _with_final(past[-1], 0) for past in _past_syllables(stem)]
    plain = [*pasts, rf"{done}\s?(?:거|것)"]
    return Verb(stem, past=_none_before(plain), affirmed=_none_before([*plain, *besides]))


@lru_cache(maxsize=256)
def _by_past(past: str) -> Verb:
    """Of 고쳤: itself; and 고쳐."""
    return Verb(
        past,
        past=_none_before([past]),
        affirmed=_none_before([past, past[:-1] + _with_final(past[-1], 0)]),
    )


def _none_before(forms: list[str]) -> re.Pattern[str]:
    either = "|".join(forms).replace(" ", r"\s?")
    return re.compile(rf"(?<!안 )(?<!못 )(?:{either})")


def final_of(syllable: str) -> int:
    """The number of a syllable's final consonant; 0 where it has none."""
    return (ord(syllable) - _FIRST) % _FINALS


def _with_final(syllable: str, final: int) -> str:
    return chr(ord(syllable) - final_of(syllable) + final)


def _past_syllables(stem: str) -> list[str]:
    """The contracted past, where there is one: 돌려줬, 했."""
    last = stem[-1]
    shorter = "했" if last == "하" else _contracted(last)
    return [stem[:-1] + shorter] if shorter else []


def _contracted(syllable: str) -> str:
    """주 becomes 줬; a syllable with a final of its own has no shorter form but ㄷ and ㅂ stems."""
    code = ord(syllable) - _FIRST
    onset, vowel, final = code // 588, code % 588 // _FINALS, code % _FINALS
    if final or (turned := _CONTRACTED.get(_VOWELS[vowel])) is None:
        return ""
    return chr(_FIRST + (onset * 21 + _VOWELS.index(turned)) * _FINALS + _SS)
