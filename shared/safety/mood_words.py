"""The grammar that turns the sense of a label, as data: Korean first, then English.

`…_AFTER` is matched right after the label, `…_BEFORE` up to it, the rest in its sentence.
"""

import re

_WHO = r"(?:이|가|은|는|도|랑|이랑|하고|와|과|네|의|에게|한테)?\s"
_KIN = (
    r"(?:엄마|아빠|어머니|아버지|부모님?|동생|친구들?|사촌|동료|후배|이모|삼촌|고모|할머니"
    r"|할아버지|걔네?|쟤네?|그\s?(?:사람|애|친구|남자|여자|둘|커플)|사람들|연예인|배우|가수|손님"
    r"|조카|딸|아들|애들|누가|누구|남들|이웃|다른\s?(?:사람|남자|여자|누군가)|상사|팀장님?"
    r"|사장님?|룸메이트|주인|점원|직원|종업원|아주머니|아저씨|행인|주인공)"
)
# Others in narration; in talk the Soul may well be called so, unless it is somebody's.
_ADDRESS = r"(?:언니|누나|형|오빠|선배님?|선생님)"
_SOMEBODYS = rf"(?:우리|내|제|친|사촌|네|니)\s?{_ADDRESS}"

# What may stand between a label and the word that turns its sense: 연인+이 되+고 싶다
_BETWEEN = (
    r"(?:이|가|은|는|을|를|로|으로|와|과)?\s?(?:되|된|될|돼|하|한|할|사이|관계)?[가-힣]{0,3}\s?"
    r"(?:것|거|게|줄|사이|관계)?(?:이|가|은|는|을|를|로|도)?\s?"
)
_NO = r"(?:전혀|절대|아직은?|결코|그런)?\s?(?:아니|아닌|아냐|아님)"
_STATE = r"(?:사이|관계|것|거|게|건|단계|상태|감정|마음|뜻|기로 한 게|기로 한 건)"
DENIED_AFTER = re.compile(
    r"(?:으로\s?|로\s?)?[가-힣]{0,3}지(?:는|도)?\s?(?:않|못|마|말)|진\s?(?:않|못)"
    r"|[가-힣]{0,3}다고\s(?:\S{1,4}\s)?적\s?(?:이|은)?\s?없"
    r"|(?:기로|게)\s?[하되]지\s?(?:않|못)"
    rf"|(?:이?라고|이?라기|이?라)?(?:이|가|은|는|도|보다|까지는?|까진)?\s?{_NO}"
    rf"|[가-힣]{{0,2}}\s?{_STATE}(?:이|가|은|는|도|까지)?\s?(?:{_NO}|없)"
    r"|(?:이|가|은|는)?\s?(?:되|될|된)(?:지는?|진|기엔|기에는|\s?수|\s?생각|\s?마음)"
    r"(?:는|은|이|가)?\s?(?:않|못|없|이르)"
    r"|(?:이?라고\s?)?(?:하|부르|말하|보)기(?:엔|에는|는|에)?\s?(?:이르|아직|어렵|애매|모호|부족)"
    r"|[가-힣]{0,2}\s?(?:수|생각|마음|자신|계획)(?:는|은|이|가|도)?\s?없"
    r"|[가-힣]{0,4}\s?(?:말|소리|표현|고백)(?:은|을|도|이)?\s?(?:아직\s?|차마\s?)?(?:못|안\s|없)"
    r"|[가-힣]{0,2}(?:긴|기는)\s?(?:누가|뭘|무슨|개뿔|커녕)|(?:은|는)커녕"
    r"|(?:은|는|을|를)?\s?(?:싫|거절|거부|부인|부정)"
)
DENIED_BEFORE = re.compile(
    r"(?:^|\s)(?:안|못)\s?$|(?:\bnot|\bnever|n't|\bno longer|\bhardly)\s(?:\S+\s){0,3}$",
    re.IGNORECASE,
)
UNREAL_AFTER = re.compile(
    rf"{_BETWEEN}(?:처럼|(?<!서 )같[가-힣]|듯|척|뻔|고\s?싶|싶|려고|려\s|려던"
    r"|길\s?바[라랐]|기를\s?바[라랐]|꿈꾸|꿈꿨|상상|원하|원했|기대하|기대했|희망하|줄\s?[알안]"
    r"|(?:다|라)고\s?(?:주장|우기|우겼|착각|오해|농담|장난|믿고 싶))"
    r"|(?:이|가|을|를)?\s?(?:되|된다|돼|하|한다|였|었|이|라|이라)?[가-힣]{0,2}면(?![가-힣])"
    r"|(?:이|가)?\s?[가-힣]{0,3}\s?[가-힣]{0,2}(?:는지|은지|인지|을지|할지|될지|냐고|느냐|는가)"
    r"|\s?역(?:할)?(?:을|를|이|의|\s)"
    r"|\s?(?:사이|관계)?(?:로|으로)\s?(?:오해|착각|보이|보였|비치)"
    r"|(?:이|가)?\s?[가-힣]{0,3}는\s?(?:꿈|상상|이야기|장면|척)"
    r"|(?:이|가)?\s?[가-힣]{0,2}\s?수\s?있을(?:지|까)"
    r"|[가-힣]{0,2}\s?적(?:이|은|도)?\s?(?:있|없)|었었|했었|았었|(?:을|를)?\s?(?:꿈꾸|바라)"
    r"|(?:이|가|로)?\s?(?:되어?|돼|해|어)?\s?(?:달라|주길|주기를|줬으면|주었으면)"
    r"|[가-힣]{0,3}(?:고\s[^.!?\n]{0,20}[가-힣])?\s(?:생각|예정|계획|작정)(?:이|을|임|으로|했|하|만)"
    r"|[가-힣]{0,2}(?:려는|자는|고픈|고 싶은)\s"
)
UNREAL_BEFORE = re.compile(
    r"(?:만약|만일|혹시|언젠가|가령|예전에|옛날에?|한때|전에는|어릴 때|(?<![가-힣])마치)"
    r"|(?:상상|농담|장난)(?:으로|삼아|처럼|에서|속)"
    r"|\b(?:if|wish|would|could|might|maybe|perhaps|as if|pretend(?:ing|ed)?|imagin\w+|dream\w*"
    r"|hop(?:e|es|ed|ing)|wants?|wanted|thought|can't wait|call(?:ed)? you"
    r"|used to|wonder\w*|thinking of|someday)\b(?:\s\S+){0,4}\s?$",
    re.IGNORECASE,
)
LATER = re.compile(
    r"(?<=[가-힣])(?<!말하)(?<!보)(?<!괜찮으)(?<!괜찮으시)면\s|나중에|언젠가|다음에|조만간|내년|다음\s?(?:달|주|해)에|(?<![가-힣])이따"
    r"|\b(?:later|someday|when|after)\b",
    re.IGNORECASE,
)
OFFERED_AFTER = re.compile(
    r"(?:이|가|로|부터)?\s?(?:자(?=[고는며던\s.!~?]|$)|[래까](?=[요\s.!~?]|$)"
    r"|하자|할래|할까|하면\s?안\s?(?:될까|돼|될)|되자|될래|될까|지내자|만나\s?(?:보실래|볼래|보자)"
    r"|(?:어|해|돼|되어|하여)?\s?(?:줘|줄래|주라|주세요|주실래|주시겠|주겠니|줄\s?수))"
)
OFFERED_BEFORE = re.compile(
    r"\b(?:let's|be my|asked \S+ to be|will you|would you|can we|shall we|could you)\b[^.?!]*$",
    re.IGNORECASE,
)
# Told in a summary: that somebody said yes.
ACCEPTED = re.compile(
    r"(?:받아들(?:였|이기로|여|인)|수락(?:했|하)|승낙(?:했|하)|응했|동의했|끄덕였|그러자고|좋다고|알겠다고)"
    r"(?!\S{0,3}지\s?(?:않|못))"
)
ACCEPTED_AFTER = re.compile(rf"[^.?!\n]{{0,40}}?{ACCEPTED.pattern}")
ASKED = re.compile(r"[?？]\s*$|(?:까요?|냐|나요|는가|인가요?|거니|하니|는데요?\?)[\s~ㅋㅎㅠ.!]*$")
# In talk only: what is spoken of, or is over, and not said to be so.
SPOKEN_OF_AFTER = re.compile(
    r"[가-힣]{0,3}\s?때(?!문)|는\s?(?:건|것은|거는|걸)\s|(?:이|가|는|은)?\s?(?:자리|후보|시켜|시킬)"
    r"|기라도|기나\s|\s?(?:하)?(?:시)?든[가지]|\S{0,2}\s?(?:그때쯤|나중에|이따)"
    r"|[가-힣]{0,3}(?:다|라|냐|자)고(?!요?[\s~!.…♡♥❤\ufe0fㅋㅎㅠ]*$|\s?(?:\S{1,6}\s)?(?:말했|말해|말씀|했[어다]|고백|털어놓|인정|속삭|전했|얘기했|얘기해|소개|자랑|봐도|해도))"
)
RHETORICAL = re.compile(
    r"(?<![가-힣])(?:왜|언제부터|언제|무슨|뭔|누가(?!\s?봐도)|어떻게|어째서)(?:\s|$)"
)
HEARSAY = re.compile(
    r"[가-힣]{0,2}(?:대|다더라|더라|더라고|래|다던데|다며|라며|다는데|라던데|다는\s?(?:소문|말|얘기))"
    r"요?[\s.!~ㅋㅎㅠ…]*$"
)
MADE_UP = re.compile(
    r"(?:드라마|영화|소설|웹툰|만화|가사|게임|꿈|대본|책)\s?(?:에서|속|에|의|처럼|\s?주인공|\s?내용)"
    r"|(?:노래|후렴|팝송|주제가)(?:에서|에선|속|에|의|\s)"
    r"|퍽이나|(?:아주|참)\s?\^\^|농담|장난(?!\s?아니)|뻥이|구라|만우절|역할\s?극|연기\s?(?:연습|중)"
    r"|\b(?:kidding|joking|joke|roleplay|in the movie)\b",
    re.IGNORECASE,
)
# What is said within a few messages of it is made up.
MADE_UP_AROUND = re.compile(
    r"꿈(?:을|에|에서|속|도)?\s?(?:꿨|꾼|꾸|나왔|나온)|(?:개|무슨\s?)꿈|대사|대본|연극|역할\s?극|만우절|퍽이나|비꼬"
    r"|\b(?:dream(?:t|ed)?|roleplay|rehears\w+)\b",
    re.IGNORECASE,
)
IMPERATIVE = re.compile(r"해(?:라|요)?[\s.!~]*$")

