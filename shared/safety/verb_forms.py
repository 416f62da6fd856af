"""Korean verbs as memory writes them: what was not done yet, and how it reads once it is."""

import re
from functools import lru_cache

_NOT_YET = re.compile(
    r"(?:아직|여전히|끝내|못내)[^.!?\n]{0,40}?([가-힣]{1,6})지\s?(?:는\s?)?(?:않|못)"
)
_UNDONE = re.compile(r"([가-힣]{2,6})지\s?(?:는\s?)?(?:않은|못한)\s?(?:채|상태|약속)")
_FIRST = 0xAC00
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS, _SS, _RIEUL = 28, 20, 8
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
    last = stem[-1]
    forms = [f"{stem}[았었였]"]
    if stem == "가":
        forms += ["다녀왔", "다녀온", "갔"]
    elif last == "하":
        forms.append(f"{stem[:-1]}했")
    elif shorter := _contracted(last):
        forms.append(stem[:-1] + shorter)
    return re.compile(rf"(?<!안 )(?<!못 )(?:{'|'.join(forms)})")


def _contracted(syllable: str) -> str:
    """주 becomes 줬; a syllable with a final of its own has no shorter form but ㄷ and ㅂ stems."""
    code = ord(syllable) - _FIRST
    onset, vowel, final = code // 588, code % 588 // _FINALS, code % _FINALS
    if final or (turned := _CONTRACTED.get(_VOWELS[vowel])) is None:
        return ""
    return chr(_FIRST + (onset * 21 + _VOWELS.index(turned)) * _FINALS + _SS)
