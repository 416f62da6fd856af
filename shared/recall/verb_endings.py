"""Endings of the verbs made from nouns (공부하다, 결정되다), as data (PRD §4.10)."""

from shared.recall.grammar import AFTER_CONSONANT, AFTER_VOWEL, Entry, Slot, State, entries

# The forms of a verb's stem, in this order.
_FORMS = (
    State.PLAIN,
    State.INFINITIVE,
    State.PAST,
    State.ADNOMINAL,
    State.PROSPECT,
    State.NOMINAL,
    State.FORMAL,
)


def _verb(slot: Slot, *forms: str) -> list[Entry]:
    """Entries for one verb: `forms` in the order of `_FORMS`, spelling variants by space."""
    return [
        entry
        for state, words in zip(_FORMS, forms, strict=True)
        for entry in entries(slot, state, words)
    ]


_LIGHT_VERBS = [
    *_verb(Slot.LIGHT_VERB, "하", "해 하여", "했 햇 하였", "한", "할", "함", "합"),
    *_verb(Slot.LIGHT_VERB, "되", "돼 되어", "됐 됬 됫 되었", "된", "될", "됨", "됩"),
    *_verb(Slot.LIGHT_VERB, "당하", "당해", "당했", "당한", "당할", "당함", "당합"),
    *_verb(Slot.LIGHT_VERB, "시키", "시켜", "시켰", "시킨", "시킬", "시킴", "시킵"),
    *_verb(Slot.LIGHT_VERB, "드리", "드려", "드렸", "드린", "드릴", "드림", "드립"),
    *_verb(Slot.LIGHT_VERB, "받", "받아", "받았", "받은", "받을", "받음", "받습"),
    # The common misspelling 되요; 되 alone is no ending.
    *entries(Slot.LIGHT_VERB, State.DONE, "되요 되서 되야"),
    *entries(Slot.LIGHT_VERB, State.DONE, "마세요 말고 말아 말아요 말자"),
]

_AUXILIARIES = [
    *_verb(Slot.HONORIFIC, "시", "셔", "셨", "신", "실", "심", "십"),
    *entries(Slot.HONORIFIC, State.DONE, "세요 세여 세용 셔요"),
    *entries(Slot.HONORIFIC, State.PAST, "겠 겟"),
    *_verb(Slot.AUXILIARY, "주", "줘 주어", "줬 줫", "준", "줄", "줌", "줍"),
    *_verb(Slot.AUXILIARY, "보", "봐 보아", "봤 봣", "본", "볼", "봄", "봅"),
    *_verb(Slot.AUXILIARY, "놓", "놔 놓아", "놨 놓았", "놓은", "놓을", "놓음", "놓습"),
    *_verb(Slot.AUXILIARY, "두", "둬", "뒀", "둔", "둘", "둠", "둡"),
    *_verb(Slot.AUXILIARY, "버리", "버려", "버렸", "버린", "버릴", "버림", "버립"),
    *_verb(Slot.AUXILIARY, "드리", "드려", "드렸", "드린", "드릴", "드림", "드립"),
    *_verb(Slot.AUXILIARY, "지", "져", "졌", "진", "질", "짐", "집"),
    *_verb(Slot.AUXILIARY, "하", "해", "했", "한", "할", "함", "합"),
    *_verb(Slot.AUXILIARY, "오", "와", "왔", "온", "올", "옴", "옵"),
    *_verb(Slot.AUXILIARY, "있", "있어", "있었", "있던", "있을", "있음", "있습"),
    *_verb(
        Slot.AUXILIARY, "야하 야되", "야해 야돼", "야했 야됐", "야한", "야할 야될", "야함", "야합"
    ),
    *_verb(Slot.PLAIN_END, "고싶", "고싶어 고파", "고싶었", "고싶은", "고싶을", "고싶음", "고싶습"),
    *_verb(Slot.PLAIN_END, "고있", "고있어", "고있었", "고있던", "고있을", "고있음", "고있습"),
    *_verb(Slot.PLAIN_END, "지않", "지않아", "지않았", "지않은", "지않을", "지않음", "지않습"),
    *_verb(Slot.PROSPECT_END, "수있", "수있어", "수있었", "수있던", "수있을", "수있음", "수있습"),
    *_verb(Slot.PROSPECT_END, "수없", "수없어", "수없었", "수없던", "수없을", "수없음", "수없습"),
]

_QUOTED = (
    "고 고요 고는 고도 구 는 는데 는데요 며 면 면서 니 니까 던데 더라 던 든가 지 네 나 길래 거나"
)


