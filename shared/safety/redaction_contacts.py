"""Phone numbers, e-mail addresses, and account names told as such."""

from collections.abc import Iterator

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
)

_ANY = rf"{SEPARATOR}{{0,3}}"
_GAP = rf"(?:[)\]]?{SEPARATOR}{{0,3}}|{SPOKEN_DASH}|에[ ]?)"
_TAIL = rf"{_GAP}[0-9]{{3,4}}{_GAP}[0-9]{{4}}(?![0-9])"
_AREA = r"(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|50[0-9]?)"
_ABROAD = r"[0+](?<![0-9\ue000].)(?:(?<=\+)|0)"
_PHONES = (
    rf"{FIRST_DIGIT}(?<=0)1[016-9]{_TAIL}",
    rf"{LONE_DIGIT}(?<=0){_ANY}1{_ANY}0(?:{_ANY}[0-9]){{8}}(?![0-9])",
    rf"{_ABROAD}[ ]?82[)\- .]{{0,3}}(?:\(0\)|0)?[ \-.]{{0,2}}(?:1[016-9]|{_AREA}){_TAIL}",
    # Without the + only a mobile's prefix tells it from any other number that starts with 82.
    rf"{FIRST_DIGIT}(?<=8)2[)\- .]{{0,3}}0?1[016-9]{_TAIL}",
    rf"{_ABROAD}[ ]?8[ ]?2(?:{_ANY}[0-9]){{9,11}}(?![0-9])",
    rf"{FIRST_DIGIT}(?<=0)(?<![0-9\ue000][\-.:/,].){_AREA}(?:[)\]]?[ .\-·~\n]{{1,3}}|[)\]])"
    r"[0-9]{3,4}[ .\-·~\n]{1,3}[0-9]{4}(?![0-9])",
)
_PHONE_ABROAD = r"\+(?<![0-9+\ue000].)[1-9][0-9]{0,2}(?:[ \-.]{1,2}\(?[0-9]{1,5}\)?){2,5}(?![0-9])"
_PHONE_TOLD = r"전화|연락|폰|번호|문자|카톡|걸어|저장|whatsapp|phone|call"
_AREA_BARE = rf"{FIRST_DIGIT}(?<=0)(?<![0-9\ue000][\-.:/,].){_AREA}[0-9]{{7,8}}(?![0-9])"
# Taken apart in any way, it takes the words to tell.
_TAKEN_APART = rf"{LONE_DIGIT}(?<=0)(?:[ \n.\-·_]{{0,3}}[0-9]){{8,10}}(?![0-9])"
_WHOLE = rf"0(?:1[016-9]|{_AREA})[0-9]{{7,8}}$"
_ABROAD_BARE = r"\+(?<![0-9+\ue000].)[1-9][0-9]{9,14}(?![0-9])"
_WITHOUT_PREFIX = (
    r"(?:전화\s?번호|전번|집\s?전화|연락처|폰\s?번호|(?:핸드|휴대)폰(?:\s?번호)?"
    r"|(?:내|제|새|바뀐) 번호)"
    r"[ ]?(?:은|는|이|가|:|=)?[ ]?(?!1[5-8][0-9]{2})([0-9]{3,4}[\- .][0-9]{4})(?![0-9])"
)
_LETTERS_FOR_DIGITS = (
    r"(?<![0-9A-Za-z\ue000])[0oO][1lI][0oO]"
    rf"{_ANY}[0-9oOlI]{{3,4}}{_ANY}[0-9oOlI]{{4}}(?![0-9A-Za-z])"
)
_SPELLED = rf"[0-9{SPELLED_DIGITS}]"
_SPELLED_GAP = rf"(?:{_ANY}|{SPOKEN_DASH}|에[ ]?)"
_SPELLED_PHONE = (
    rf"[0공영빵](?<![0-9\ue000].){_ANY}[1일]{_ANY}[01공영빵일육륙칠팔구6-9]"
    rf"(?:{_SPELLED_GAP}{_SPELLED}){{7,8}}(?![0-9])"
)

_LOCAL = r"(?<![A-Za-z0-9._%+\-\ue000])[A-Za-z0-9._%+\-]+"
_DOMAIN = r"(?:[A-Za-z0-9\-]{1,63}\.)(?:[A-Za-z0-9가-힣\-]{1,63}\.){0,5}[A-Za-z]{2,24}"
_KNOWN_DOMAIN = (
    r"(?:[A-Za-z0-9\-]{1,63}\.){1,4}(?:com|net|org|kr|jp|io|me|edu|dev|app|info|biz|us)(?![A-Za-z])"
)
_MAIL_HOST = (
    r"(?:네이버|지메일|구글|다음|한메일|카카오|네이트|핫메일|아웃룩|아이클라우드|naver|gmail|daum"
    r"|hanmail|kakao|nate|hotmail|outlook|icloud|yahoo)"
)
_DOT = r"\s?(?:\.|\(dot\)|\[dot\]|[ ]dot[ ]|점|닷|쩜)\s?"
_AT = r"\s?(?:\(at\)|\[at\]|\{at\}|골뱅이|앳)\s?"
_EMAILS = (
    rf"{_LOCAL}@{_DOMAIN}",
    rf"{_LOCAL}@[가-힣]{{1,20}}\.[A-Za-z]{{2,24}}",
    rf"{_LOCAL}(?:\s{{1,2}}@\s{{0,2}}|@\s{{1,2}}){_KNOWN_DOMAIN}",
    rf"{_LOCAL}{_AT}[A-Za-z0-9\-]{{1,63}}(?:{_DOT}[A-Za-z0-9\-]{{2,24}}){{1,3}}",
    rf"{_LOCAL}(?:@|{_AT}){_MAIL_HOST}(?:{_DOT}?(?:com|net|닷컴|컴|넷|co\.kr))?",
    rf"{_LOCAL}\s?@\s?[A-Za-z0-9\-]{{1,63}}{_DOT}(?:com|net|org|kr|컴|넷)(?![A-Za-z])",
)

