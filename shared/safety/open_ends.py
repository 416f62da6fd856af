"""What may be open between two people, and how it reads once it is settled (PRD §4.5, §5.3)."""

from typing import NamedTuple


class OpenEnd(NamedTuple):
    """What may be open between two people: how it reads while it is, and once it is settled.

    `settled` is how people say it; `claimed` how a line of memory may put it besides, which is
    read widely, since a claim needs a source and a source needs to be plain.
    """

    name: str
    open: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()


# What is settled between two people settles the group after it as well, never the other way.
SETTLES: dict[str, frozenset[str]] = {
    "화해": frozenset({"화해", "오해", "용서"}),
    "오해": frozenset({"화해", "오해", "용서"}),
    "용서": frozenset({"화해", "오해", "용서"}),
    "해결": frozenset({"화해", "오해", "용서", "해결", "결정"}),
    "사과": frozenset({"사과"}),
    "결정": frozenset({"결정", "해결"}),
    "약속": frozenset({"약속", "반환", "일"}),
    "대답": frozenset({"대답", "사정"}),
    "사정": frozenset({"사정"}),
    "반환": frozenset({"반환", "일"}),
    "일": frozenset({"일", "반환"}),
}
# An open end of any of these is a quarrel that anything of these would end.
QUARREL: frozenset[str] = frozenset({"화해", "오해", "용서", "해결"})
# Of these there is one between two people; of the others, such as promises, many at once.
BETWEEN_THEM = QUARREL | {"사과"}

_PARTICLE = r"(?:가|이|를|을|는|은|도|로|으로)?"
_WHO = r"(?:\s?\S{1,8}(?:가|이|는|은|에게|한테|께))?"
_HOW = (
    r"(?:\s?(?:다|모두|싹|전부|이제|잘|비로소|드디어|마침내|결국|조금씩|서서히"
    r"|[가-힣]{1,4}[히이게레]))?"
)
_HARD_FEELINGS = (
    r"(?:오해|화|마음|앙금|서운함|섭섭함|감정|갈등|응어리|서먹함|어색함|냉랭함|미움|원망|상처|노여움"
    r"|의심|불신|냉전|다툼|싸움|말다툼)"
)

# 다시 의논하기로 했다 decides nothing.
_NOT_YET_A_CHOICE = "".join(
    f"(?<!{verb})"
    for verb in "의논하 논의하 상의하 얘기하 이야기하 생각하 정하 결정하 미루 연락하 보".split()
)

