"""Compose the prompt that a Soul answers from (PRD §3.1, §8-A, §8-D, §9.3). Writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from shared.composing.budget import drop_until, oldest_first
from shared.composing.composed import ComposedPrompt, Omitted, TokenCounts
from shared.composing.live_history import contents, frame_tokens, live_tokens
from shared.composing.masked import masked_sources
from shared.composing.pictures import Pictures, pictures_of
from shared.composing.seed_wait import sources_after_seed
from shared.errors import DocumentMisshapenError
from shared.local_time import zone_of_soul
from shared.model.base import Frozen
from shared.model.cycle import PromptUsed
from shared.model.slots import Slots
from shared.model.thread import Message, ThreadKey
from shared.ports import (
    Clock,
    Prompts,
    PromptSourceReader,
    PromptSources,
    Threads,
    TokenCounter,
)
from shared.prompting import PromptTemplate, render
from shared.recall.embedding import SemanticLane
from shared.recall.loading import RecallIndexes
from shared.recall.recall_block import RecallBlock, query_of, recall_block
from shared.retention import readable
from shared.safety.fencing import one_line
from shared.safety.masking import masked_messages
from shared.settings import Settings
from shared.summarizing.writing import slots_of
from shared.turns import turns


class ComposePrompt(Frozen):
    """Compose the prompt for this chat, as of now; `explain` adds what recall considered.

    `again` leaves a generated reply out that nobody has answered yet: it is asked for anew.
    """

    thread: ThreadKey
    explain: bool = False
    again: bool = False


class Composition(Frozen):
    """A prompt, what the Soul is called, and the messages that a reply to it would replace."""

    prompt: ComposedPrompt
    display_name: str
    replaced: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class ComposePorts:
    """The ports that a prompt needs."""

    sources: PromptSourceReader
    threads: Threads
    indexes: RecallIndexes
    semantics: SemanticLane
    prompts: Prompts
    tokens: TokenCounter
    clock: Clock
    settings: Settings


def compose_prompt(command: ComposePrompt, *, ports: ComposePorts) -> Composition:
    """Read everything at once, recall, window, fit the budget, render.

    Waits a bounded time for a seed under way, then goes on without. Raises
    DocumentNotFoundError and DocumentMisshapenError, which name the document.
    """
    key = command.thread
    settings, tokens = ports.settings, ports.tokens
    found = masked_sources(
        sources_after_seed(
            key,
            sources=ports.sources,
            threads=ports.threads,
            clock=ports.clock,
            settings=settings,
        )
    )
    where = zone_of_soul(key.soul_id, found.director.soul.time_zone)
    window, beyond = _window(key, found, ports.threads, settings)
    window = readable(window, found.state, ports.clock.now())
    replaced = _unanswered_reply(window) if command.again else []
    window = window[: len(window) - len(replaced)]
    recalled = _recall(key, found, window, ports)
    draft = _Draft(ports.prompts.load("chat", key), found, recalled, settings.rating)
    now = ports.clock.now()
    pictures = pictures_of(window, key.uid, settings)
    fitted = _fit(
        draft,
        window,
        pictures,
        where=where,
        tokens=tokens,
        frame=frame_tokens(window, where=where, now=now, tokens=tokens),
        budget=settings.prompt_budget_tokens,
    )
    template = draft.template
    omitted = (
        Omitted(what="long_term_memory", count=fitted.bullets_dropped, reason="budget"),
        Omitted(what="live_chat_history", count=fitted.messages_dropped, reason="budget"),
        Omitted(what="live_chat_history", count=beyond, reason="window"),
        Omitted(what="image", count=pictures.left_out(fitted.messages), reason="limit"),
        Omitted(what="lorebook", count=recalled.over_budget, reason="budget"),
    )
    composed = ComposedPrompt(
        model=settings.chat_model or template.model,
        temperature=template.temperature,
        reasoning=template.reasoning,
        system_instruction=fitted.system,
        contents=contents(
            fitted.context, fitted.messages, where=where, now=now, files=pictures.files
        ),
        prompt=PromptUsed(name=template.name, version=template.version, sha256=template.sha256),
        memory_status=found.thread.memory_status,
        generation=found.state.generation,
        token_counts=fitted.counts,
        lorebook_entry_ids=recalled.entry_ids,
        omitted=tuple(one for one in omitted if one.count),
        recall=recalled.explained if command.explain else None,
        recall_turn=recalled.turn if command.explain else None,
        semantic_lane=(recalled.semantic_off or "on") if command.explain else None,
    )
    return Composition(
        prompt=composed,
        display_name=one_line(found.director.bio.display_name),
        replaced=tuple(replaced),
    )


def _unanswered_reply(window: Sequence[Message]) -> list[Message]:
    """The generated reply that ends the window, if one does."""
    last = window[-1].generation_id if window else None
    if last is None:
        return []
    return [message for message in window if message.generation_id == last]


def _recall(
    key: ThreadKey, found: PromptSources, window: Sequence[Message], ports: ComposePorts
) -> RecallBlock:
    """What of the lorebook belongs in this turn, and does not stand in the prompt already."""
    state = found.state
    cursor = state.cursor
    fresh = [one for one in window if cursor is None or cursor.is_before(one.ref)]
    standing = [slots_of(found.slots).long_term_memory, *(one.text for one in window)]
    query = query_of(window, state.turns + len(turns(fresh)))
    return recall_block(
        query,
        ports.indexes.index_of(key, state, found.first_shard),
        read=lambda entry_ids: ports.indexes.lorebook.read_entries(key, entry_ids),
        standing=standing,
        semantic=ports.semantics.semantic_of(key, state, query.text),
        budget=ports.settings.lorebook_budget_tokens,
        tokens=ports.tokens,
        settings=ports.settings.recall,
    )


def _window(
    key: ThreadKey, found: PromptSources, threads: Threads, settings: Settings
) -> tuple[Sequence[Message], int]:
    """The live messages, masked, and how many older ones of the window were not even read."""
    start, limit = found.state.window_start, settings.window_max_messages
    latest = found.window
    if latest is None:
        latest = threads.latest_messages(key, start, limit=limit)
    messages = masked_messages(latest)
    if len(messages) < limit:
        return messages, 0
    return messages, threads.count_messages_from(key, start) - limit


@dataclass(frozen=True, slots=True)
class _Draft:
    """A prompt before it is known what fits."""

    template: PromptTemplate
    found: PromptSources
    recalled: RecallBlock
    rating: str

    @property
    def slots(self) -> Slots:
        return slots_of(self.found.slots)

    def blocks(self, long_term_memory: str) -> dict[str, str]:
        """The system and context blocks with this much of long-term memory."""
        director, slots = self.found.director, self.slots
        opening = director.initial_situation.content if director.initial_situation else ""
        summarized = bool(slots.recent_context) or self.found.state.turns > 0
        return render(
            self.template,
            soul_chat_display_name=one_line(director.bio.display_name),
            soul_chat_status=one_line(director.bio.status),
            long_term_memory=long_term_memory,
            soul_default_persona=director.persona.content,
            soul_relational_persona=slots.soul_relational_persona,
            user_relational_persona=slots.user_relational_persona,
            rating=self.rating,
            initial_or_recent_context=slots.recent_context if summarized else opening.strip(),
            lorebook=self.recalled.text,
        )


@dataclass(frozen=True, slots=True)
class _Fitted:
    """What of a draft fits the budget."""

    system: str
    context: str
    messages: Sequence[Message]
    counts: TokenCounts
    bullets_dropped: int
    messages_dropped: int


def _fit(
    draft: _Draft,
    window: Sequence[Message],
    pictures: Pictures,
    *,
    where: ZoneInfo,
    tokens: TokenCounter,
    frame: int,
    budget: int,
) -> _Fitted:
    """Drop long-term memory, oldest first, then live messages, oldest first; the last one stays.

    Raises DocumentMisshapenError when the director's persona alone leaves no room.
    """
    costs = [live_tokens(one, where, tokens) + pictures.cost_of(one) for one in window]
    bullets = [line for line in draft.slots.long_term_memory.split("\n") if line]
    leaving = oldest_first(bullets)
    dropped = 0
    while True:
        gone = set(leaving[:dropped])
        kept = [bullet for position, bullet in enumerate(bullets) if position not in gone]
        blocks = draft.blocks("\n".join(kept))
        system = tokens.count(blocks["system"])
        context = tokens.count(blocks["context"]) + frame
        excess = system + context + sum(costs) - budget
        if excess <= 0 or dropped == len(bullets):
            break
        ahead = [tokens.count(bullets[position]) for position in leaving[dropped:]]
        dropped += drop_until(ahead, excess)
    if system >= budget:
        path = f"souls/{draft.found.soul_id}/slots/soul_default_persona"
        raise DocumentMisshapenError(path, "content", "leaves no room in the prompt's budget")
    cut = min(drop_until(costs, excess), max(len(window) - 1, 0))
    live = sum(costs[cut:])
    return _Fitted(
        system=blocks["system"],
        context=blocks["context"],
        messages=window[cut:],
        counts=TokenCounts(
            system=system, context=context, live=live, total=system + context + live
        ),
        bullets_dropped=dropped,
        messages_dropped=cut,
    )
