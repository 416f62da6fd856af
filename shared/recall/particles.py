"""Korean particles, titles and the copula, as data (PRD §4.10)."""

from shared.recall.grammar import (
    AFTER_CONSONANT,
    AFTER_HANGUL_CONSONANT,
    AFTER_HARD_CONSONANT,
    AFTER_VOWEL,
    AFTER_VOWEL_OR_RIEUL,
    Entry,
    Slot,
    State,
    entries,
)

PARTICLES: list[Entry] = [
    *entries(Slot.NAME, State.NAMED, "이", AFTER_HANGUL_CONSONANT),
    *entries(
        Slot.TITLE,
        State.TITLED,
        "님 씨 쌤 샘 형 형님 누나 누님 언니 오빠 선배 선배님 선생님 군 양",
    ),
    *entries(Slot.PLURAL, State.PLURAL, "들"),
    *entries(Slot.HOUSE, State.TITLED, "네"),
    *entries(Slot.HOUSE, State.CASED, "네서"),
    *entries(Slot.VOCATIVE, State.DONE, "아 아아 이여", AFTER_HANGUL_CONSONANT),
    *entries(Slot.VOCATIVE, State.DONE, "야 야아 얌 여", AFTER_VOWEL),
    # Case
    *entries(
        Slot.CASE,
        State.CASED,
        "에 에서 에게 에게서 에게로 한테 한테서 한테로 께 께서 에다 에다가 하고 서부터",
    ),
    *entries(Slot.CASE, State.CASED, "과 이랑 이하고", AFTER_CONSONANT),
    *entries(Slot.CASE, State.CASED, "와 랑", AFTER_VOWEL),
    *entries(Slot.CASE, State.CASED, "으로 으로서 으로써 으로부터", AFTER_HARD_CONSONANT),
    *entries(Slot.CASE, State.CASED, "로 로서 로써 로부터", AFTER_VOWEL_OR_RIEUL),
    *entries(Slot.CASE, State.TOPIC, "엔 에선 에겐 한텐 께선 에서의"),
    *entries(Slot.CASE, State.TOPIC, "으론", AFTER_HARD_CONSONANT),
    *entries(Slot.LONG_CASE, State.CASED, "더러 보고 따라 치고 말고"),
    # Comparison, which also follows a case: 집에서처럼
    *entries(Slot.COMPARE, State.LIMITED, "처럼 마냥 만큼 만치 보다 같이"),
    *entries(Slot.COMPARE, State.TOPIC, "보단 만큼은 만큼도"),
    # Limits
    *entries(Slot.LIMIT, State.LIMITED, "까지 부터 마다 마저 조차 밖에 뿐 만 대로"),
    *entries(Slot.LIMIT, State.TOPIC, "까진 부턴 만은"),
    *entries(Slot.LONG_LIMIT, State.LIMITED, "쯤 씩 끼리 커녕 정도"),
    *entries(Slot.LONG_LIMIT, State.DONE, "은커녕", AFTER_CONSONANT),
    *entries(Slot.LONG_LIMIT, State.DONE, "는커녕", AFTER_VOWEL),
    # The last particle of a chain
    *entries(Slot.TOPIC, State.TOPIC, "은 이 을", AFTER_CONSONANT),
    *entries(Slot.TOPIC, State.TOPIC, "는 가 를", AFTER_VOWEL),
    *entries(Slot.TOPIC, State.TOPIC, "도 의"),
    *entries(Slot.ALSO, State.TOPIC, "두"),  # not after 만: 고기만두
    *entries(
        Slot.CHOICE,
        State.TOPIC,
        "이나 이나마 이든 이든지 이든가 이라도 이라두 이야말로 이란 이며 인들",
        AFTER_CONSONANT,
    ),
    *entries(Slot.CHOICE, State.TOPIC, "나 나마 든지 든가 라도 야말로 며", AFTER_VOWEL),
    *entries(Slot.POLITE, State.DONE, "요"),
    *entries(Slot.POLITE, State.DONE, "이요", AFTER_CONSONANT),
    *entries(Slot.CUTE_POLITE, State.DONE, "여 용 욤"),
    *entries(Slot.DEPENDENT, State.CASED, "때문에 땜에 덕분에"),
    *entries(Slot.DEPENDENT, State.THING, "때문 덕분"),
    *entries(Slot.LIKE, State.PLAIN, "같"),
    *entries(Slot.LIKE, State.INFINITIVE, "같아 같애"),
    *entries(Slot.LIKE, State.PAST, "같았"),
    *entries(Slot.LIKE, State.ADNOMINAL, "같은"),
    *entries(Slot.LIKE, State.PROSPECT, "같을"),
]

