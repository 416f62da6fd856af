"""Audits without what rested on a message as it was: nobody is to read it there either."""

from shared.forgetting.resting import Resting, plain
from shared.model.cycle import Consumed, Cycle, Output, Rejection
from shared.model.evidence import EvidenceRow
from shared.model.thread import Counter
from shared.summarizing.source_ids import split_ids
from shared.summarizing.transcript import message_label

WITHDRAWN = "(…)"
"""Stands in an audit's output or evidence for a line that was withdrawn."""


def rewritten_audit(cycle: Cycle, resting: Resting) -> Cycle:
    """Slots lose the lines; in outputs and evidence a mark stands in their place."""
    return cycle.model_copy(
        update={
            "before": cycle.before and resting.slots(cycle.before, of=cycle),
            "after": cycle.after and resting.slots(cycle.after, of=cycle),
            "output": cycle.output and _output(cycle.output, cycle, resting),
            "rejections": tuple(_rejection(one, cycle, resting) for one in cycle.rejections),
            "evidence": tuple(_row(one, cycle, resting) for one in cycle.evidence),
        }
    )


def without_rejected(cycle: Cycle) -> Cycle:
    """A cycle under way whose refused outputs are known by their failure alone."""
    left = tuple(one.without_text() for one in cycle.rejections)
    return cycle.model_copy(update={"rejections": left})


def recounted_audit(cycle: Cycle, moved: Counter) -> Cycle:
    """What a cycle consumed, as its messages are now: the accounts of a thread stay exact."""
    if cycle.consumed is None:
        return cycle
    consumed: Consumed = cycle.consumed.model_copy(
        update={
            "count": cycle.consumed.count + moved.pending_messages,
            "tokens": cycle.consumed.tokens + moved.pending_tokens,
        }
    )
    return cycle.model_copy(update={"consumed": consumed})


def _output(output: Output, cycle: Cycle, resting: Resting) -> Output:
    ids = cycle.consumed.message_ids if cycle.consumed else ()
    labels = {message_label(n) for n, one in enumerate(ids, 1) if one == resting.message_id}
    lines = [
        WITHDRAWN if _is_of(line, labels, cycle, resting) else line
        for line in output.text.split("\n")
    ]
    return output.model_copy(update={"text": "\n".join(lines)})


def _is_of(line: str, labels: set[str], cycle: Cycle, resting: Resting) -> bool:
    text, ids = split_ids(plain(line), "m")
    return bool(labels.intersection(ids)) or resting.rests(text, cycle)


def _rejection(rejection: Rejection, cycle: Cycle, resting: Resting) -> Rejection:
    output = rejection.output and _output(rejection.output, cycle, resting)
    return rejection.model_copy(update={"output": output})


def _row(row: EvidenceRow, cycle: Cycle, resting: Resting) -> EvidenceRow:
    if resting.message_id in row.sources:
        resting.lines.add(row.line)
    elif not resting.rests(row.line, cycle):
        return row
    return row.model_copy(update={"line": WITHDRAWN})
