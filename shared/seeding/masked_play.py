"""An episode's record without the secrets in it, before anything is cut or shown to a model."""

from shared.safety.fencing import neutralize, one_line
from shared.safety.masking import mask
from shared.seeding.choose_plays import ChosenPlay
from shared.seeding.write_summaries import SLOT
from shared.summarizing.working import HeldCycle, report_redactions


def masked_play(held: HeldCycle, one: ChosenPlay) -> ChosenPlay:
    """Title, times and texts masked one by one, since a secret cut in half is no longer found."""
    texts = [mask(summary.text) for summary in one.summaries]
    kinds = [found.kind for redacted in texts for found in redacted.findings]
    report_redactions(held.key, [(SLOT, kind) for kind in kinds], events=held.ports.events)
    summaries = tuple(
        summary.model_copy(
            update={
                "text": redacted.text,
                "occurred_at": summary.occurred_at and mask(summary.occurred_at).text,
            }
        )
        for summary, redacted in zip(one.summaries, texts, strict=True)
    )
    title = neutralize(one_line(mask(one.play.episode_title).text))
    play = one.play.model_copy(update={"episode_title": title})
    return ChosenPlay(play=play, summaries=summaries)
