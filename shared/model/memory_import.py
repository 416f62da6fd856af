"""An import: what was played since is brought into memory because the user asked (PRD §5.1, T2)."""

from typing import Literal

from pydantic import AwareDatetime, Field

from shared.model.base import Stored

ImportStatus = Literal["running", "imported", "nothing_new", "failed"]
ImportFailure = Literal["blocked", "retry"]

REMEMBERED = 20  # requests whose answer is known
MAX_PLAYS = 1_000  # entries of about a hundred bytes; a document holds at most 1 MiB


class ImportRequest(Stored):
    """Who asked: the app's own id of it, and what it was paid with, if anything."""

    request_id: str
    charge_id: str | None = None


class ImportAnswer(Stored):
    """What a request came to. Without a cycle there was nothing new."""

    request_id: str
    cycle_id: str | None = None
    episode_play_ids: tuple[str, ...] = ()
    slots_changed: tuple[str, ...] = ()


class LiveImport(Stored):
    """`live/import` of a thread: its newest import. The owner may watch it.

    While `running`, `waiting_since` says since when another cycle is waited for; without it a
    cycle of its own is on record. `answered` are the last few requests, so that each of them is
    answered once. A request that failed is not among them: it may be made again.
    """

    status: ImportStatus
    kind: ImportFailure | None = None
    request_id: str
    charge_id: str | None = None
    requested_at: AwareDatetime
    waiting_since: AwareDatetime | None = None
    answered: tuple[ImportAnswer, ...] = ()

    @property
    def request(self) -> ImportRequest:
        return ImportRequest(request_id=self.request_id, charge_id=self.charge_id)

    def answer_to(self, request_id: str) -> ImportAnswer | None:
        """What this request was answered with, if it was."""
        return next((one for one in self.answered if one.request_id == request_id), None)

    def ended(self, answer: ImportAnswer) -> "LiveImport":
        """The same, its request answered."""
        return self.model_copy(
            update={
                "status": "imported" if answer.cycle_id else "nothing_new",
                "kind": None,
                "waiting_since": None,
                "answered": (*self.answered, answer)[-REMEMBERED:],
            }
        )

    def failed(self, kind: ImportFailure) -> "LiveImport":
        """The same, given up."""
        return self.model_copy(update={"status": "failed", "kind": kind, "waiting_since": None})


class PlayRead(Stored):
    """How far a play had been played when memory read it, or passed it over for another.

    `last_summary` is the last index of its summaries (-1: it had none). None says that only
    `last_played_at` tells whether it went on: its summaries were not looked at, or are ours.
    """

    last_played_at: AwareDatetime
    last_summary: int | None = None


class PlaysRead(Stored):
    """`state/plays_read` of a thread: the plays that its memory has read, by id.

    Of more than `MAX_PLAYS` those played longest ago are left out, and whatever was played no
    later than `until` counts as read.
    """

    plays: dict[str, PlayRead] = Field(default_factory=dict)
    until: AwareDatetime | None = None

    def with_plays(self, read: dict[str, PlayRead]) -> "PlaysRead":
        """The same and these, bounded."""
        plays = sorted(
            {**self.plays, **read}.items(), key=lambda one: (one[1].last_played_at, one[0])
        )
        dropped, kept = plays[:-MAX_PLAYS], plays[-MAX_PLAYS:]
        until = dropped[-1][1].last_played_at if dropped else None
        known = [time for time in (self.until, until) if time is not None]
        return PlaysRead(plays=dict(kept), until=max(known, default=None))
