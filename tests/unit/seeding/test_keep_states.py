"""What was played does not decide how the two stand now (PRD §5.4)."""

from tests.factories import KEY, World
from tests.unit.importing.played import cycle, import_now, ltm, merged, play_more, seeded

PARTED = "[Messenger / DM / 2026-05-27 (수) / 이별] 소희와 {user}는 헤어진 직후다."
SOME = '[Episode / "등대 불빛" / (시간 불명) / 썸] 소희와 {user}는 썸을 타는 사이였다. (s1)'
LIGHT = '[Episode / "등대 불빛" / (시간 불명) / 불] 소희와 {user}는 등대에 불을 켰다. (s1)'


def standing(*lines: str, answer: str) -> World:
    """Memory holds these lines; what is imported is what the model answers."""
    world = seeded(answer)
    slot = world.store.slots[KEY]["long_term_memory"]
    held = "\n".join(f"- {line}" for line in lines)
    world.store.slots[KEY]["long_term_memory"] = slot.model_copy(update={"content": held})
    play_more(world)
    world.plays.stored_summaries["p2"][0] = world.plays.stored_summaries["p2"][0].model_copy(
        update={"text": "소희와 {user}는 썸을 타는 사이였다. 등대에 불을 켰다."}
    )
    return world


def reasons(world: World) -> list[object]:
    return [
        event.model_dump()["reason"]
        for event in world.events.emitted
        if event.model_dump()["event"] == "conflict_dm_memory_update"
    ]


def without_ids(line: str) -> str:
    return f"- {line.removesuffix(' (s1)')}"


def test_a_state_that_an_import_would_replace_stays_beside_the_new_one() -> None:
    world = standing(PARTED, answer=merged(SOME))
    assert import_now(world).status == "imported"
    assert ltm(world) == [without_ids(PARTED), without_ids(SOME)]
    assert reasons(world) == ["state_kept"]
    rows = cycle(world).evidence
    assert (PARTED, "carried") in [(row.line, row.verdict) for row in rows]


def test_a_model_that_keeps_both_is_left_alone() -> None:
    world = standing(PARTED, answer=merged(SOME, PARTED))
    import_now(world)
    assert ltm(world) == [without_ids(SOME), without_ids(PARTED)]
    assert reasons(world) == []


def test_where_no_new_state_comes_an_old_one_may_be_dropped() -> None:
    world = standing(PARTED, LIGHT.removesuffix(" (s1)"), answer=merged(LIGHT))
    import_now(world)
    assert ltm(world) == [without_ids(LIGHT)]


def test_a_new_wording_of_the_old_state_is_no_conflict() -> None:
    reworded = PARTED.replace("헤어진 직후다", "헤어진 사이다")
    world = standing(PARTED, answer=merged(SOME, f"{reworded} (s1)"))
    import_now(world)
    assert ltm(world) == [without_ids(SOME), without_ids(reworded)]
