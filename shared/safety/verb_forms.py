"""Korean verbs as memory writes them: what was not done yet, and how it reads once it is."""

import re
from functools import lru_cache

_NOT_YET = re.compile(
    r"(?:아직|여전히|끝내|못내)[^.!?\n]{0,40}?([가-힣]{1,6})지\s?(?:는\s?)?(?:않|못)"
)
_UNDONE = re.compile(r"([가-힣]{2,6})지\s?(?:는\s?)?(?:않은|못한)\s?(?:채|상태|약속)")
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


def not_yet_done(line: str) -> list[str]:
    """The stems of what a line says is not done yet.

    >>> not_yet_done("소희는 아직 우산을 돌려주지 않았다.")
    ['돌려주']
    """
    return list(dict.fromkeys([*_NOT_YET.findall(line), *_UNDONE.findall(line)]))


@lru_cache(maxsize=256)
def past_of(stem: str) -> re.Pattern[str]:
    """The past of a verb by its stem, contracted or not: 돌려주 is 돌려줬 or 돌려주었."""
    forms = [f"{stem}[았었였]", *_past_syllables(stem)]
    if stem == "가":
        forms += ["다녀왔", "다녀온", "갔"]
    return re.compile(rf"(?<!안 )(?<!못 )(?:{'|'.join(forms)})")


@lru_cache(maxsize=256)
def affirmed(stem: str) -> re.Pattern[str]:
    """A verb as a line may say that it is done: its past, a noun of it, or on the way to more.

    >>> affirmed("갚").search("빌린 돈을 갚음")[0], affirmed("지키").search("지킨 약속")[0]
    ('갚음', '지킨')
    """
    forms = [past_of(stem).pattern]
    if final_of(stem[-1]):
        forms.append(rf"{stem}(?:[은음아어고]|으며)")
    else:
        closed = (stem[:-1] + _with_final(stem[-1], final) for final in (_NIEUN, _MIEUM))
        forms += [*closed, rf"{stem}(?:고|며|면서|어|여)"]
        forms += [past[:-1] + _with_final(past[-1], 0) for past in _past_syllables(stem)]
    return re.compile("|".join(forms))


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
