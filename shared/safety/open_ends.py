"""What may be open between two people, and how it reads once it is settled (PRD §4.5, §5.3)."""

from typing import NamedTuple


class OpenEnd(NamedTuple):
    """What may be open between two people: how it reads while it is, and once it is settled."""

    name: str
    open: tuple[str, ...]
    settled: tuple[str, ...]


# What is settled between two people settles the group after it as well, never the other way.
SETTLES: dict[str, frozenset[str]] = {
    "화해": frozenset({"화해", "오해", "용서"}),
    "오해": frozenset({"화해", "오해", "용서"}),
    "용서": frozenset({"화해", "오해", "용서"}),
    "해결": frozenset({"화해", "오해", "용서", "해결"}),
    "사과": frozenset({"사과"}),
}
# An open end of any of these is a quarrel that anything of these would end.
QUARREL: frozenset[str] = frozenset({"화해", "오해", "용서", "해결"})

OPEN_ENDS: tuple[OpenEnd, ...] = (
    OpenEnd(
        "화해",
        (
            r"화해(?:를|는|도)?\s?(?:하지\s?(?:않|못)|안\s?(?:했|하|함|한)|못\s?(?:했|하|함|한))",
            r"화해(?:를|는)?\s?(?:거절|거부|미뤘|미루)|미화해|냉전|(?:싸운|다툰)\s?(?:상태|채|뒤로)",
            r"(?:서로\s?)?말을?\s?(?:안\s?하|하지\s?않)|not (?:made|making) up|haven't made up",
        ),
        (
            r"화해(?!(?:를|하자고|하자는)?\s?(?:청|요청|제안|시도|권|미루|미뤘|원|바라|거절|거부|못))",
            r"(?:다시\s?)?사이가?\s?(?:좋아졌|회복|풀렸)|관계(?:를|가)\s?회복",
            r"\bmade up\b|\bmake up\b|\breconciled\b|\bmaking up\b",
        ),
    ),
    OpenEnd(
        "오해",
        (
            r"(?:오해|화|마음|앙금|서운함|감정|갈등|응어리)(?:가|이|를|을|는|은|도)?\s?(?:아직\s?)?(?:다\s?)?"
            r"(?:풀지\s?(?:않|못)|풀리지\s?(?:않|못)|안\s?풀|못\s?풀|덜\s?풀|남아|남았)",
        ),
        (
            r"(?:오해|화|마음|앙금|서운함|감정|갈등|응어리)(?:가|이|를|을|는|은|도)?\s?(?:다|모두|완전히|이제|싹)?\s?"
            r"(?:풀렸|풀었|풀고|풀려|풀린|풀어졌|풀기로|사라졌|가셨|없어졌)",
            r"(?:다|이제|싹)\s?풀(?:렸|었|린)",
        ),
    ),
    OpenEnd(
        "해결",
        (
            r"미해결|해결(?:되지|하지)\s?(?:않|못)|해결(?:이|은)?\s?(?:안|못)\s?(?:됐|되|했|함)",
            r"(?:매듭|결론|마무리|정리)(?:을|를|이|가|은)?\s?(?:짓지|내지|되지|하지|나지)\s?(?:않|못)",
            r"(?:결론|답|결정)(?:이|은|을)?\s?(?:아직\s?)?(?:없|못\s?내|안\s?나|미뤄|미뤘|미루)",
            r"보류|미정|진행\s?중|(?:열린|남은)\s?(?:문제|채)",
            r"\bunresolved\b|\bunsettled\b|\bstill open\b",
        ),
        (
            r"해소(?:했|됐|되었|하였|된|하기로)",
            r"해결(?:했|됐|되었|하였|된|하기로|함|해\s?줬|을\s?봤)",
            r"(?:매듭|결론|마무리|정리|결정)(?:을|를|이|가)?\s?(?:지었|짓|냈|났|됐|되었|했|된|지어)",
            r"일단락|끝을?\s?(?:냈|맺)|\bresolved\b|\bsettled\b",
            r"\b(?:sorted|worked) (?:it )?out\b",
        ),
    ),
    OpenEnd(
        "용서",
        (
            r"용서(?:를|는)?\s?(?:하지|받지)\s?(?:않|못)|용서(?:를)?\s?(?:안|못)\s?(?:했|하|받)",
            r"\b(?:not|never|n't) forgiven?\b",
        ),
        (
            r"용서(?:를|는)?\s?(?:했|하였|하기로|받았|해\s?(?:줬|주었|줄게|주기로)|할게|한다|함)",
            r"\bforg(?:ave|iven)\b",
        ),
    ),
    OpenEnd(
        "사과",
        (r"사과(?:를|는)?\s?(?:하지|받지)\s?(?:않|못)|사과(?:를)?\s?(?:안|못)\s?(?:했|하|받)",),
        (r"사과(?:를|는)?\s?(?:했|하였|받았|받아\s?(?:들|줬|주)|하고|함)|\bapologi[sz]ed\b",),
    ),
)
