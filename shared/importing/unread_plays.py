"""What was played since memory last read the plays: new ones, and those that went on (PRD §5.1)."""

from collections.abc import Collection, Iterable, Sequence

from shared.model.cycle import Cycle
from shared.model.memory_import import PlayRead, PlaysRead
from shared.model.play import Play, PlaySummary, Scene
from shared.model.thread import ThreadKey
from shared.ports import Memory, Plays
from shared.seeding.choose_plays import ChosenPlay, choose_plays

LOOKED_BACK = 20  # plays read before, the last played first, that are asked for new summaries


def choose_unread(
    key: ThreadKey, character_ids: Collection[str], *, memory: Memory, plays: Plays
) -> tuple[list[ChosenPlay], PlaysRead]:
    """A seed's policy (PRD §5.0) on what was played since.

    Of a play that went on, the summaries that came since are read; all, if none did. Also what
    is known to have been read before and is not on record yet.
    """
    listed = plays.list_plays(key.uid)
    recorded = memory.read_plays_read(key)
    audited = PlaysRead()
    if recorded is None:
        audited = read_by_seeds(memory.applied_seeds(key), listed)
    unread = UnreadPlays(listed, recorded or audited, plays)
    return choose_plays(key.uid, character_ids, plays=unread), audited


def read_by_seeds(seeds: Iterable[Cycle], listed: Sequence[Play]) -> PlaysRead:
    """What a seed's audit says it read, for threads that have no better record.

    Other plays of the same episodes count as passed over, if they were played before it.
    """
    read: dict[str, PlayRead] = {}
    for seed in seeds:
        episodes = {play.episode_id for play in listed if play.play_id in seed.episode_play_ids}
        for play in listed:
            is_own = play.play_id in seed.episode_play_ids
            is_older = play.last_played_at <= seed.requested_at
            if is_own or (is_older and play.episode_id in episodes):
                time = min(play.last_played_at, seed.requested_at)
                read[play.play_id] = PlayRead(last_played_at=time)
    return PlaysRead(plays=read)


class UnreadPlays:
    """The `Plays` port without what is known to have been read."""

    def __init__(self, listed: Sequence[Play], known: PlaysRead, plays: Plays) -> None:
        self._listed = sorted(listed, key=lambda play: play.last_played_at, reverse=True)
        self._known = known
        self._plays = plays

    def list_plays(self, uid: str) -> Sequence[Play]:
        read = [play for play in self._listed if not self._is_new(play)]
        grown = [play for play in read[:LOOKED_BACK] if self._has_grown(uid, play)]
        return [play for play in self._listed if play not in read or play in grown]

    def summaries(self, uid: str, play_id: str) -> Sequence[PlaySummary]:
        stored = self._plays.summaries(uid, play_id)
        then = self._known.plays.get(play_id)
        if then is None or then.last_summary is None:
            return stored
        return [one for one in stored if one.index > then.last_summary] or stored

    def last_summary(self, uid: str, play_id: str) -> int:
        return self._plays.last_summary(uid, play_id)

    def scenes(self, uid: str, play_id: str) -> Sequence[Scene]:
        return self._plays.scenes(uid, play_id)

    def _is_new(self, play: Play) -> bool:
        """Never read, or played on since it was."""
        then = self._known.plays.get(play.play_id)
        read_until = then.last_played_at if then else self._known.until
        return read_until is None or play.last_played_at > read_until

    def _has_grown(self, uid: str, play: Play) -> bool:
        """A summary has come since: the game may write one after the play was read."""
        then = self._known.plays.get(play.play_id)
        if then is None or then.last_summary is None:
            return False
        return self._plays.last_summary(uid, play.play_id) > then.last_summary
