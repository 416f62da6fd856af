"""Resident numbers, driver's licences, passports and payment cards."""

from collections.abc import Iterator
from re import Match

from shared.safety.redaction_spans import (
    FIRST_DIGIT,
    LONE_DIGIT,
    SEPARATOR,
    SPELLED_DIGITS,
    SPOKEN_DASH,
    Around,
    Span,
    any_case,
    around,
    digits_of,
    pattern,
    told_by,
)

_BREAK = r"(?:[ ]?\r?\n[ ]?)?"

_RRN_TOLD = r"주민|민증|등록\s?번호|등록증|신분증|뒷자리|resident"
_RRN = (
    rf"{FIRST_DIGIT}(?:{_BREAK}[0-9]){{5}}(?:{SEPARATOR}{{0,3}}|{SPOKEN_DASH})"
    rf"[0-9](?:{_BREAK}[0-9]){{6}}(?![0-9])"
)
_RRN_SPACED = rf"{LONE_DIGIT}(?:{SEPARATOR}{{1,3}}[0-9]){{12}}(?!{SEPARATOR}?[0-9])"
_RRN_ANY = rf"{FIRST_DIGIT}(?:{SEPARATOR}{{0,3}}[0-9]){{12}}(?![0-9])"
_RRN_VEILED = FIRST_DIGIT + r"[0-9]{5}[ ]?-?[ ]?[1-8][*xX●○•]{6}"
_RRN_TAIL = r"뒷자리[ ]?(?:은|는|이|가|:|=)?[ ]?([0-9]{7})(?![0-9])"
_RRN_REST = r"(?:뒤|뒷번호)[ ]?(?:은|는|이|가|에|:|=)?[ ]?([1-8][0-9]{6})(?![0-9])"
_SPELLED_RUN = (
    rf"(?:[{SPELLED_DIGITS}](?:{SEPARATOR}{{0,3}}|{SPOKEN_DASH})){{9,18}}[{SPELLED_DIGITS}]"
)

_CARD_TOLD = r"카드|card|비자|visa|마스터|아멕스|amex"
_CARD = (
    rf"{FIRST_DIGIT}(?<![0-9\ue000]-.)(?:[0-9]{{3}}(?:{SEPARATOR}{{0,3}}[0-9]{{4}}){{3}}"
    rf"|(?<=3)[47][0-9]{{2}}{SEPARATOR}{{0,3}}[0-9]{{6}}{SEPARATOR}{{0,3}}[0-9]{{5}}"
    rf"|(?<=3)[068][0-9]{{2}}{SEPARATOR}{{0,3}}[0-9]{{6}}{SEPARATOR}{{0,3}}[0-9]{{4}}"
    r"|(?<=6)[0-9]{18})(?![0-9])"
)
_CARD_SPACED = rf"{LONE_DIGIT}(?:{SEPARATOR}{{1,3}}[0-9]){{15}}(?!{SEPARATOR}?[0-9])"
_CARD_ANY = rf"{FIRST_DIGIT}(?:{SEPARATOR}{{0,3}}[0-9]){{15}}(?![0-9])"
_CARD_MAKERS = r"4|5[0-9]|2[2-7]|3[04-9]|6|9"
_CVC = (
    r"(?:cvc2?|cvv2?|씨브이씨|뒷면\s?(?:숫자\s?)?(?:세|3)\s?자리)\s?(?:번호|코드|숫자)?\s?"
    r"(?:은|는|이|가|:|=)?\s?([0-9]{3,4})(?![0-9])"
)

_LICENSE_TOLD = r"면허"
_LICENSE = FIRST_DIGIT + r"[0-9](?<![0-9\ue000]-..)([\-.])[0-9]{2}\1[0-9]{6}\1[0-9]{2}(?![0-9])"
_LICENSE_ANY = rf"{FIRST_DIGIT}(?:{SEPARATOR}{{0,3}}[0-9]){{11}}(?![0-9])"
_LICENSE_REGION = (
    r"(?:서울|부산|대구|인천|광주|대전|울산|경기|강원|충북|충남|전북|전남|경북|경남|제주)[남북]?부?"
    r"[ ]?-?[ ]?[0-9]{2}[\- ][0-9]{6}[\- ][0-9]{2}(?![0-9])"
)

