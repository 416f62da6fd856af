"""What a growing lorebook costs: documents read, bytes, time."""

import random
from functools import partial

from shared.recall.entry import RecallEntry
from shared.recall.index import RecallIndex
from shared.recall.query import Query
from shared.recall.recall import recall
from shared.recall.recall_settings import RecallSettings
from tests.bench_recall.timing import seconds

SIZES = (100, 1_000, 10_000)
_PLACES = (
    "강릉 속초 현상소 책방 기록실 옥상 등대 시장 골목 도서관 버스 정류장 온실 수영장 극장".split()
)
_THINGS = "열쇠 우산 필름 편지 시집 목도리 오르골 사진 라디오 화분 지도 자전거 반지 공책".split()
_DEEDS = "잃어버렸다 찾아냈다 건네주었다 숨겼다 고쳤다 약속했다 그리워했다 나누었다 태웠다".split()
_NAMES = "하준 은호 서연 민아 도윤 지우 소희 재민 유나 태오".split()
_SYLLABLES = (
    "가나다라마바사아자차카타파하거너더러머버서어저처커터"
    "퍼허고노도로모보소오조초코토포호구누두루무부수우주추"
)


def entries(count: int, seed: int = 7) -> list[RecallEntry]:
    """Entries of about a hundred characters, three a cycle, with words that nobody else has."""
    chance = random.Random(seed)
    return [_entry(number, chance) for number in range(count)]


def _entry(number: int, chance: random.Random) -> RecallEntry:
    who, other = chance.sample(_NAMES, 2)
    place, thing, deed = chance.choice(_PLACES), chance.choice(_THINGS), chance.choice(_DEEDS)
    names = ["".join(chance.choices(_SYLLABLES, k=3)) for _ in range(5)]
    detail = " ".join(
        f"{name}에서 {chance.choice(_THINGS)}를 {chance.choice(_DEEDS)}" for name in names
    )
    return RecallEntry(
        entry_id=f"{number // 3:06d}-{number % 3:03d}",
        cycle_id=f"{number // 3:06d}",
        turn=number * 10,
        title=f"{place}의 {thing}",
        keywords=(place, thing, names[0]),
        record=f"{who}는 {other}와 {place}에서 {thing}를 {deed}. {detail}.",
        importance=chance.randint(1, 5),
        people=(who, other),
    )


_QUERIES = [
    Query(text=f"{name}랑 {place} 갔을 때 {thing} 어떻게 됐더라?", recent=(f"{place} 가고 싶다",))
    for name, place, thing in zip(_NAMES, _PLACES, _THINGS, strict=False)
]


def measure() -> dict[str, float]:
    """Shards and their bytes by the number of entries, and how time grows."""
    figures: dict[str, float] = {}
    times: dict[int, float] = {}
    cold: dict[int, float] = {}
    for size in SIZES:
        packed = RecallIndex.from_entries(entries(size)).packed()
        index = RecallIndex.from_shards(packed, entry_count=size)
        figures[f"index_shards_{size}"] = len(packed)
        figures[f"index_largest_shard_bytes_{size}"] = max(map(len, packed))
        times[size] = seconds(partial(_ask, index), times=3) / len(_QUERIES)
        cold[size] = seconds(partial(_ask_once, packed), times=3)
        figures[f"recall_milliseconds_{size}"] = 1_000 * times[size]
        figures[f"recall_cold_milliseconds_{size}"] = 1_000 * cold[size]
    return {
        **figures,
        "recall_time_ratio": times[10_000] / times[1_000],
        "recall_cold_time_ratio": cold[10_000] / cold[1_000],
    }


def _ask(index: RecallIndex) -> None:
    for query in _QUERIES:
        recall(query, index, settings=RecallSettings())


def _ask_once(packed: tuple[bytes, ...]) -> None:
    recall(_QUERIES[0], RecallIndex.from_shards(packed), settings=RecallSettings())
