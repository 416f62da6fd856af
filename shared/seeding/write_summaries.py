"""Summaries for plays that have scenes and none yet (PRD §5.0, branch 3)."""

from collections.abc import Sequence

from shared.errors import ModelOutputError
from shared.model.cycle import Output
from shared.model.play import PlaySummary, Scene
from shared.ports import DirectorDocuments
from shared.safety.fencing import fence, neutralize, one_line
from shared.safety.masking import mask
from shared.seeding.choose_plays import ChosenPlay
from shared.summarizing import states
from shared.summarizing.asking import about_soul, ask_model, redacted_output, report_redactions
from shared.summarizing.working import HeldCycle
from shared.text import cut_text

SLOT = "episode_summary"
"""What a redaction event calls text that is made of, or for, an episode's summary."""


def write_missing_summaries(
    held: HeldCycle,
    chosen: Sequence[ChosenPlay],
    *,
    director: DirectorDocuments,
) -> list[ChosenPlay]:
    """`chosen` with summaries, written where there were none; a play without scenes drops out.

    Each play is one model call, kept in the cycle's record as it is made, so that a retry does
    not pay for it again. The game's own documents are left alone. Raises a ModelError.
    """
    ready: list[ChosenPlay] = []
    for one in chosen:
        stored = one.summaries
        if not stored:
            texts = _kept(held, one) or _write_and_keep(held, one, director=director)
            stored = written_summaries(texts)
        if stored:
            ready.append(one.model_copy(update={"summaries": stored}))
    return ready


def written_summaries(texts: Sequence[str]) -> tuple[PlaySummary, ...]:
    """Texts of the cycle's own record as summaries."""
    return tuple(PlaySummary(index=index, text=text) for index, text in enumerate(texts))


def _kept(held: HeldCycle, one: ChosenPlay) -> tuple[str, ...]:
    """What an earlier attempt wrote, if the play has not gone on since."""
    then = held.cycle.plays_read.get(one.play.play_id)
    if then is not None and then.last_played_at != one.play.last_played_at:
        return ()
    return held.cycle.episode_summaries.get(one.play.play_id, ())


def _write_and_keep(
    held: HeldCycle,
    one: ChosenPlay,
    *,
    director: DirectorDocuments,
) -> tuple[str, ...]:
    found = held.ports.plays.scenes(held.key.uid, one.play.play_id)
    scenes = [scene for scene in found if scene.text.strip()]
    if not scenes:
        return ()
    output = _write(held, one, scenes, director)
    redacted = redacted_output(output.text)
    sensitive = [(SLOT, found.kind) for found in redacted.findings]
    report_redactions(held.key, sensitive, events=held.ports.events)
    texts = read_summaries(redacted.text)
    summaries = {**held.cycle.episode_summaries, one.play.play_id: texts}
    read = {**held.cycle.plays_read, **one.read}
    held.commit(
        states.note_plays(held.read, play_ids=tuple(summaries), summaries=summaries, read=read)
    )
    return texts


def read_summaries(output: str) -> tuple[str, ...]:
    """The paragraphs of an episode summary: one a line, led by `- `. Raises ModelOutputError."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines or not all(line.startswith("- ") and line[2:].strip() for line in lines):
        raise ModelOutputError("an episode summary is not a list of paragraphs")
    return tuple(line[2:].strip() for line in lines)


def _write(
    held: HeldCycle, one: ChosenPlay, scenes: Sequence[Scene], director: DirectorDocuments
) -> Output:
    ports = held.ports
    nonce = ports.chance.token()
    limit = max(ports.settings.seed_max_characters // len(scenes), 200)
    text = "\n".join(
        f"### 장면 {number}\n{cut_text(neutralize(mask(scene.text).text), limit)}"
        for number, scene in enumerate(scenes, start=1)
    )
    return ask_model(
        held,
        "episode_summary",
        {
            **about_soul(director),
            "episode_title": neutralize(one_line(mask(one.play.episode_title).text)),
            "scenes": fence("scenes", text, nonce),
            "nonce": nonce,
        },
    )
