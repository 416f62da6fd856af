"""What the detectors of secrets share: spans, lazy patterns, and a look at the words around."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from re import Match, Pattern
from re import compile as compile_pattern
from typing import Literal, NamedTuple

Kind = Literal[
    "private_key",
    "jwt",
    "api_key",
    "email",
    "rrn",
    "driver_license",
    "card",
    "phone",
    "passport",
    "bank_account",
    "password_phrase",
    "account_id",
]

MASK = "\ue000"
"""Stands for what is already redacted: no detector's class holds it, no context reaches over it."""

SEPARATOR = r"[ \t\r\n.\-_/,~·ㅡ]"
"""What people put between the digits of one number, in the matching form."""

# The edge is looked for after the first digit: a search then skips from digit to digit.
FIRST_DIGIT = rf"[0-9](?<![0-9{MASK}].)"
"""A digit that no digit precedes, nor something redacted: what goes makes no new edge."""
LONE_DIGIT = rf"{FIRST_DIGIT}(?<![0-9{MASK}][ .\-,:/].)"
"""A first digit that does not go on from another number, as in a list or a date."""

SPOKEN_DASH = r"[ ]?(?:다시|대시|하이픈)[ ]?"
SPELLED_DIGITS = "공영빵일이삼사오육륙칠팔구"

_UNIT = (
    r"[ ]?(?:원|자리|글자|개|명|번|회|년|점|층|호|월|초|분|시간|시|만|천|억|달러|엔|위|등|퍼센트"
    r"|%|₩|won\b|일(?![ ]?(?:걸|껄|거|지도|텐데|듯)))"
)
# A number that a catalogue, a courier or a game gives out tells nothing about a person.
_PUBLIC_NUMBER = (
    r"주문|운송장|송장|택배(?! ?기사)|등기|예약(?!에|할|하|때)|접수|조회|대기|번호표|사건|사업자"
    r"|법인|바코드|ISBN|시리얼|일련|모델|제품|상품|품번|쿠폰|빌드|버전|시드|티켓|승인|거래번호|문의"
    r"|학번|사번|수험|회원|포인트|점수|order|tracking|serial|build|version|seed|ticket|barcode"
)
_LONGEST_PUBLIC_WORD = 8


class Span(NamedTuple):
    """A secret of one kind at [start, end) of the matching form."""

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Around:
    """The words before and after a candidate, cut where something is already redacted."""

    before: str
    after: str

    def has(self, words: str, *, before: int, after: int = 0) -> bool:
        """Whether one of `words` (a pattern) stands within so many characters of the candidate."""
        found = any_case(words).search
        return bool(
            (before and found(self.before[-before:])) or (after and found(self.after[:after]))
        )

    def is_counted(self) -> bool:
        """Whether the candidate is an amount: a unit follows or a currency sign precedes."""
        return bool(pattern(_UNIT).match(self.after)) or self.before.rstrip()[-1:] in {"₩", "$"}

    def is_public_number(self) -> bool:
        """Whether the candidate is told as an order, a parcel, a build and the like."""
        return self.has(_PUBLIC_NUMBER, before=14)

    def nearest(self, words: str, within: int = 32) -> int:
        """How far back the nearest of `words` ends, in characters; -1 when none is `within`."""
        before = self.before[-within:]
        ends = [m.end() for m in any_case(words).finditer(before)]
        return len(before) - ends[-1] if ends else -1

    def distance_to_public_number(self, within: int) -> int:
        """How far back the nearest such word ends, at most `within`; -1 when there is none."""
        distance = self.nearest(_PUBLIC_NUMBER, within + _LONGEST_PUBLIC_WORD)
        return distance if distance <= within else -1


def told_by(words: str, source: str, text: str) -> Iterator[Match[str]]:
    """Every match of `source`, if any of `words` stands in the text at all.

    The words are looked for once there is a match: most texts have none.
    """
    for number, match in enumerate(pattern(source).finditer(text)):
        if not number and not any_case(words).search(text):
            return
        yield match


@cache
def pattern(source: str) -> Pattern[str]:
    """Compile on first use, so that loading the product costs nothing."""
    return compile_pattern(source)


@cache
def any_case(source: str) -> Pattern[str]:
    """The pattern in letters of either case."""
    return compile_pattern(f"(?i){source}")


def around(text: str, start: int, end: int) -> Around:
    """At most 32 characters before and 24 after [start, end)."""
    before = text[max(0, start - 32) : start].rpartition(MASK)[2]
    return Around(before, text[end : end + 24].partition(MASK)[0])


def digits_of(text: str) -> str:
    return "".join(pattern("[0-9]+").findall(text))
