"""Where what was played contradicts what memory held of the two, both stay (PRD §5.4)."""

from collections.abc import Iterable, Mapping, Sequence

from shared.model.slots import Slots
from shared.safety.label_facts import facts, narrated
from shared.safety.quotes import Names
from shared.summarizing.checking import Checked, bullets_of
from shared.summarizing.memory_document import MemoryOutput


def keep_states(
    output: MemoryOutput, before: Slots, checked: Checked, *, soul_name: str
) -> tuple[MemoryOutput, bool]:
    """The output with the old lines that it lets a new state of the relationship replace.

    An old label may go only where no new one comes: which of two holds is for the next summary
    cycle to say, from the chat. One line a label comes back. Also whether any did.
    """
    names = Names(soul_name)
    old = _states(bullets_of(before)["ltm"], names)
    new = _states(output.ltm, names)
    gone = [rank for rank in old if rank not in new]
    if not gone or all(rank in old for rank in new):
        return output, False
    back = list(dict.fromkeys(old[rank] for rank in gone))
    for line in back:
        checked.add("long_term_memory", line, (), "carried")
    return output.model_copy(update={"ltm": [*back, *output.ltm]}), True


def _states(lines: Sequence[str], names: Names) -> Mapping[int, str]:
    """The relationship labels that are stated, by rank, each with the last line that does."""
    return {rank: line for line in lines for rank in _ranks(line, names)}


def _ranks(line: str, names: Names) -> Iterable[int]:
    for fact in facts(narrated(line), names):
        if fact.ladder == "relationship" and fact.mood == "stated":
            yield fact.rank