# Rules out most positions at once.
_SERVICE_START = r"(?=[카인라디텔트엑페스틱위배네구쓰유왓애쿠당ikldtfswp])"
_SERVICE = (
    r"(?:카카오톡|카톡|카카오|인스타그램|인스타|라인|디스코드|디코|텔레그램|텔레|트위터|엑스|페이스북|페북"
    r"|페메|스냅챗|틱톡|위챗|스팀|배틀넷|네이버|구글|스레드|쓰레드|유튜브|넷플릭스|왓츠앱|애플|쿠팡|당근"
    r"|(?<![A-Za-z])(?:instagram|insta|ig|kakao(?:talk)?|line|discord|telegram|twitter|facebook"
    r"|snapchat|tiktok|wechat|steam|whatsapp|threads|psn)(?![A-Za-z]))"
)
_ID = (
    r"(?:아이디|계정|핸들|닉네임|닉|친추|유저네임|(?<![A-Za-z])(?:id|handle|username)(?![A-Za-z]))"
)
_NAME = r"([A-Za-z0-9][A-Za-z0-9._\-]{2,40}(?:#[0-9]{4})?)"
_IS = r"\s?(?:은|는|이|가|:|=|is(?=\s))?\s{0,2}[\"'(]?"
_ACCOUNTS = (
    rf"{_SERVICE_START}{_SERVICE}\s?{_ID}{_IS}@?{_NAME}",
    rf"{_SERVICE_START}{_SERVICE}\s?(?:{_ID})?{_IS}@{_NAME}",
    rf"{_SERVICE_START}{_SERVICE}{_IS}([A-Za-z0-9._]{{2,32}}#[0-9]{{4}})",
    r"(?=[인카디텔트it])(?:인스타(?:그램)?|카톡|디코|텔레|트위터|(?<![A-Za-z])(?:insta|twitter))\s?"
    r"(?:(?:은|는|:|=)\s{0,2}[\"'(]?(?=[A-Za-z0-9.]{1,40}_)"
    rf"|(?=[A-Za-z.]{{1,40}}_[A-Za-z._]{{0,40}}[0-9])){_NAME}",
    r"(?:아이디|계정)\s?(?:은|는|이|가|:|=)\s{0,2}[\"'(]?@?(?=[A-Za-z._\-]{0,40}[0-9_])"
    rf"{_NAME}",
)
_ID_END = r"[ ]?(?:이야|야|임|입니다|이에요|예요|에요|래|거든|인데|이고|로|으로|[.,!~)/\"']|\n|$)"


def find_phones(text: str) -> Iterator[Span]:
    """Mobile, area-code and international numbers. Hotlines (112, 1393, 1588-0000, 080) are
    public and stay."""
    for source in _PHONES:
        for match in pattern(source).finditer(text):
            # 01011010110 is a bit pattern before it is a phone.
            if match[0].strip("01 "):
                yield Span("phone", *match.span())
    for match in pattern(_PHONE_ABROAD).finditer(text):
        if 9 <= len(digits_of(match[0])) <= 15:
            yield Span("phone", *match.span())
    for match in pattern(_WITHOUT_PREFIX).finditer(text):
        yield Span("phone", *match.span(1))
    yield from _find_phones_by_words(text)
    yield from _find_spelled_phones(text)


def _find_phones_by_words(text: str) -> Iterator[Span]:
    for source in (_AREA_BARE, _TAKEN_APART, _ABROAD_BARE):
        for match in pattern(source).finditer(text):
            words = around(text, *match.span())
            if words.is_public_number() or words.is_counted():
                continue
            if source is _TAKEN_APART and not pattern(_WHOLE).match(digits_of(match[0])):
                continue
            if source is _AREA_BARE or words.has(_PHONE_TOLD, before=20, after=12):
                yield Span("phone", *match.span())


def _find_spelled_phones(text: str) -> Iterator[Span]:
    for match in pattern(_LETTERS_FOR_DIGITS).finditer(text):
        if match[0].strip("01 ") and len(digits_of(match[0])) >= 6:
            yield Span("phone", *match.span())
    for match in pattern(_SPELLED_PHONE).finditer(text):
        spelled = sum(char in SPELLED_DIGITS for char in match[0])
        # 공1공 8765 4321: only somebody who hides a number spells its first digits.
        if spelled >= 3 or any(char in SPELLED_DIGITS for char in match[0][:3]):
            yield Span("phone", *match.span())


def find_emails(text: str) -> Iterator[Span]:
    """E-mail addresses, also with the sign or the dots spelled out."""
    if "@" in text or any_case(_AT).search(text):
        for source in _EMAILS:
            for match in any_case(source).finditer(text):
                # Everybody's git@github.com is nobody's address.
                if not match[0].lower().startswith("git@"):
                    yield Span("email", *match.span())


def find_account_ids(text: str) -> Iterator[Span]:
    """Names at other services, where the words say so (PRD §6.4, external identifiers)."""
    for source in _ACCOUNTS:
        for match in any_case(source).finditer(text):
            if _is_account_name(match[1], around(text, *match.span(1))):
                yield Span("account_id", *match.span(1))


def _is_account_name(name: str, words: Around) -> bool:
    if not any(char.isalpha() for char in name):
        return False
    marked = any(not char.isalpha() for char in name.strip(".-"))
    game = words.has(r"게임|캐릭|길드|서버", before=16)
    return not game and (
        marked or words.before.endswith("@") or bool(pattern(_ID_END).match(words.after))
    )