def _quotes(*moods: str) -> str:
    """Reported speech: 다고, 라는, 자며…"""
    return " ".join(f"{mood}{rest}" for mood in moods for rest in _QUOTED.split())


_SHARED = """
    다 고 고요 고는 고도 고서 구 지 지요 지만 지만요 죠 쥬 네 네요 니 니까 냐 나 나요 나봐 나봐요
    는데 는데요 는데도 는지 는지도 는가 는걸 던데 던데요 던가 던지 더라 더라고 더라고요 더라구
    더라구요 더니 거든 거든요 거나 구나 군 군요 잖아 잖아요 자나 든 든지 든가 길래 기에 다니 다가
    다가도 단다 길 습니다 습니까 으면 으면서 으니 으니까 으러 으려고
"""
_PLAIN = """
    곤 지마 지마요 지마라 지마세요 지말고 지말자 지도 지는 지를 질 지가 면 면서 면은 며 려고 려는
    려면 려다 려다가 려구 려구요 려고요 려니까 다보면 다보니 느냐에 느냐 러 러는 게 게요 게도 게끔
    도록 자 자고 자구 자마자 자는 자며 자면 장 라고 라는 라며 라면 라니까 래 래요 래서 니깐 므로
    듯 듯이 는구나 는군 는군요 는다 는대 는대요 는다고 는다는 는다며 는다면 는만큼 는동안 고나서
    고나면 긴 기로 기가 려나 느라 느라고 십시오 재 재요 쟤 든말든 거라
"""
_PAST = """
    어 어요 어여 어용 어도 어야 어서 엉 으려나 을까 을까요 을걸 을걸요 을텐데 을지 을지도 을까봐
    대 대요 대서 슴 음 습니당 는뎅 었어 었는데 었지 었던 댔어 다면서
"""

_ENDINGS = [
    *entries(Slot.SHARED_END, State.ENDED, _SHARED + _quotes("다", "냐")),
    *entries(Slot.SHARED_END, State.ADNOMINAL, "는 던"),
    *entries(Slot.SHARED_END, State.NOMINAL, "기"),
    *entries(Slot.PLAIN_END, State.ENDED, _PLAIN + _quotes("라", "자")),
    *entries(Slot.PAST_END, State.ENDED, _PAST),
    *entries(Slot.PAST_END, State.NOMINAL, "음"),
    *entries(Slot.PAST_END, State.PAST, "겠"),
    *entries(Slot.SHARED_END, State.FORMAL, "나봅"),
    *entries(Slot.ADNOMINAL_END, State.FORMAL, "가봅"),
    *entries(Slot.PAST_END, State.PROSPECT, "을"),
    *entries(
        Slot.INFINITIVE_END,
        State.ENDED,
        "요 서 서는 서도 선 서요 도 도요 야 야지 야죠 야만 라 라고 라는 라며 도돼 도돼요 도됨",
    ),
    *entries(Slot.INFINITIVE_END, State.PAST, "야겠"),
    *entries(
        Slot.ADNOMINAL_END,
        State.ENDED,
        "데 데요 데도 가 가요 가봐 지 지도 걸 듯 듯이 줄 척 채 적 만큼 대로 중",
    ),
    *entries(
        Slot.DECLARATIVE_END,
        State.ENDED,
        "다 단다 답니다 대 대요 댄다 댔어 댔는데 " + _quotes("다"),
    ),
    *entries(
        Slot.PROSPECT_END,
        State.ENDED,
        "게 게요 께 께요 게여 겡 까 까요 까봐 까말까 래 래요 래서 지 지도 수록 때 텐데 텐데요 테니 "
        "테니까 뻔 듯 줄 만큼 만해 걸 걸요 라고",
    ),
    *entries(Slot.FORMAL_END, State.DONE, "니다 니다만 니까 니당 시다 디다 시오 쇼"),
    *entries(Slot.THING, State.THING, "거 것 꺼"),
    *entries(
        Slot.THING, State.ENDED, "건 게 건데 건가 건지 겁니다 걸로 건데요 껀데 거같 거같아 거같은데"
    ),
    # 거 keeps 야 and 예요 whatever the noun before it ended in
    *entries(Slot.THING, State.ENDED, "거야 거예요 거에요 꺼야 거라고 거래", AFTER_CONSONANT),
    *entries(Slot.THING, State.ENDED, "거야 거예요 거에요", AFTER_VOWEL),
]

VERB_ENDINGS: list[Entry] = [*_LIGHT_VERBS, *_AUXILIARIES, *_ENDINGS]

# One-syllable nouns that keep their sense in a verb with 하다. Others do not: 강하다, 피하다.
VERBAL_SYLLABLES = frozenset("말일밥욕절톡")
