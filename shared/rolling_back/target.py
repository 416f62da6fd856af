"""What a rollback goes back to, as the audits of earlier cycles tell it."""

from shared.errors import DocumentNotFoundError
from shared.history.standing import BrokenChainError, Standing, standing
from shared.model.cycle import cycle_id_of
from shared.model.slots import Slots
from shared.model.thread import Counter, MessageRef, ThreadKey
from shared.summarizing.working import CyclePorts


def standing_as_of(key: ThreadKey, generation: int, ports: CyclePorts) -> Standing:
    """What stood as of `generation`. Raises DocumentNotFoundError for an audit that is missing."""
    try:
        return standing(ports.rollbacks.past_cycles(key, generation), generation)
    except BrokenChainError as error:
        raise DocumentNotFoundError(_path(key, error.generation)) from error


def slots_after(key: ThreadKey, generation: int, ports: CyclePorts) -> Slots:
    """The slots that `generation` left; of generation 0, those that the first cycle found."""
    cycle = ports.memory.read_cycle(key, max(generation, 1)).cycle
    slots = None if cycle is None else cycle.after if generation else cycle.before
    if slots is None:
        raise DocumentNotFoundError(_path(key, max(generation, 1)))
    return slots


def _path(key: ThreadKey, generation: int) -> str:
    return f"users/{key.uid}/threads/{key.soul_id}/cycles/{cycle_id_of(generation)}"


def pending_between(
    key: ThreadKey, now: MessageRef | None, then: MessageRef | None, ports: CyclePorts
) -> Counter:
    """What the counter moves by when the cursor goes from `now` to `then`, back or forward."""
    if now == then:
        return Counter()
    if now is not None and (then is None or then.is_before(now)):
        return ports.rollbacks.counted_between(key, then, now)
    taken = ports.rollbacks.counted_between(key, now, then)
    return Counter(pending_tokens=-taken.pending_tokens, pending_messages=-taken.pending_messages)