_PASSPORT_TOLD = r"여권|passport"
_NO_WORD = r"(?<![A-Za-z0-9\ue000])"
_PASSPORT = rf"{_NO_WORD}[MSRODG](?:[0-9]{{3}}[A-Z][0-9]{{4}}|[0-9]{{8}})(?![A-Za-z0-9])"
_PASSPORT_TOLD_FORM = (
    rf"{_NO_WORD}[A-Za-z]{{1,2}}(?:(?:[ \-.\n]?[0-9]){{3}}[ \-.\n]?[A-Za-z](?:[ \-.\n]?[0-9]){{4}}"
    rf"|(?:[ \-.\n]?[0-9]){{7,8}})(?![A-Za-z0-9])"
)


def find_resident_numbers(text: str) -> Iterator[Span]:
    """Resident and alien registration numbers. The check digit decides nothing: numbers given
    since October 2020 no longer keep it. A possible birthday and a century digit do."""
    for source in (_RRN, _RRN_SPACED):
        for match in pattern(source).finditer(text):
            if _is_resident_number(match[0], around(text, *match.span())):
                yield Span("rrn", *match.span())
    for match in told_by(_RRN_TOLD, _RRN_ANY, text):
        words = around(text, *match.span())
        if _is_told(words) and _is_resident_number(match[0], words):
            yield Span("rrn", *match.span())
    for match in pattern(_RRN_VEILED).finditer(text):
        yield Span("rrn", *match.span())
    for match in pattern(_RRN_TAIL).finditer(text):
        yield Span("rrn", *match.span(1))
    for match in pattern(_RRN_REST).finditer(text):
        if around(text, *match.span(1)).has(_RRN_TOLD, before=28, after=16):
            yield Span("rrn", *match.span(1))
    for match in told_by(_RRN_TOLD, _SPELLED_RUN, text):
        if around(text, *match.span()).has(_RRN_TOLD, before=20, after=16):
            yield Span("rrn", *match.span())


def _is_told(words: Around) -> bool:
    return words.has(_RRN_TOLD, before=20, after=16)


def _is_resident_number(number: str, words: Around) -> bool:
    digits = digits_of(number)
    if not _is_month_and_day(digits[2:6]):
        return False
    # An order number may start with today's date; a birthday that recent is a small child's.
    recent = "20" <= digits[:2] <= "39"
    is_doubtful = (
        digits[6] in "09"
        or "법인" in words.before[-8:]
        or ((recent or number == digits) and words.is_public_number())
    )
    return not is_doubtful or _is_told(words)


def _is_month_and_day(digits: str) -> bool:
    return "01" <= digits[:2] <= "12" and "01" <= digits[2:] <= "31"


def find_cards(text: str) -> Iterator[Span]:
    """Card numbers: a maker's first digits and Luhn's sum, or sixteen digits called a card."""
    for source in (_CARD, _CARD_SPACED):
        for match in pattern(source).finditer(text):
            words = around(text, *match.span())
            if _is_card(match, words) or words.has(_CARD_TOLD, before=20, after=12):
                yield Span("card", *match.span())
    for source in (_CARD_ANY, _SPELLED_RUN):
        for match in told_by(_CARD_TOLD, source, text):
            if around(text, *match.span()).has(_CARD_TOLD, before=20, after=12):
                yield Span("card", *match.span())
    for match in any_case(_CVC).finditer(text):
        yield Span("card", *match.span(1))


def _is_card(match: Match[str], words: Around) -> bool:
    digits = digits_of(match[0])
    if not (pattern(_CARD_MAKERS).match(digits) and _has_luhn_sum(digits)):
        return False
    return match[0] != digits or not words.is_public_number()


def _has_luhn_sum(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0


def find_driver_licenses(text: str) -> Iterator[Span]:
    """Licences as 11-22-333333-44, regions 11 to 28 unless told as a licence."""
    for match in pattern(_LICENSE).finditer(text):
        if "11" <= match[0][:2] <= "28" and not around(text, *match.span()).is_public_number():
            yield Span("driver_license", *match.span())
    for match in told_by(_LICENSE_TOLD, _LICENSE_ANY, text):
        if around(text, *match.span()).has(_LICENSE_TOLD, before=20, after=10):
            yield Span("driver_license", *match.span())
    for match in pattern(_LICENSE_REGION).finditer(text):
        yield Span("driver_license", *match.span())


def find_passports(text: str) -> Iterator[Span]:
    """Korean passports: M123A4567 since December 2021, M12345678 before."""
    for match in pattern(_PASSPORT).finditer(text):
        dated = match[0][1:3] in {"19", "20"} and _is_month_and_day(digits_of(match[0])[4:8])
        if not (dated or around(text, *match.span()).is_public_number()):
            yield Span("passport", *match.span())
    for match in pattern(_PASSPORT_TOLD_FORM).finditer(text):
        if around(text, *match.span()).has(_PASSPORT_TOLD, before=24, after=16):
            yield Span("passport", *match.span())
