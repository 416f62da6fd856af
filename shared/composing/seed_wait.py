"""Waiting, for a bounded time, until a thread's first memory is there."""

from datetime import timedelta

from shared.model.thread import ThreadKey
from shared.ports import Clock, PromptSourceReader, PromptSources, Threads
from shared.settings import Settings

POLL_SECONDS = 0.25
BEGINS_WITHIN = timedelta(seconds=60)


def sources_after_seed(
    key: ThreadKey,
    *,
    sources: PromptSourceReader,
    threads: Threads,
    clock: Clock,
    settings: Settings,
) -> PromptSources:
    """What a prompt is made of; where a seed is under way, as it is once the seed has ended.

    After `seed_wait_seconds` the chat goes on without it.
    """
    found = sources.read_prompt_sources(key)
    if not _seed_under_way(found, clock):
        return found
    deadline = clock.monotonic() + settings.seed_wait_seconds
    while clock.monotonic() < deadline:
        clock.wait(POLL_SECONDS)
        thread = threads.read_thread(key)
        if thread is None or thread.memory_status not in {"pending", "seeding"}:
            break
    return sources.read_prompt_sources(key)


def _seed_under_way(found: PromptSources, clock: Clock) -> bool:
    """Whether waiting is worth it: a seed that begins within a minute, or one that is held."""
    now, lease = clock.now(), found.state.lease
    if found.thread.memory_status == "seeding":
        return lease is not None and lease.expires_at > now
    if found.thread.memory_status == "pending":
        created = found.thread.created_at
        return created is not None and now - created < BEGINS_WITHIN
    return False
