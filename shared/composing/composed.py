"""What `compose_prompt` answers (contract: Functions)."""

from typing import Any, Literal

from pydantic import model_serializer

from shared.model.base import Frozen
from shared.model.cycle import PromptUsed
from shared.model.thread import MemoryStatus
from shared.recall.query import Explained


class FileData(Frozen):
    """A file that the model reads for itself: its `gs://` address and its type."""

    file_uri: str
    mime_type: str


class Part(Frozen):
    """One text of a content, or one file: serialised as `{text}` or as `{file_data}`, no nulls."""

    text: str = ""
    file_data: FileData | None = None

    @model_serializer
    def _one_of_the_two(self) -> dict[str, Any]:
        if self.file_data is None:
            return {"text": self.text}
        return {"file_data": self.file_data.model_dump()}


class Content(Frozen):
    """One turn as Gemini takes it."""

    role: Literal["user", "model"]
    parts: tuple[Part, ...]


class TokenCounts(Frozen):
    """o200k_base tokens by part; `total` is their sum."""

    system: int
    context: int
    live: int
    total: int


class Omitted(Frozen):
    """What was left out of the prompt, how many of it, and why.

    An `image` left out is one whose message is in the prompt, with a placeholder alone.
    """

    what: Literal["long_term_memory", "live_chat_history", "image", "lorebook"]
    count: int
    reason: Literal["budget", "limit", "window"]


class ComposedPrompt(Frozen):
    """`system_instruction` and `contents` go to `models.generate_content` unchanged.

    `recall`, on request, is every entry that was considered, with its scores and why it is in or
    out; `recall_turn` is the user's turn that they were considered for, empty where it has no
    text; `semantic_lane` is `on`, or says why it is off.
    """

    model: str
    temperature: float
    reasoning: bool
    system_instruction: str
    contents: tuple[Content, ...]
    prompt: PromptUsed
    memory_status: MemoryStatus
    generation: int
    token_counts: TokenCounts
    lorebook_entry_ids: tuple[str, ...]
    omitted: tuple[Omitted, ...]
    recall: tuple[Explained, ...] | None = None
    recall_turn: str | None = None
    semantic_lane: str | None = None