LOVER_NOUN = re.compile(
    r"(?:연인|애인|커플|친구|남친|여친|남편|아내|부부|와이프|마누라|신랑|신부|베프|절친|단짝|지인)$"
)
# A noun states something in talk only with a copula or a verb of becoming: 연인이야, 연인이 됐어
IS_ONE_AFTER = re.compile(
    r"(?:이|가|로|으로)?\s?(?:야|다(?!른)|지|임|자나|잖|네|니까|인데|인\s?거|이야|이다|이지|이잖|이네|이니"
    r"|이고|예요|이에요|입니다|맞|되|됐|된|됨|돼|답|할|하|사이|관계|라고|이라고|니\b)"
)
# Without one, as a whole exclamation: 우리 이제 커플!
IS_ONE_AT_LAST = re.compile(r"[\s!~.♡♥❤ㅎㅋ]*$")
ENGLISH_NOUN = re.compile(
    r"(?:lovers|girlfriend|boyfriend|a couple|an item|husband|wife)$", re.IGNORECASE
)
IS_ONE_BEFORE = re.compile(
    r"\b(?:we|you|i)(?:'re|'m| are| am| were)?\s(?:\S+\s){0,3}$", re.IGNORECASE
)

OF_A_FAMILY = re.compile(r"약혼|결혼|이혼|혼인|신혼")
KIN_AT_LAST = re.compile(rf"(?:{_KIN}|{_ADDRESS})\s?$")
A_PARTNER = re.compile(r"[남여]|애인|연인")
HAVING_AFTER = re.compile(r"(?:가|이|는|은|도|를|을)?\s?(?:있|없|많|지나|생[기겼긴길]|끼리)")
OTHERS_AFTER = re.compile(
    rf"[가-힣]?\s(?:{_KIN}|{_ADDRESS})(?![가-힣]{{3}})"
    r"|[는던]?\s(?:사람|애|분|(?:남자|여자)(?:\s?친구)?|남친|여친)(?:이|가)?\s?(?:있|생|따로|누구)"
)
OTHERS = re.compile(rf"(?:{_KIN}|{_ADDRESS}){_WHO}")
OTHERS_IN_TALK = re.compile(
    rf"(?:{_KIN}|{_SOMEBODYS}){_WHO}|(?:저|그)\s?(?:두\s?사람|둘|사람들)(?:이|은|도)?\s"
    r"|\b(?:he|she|they|somebody|someone|my \w+|(?-i:[A-Z]\w+) and (?-i:[A-Z]\w+))\s",
    re.IGNORECASE,
)
# In a summary: what somebody else says of the two.
REPORTED = re.compile(
    rf"(?:{_KIN}|{_ADDRESS})(?:이|가|은|는|도)\s[^.!?]*고\s?(?:말|했|놀|물|생각|여기|우기|떠들|믿)"
)
# And what the next sentence denies.
DENIED_NEXT = re.compile(r"아니라[며고]|고개를\s?(?:저|내저)|손사래|부인했|부정했|거절했|잡아뗐")
PAIR = re.compile(
    rf"우리(?!\s?(?:{_KIN}|{_ADDRESS}|집|반|회사|학교|동네))|둘(?=[은이도의\s]|$)|두\s?사람|서로"
    r"|(?<![가-힣])(?:너|넌|네|니|나|난|내|저|전|제|당신|자기|그대)(?=[\s가는도와랑한이의게]|$)"
    r"|\b(?:i|i'm|we|we're|us|you|you're|both|each other)\b",
    re.IGNORECASE,
)
SOMEBODY = re.compile(
    r"(?<![\w{}])([가-힣]{2,6}?)(?:이가|이는|이랑|이|가(?!\s?(?:줘|주|봐|버|보니))|은|는|랑|하고|와|과)\s"
)
ADDRESSES = ("오빠", "누나", "언니", "선배", "형")
NOBODY = frozenset(
    "오늘 지금 이제 사실 진심 마음 관계 사이 상태 감정 우리 이것 그것 그때 이날 그날 결국"
    " 현재 당신 자기 둘은 서로 두사람 사람 이후 그후 내일 어제 정말 이번 처음 말 기분 소원"
    " 그만 사과 인사 공부 생각 얘기 이야기 정리 연락 운동 오해 앙금 서운함 문제 결과 결론 약속"
    " 대답 고백 하나 앞으로 이거 그거 이름 호칭 상대".split()
)
