"""Bank accounts, with the bank's name, with the word account, or by their shape alone."""

from collections.abc import Iterator

from shared.safety.redaction_spans import (
    FIRST_DIGIT,
    SEPARATOR,
    SPELLED_DIGITS,
    Around,
    Span,
    around,
    digits_of,
    pattern,
    told_by,
)

_BANK = (
    r"은행|뱅크|카뱅|케뱅|토뱅|농협|수협|신협|축협|새마을금고|우체국|저축|증권|계좌|통장|예금주"
    r"|(?<![a-z])(?:bank|account|acct)"
)
# Names that are words of their own (우리 "we", 하나 "one") count only right before the number.
_SHORT_NAME = (
    r"(?:국민|신한|우리|하나|기업|제일|씨티|산업|부산|대구|광주|전북|경남|제주|토스|카카오|새마을"
    r"|(?<![A-Za-z])(?:KB|NH|IBK|SC|MG|KDB))"
)
_SHORT_BANK = rf"{_SHORT_NAME}[ ]?[:(\-]?[ ]?$"
_LONGEST_SHORT_BANK = 9
_TRANSFER = r"입금|송금|이체|환불|보내|부쳐|부칠|넣어|쏴|정산|더치페이|돈|용돈|회비"
_TOLD = rf"{_BANK}|{_SHORT_NAME}|{_TRANSFER}"

_FIRST = rf"{FIRST_DIGIT}(?<![0-9\ue000][\-.].)"
_HYPHENED = rf"{_FIRST}[0-9]{{1,5}}(?:-[0-9]{{1,8}}){{1,4}}(?![0-9])(?!-[0-9])"
_JOINED = rf"{_FIRST}(?:[\-.·_/]{{0,2}}[0-9]){{9,15}}(?![0-9])"
_SPACED = rf"{_FIRST}(?<![0-9\ue000] .)(?:[ \n\-.·_]{{0,3}}[0-9]){{9,15}}(?![0-9])"
_SPELLED = rf"(?:[{SPELLED_DIGITS}]{SEPARATOR}{{0,3}}){{9,15}}[{SPELLED_DIGITS}]"

# How the banks group the digits of an account.
_SHAPES = {
    (3, 3, 6), (3, 2, 6), (6, 2, 6), (4, 3, 6), (3, 6, 5), (4, 2, 7), (3, 4, 4, 2), (3, 6, 2, 3),
    (3, 2, 5, 1), (3, 2, 6, 1), (3, 4, 4, 3), (4, 4, 4, 1), (3, 3, 5, 1), (3, 4, 6),
}  # fmt: skip
_DATED = r"(?:19|20)[0-9]{2}([\-./ ]?)(?:0?[1-9]|1[0-2])\1(?:0[1-9]|[12][0-9]|3[01])(?![0-9])"
_STAMP = r"20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])[0-5][0-9]"
_IP_ADDRESS = r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}$"


def find_bank_accounts(text: str) -> Iterator[Span]:
    """Ten to sixteen digits near a bank's name or the word account; near a word of paying; or
    in a grouping that only accounts have."""
    seen: set[tuple[int, int]] = set()
    for source in (_HYPHENED, _JOINED, _SPACED):
        # Only hyphens group digits as accounts alone do; the rest need a word.
        grouped = source is _HYPHENED
        for match in pattern(source).finditer(text) if grouped else told_by(_TOLD, source, text):
            number = match[0]
            if match.span() in seen or not 10 <= len(digits_of(number)) <= 16:
                continue
            seen.add(match.span())
            words = around(text, *match.span())
            if source is _SPACED and words.is_counted():
                # The last group is a count of its own: 110 899 080912 3번.
                number = number.rpartition(" ")[0]
            elif words.is_counted():
                continue
            if _is_account(number, words):
                yield Span("bank_account", match.start(), match.start() + len(number))
    for match in told_by(_BANK, _SPELLED, text):
        if around(text, *match.span()).has(_BANK, before=24, after=16):
            yield Span("bank_account", *match.span())


def _is_account(number: str, words: Around) -> bool:
    digits = digits_of(number)
    if not 10 <= len(digits) <= 16 or _is_something_else(number, digits):
        return False
    short = pattern(_SHORT_BANK).search(words.before[-_LONGEST_SHORT_BANK:])
    bank = 0 if short else words.nearest(_BANK)
    if bank >= 0 and words.distance_to_public_number(within=bank) < 0:
        return True
    is_followed = words.has(_BANK, before=0, after=16)
    is_book = len(digits) == 13 and digits[:3] in {"978", "979"}
    if not is_followed and (is_book or len(digits) > 14):
        return False
    if words.distance_to_public_number(within=14) >= 0:
        return False
    if is_followed:
        return True
    groups = tuple(map(len, number.split("-")))
    return groups in _SHAPES or words.has(_TRANSFER, before=20, after=14)


def _is_something_else(number: str, digits: str) -> bool:
    return (
        bool(pattern(_DATED).match(number))
        or bool(pattern(_STAMP).match(number))
        or bool(pattern(_IP_ADDRESS).match(number))
        or (number == digits and digits.endswith("000000"))
    )
