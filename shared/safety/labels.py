"""What memory may call a relationship, as data: two ladders of labels (PRD §4.5, §7.4).

A label's forms are regular expressions, matched in text of one case; where two overlap, the
longer counts, so that `연인 직전` is not read as `연인`. Korean first, then English.
"""

from typing import Literal, NamedTuple

Ladder = Literal["relationship", "feeling"]


class Label(NamedTuple):
    """One rung: a higher rank is a closer relationship, or a stronger feeling."""

    ladder: Ladder
    rank: int
    name: str
    forms: tuple[str, ...]


# Nothing known is this high: who writes to each other knows each other, and may like it.
FLOOR: dict[Ladder, int] = {"relationship": 1, "feeling": 1}
# From here on a label says that the two are a couple, which ends when they part.
COUPLE = 6
PARTED = 1

_LOVER = (
    r"(?:연인(?!들)|애인(?!들)|커플(?!들|\s?(?:룩|링|티|석|잠옷|폰|메뉴|할인|샷|요금|사진|반지|여행))"
    r"|남자\s?친구|여자\s?친구|남친|여친)"
)
_DATE = r"(?<!친구를 )(?<!친구 )(?<!친구도 )(?<!사람을 )사[귀겨귄귈귐궈]"

_NO_LOVER = r"(?<!남자)(?<!여자)(?<!남자 )(?<!여자 )"

