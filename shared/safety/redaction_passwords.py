"""Passwords, PINs and one-time codes that a sentence tells."""

from collections.abc import Iterator
from re import Match

from shared.safety.redaction_spans import SPELLED_DIGITS, Around, Span, any_case, around, pattern

_PASSWORD_WORD = (
    # Rules out most positions at once.
    r"(?=[비패암핀인보확출접일복잠poavslrb2])"
    r"(?:비[ .·]?밀[ .·]?번[ .·]?호|비[.·]?번[.]?|패스\s?워드|패쓰워드|암호(?! ?화| ?학| ?해독)"
    r"|핀\s?(?:번호|코드)|(?:인증|보안|확인|출입|접속|비밀|복구|잠금)\s?코드"
    r"|(?:인증|잠금|일회용)\s?번호"
    r"|(?<![A-Za-z])(?:password|passwd|passcode|passphrase|pass\s?word|pass(?=\s?[:=])|pwd|pw|otp"
    r"|pin(?:\s?(?:code|number|번호))?|(?:verification|security|auth|login|recovery|backup|2fa)\s?code)(?![A-Za-z0-9]))"
)
# Words that may stand between "the password" and the password without being it.
_ASIDE = (
    r"(?:바꿨어|바꿨는데|바꿨다|바꿈|바꾼\s?(?:거|게|건)|변경(?:했어|했는데|함|됨)?|알려\s?줄게"
    r"|적어\s?둘게|적어둔다|말해\s?줄게|설정(?:했어|함)?|새로|지금|현재|원래|이제|아마|그냥|임시"
    r"|초기|기본|내|우리|집|이거야|이건데|이거|그거|까먹지\s?마|외워\s?둬?|기억해|공유|여기"
    r"|뭐냐(?:면|하면)|재설정(?:했어|했는데|함|됨)?|(?:알려|말해)\s?줄까\??|힌트|(?:말고\s?)?진짜는?"
    r"|(?:전화|핸드폰|폰)\s?번호|[앞뒷]\s?자리"
    r"|(?:네|우리|엄마|아빠|강아지|고양이)?\s?생일|번호)"
)
_CONNECTOR = (
    r"(?:[ ](?=[은는을를] ))?(?P<told>은요|는요|은|는|이|가|을|를|도)?"
    rf"(?:[ ]{{0,2}}{_ASIDE}[,.]?(?=[^가-힣])){{0,3}}\s{{0,3}}"
    r"(?P<mark>[:=]{1,2}>?|-{0,2}>|[👉☞➡]"
    r"|(?:is|was|are)(?:[ ](?:now|(?:re)?set[ ]to|changed[ ]to))?(?=\s))?\s{0,3}"
    r"(?P<open>[\"'`(\[<「『*]{0,3})"
)
_END = (
    r"[\"'`)\]」』*]{0,3}[ ]?(?:이야|야|임|입니다|이에요|예요|에요|이다|다|래|이래|거든|이거든|인데"
    r"|이고|고|였|이었|로|으로|라고|이라고|라니|네|이네|니까|이니|지|이지|죠|일걸|일 ?거|같|맞|쓰"
    r"|요|[,.!?)\]~ㅋㅎㅠ/|]|\n|$)"
)
_EXAMPLE = r"[\"']?[ ]?(?:이나|같은(?!데)|처럼|따위|이런)"
_PLACE = r"[ ]?(?:에서|에선|버전|용|앱|설정)"
_DATE_OR_AMOUNT = (
    r"[0-9]{4}[-./][0-9]{1,2}[-./][0-9]{1,2}|[0-9]{1,2}:[0-9]{2}(?![!-~])|[0-9]{1,3}(?:,[0-9]{3})+"
    r"|[0-9]+-?(?:digit|char|bit)|https?:|\{user\}"
)
_STATES = frozenset(
    "wrong incorrect invalid required correct reset expired weak strong safe changed empty missing "
    "null none secret different saved stored hidden unknown important protected manager field "
    "same please error fail failed changing policy hint login protected".split()
)
_TRAILING = ".,;:?)\"'`]}>"
_SPECIAL = frozenset("!@#$%^&*+=_?~")
_ASCII = r"[!-~]{1,200}"
_FORMS = (
    r"(?P<spaced>[0-9](?:[ .][0-9]){3,11}(?![0-9])|[0-9]{3}[ \-][0-9]{3}(?![0-9\-]))",
    rf"(?P<spelled>[{SPELLED_DIGITS}](?:[ ]?[{SPELLED_DIGITS}]){{3,7}})",
    r"(?P<mixed>[가-힣ㄱ-ㅎ]{1,12}[0-9]{3,8}[!-~]{0,8})",
    rf"(?P<ascii>{_ASCII})",
)
_VALUE = "|".join(_FORMS)
_INSIDE = r"[^\"'`\])>」』\n\ue000"
# A quoted sentence is talk; with a digit in it, it may be a passphrase.
_QUOTED = rf"(?:{_INSIDE}\s]{{2,32}}|(?=[^0-9\n]{{0,31}}[0-9]){_INSIDE}]{{2,32}})(?=[\"'`\])>」』])"

_TURNED = (
    r"(?<![!-~\ue000])(?P<value>[!-~]{4,40})(?:은\(는\)|이라는|라는|으로|이|가|은|는|을|를|로)?\s{0,2}"
    r"(?:(?:이게|이거|그게|요게|누르면|눌러|치면|입력하면|쓰면|넣으면|찍으면)\s?"
    r"(?:돼|되|됨|돼요|됩니다|열려|열림|끝)?[가-힣]{0,2}[,.]?\s{0,2})?(?:\(?(?<=[\s(])[가-힣]{1,6})?"
    r"(?<![!-'*-~])\s{0,2}\(?$"
)
_TURNED_END = r"(?:이야|야|임|입니다|이에요|예요|이다|래|거든|인데|였|로|[)\].!,~]|[ ]?\n|[ ]?$)"

