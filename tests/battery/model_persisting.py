"""One case of a model's failure for as long as its class goes on trying, up to a good end."""

import random

from tests.battery.arena import Arena
from tests.battery.chats import lines
from tests.battery.model_cases import BUSY, Case, Script, ScriptedServer
from tests.battery.model_runs import HOURS, MAX_ATTEMPTS, MESSAGES, PAUSE, PLENTY, SETTINGS, start
from tests.gemini_server import Answer


def persisting(arena: Arena, server: ScriptedServer, case: Case) -> list[str]:
    """The case for as long as its class goes on trying, then a model that is well."""
    match case.case_class:
        case "transient":
            return _transient(arena, server, case)
        case "format":
            return _format(arena, server, case)
        case "content":
            return [*_content(arena, server, case), *_content_of_all(arena, server, case)]
        case "configuration":
            return _configuration(arena, server, case, [case.answer])
        case "retired":
            return _configuration(arena, server, case, [case.answer] * 3)


def _transient(arena: Arena, server: ScriptedServer, case: Case) -> list[str]:
    """Tried to the last attempt; the task is deleted, and the sweep finds the cycle."""
    if case.rest_seconds:
        return _resting(arena, server, case)
    run = start(arena, server, case, Script(answers=[case.answer] * MAX_ATTEMPTS))
    run.drain()
    run.expect("the attempts", run.seen, [("waiting", "transient")] * MAX_ATTEMPTS)
    run.expect_memory_kept()
    run.sweep()
    run.expect_end(rejections=0)
    return run.wrong


def _resting(arena: Arena, server: ScriptedServer, case: Case) -> list[str]:
    """Each answer names a pause, and each pause is kept; attempts during one ask nothing."""
    run = start(arena, server, case, Script(answers=[case.answer] * 2), attempts=PLENTY)
    run.drain()
    run.expect("requests", len(server.requests), 3)
    run.expect_rest(0)
    run.expect_rest(1)
    run.expect_end(rejections=0)
    return run.wrong


def _format(arena: Arena, server: ScriptedServer, case: Case) -> list[str]:
    """One more try, then rejected; the old memory stays until the cycle is asked for again."""
    run = start(arena, server, case, Script(answers=[case.answer] * 2))
    run.drain()
    run.expect("the attempts", run.seen, [("waiting", "format"), ("rejected", "format")])
    run.expect("requests", len(server.requests), 2)
    run.expect_memory_kept()
    run.sweep()
    run.expect_end(rejections=2)
    return run.wrong


def _content(arena: Arena, server: ScriptedServer, case: Case) -> list[str]:
    """One message is refused whenever it is read: it is found and set aside, and no other."""
    run = start(arena, server, case, Script(answers=[BUSY]))
    refused = random.Random(case.name).choice(run.chat.versions).message
    server.lay(Script(refused=refused.text, refusal=case.answer))
    arena.queue.max_attempts = PLENTY
    run.drain()
    more = lines(MESSAGES, random.Random(2), until=arena.clock.now(), start=MESSAGES, words=10)
    arena.write(run.chat, more)
    for event in run.chat.versions[MESSAGES:]:
        arena.deliver(run.chat, event)
    run.drain()
    stored = arena.stored(run.chat)
    aside = [one.message_id for one in stored.messages if one.set_aside_by]
    run.expect("set aside", aside, [refused.message_id])
    run.expect("pending", stored.counter.pending_tokens >= SETTINGS.cycle_trigger_tokens, False)
    return [*run.wrong, *arena.problems(run.chat, stored=stored)]


def _content_of_all(arena: Arena, server: ScriptedServer, case: Case) -> list[str]:
    """Everything is refused, without any message too: blocked, and no message is given up."""
    run = start(arena, server, case, Script(refused="", refusal=case.answer))
    arena.queue.max_attempts = PLENTY
    run.drain()
    run.expect("the last attempt", run.seen[-1], ("blocked", "configuration"))
    run.expect_memory_kept()
    server.lay(Script())
    run.sweep()
    stored = arena.stored(run.chat)
    run.expect("set aside", [one for one in stored.messages if one.set_aside_by], [])
    run.expect("applied", bool(stored.applied), True)
    return [*run.wrong, *arena.problems(run.chat, stored=stored)]


def _configuration(
    arena: Arena, server: ScriptedServer, case: Case, answers: list[Answer]
) -> list[str]:
    """Three blocked cycles open the breaker; a fourth does not ask; the sweep probes and mends."""
    runs = []
    for number in range(4):
        run = start(arena, server, case, Script(answers=list(answers)))
        run.drain()
        run.expect("the attempts", run.seen, [("blocked", "configuration")])
        run.expect("requests", len(server.requests), len(answers) if number < 3 else 0)
        run.expect_memory_kept()
        runs.append(run)
    server.lay(Script())
    for _ in range(3):
        arena.clock.pass_time(PAUSE.total_seconds())
        arena.sweep()
        arena.queue.drain(arena.work, within=HOURS)
    for run in runs:
        run.expect_end(rejections=0)
    return [problem for run in runs for problem in run.wrong]