LABELS: tuple[Label, ...] = (
    Label(
        "relationship", 0, "모르는 사이", (r"모르는\s?사이", r"남남", r"초면", r"\bstrangers?\b")
    ),
    Label(
        "relationship",
        PARTED,
        "헤어진 사이",
        (
            r"헤어진(?!\s?적)(?:\s?(?:직후|사이|상태|연인|뒤|후|지|다음))?",
            rf"(?:전|옛)\s?{_LOVER}|{_LOVER}(?:와|과|랑|이랑|하고)\s?헤어",
            rf"{_LOVER}(?:이었던|였던|이었다가|였다가)",
            r"사귀었(?:던|었|다가)|사귀던|사귀다가?\s?(?:헤어|말았)",
            r"(?<!에서 )(?<!에서)헤어졌|헤어지기로|헤어졌던",
            r"이별(?:했|한|하기로|을 (?:택|고했|통보|맞))|결별|갈라섰|이혼했|파혼|\bbroke up\b",
            r"\bex-?(?:boyfriend|girlfriend|lovers?|wife|husband)\b|\bbroken up\b|\bdivorced\b",
        ),
    ),
    Label(
        "relationship",
        1,
        "아는 사이",
        (r"아는\s?사이", r"지인", r"안면(?:이|만)", r"얼굴만\s?아", r"\bacquaintances?\b"),
    ),
    Label(
        "relationship",
        2,
        "친구",
        (
            _NO_LOVER + r"친구\s?(?:사이|관계|먹기로|하기로|하자|하면|할래|해요|합시다)",
            _NO_LOVER + r"친구(?:가|로|는)\s?(?:되|됐|된|될|됨|돼|지내|남|맞|아니)",
            r"(?:그냥|좋은|편한|동네|소꿉|오랜)\s?친구",
            _NO_LOVER
            + r"친구(?:다|야|이다(?![가-힣])|임(?![가-힣])|라고|라는|이자|예요|였|이었|잖)",
            r"\b(?:just|good|old|became|become|are|stay|as) friends\b",
        ),
    ),
    Label(
        "relationship",
        3,
        "친한 친구",
        (
            r"(?:친한|가까운|제일\s?친한|가장\s?친한|둘도\s?없는|소중한)\s?친구",
            r"절친(?:한\s?친구)?|베프|단짝(?:\s?친구)?",
            r"(?:가장|제일)\s?친한\s?(?:사이|사람)",
            r"\b(?:best|close|closest) friends?\b",
        ),
    ),
    Label(
        "relationship",
        4,
        "썸",
        (
            r"(?<!핸)썸(?!머|네일|띵|원|타임)(?:을)?(?:\s?(?:타|탔|탄|남|녀)[가-힣]{0,2})?",
            r"친구\s?(?:이상|보다\s?(?:더\s?)?(?:가까|특별|깊))",
            r"친구와 연인 사이|\bmore than (?:just )?friends\b|\bflirting\b",
            r"\bfriends? with benefits\b",
        ),
    ),
    Label(
        "relationship",
        5,
        "거의 연인",
        (
            rf"(?:거의|사실상|반쯤|마치)\s?{_LOVER}(?:\s?(?:사이|관계))?",
            rf"(?:거의|사실상)\s?{_DATE}",
            rf"{_LOVER}(?:이|가)?\s?(?:되기\s?)?(?:직전|바로\s?전|전\s?단계)",
            rf"(?:{_DATE}기|고백)\s?(?:직전|전\s?단계)",
            rf"{_LOVER}(?:이나|나)?\s?(?:처럼|같[가-힣]|비슷|다름없|다름\s?없|마찬가지)",
            rf"{_LOVER}(?:에|과|와)?\s?(?:(?:아주|매우|거의|꽤|무척)\s)?(?:가까[운워웠]|비슷)",
            rf"{_DATE}[는]?\s?것?\s?(?:처럼|같[가-힣]|거나\s?다름|거나\s?마찬가지)",
            r"\b(?:almost|nearly|practically|basically) (?:a couple|lovers|dating|together)\b",
            r"\blike (?:a couple|lovers)\b|\bon the verge of dating\b",
        ),
    ),
    Label(
        "relationship",
        COUPLE,
        "연인",
        (
            _LOVER,
            _DATE,
            r"연애(?!\s?(?:소설|상담|편지|드라마|영화|경험|감정|이야기|얘기|관|운|사|고민))",
            r"교제(?:를|하|한|했|해|중|\s?중)|진지하게\s?만나|(?<!자주 )만나는\s?사이",
            r"(?:오늘부터|우리|사귄\s?지)\s?(?:1일|일\s?일|하루)(?!\s?[0-9차])",
            r"(?:나|저)랑\s(?:정식으로\s|진지하게\s)?만나(?=\s?(?:볼래|보실래|주시겠|줄래))",
            r"정식으로\s?만나|재결합|다시\s?합[치쳤]|우리\s?다시\s?시작|다시\s?시작하기로",
            r"(?:고백|마음)을?\s?(?:받아\s?(?:들|주|줬|줘)|수락|승낙)",
            r"\b(?:lovers|girlfriend|boyfriend|a couple|an item|going steady|going out together)\b",
            r"\b(?:are|is|were|was|been|started|start|now|officially|we're|they're) dating\b",
            r"\b(?:we|they|are we)(?:'re| are)? (?:now )?official\b|\bofficially together\b",
            r"\bdating each other\b|\bin a relationship\b",
        ),
    ),
    Label(
        "relationship",
        7,
        "약혼",
        (
            r"약혼|혼약",
            r"결혼(?=해\s?(?:줄래|줘|주))|(?:결혼|혼인)을?\s?(?:약속|하기로|전제)|평생을\s?(?:약속|함께하기로)|백년가약|결혼하기로|결혼하자",
            r"(?:프러포즈|프로포즈|청혼)를?을?\s?(?:받아\s?(?:들|주|줬)|수락|승낙)",
            r"\bengaged\b|\bfianc[eé]e?\b|\bgoing to (?:get )?marr(?:y|ied)\b",
        ),
    ),
    Label(
        "relationship",
        8,
        "부부",
        (
            r"(?<!신혼)(?<!노)부부|신혼|신랑|신부(?!님)|남편|아내|와이프|마누라",
            r"결혼(?:했|한|함|하여|식을?\s?(?:올|치)|하고|생활)|혼인(?:했|한(?!다면)|하여|신고(?:를)?\s?(?:했|한|하고|마|끝))",
            r"\bmarried\b|\bhusband\b|\bwife\b|\bspouses?\b|\bnewlyweds?\b",
        ),
    ),
    Label(
        "feeling",
        1,
        "호감",
        (
            r"호감|관심이\s?(?:있|생)|마음이\s?(?:있|가|끌|생|흔들)|끌리|끌렸|끌린|설레|설렜|설렌",
            r"\bcrush\b|\bfond of\b|\binterested in\b|\battracted\b",
        ),
    ),
    Label(
        "feeling",
        2,
        "좋아함",
        (
            r"(?<!안 )좋아(?:[하한합해함할]|했(?!었))",
            r"(?:네가|니가|너가|당신이|\{user\}[가이]|오빠가|누나가|언니가|자기가)\s?"
            r"(?:정말|너무|참|진짜|제일|많이)?\s?좋(?:아|다|습|은)",
            r"짝사랑|반했|반한|반해\s?버|마음을\s?(?:줬|주었|품|빼앗|고백)",
            r"\b(?:like|likes|liked) (?:you|him|her|them|\{user\})(?= |[.,!]|$)",
            r"\bfell for\b|\bfall(?:en|ing)? for\b",
        ),
    ),
    Label(
        "feeling",
        3,
        "사랑",
        (
            r"(?<!첫)(?<!짝)(?<!풋)사랑(?:[한합해하함할]|했(?!었))",
            r"(?<!첫)(?<!짝)(?<!풋)사랑을\s?(?:고백|느|확인|맹세|속삭|나누|나눴|품|키)",
            r"(?<!첫)(?<!짝)(?<!풋)사랑(?:에\s?빠|으로\s?(?:바뀌|변|자라|커|발전|깊)|이\s?(?:됐|되었|됨|된|싹|시작))",
            r"(?<!첫)(?<!짝)(?<!풋)사랑(?:으로\s?가득|이\s?(?:가득|넘치))|향한\s?사랑|사랑(?:의\s?감정|하는\s?마음)을?\s?(?:품|느|가지|갖)|연정|사모(?:하|한|해|했)|연모",
            r"(?<!첫)(?<!짝)(?<!풋)사랑(?:이라는|이라고|임을|이었|이다|이야)",
            r"\b(?:love|loves|loved|loving) (?:you|him|her|them|each other|\{user\})(?!\w)",
            r"\bin love\b|\b(?:declared|confess(?:ed)?) (?:his|her|their) love\b",
        ),
    ),
)
