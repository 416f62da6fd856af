"""How long an output takes to check against hostile messages, next to plain ones, in one run."""

from itertools import cycle
from statistics import median
from time import process_time

from shared.model.slots import Slots
from shared.model.thread import Role
from shared.safety.evidence import Source
from shared.summarizing.checking import OutputCheck, Reading
from shared.summarizing.memory_document import SummaryOutput, parse_summary
from tests.safety.figures import Figure, at_least, at_most
from tests.safety.redaction_set import negative_templates
from tests.safety.redaction_time import of_length

MESSAGES = 4
CHARACTERS = 4_000  # the longest message that the rules let through
SHORT_OF_A_LONG = 250  # short messages in the place of a long one
RECORD_CHARACTERS = 2_000
RUNS = 3
# A text of nothing but labels has a hundred times as many of them to judge as plain text has.
MAX_RATIO = 60.0

# Each fills a text with what the check looks for: labels, what turns their sense, marks of quotes.
SHAPES = {
    "lovers": "연인 ",
    "lovers unspaced": "연인",
    "dating": "사귀",
    "dating apart": "사귀 ",
    "loving": "사랑해",
    "loving apart": "사랑해 ",
    "loving with an object": "을 사랑해",
    "loving a thing": "사진을 좋아",
    "parted": "헤어졌",
    "day one": "오늘부터 1일",
    "made up": "화해했",
    "made up apart": "화해 ",
    "settled": "해결했",
    "topics": "문제",
    "agreed over lines": "응 나도 사랑해\n",
    "asked over lines": "우리 사귀자?\n",
    "conditions": "사귀면 ",
    "denials": "안 사귀지 않",
    "offers": "let's be my ",
    "loving in English": "love you ",
    "not yet": "아직 하지 ",
    "not done": "돌려주지 않",
    "subjects": "소희가",
    "others": "엄마가 ",
    "dates": "1/",
    "single quotes": "'",
    "double quotes": '"',
    "opening quotes": "“",
    "opening single quotes": "‘",
    "apostrophes": "a'",
    "corner brackets": "「",
    "invisible characters": "사귀\u200b",
}
BEFORE = Slots(
    recent_context="- 둘은 필름 이야기를 했다.",
    long_term_memory=(
        "- [Messenger / DM / 2026-05-09 (토) / 썸] 둘은 썸을 타는 사이가 되었다.\n"
        "- [Messenger / DM / 2026-05-10 (일) / 다툼] 소희와 {user}는 다퉜고 화해하지 않았다."
        " 소희는 아직 우산을 돌려주지 않았다."
    ),
    soul_relational_persona="- 소희는 {user}에게 호감이 있다.",
    user_relational_persona="### Profile\n- {user}는 필름을 자주 맡긴다.",
)
OUTPUT = """=== MEMORY ===
## Recent context
- 둘은 안부를 나눴다.
## Long-term memory(LTM)
- [Messenger / DM / 2026-05-27 (수) / 밤] 둘은 연인이 되었고 화해했다. (m1)
- [Messenger / DM / 2026-05-27 (수) / 우산] 소희는 우산을 돌려주었다. "고마워"라고 했다. (m2)
## Soul persona
### Relational
- 소희는 {user}를 사랑한다.
## User persona
### Profile
- {user}는 소희를 좋아한다.
### How Soul sees the user
- 편한 사람이다.
=== LOREBOOK ===
### 밤
- keywords: 밤
- 시점: 2026-05-27 (수)
- 기록: 둘은 사귄다.
- sources: m1
"""


def measure(messages: int = MESSAGES, runs: int = RUNS) -> list[Figure]:
    """The slowest shape's ratio of medians; its name is the detail."""
    words = [line for line in negative_templates() if "<" not in line]
    plain = of_length(" ".join(words), CHARACTERS)
    ratios = {name: ratio(piece, plain, messages, runs) for name, piece in SHAPES.items()}
    slowest = max(ratios, key=lambda name: ratios[name])
    return [
        at_least("evidence_hostile_shapes", len(SHAPES), 20),
        at_most("evidence_time_ratio", ratios[slowest], MAX_RATIO, slowest),
    ]


def ratio(piece: str, plain: str, messages: int, runs: int) -> float:
    """Of the slowest way that a shape comes: in long messages, many short ones, or an output."""
    filled = of_length(piece, CHARACTERS)
    ordinary, hostile = [], []
    for _ in range(runs):
        ordinary.append(seconds([plain] * messages))
        hostile.append(
            max(
                seconds([filled] * messages),
                seconds([piece.strip()] * (SHORT_OF_A_LONG * messages)),
                seconds([plain] * messages, record=filled[:RECORD_CHARACTERS]),
            )
        )
    return median(hostile) / median(ordinary)


def seconds(said: list[str], record: str = "둘은 사귄다.") -> float:
    """How long one output is checked against what the two said by turns."""
    roles: cycle[Role] = cycle(("user", "soul"))
    sources = tuple(
        Source(source_id=f"m{n}", ref=f"id{n}", role=next(roles), text=text, day="2026-05-27 (수)")
        for n, text in enumerate(said, start=1)
    )
    reading = Reading(sources=sources, soul_name="윤소희", persona="말수가 적다.")
    output = output_with(record)
    begun = process_time()
    OutputCheck(reading, BEFORE).check(output)
    return process_time() - begun


def output_with(record: str) -> SummaryOutput:
    """The output, with a lorebook entry that tells `record`."""
    output = parse_summary(OUTPUT)
    entry = output.lorebook[0].model_copy(update={"record": record.replace("\n", " ")})
    return output.model_copy(update={"lorebook": [entry]})