OPEN_ENDS: tuple[OpenEnd, ...] = (
    OpenEnd(
        "화해",
        open=(
            r"화해(?:를|는|도)?\s?(?:하지\s?(?:않|못)|안\s?(?:했|하|함|한)|못\s?(?:했|하|함|한)|전)",
            r"화해(?:를|는)?\s?(?:거절|거부|미뤘|미루)|미화해|냉전",
            r"(?:싸운|다툰|말다툼|말싸움)\s?(?:상태|채|뒤|후|이후)|서먹|냉랭|틀어[진졌]|등을?\s?돌|절교",
            r"(?:서로\s?)?말을?\s?(?:안\s?하|하지\s?않|섞지\s?않)",
            r"\bnot (?:made|making) up\b|\bhaven't made up\b",
        ),
        settled=(
            r"화해(?!(?:를|하자고|하자는)?\s?(?:청|요청|제안|시도|권|미루|미뤘|원|바라|거절|거부|못))",
            r"(?:다시\s?)?사이가?\s?(?:좋아졌|회복|풀렸)|관계(?:를|가)\s?회복",
            r"\bmade up\b|\bmake up\b|\breconciled\b|\bmaking up\b",
        ),
        claimed=(
            rf"사이{_PARTICLE}{_HOW}\s?(?:좋아졌|좋아짐|회복|풀렸|풀림|가까워졌|돌아왔)",
            r"(?:예전|이전)(?:처럼|으로|의\s사이|\s사이|과\s같)|다시\s(?:가까워[졌진]|친해[졌진]|사이좋|다정)",
        ),
    ),
    OpenEnd(
        "오해",
        open=(
            rf"{_HARD_FEELINGS}{_PARTICLE}\s?(?:아직\s?)?(?:다\s?)?"
            r"(?:풀지\s?(?:않|못)|풀리지\s?(?:않|못)|안\s?풀|못\s?풀|덜\s?풀|남아|남았)",
            rf"{_HARD_FEELINGS}{_PARTICLE}[^.!?\n]{{1,15}}\s(?:남아|남았|있다|품|쌓)",
            r"오해(?:한|하고|를\s?산)\s?(?:채|상태|있)|마음에\s?담아|서운해|섭섭해|속상해|미워하|문제를\s?풀지|삐[쳐친졌진]|토라[져진졌]|화가?\s?(?:나\s?있|난\s?(?:채|상태))",
        ),
        settled=(
            rf"{_HARD_FEELINGS}{_PARTICLE}\s?(?:다|모두|완전히|이제|싹)?\s?"
            r"(?:풀렸|풀었|풀고|풀려(?!고|던|면)|풀린|풀어졌|풀기로|풀게|풀자|사라졌|가셨|없어졌)",
            r"(?:다|이제|싹)\s?풀(?:렸|었|린)|없던\s?일로\s?(?:하|할|해)",
        ),
        claimed=(
            rf"{_HARD_FEELINGS}{_PARTICLE}{_HOW}\s?(?:풀려(?!고|던|면)|풀[렸었린림고어]|막을\s?내[렸림]|푼|풂|사라|가[시셨심]|없어|해소|씻|털|녹"
            r"|아물|끝[났나내냈]|정리|가라앉|누그러|지워|거[두뒀]|잊)",
            r"털어\s?(?:냈|내|버렸)|지나간\s?일이\s?(?:되|됐)|앙금\s?없이",
        ),
    ),
    OpenEnd(
        "해결",
        open=(
            r"미해결|해결(?:되지|하지)\s?(?:않|못)|해결(?:이|은)?\s?(?:안|못)\s?(?:됐|되|했|함)",
            r"(?:매듭|결론|마무리|정리)(?:을|를|이|가|은)?\s?(?:짓지|지어지지|내지|되지|하지|나지)\s?(?:않|못)",
            r"(?:결론|답|결정)(?:이|은|을)?\s?(?:아직\s?)?(?:없|못\s?내|안\s?나|미뤄|미뤘|미루)",
            r"보류|미정|진행\s?중|(?:열린|남은)\s?(?:문제|채)",
            r"\bunresolved\b|\bunsettled\b|\bstill open\b",
        ),
        settled=(
            r"해소(?:했|됐|되었|하였|된|하기로)",
            r"해결(?:했|됐|되었|하였|된|하기로|함|해\s?줬|을\s?봤)",
            r"(?:매듭|결론|마무리|정리|결정)(?:을|를|이|가)?\s?(?:지었|짓|냈|났|됐|되었|했|된|지어)",
            r"일단락|끝을?\s?(?:냈|맺)|\bresolved\b|\bsettled\b",
            r"\b(?:sorted|worked) (?:it )?out\b",
        ),
        claimed=(
            rf"(?:매듭|결론|마무리|정리|결정){_PARTICLE}{_HOW}\s?(?:지어|지[음은]|짓|냄|남|됨|함|내)",
            r"(?:해소|해결)(?:됨|함|되어|돼|하고)|\b(?:is|was) closed\b",
        ),
    ),
    OpenEnd(
        "용서",
        open=(
            r"용서(?:를|는)?\s?(?:하지|받지)\s?(?:않|못)|용서(?:를)?\s?(?:안|못)\s?(?:했|하|받)",
            r"\b(?:not|never|n't) forgiven?\b",
        ),
        settled=(
            r"용서(?:를|는)?\s?(?:했|하였|하기로|받았|해\s?(?:줬|주었|줄게|줌|준다|주기로)|할게|한다|함)",
            r"(?:이번만?|이번엔|한\s?번만?|다)\s?봐\s?(?:줄게|준다|줬)",
            r"\bforg(?:ave|iven)\b|\bi forgive you\b",
        ),
        claimed=(
            r"용서(?:를|는|로|의)?\s?(?:하고|하며|하면서|받[은음아고]|해\s?[주줌준]|마무리|한(?!\s?적)|된|됨|됐)",
        ),
    ),
    OpenEnd(
        "사과",
        open=(
            r"사과(?:를|는)?\s?(?:하지|받지)\s?(?:않|못)|사과(?:를)?\s?(?:안|못)\s?(?:했|하|받)",
            r"\bowes? (?:\S+ )?an apology\b",
        ),
        settled=(
            r"사과(?:를|는)?\s?(?:했|하였|받았|받아\s?(?:들|줬|주)|하고|함)|\bapologi[sz]ed\b",
        ),
        claimed=(r"사과(?:를|의\s말을?)?\s?(?:하며|하면서|받[은음]|전[했함하])",),
    ),
    OpenEnd(
        "결정",
        open=(
            r"정하지|결정|미정|고민|보류|미루|미뤄|결론|합의|의논|매듭|할지|(?<![가-힣])정해\s?지지|\bundecided\b|\bdecided?\b",
        ),
        settled=(
            r"(?<![가-힣])(?:정했|정해졌|정하기로)|(?:결정|확정)(?:했|됐|되었|함|됨|이야|이다|인|(?=[!.~\s]*$))|결론(?:을|이)?\s?[냈났]",
            rf"{_NOT_YET_A_CHOICE}기로\s?(?:했|정했|결정|하자|해(?:요|\b))|(?:으로|로)\s?(?:하자|정하자|정한다|정할까|할게|가자|정했|결정)",
            r"\bdecided\b|\blet's go with\b",
        ),
        claimed=(
            rf"{_NOT_YET_A_CHOICE}기로\s?(?:함|하였|한다|뜻)|뜻을\s?모|결론(?:을|이)?\s?(?:내[렸림려]|[났냈])|결론에\s?(?:이르|도달)|합의(?:했|함|에)|(?<![가-힣])정(?:함|해)|확정",
        ),
    ),
    OpenEnd(
        "약속",
        open=(r"약속|[가-힣]기로|겠다[던는고]|\bpromise",),
        settled=(
            r"약속\s?(?:을|은)?\s?(?:꼭|다|드디어)?\s?지[켰킨]",
            r"\bkept (?:my|your|his|her|the) (?:promise|word)\b",
        ),
        claimed=(rf"약속{_PARTICLE}{_WHO}{_HOW}\s?(?:지[켰킨킴켜]|이행|다[했함])",),
    ),
    OpenEnd(
        "대답",
        open=(r"답|물[음었어]|질문|\b(?:answer|ask|question)",),
        settled=(
            r"(?:대답|답)(?:을|은)?\s?(?:했|해\s?줬|줬|들었|받았)|답(?:장|변)?이?\s?늦\S*\s[^?？]{2,30}(?:게|좋아|싫어|돼)(?![가-힣])|\banswered\b",
        ),
        claimed=(
            rf"(?:대답|답|답장|답변){_PARTICLE}{_WHO}{_HOW}\s?"
            r"(?:[했함줬줌]|하였|주었|전[했하함]|들[었음은]|받[았음은]|내놓|얻)"
            r"|(?:물음|의문|궁금증)(?:이|은|도)?\s?(?:풀|해소)",
        ),
    ),
    OpenEnd(
        "사정",
        open=(
            r"(?<![가-힣])왜|까닭|이유|물[음었어]|질문|비밀|말하지|털어놓지|밝히지|\b(?:why|reason|tell|told)\b",
        ),
        settled=(
            r"(?:때문(?:이|에)|탓(?:이|에)|(?:아|어|해|여|라|워|나|져)서\s?그[랬런])"
            r"|말해\s?줬|털어놓|사실은|\bbecause\b",
        ),
        claimed=(
            r"털어놓|밝[혔힘힌]|(?:말|얘기|이야기|설명)해\s?(?:주었|줬|줌)|설명[했함]|고백[했함]|\btold\b",
        ),
    ),
    OpenEnd(
        "반환",
        open=(r"돌려|갚|빌[려린렸]|맡[긴겼]|찾지|반납|\b(?:return|borrow|owe|lent)",),
        settled=(
            r"돌려\s?(?:줬|주었|놨|놓았|드렸|받았)|갖다\s?(?:줬|놨|놓았)|갚았|입금|(?:송금|이체)(?:했|함)|(?<![가-힣])들어왔|(?<![가-힣])받았(?:어|다|지|네|습|음)",
            r"\b(?:gave|paid) (?:\S+ ){0,3}back\b|\breturned\b",
        ),
        claimed=(
            r"돌려\s?(?:주었|줬|줌|준|받[았음은])|갚[았음은아]|되돌려|반납|청산|되찾|돌아[왔옴온]",
            r"\b(?:gave|paid|handed) (?:\S+ ){0,4}back\b|\breturned\b",
        ),
    ),
    OpenEnd(
        "일",
        open=(r"못[했한하]|않|아직|\b(?:not|yet|still)\b",),
        settled=(
            r"(?:다|드디어|방금|이미|벌써)\s?(?:했|썼|됐|끝|마쳤|만들었|보냈|냈)|끝났|끝냈|마쳤|완성(?:했|됐)"
            r"|(?:해|싸|사|써|만들어|구워|가져|챙겨)\s?(?:줬|왔|다\s?줬|드렸)|보냈|건넸|\b(?:finished|done|sent|brought)\b",
        ),
        claimed=(
            r"건넸|건네(?:주|\s주)|전달[했함]|마[쳤침친]|완성[했함됐됨]|끝[냈났냄]|해냈|이[뤘루]었?|보냈|\b(?:finished|sent|brought|kept)\b",
        ),
    ),
)
