"""Summaries for plays that have scenes and none yet (PRD §5.0, branch 3)."""

from collections.abc import Sequence

from shared.errors import ModelOutputError
from shared.model.cycle import Output
from shared.model.play import PlaySummary, Scene
from shared.model.thread import ThreadKey
from shared.ports import CycleRead, DirectorDocuments, Plays, Prompts
from shared.safety.fencing import fence, one_line
from shared.safety.redaction import redact
from shared.seeding.choose_plays import ChosenPlay
from shared.summarizing import states
from shared.summarizing.working import Bench, about_soul, ask_model, claimed_cycle
from shared.text import cut_text


def write_missing_summaries(
    key: ThreadKey,
    read: CycleRead,
    chosen: Sequence[ChosenPlay],
    *,
    director: DirectorDocuments,
    plays: Plays,
    prompts: Prompts,
    bench: Bench,
) -> tuple[CycleRead, list[ChosenPlay]]:
    """`chosen` with summaries, written where there were none; a play without scenes drops out.

    Each play is one model call, kept in the cycle's record as it is made, so that a retry does
    not pay for it again. The game's own documents are left alone. Raises a ModelError.
    """
    play_ids = tuple(one.play.play_id for one in chosen)
    written = dict(claimed_cycle(read).episode_summaries)
    ready: list[ChosenPlay] = []
    for one in chosen:
        play_id = one.play.play_id
        if not one.summaries and play_id not in written:
            scenes = [scene for scene in plays.scenes(key.uid, play_id) if scene.text.strip()]
            if scenes:
                text = _write(one, scenes, director=director, prompts=prompts, bench=bench).text
                written[play_id] = read_summaries(redact(text).text)
                read = bench.memory.commit(
                    key, read, states.note_plays(read, play_ids=play_ids, summaries=written)
                )
        stored = one.summaries or tuple(
            PlaySummary(index=index, text=text)
            for index, text in enumerate(written.get(play_id, ()))
        )
        if stored:
            ready.append(ChosenPlay(play=one.play, summaries=stored))
    return read, ready


def read_summaries(output: str) -> tuple[str, ...]:
    """The paragraphs of an episode summary: one a line, led by `- `. Raises ModelOutputError."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines or not all(line.startswith("- ") and line[2:].strip() for line in lines):
        raise ModelOutputError("an episode summary is not a list of paragraphs")
    return tuple(line[2:].strip() for line in lines)


def _write(
    one: ChosenPlay,
    scenes: Sequence[Scene],
    *,
    director: DirectorDocuments,
    prompts: Prompts,
    bench: Bench,
) -> Output:
    nonce = bench.chance.token()
    limit = max(bench.settings.seed_max_characters // len(scenes), 200)
    text = "\n".join(
        f"### 장면 {number}\n{cut_text(redact(scene.text).text, limit)}"
        for number, scene in enumerate(scenes, start=1)
    )
    return ask_model(
        prompts.load("episode_summary"),
        bench=bench,
        model_override=bench.settings.memory_model,
        values={
            **about_soul(director),
            "episode_title": one_line(one.play.episode_title),
            "scenes": fence("scenes", text, nonce),
            "nonce": nonce,
        },
    )