# What follows the copula's stem 이. After a vowel 이 is left out.
_AFTER_STEM = """
    고 고요 구요 지 지요 지만 지만요 죠 쥬 네 네요 니 니까 니깐 냐 냐고 냐며 다 든 던 던데 던가
    던지 면 면서 면은 라 라고 라고는 라고도 라구 라며 라면 라면서 라서 라서요 라도 라는 라니
    라니까 라던데 라더라 라던 라든가 라지 라네 라네요 라나 라길래 란 란다 랍니다 래 래요 래서 거든
    거든요 구나 군 군요 더라 더라고 더라구 더라구요 더니 잖아 잖아요 자나 려나 므로 세요 셔 셔요
    라는데 라는데요 라곤 신데 신데요 신가 신가요 신지 시네요 시죠 시고 시니까 시군요
"""
# Not after a vowel: nouns end alike (마포구, 감사기도, 보호자).
_ONLY_AFTER_I = """
    야 얌 구 기도 기는 기에 기만 기 긴 길 냐에 자
    나봐 나봐요 에요 에여 예요 예여 어서 어야 어도 당
"""
_WITH_I_AFTER_VOWEL = (
    "이고 이며 이지만 이므로 이자 이다 이라 이라고 이라는 이란 이던 이기도 이면 이면서 이길"
)


def _with_i(words: str) -> str:
    return " ".join(f"이{word}" for word in words.split())


COPULA: list[Entry] = [
    *entries(Slot.COPULA, State.ENDED, _with_i(_AFTER_STEM), AFTER_CONSONANT),
    *entries(Slot.COPULA, State.ENDED, _with_i(_ONLY_AFTER_I), AFTER_CONSONANT),
    *entries(Slot.LONG_COPULA, State.ENDED, _WITH_I_AFTER_VOWEL, AFTER_VOWEL),
    *entries(Slot.BARE_COPULA, State.ENDED, _AFTER_STEM, AFTER_VOWEL),
    *entries(Slot.BARE_COPULA, State.ENDED, "야 긴 여서 여야 여도", AFTER_VOWEL),
    *entries(Slot.COPULA, State.ENDED, "예요 에요 예여 에여", AFTER_VOWEL),
    *entries(
        Slot.COPULA,
        State.ENDED,
        "인데 인데요 인데도 인가 인가요 인가봐 인지 인지도 인걸 "
        "일까 일까요 일걸 일지 일지도 일텐데",
    ),
    *entries(Slot.COPULA, State.FORMAL, "입 인가봅"),
    *entries(Slot.COPULA, State.PAST, "이었 이엇 이였", AFTER_CONSONANT),
    *entries(Slot.COPULA, State.PAST, "였 엿", AFTER_VOWEL),
    *entries(Slot.COPULA, State.PAST, "이랬 이겠 이셨", AFTER_CONSONANT),
    *entries(Slot.BARE_COPULA, State.PAST, "랬 겠 셨", AFTER_VOWEL),
    *entries(Slot.LONG_COPULA, State.COPULA_ADNOMINAL, "인"),
    *entries(Slot.LONG_COPULA, State.COPULA_PROSPECT, "일"),
    *entries(Slot.LONG_COPULA, State.NOMINAL, "임"),
    # 이 melted into the keyword's last syllable: 소흰데, 소흴까, 소흽니다
    *entries(Slot.FUSED_N, State.ENDED, "데 데도 가 가봐 지 지도 걸 줄"),
    *entries(Slot.FUSED_L, State.ENDED, "까 까요 걸 걸요"),
    *entries(Slot.FUSED_B, State.ENDED, "니다 니까"),
]
