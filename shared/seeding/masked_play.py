"""An episode's record without the secrets in it, before anything is cut or shown to a model."""

from shared.model.play import PlaySummary
from shared.safety.fencing import neutralize, one_line
from shared.safety.masking import mask
from shared.seeding.choose_plays import ChosenPlay
from shared.seeding.write_summaries import SLOT
from shared.summarizing.asking import report_redactions
from shared.summarizing.working import HeldCycle


def masked_play(held: HeldCycle, one: ChosenPlay) -> ChosenPlay:
    """Title, times and texts masked one by one, since a secret cut in half is no longer found."""
    texts = [mask(summary.text) for summary in one.summaries]
    kinds = [found.kind for redacted in texts for found in redacted.findings]
    report_redactions(held.key, [(SLOT, kind) for kind in kinds], events=held.ports.events)
    summaries = tuple(masked_summary(summary) for summary in one.summaries)
    title = neutralize(one_line(mask(one.play.episode_title).text))
    play = one.play.model_copy(update={"episode_title": title})
    return ChosenPlay(play=play, summaries=summaries)


def masked_summary(summary: PlaySummary) -> PlaySummary:
    """A summary's text and time, masked."""
    when = summary.occurred_at and mask(summary.occurred_at).text
    return summary.model_copy(update={"text": mask(summary.text).text, "occurred_at": when})
