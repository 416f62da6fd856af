"""Chat v4, whoever asks for it: render, ask once, check, write three slots (PRD §5.2 to §5.4)."""

from collections.abc import Sequence
from typing import Literal

from shared.events import SeedDmMemoryFromEpisode
from shared.model.evidence import EvidenceRow
from shared.model.memory_import import ImportAnswer, PlaysRead
from shared.model.slots import SEEDED_SLOT_NAMES, SlotName, Slots
from shared.ports import DirectorDocuments, HeldImport
from shared.safety.evidence import Source
from shared.safety.fencing import fence
from shared.safety.masking import mask, masked_memory
from shared.seeding.choose_plays import ChosenPlay
from shared.seeding.episodes import episode_blocks, episode_sources, sources_again
from shared.seeding.keep_states import keep_states
from shared.seeding.masked_play import masked_play, masked_summary
from shared.seeding.write_summaries import written_summaries
from shared.summarizing import states
from shared.summarizing.asking import about_soul, ask_model, keep_output, kept_output, prompt_of
from shared.summarizing.checking import OutputCheck, Reading
from shared.summarizing.failing import report_conflict
from shared.summarizing.guard import guard
from shared.summarizing.memory_document import parse_first_memory
from shared.summarizing.working import HeldCycle
from shared.summarizing.writing import memory_document, rewritten, slots_of

PROMPT = "memory_extraction"
STATE_KEPT = "state_kept"

Origin = Literal["thread_start", "recent_memory_load"]


def extract(
    held: HeldCycle,
    chosen: Sequence[ChosenPlay],
    director: DirectorDocuments,
    *,
    known: PlaysRead | None = None,
) -> None:
    """Render v4 on the sampled summaries and what memory there is; call the model once.

    What it reads goes on record first, beside what is `known` to have been read before.
    """
    ports, limit = held.ports, held.ports.settings.seed_max_characters
    shown = [masked_play(held, one) for one in chosen]
    sources = episode_sources(shown, max_characters=limit)
    held.reading = _reading(sources, director)
    _note(held, chosen, sources, known or PlaysRead())
    stored = slots_of(ports.memory.read_slots(held.key))
    baseline = memory_document(masked_memory(stored).model_copy(update={"recent_context": ""}))
    episodes = mask(episode_blocks(shown, max_characters=limit)).text
    nonce = ports.chance.token()
    output = ask_model(
        held,
        PROMPT,
        {
            **about_soul(director),
            "episodes": fence("episodes", episodes, nonce),
            "current_memory": fence("current_memory", baseline, nonce),
            "nonce": nonce,
        },
    )
    keep_output(held, output)


def _note(
    held: HeldCycle, chosen: Sequence[ChosenPlay], sources: Sequence[Source], known: PlaysRead
) -> None:
    read = {name: how for one in chosen for name, how in one.read.items()}
    change = states.note_plays(
        held.read,
        play_ids=tuple(one.play.play_id for one in chosen),
        summaries=held.cycle.episode_summaries,
        read={**known.plays, **read},
        sources=tuple(source.ref for source in sources),
    )
    held.commit(change)


def _reading(sources: tuple[Source, ...], director: DirectorDocuments) -> Reading:
    return Reading(
        sources=sources, soul_name=director.bio.display_name, persona=director.persona.content
    )


def _sources_again(held: HeldCycle) -> tuple[Source, ...]:
    """The summaries that a kept output was made from, as far as they are still there."""
    cycle, plays = held.cycle, held.ports.plays
    found = {
        f"{play_id}/{summary.index}": masked_summary(summary)
        for play_id in cycle.episode_play_ids
        for summary in written_summaries(cycle.episode_summaries.get(play_id, ()))
        or plays.summaries(held.key.uid, play_id)
    }
    limit = held.ports.settings.seed_max_characters
    return sources_again(cycle.episode_sources, found, max_characters=limit)


def apply_extraction(
    held: HeldCycle,
    director: DirectorDocuments,
    *,
    origin: Origin,
    live: HeldImport | None = None,
) -> tuple[SlotName, ...]:
    """Read the kept output, and write three slots, status and audit at once; Recent context stays.

    `live` is the import that this answers. Gives the slots that changed.
    """
    stored = held.ports.memory.read_slots(held.key)
    before = slots_of(stored)
    after, evidence, reasons = _checked(held, director, before)
    cycle, now, tokens = held.cycle, held.ports.clock.now(), held.ports.tokens
    held.check_lease()
    changed = tuple(after.changed_from(before))
    known = held.ports.memory.read_plays_read(held.key) or PlaysRead()
    change = states.apply(
        held.read, before=before, after=after, entries=0, evidence=evidence, now=now
    )
    rest: dict[str, object] = {
        "slots": rewritten(stored, after, cycle, names=SEEDED_SLOT_NAMES, tokens=tokens, now=now),
        "memory_status": "ready",
        "plays_read": known.with_plays(cycle.plays_read),
        "live_import": live and _answered(held, live, changed),
    }
    held.commit(change.model_copy(update=rest))
    _report(held, origin, patch_size=sum(len(after.of(name)) for name in changed))
    for reason in reasons:
        report_conflict(held, reason)
    return changed


def _checked(
    held: HeldCycle, director: DirectorDocuments, before: Slots
) -> tuple[Slots, tuple[EvidenceRow, ...], list[str]]:
    """The slots as the kept output may have them, what they rest on, and what was not taken over.

    Raises ModelOutputError.
    """
    output = kept_output(held)
    written = parse_first_memory(output.text)
    guard(
        written,
        before=before,
        rejections=tuple(one for one in held.cycle.rejections if one.kind == held.cycle.kind),
        prompt_body=prompt_of(held, output).body,
        tokens=held.ports.tokens,
    )
    reading = held.reading or _reading(_sources_again(held), director)
    document, checked = OutputCheck(reading, before).check(written)
    document, is_kept = keep_states(document, before, checked, soul_name=reading.soul_name)
    after = document.as_slots().model_copy(update={"recent_context": before.recent_context})
    return after, checked.audit, [*checked.refusals, *([STATE_KEPT] if is_kept else [])]


def _answered(held: HeldCycle, live: HeldImport, changed: tuple[SlotName, ...]) -> HeldImport:
    answer = ImportAnswer(
        request_id=live.live.request_id,
        cycle_id=held.cycle.cycle_id,
        episode_play_ids=held.cycle.episode_play_ids,
        slots_changed=changed,
    )
    return live.model_copy(update={"live": live.live.ended(answer)})


def _report(held: HeldCycle, origin: Origin, *, patch_size: int) -> None:
    request = held.cycle.import_request
    held.ports.events.emit(
        SeedDmMemoryFromEpisode(
            thread_id=held.key.soul_id,
            soul_id=held.key.soul_id,
            episode_play_ids=held.cycle.episode_play_ids,
            source=origin,
            patch_size=patch_size,
            charge_id=request.charge_id if request else None,
        )
    )
