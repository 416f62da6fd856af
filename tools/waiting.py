"""Waiting until a thread's memory has caught up: bounded, and never a bare sleep."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event

from tools.thread_report import Standing

POLL_SECONDS = 0.1
PATIENCE_SECONDS = 60.0
MODEL_PATIENCE_SECONDS = 300.0
MAX_UNCOUNTED = 10
GIVEN_UP_SECONDS = 3.0  # a message counted just now may still ask for the cycle again
AHEAD = 1.5

Look = Callable[[], Standing]
Check = Callable[[], bool]


class StalledError(Exception):
    """Memory cannot catch up; the text says where it stands."""


@dataclass(frozen=True)
class Follower:
    """Looks at a thread again and again. `has_ended` tells when the emulators are gone."""

    look: Look
    trigger: int
    has_ended: Check
    on_look: Callable[[Standing], object]
    now: Callable[[], float] = time.monotonic
    pause: Callable[[float], object] = field(default_factory=lambda: Event().wait)

    def wait_until_quiet(self, sent: int) -> Standing:
        """Wait until `sent` messages are counted and no cycle is due or at work.

        Raises StalledError when nothing moves for a minute (five while a cycle is at work, for
        a model may be slow), when a cycle gave up, or when the emulators ended.
        """
        return self._wait(lambda standing: standing.is_quiet(sent=sent, trigger=self.trigger))

    def wait_for_room(self, sent: int) -> Standing:
        """Wait until more may be sent; raises StalledError as `wait_until_quiet` does.

        A chat is never far ahead of its memory: at most a handful of messages are uncounted
        (each brings up a worker of its own on the emulators), and once a cycle is due, at most
        half a trigger more comes together before it is applied.
        """
        return self._wait(lambda standing: has_room(standing, sent=sent, trigger=self.trigger))

    def _wait(self, is_done: Callable[[Standing], bool]) -> Standing:
        last, since = None, self.now()
        while True:
            standing = self.look()
            if standing != last:
                last, since = standing, self.now()
                self.on_look(standing)
            if is_done(standing):
                return standing
            self._check(standing, waited=self.now() - since)
            self.pause(POLL_SECONDS)

    def _check(self, standing: Standing, *, waited: float) -> None:
        if self.has_ended():
            raise StalledError("the emulators have ended")
        is_due = standing.pending_tokens >= self.trigger
        if is_due and standing.gave_up and waited > GIVEN_UP_SECONDS:
            raise StalledError(standing.newest_cycle)
        patience = MODEL_PATIENCE_SECONDS if standing.at_work else PATIENCE_SECONDS
        if waited > patience:
            raise StalledError(
                f"nothing has moved for {patience:.0f} s: {standing.counted_messages} messages "
                f"counted, {standing.pending_tokens} tokens pending, {standing.newest_cycle}"
            )


def has_room(standing: Standing, *, sent: int, trigger: int) -> bool:
    """Whether a chat that has sent `sent` messages may go on."""
    if sent - standing.counted_messages > MAX_UNCOUNTED:
        return False
    is_far_ahead = standing.pending_tokens >= AHEAD * trigger
    # A cycle that was rejected is asked for again by the messages that follow.
    return not is_far_ahead or (
        standing.current is not None and standing.current.status == "rejected"
    )