_DOOR = r"현관|도어락|출입문|대문|자동문|번호키|비번|비밀번호"
_DOOR_CODE = (
    r"(?<![!-~\ue000])(?:[*#]{1,2}[0-9]{4,10}[*#]{0,2}"
    r"|[0-9]{4,10}(?:[*#]{1,2}|[ ]?(?:별표?|샵|우물정자?)))(?![!-~])"
)
_DOOR_DIGITS = (
    r"(?:현관|도어락|출입문|대문)(?:문|은|는|에|에서)?[ ]?([0-9]{4,8})(?:을|를)?[ ]?"
    r"(?:누르|눌러|눌르|치면|치고|입력|찍)"
)
# 1234 아니고 5678이야; id/pw sori / moon77.
_ANOTHER = (
    r"(?:이?[ ]?아니(?:고|라)|[ ]?말고|에서|이?랑|하고|[ ]또는|[ ]or|[ ]?[/,>])[ ]{0,2}"
    r"(?P<ascii>[!-~]{4,40})"
)
_PAIR = (
    r"(?<![A-Za-z])(?:id|아이디)[ ]?[/,&][ ]?(?:pw|password|비번|비밀번호|패스워드)[ ]?[:=]?[ ]?"
    r"[!-~]{2,40}[ ]?[/,][ ]?([!-~]{3,40})"
)
_URL_LOGIN = r"://([^\s/:@\ue000]{1,80}:[^\s/@\ue000]{1,80})@"


def find_passwords(text: str) -> Iterator[Span]:
    """What follows, or is told to be, a password, a PIN or a code; door codes; logins in URLs."""
    done = 0
    for word in any_case(_PASSWORD_WORD).finditer(text):
        if word.start() < done:
            continue
        span = _value_after(text, word.end()) or _value_before(text, word)
        if span:
            done = span.end
            yield span
            if another := _another_after(text, span.end):
                yield another
    for match in any_case(_PAIR).finditer(text):
        yield Span("password_phrase", *match.span(1))
    for match in pattern(_DOOR_CODE).finditer(text):
        words = around(text, *match.span())
        if words.has(_DOOR, before=16, after=16) and not words.is_counted():
            yield Span("password_phrase", *match.span())
    for source in (_DOOR_DIGITS, _URL_LOGIN):
        for match in pattern(source).finditer(text):
            yield Span("password_phrase", *match.span(1))


def _value_after(text: str, position: int) -> Span | None:
    link = any_case(_CONNECTOR).match(text, position)
    if link is None:
        return None
    told = bool(link["told"] or link["mark"])
    if link["open"] and told:
        quoted = pattern(_QUOTED).match(text, link.end())
        if quoted and pattern(_END).match(text, quoted.end()) and "{user}" not in quoted[0]:
            return Span("password_phrase", *quoted.span())
    value = pattern(_VALUE).match(text, link.end())
    if value is None:
        return None
    end = value.end() if value.lastgroup != "ascii" else _end_of_ascii(value)
    if end - value.start() < 3:
        return None
    words = around(text, value.start(), end)
    if _is_password(text[value.start() : end], value.lastgroup, words, told=told):
        return Span("password_phrase", value.start(), end)
    return None


def _another_after(text: str, position: int) -> Span | None:
    """The password that took the place of the one just told."""
    value = pattern(_ANOTHER).match(text, position)
    if value is None:
        return None
    start, end = value.start("ascii"), value.start("ascii")
    end += len(value["ascii"].rstrip(_TRAILING))
    words = around(text, start, end)
    is_told = any(char.isdigit() for char in text[start:end])
    if is_told and _is_password(text[start:end], "ascii", words, told=True):
        return Span("password_phrase", start, end)
    return None


def _end_of_ascii(value: Match[str]) -> int:
    return value.start() + len(value[0].rstrip(_TRAILING))


def _is_password(value: str, form: str | None, words: Around, *, told: bool) -> bool:
    after = words.after
    if pattern(_DATE_OR_AMOUNT).match(value) or (form != "spelled" and words.is_counted()):
        return False
    ends = bool(pattern(_END).match(after))
    if form == "spaced":
        return True
    if form == "spelled":
        return ends
    if form == "mixed":
        return told
    return _is_ascii_password(value, after, told=told, ends=ends)


def _is_ascii_password(value: str, after: str, *, told: bool, ends: bool) -> bool:
    letters = value.upper() != value.lower()
    digits = bool(pattern("[0-9]").search(value))
    special = not _SPECIAL.isdisjoint(value)
    if not letters:
        example = pattern(_EXAMPLE).match(after)
        return digits and not example and (len(value) > 3 or (ends and told))
    if digits or special:
        return len(value) > 3 and (told or not pattern(_PLACE).match(after))
    return told and ends and len(value) > 3 and value.lower() not in _STATES


def _value_before(text: str, word: Match[str]) -> Span | None:
    """The password of "1q2w3e가 비번이야" or "2532* 누르면 돼 비번이야"."""
    if not pattern(_TURNED_END).match(text, word.end()):
        return None
    before = around(text, *word.span()).before
    turned = pattern(_TURNED).search(before)
    if turned is None:
        return None
    start = word.start() - len(before) + turned.start("value")
    end = start + len(turned["value"].rstrip(_TRAILING))
    words = around(text, start, end)
    value = text[start:end]
    if not any(char.isdigit() for char in value) or words.is_counted():
        return None
    if _is_password(value, "ascii", words, told=False):
        return Span("password_phrase", start, end)
    return None
