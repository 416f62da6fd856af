"""Names of people in a lorebook entry, which must have been heard of (PRD §4.10, §5.3)."""

import re

from shared.safety.evidence import Evidence

_NO_NAMES = frozenset(
    "친구 동료 가족 부모 부모님 엄마 아빠 어머니 아버지 동생 언니 오빠 형 누나 선생님"
    " 사장님 손님 이웃 선배 후배 사람 사람들 남자 여자 아이 할머니 할아버지 고양이 강아지"
    " 상사 팀장 팀장님 직원 점원 가게 주인 의사 간호사 기사 dm user soul friend mother"
    " father mom dad sister brother boss everyone".split()
)
_ENDING = re.compile(r"(?:\s?(?:씨|님|군|양|언니|오빠|형|누나|선배|선생님|쌤|이))$")
_LATIN_NAME = re.compile(r"[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*)*")
_ANIMATE = re.compile(r"이?(?:에게|한테|께서|께|\s?씨|님|(?:가|는|이|은)\s?[\"“‘「'])")
_HANGUL = re.compile(r"[가-힣]")


def unheard_names(
    people: list[str], keywords: list[str], record: str, evidence: Evidence
) -> list[str]:
    """The names among `people` and `keywords` that neither a source nor memory mentions.

    Whatever stands among people is a name, but for {user}, the Soul and words such as 친구; a
    keyword is one when it is Latin and capitalised, or the record speaks of it as of a person.
    """
    named = [*people, *(word for word in keywords if _is_name(word, record))]
    return [name for name in dict.fromkeys(named) if not _is_heard(name, evidence)]


def _is_name(word: str, record: str) -> bool:
    if _LATIN_NAME.fullmatch(word):
        return True
    start = record.find(word)
    while start >= 0:
        is_whole = not start or not _HANGUL.match(record[start - 1])
        if is_whole and _ANIMATE.match(record, start + len(word)):
            return True
        start = record.find(word, start + 1)
    return False


def _is_heard(name: str, evidence: Evidence) -> bool:
    plain = name.removeprefix("{user}의 ").strip()
    short = _ENDING.sub("", plain)
    forms = {plain, short, *(part for part in plain.split() if len(part) > 1)}
    forms |= {form[1:] for form in forms if re.fullmatch(r"[가-힣]{3}", form)}
    own = {*evidence.names.user, *evidence.names.soul}
    if plain.casefold() in _NO_NAMES or forms & (own | _NO_NAMES):
        return True
    return any(evidence.mentions(form) for form in forms if form)
