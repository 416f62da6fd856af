"""Whose feeling a label is, and whether it is for the other one at all (PRD §4.5)."""

import re
from collections.abc import Iterator, Sequence

from shared.model.thread import Role
from shared.safety.labels import Ladder
from shared.safety.mood_words import PAIR
from shared.safety.moods import Mention
from shared.safety.quotes import Names

_OBJECT = re.compile(r"(?<!\S)(\S+?)(을|를)\s(?:\S{1,3}\s)?$")
_PERSON_WORDS = frozenset("서로 상대 상대방 그 그녀 너 나 저 자신 자기 우리 당신 누군가".split())
_ADVERBS = frozenset(
    "정말 진짜 너무 많이 엄청 아주 참 제일 가장 항상 늘 여전히 아직도 그래도 응 그냥 영원히"
    " 세상에서 더 되게 완전 이만큼 진심으로 사실 솔직히 그리고 또 너무너무 계속 무지 많이많이"
    " 깊이 몰래 오래 이미 언제나 무척 몹시 매우 아 와 야 오 헐 어 흑 아아 으 넹 네 전 혹시"
    " 맞아 맞아요 그래요 그니까 그러니까 아니"
    " 씨 님".split()
)
_PERSONS = frozenset(
    "나 나도 나는 난 나를 날 나만 내가 저 저도 저는 저를 제가 제 너 너를 너만 널 넌 네가 니가"
    " 당신 우리 서로 자기 자기야 여보 오빠 누나 언니 형 선배".split()
)
_MARKS = re.compile(r"[^\w{}]+|[ㅋㅎㅠㅜ]+")
_OF_A_NOUN = re.compile(r"[는은운린던]$")
_YOU = ("나너", "난너", "난널", "너를", "당신")  # unspaced
_PET_AFTER = re.compile(
    r"[가-힣]{0,2}[\s~!.]*(?:내|우리|울)\s?(?:새끼|강아지|고양이|아가|댕댕이|냥이)"
)
_OF_A_VERB = re.compile(r"(?:좋아|사랑)[하한합해했함할]")
_IN_LOVE_WITH_A_THING = re.compile(r" with (?:the|a|an|her|his|their|my|your|this|that|it)\b")
_IS_A_PERSON = re.compile(r"는\s(?:사람|상대|존재|이)(?:이|가|으로|로|다|였)")
_TO_YOU = re.compile(
    r"(?<![가-힣])(?:너|널|넌|네가|니가|당신|자기|그대|우리|서로|오빠|누나|언니|선배)|\b(?:you|us)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[가-힣](?:는데|니까|지만|어서|아서|해서|면서|았고|었고|했고|게|아니라)$")
_THING_AFTER = re.compile(r"는\s(?!사이|관계|사람|마음|상대|연인|감정|것|거|게|줄|남자|여자|친구)")
_MUTUAL = re.compile(r"서로|둘(?:은|이|\s?다)|두\s?사람|함께|each other|both")
_SUBJECT = r"(?:{names})(?:님|\s?씨)?(?:가|이가|이는|이|는|은|도|\s|,)"
_OWNER = r"(?:{names})(?:님|\s?씨)?(?:의|'s)"
_YOU_ME = re.compile(
    r"(?<![가-힣])(?:너|넌|너는|네가|니가|당신[은이]?)\s?(?:정말|진짜|사실)?\s?(?:나|날|나를|나도|저를?)\s"
)


def names_the_two(ladder: Ladder, mention: Mention, names: Names) -> bool:
    """Whether the sentence says whom it means: 너를 좋아해, 우리 사귀는 거야."""
    words = _TO_YOU if ladder == "feeling" else PAIR
    named = any(name in mention.sentence for name in (*names.user, *names.soul))
    return named or bool(words.search(mention.lead))


def is_for_a_thing(mention: Mention, names: Names, speaker: Role | None) -> bool:
    """Whether what is liked or loved is no person: 사진을 좋아한다, 떡볶이 사랑해."""
    if mention.label.lower().startswith("in love"):
        return bool(_IN_LOVE_WITH_A_THING.match(mention.tail))
    if not _OF_A_VERB.match(mention.label):
        return False
    people = {*_PERSON_WORDS, *names.user, *names.soul}
    lead = mention.lead
    if found := _OBJECT.search(lead):
        return not any(found[1].endswith(person) for person in people)
    if speaker is not None:
        return _is_after_a_bare_noun(lead, names) or bool(_PET_AFTER.match(mention.tail))
    return bool(_THING_AFTER.match(mention.tail))


def _is_after_a_bare_noun(lead: str, names: Names) -> bool:
    """Whether the last word but adverbs names something: 이 집 떡볶이 진짜 사랑해."""
    words = [word for raw in lead.split() if (word := _MARKS.sub("", raw))]
    last = next((n for n in reversed(range(len(words))) if words[n] not in _ADVERBS), None)
    if last is None:
        return False
    word, before = words[last], words[last - 1] if last else ""
    if word == "날" and _OF_A_NOUN.search(before):
        return True  # 비 오는 날
    is_person = word in _PERSONS or word.endswith(_YOU)
    is_person = is_person or word.startswith((*names.user, *names.soul))
    return not is_person and not _CLAUSE.search(word)


def holders_of(mention: Mention, names: Names, speaker: Role | None) -> frozenset[Role]:
    """Whose feeling it is: the nearest subject's, or both; a message speaks of its speaker's."""
    lead = mention.lead
    if speaker is not None:
        other: Role = "soul" if speaker == "user" else "user"
        return frozenset({other if _YOU_ME.search(lead) else speaker})
    if _MUTUAL.search(lead + mention.label):
        return frozenset({"user", "soul"})
    if _IS_A_PERSON.match(mention.tail) and (dear := _dear_to(lead, names)):
        return dear
    # The subject feels; where there is none, the owner: 소희의 마음
    for owner in (_SUBJECT, _OWNER):
        places = {role: _last(owner, lead, owned) for role, owned in _roles(names)}
        found = {role: place for role, place in places.items() if place >= 0}
        if found:
            break
    else:
        return frozenset()
    # In English the first one: "Theo told {user} that he loves her"
    nearest = min(found.values()) if mention.label.isascii() else max(found.values())
    return frozenset(role for role, place in found.items() if place == nearest)


def _dear_to(lead: str, names: Names) -> frozenset[Role]:
    """Whose: 소희에게 {user}는 사랑하는 사람."""
    return frozenset(
        role for role, owned in _roles(names) if any(f"{name}에게" in lead for name in owned)
    )


def _roles(names: Names) -> Iterator[tuple[Role, tuple[str, ...]]]:
    yield "user", names.user
    yield "soul", names.soul


def _last(owner: str, lead: str, owned: Sequence[str]) -> int:
    if not owned:
        return -1
    either = "|".join(re.escape(name) for name in owned)
    pattern = owner.replace("{names}", either)
    return max((found.start() for found in re.finditer(pattern, lead)), default=-1)
