"""What of Gemini's answer may be used: the text of a finished one, and nothing else."""

import re
from typing import TYPE_CHECKING

from shared.errors import ModelBlockedError, ModelOutputError
from shared.model.generation import Generation

if TYPE_CHECKING:
    from google.genai.types import Candidate, GenerateContentResponse

# The provider refused; the same input is refused again.
_REFUSALS = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "ESCALATION",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
    }
)
# JSON can name one half of a surrogate pair; no store takes it.
_SURROGATE = re.compile("[\ud800-\udfff]")
_NAME = re.compile(r"[A-Z][A-Z_]{0,63}")


def generation_of(
    response: "GenerateContentResponse", *, asked: str, latency_ms: int
) -> Generation:
    """The answer's text and usage. A blocked or cut answer may carry text: it is not used.

    Raises ModelBlockedError, or ModelOutputError where no finished text is there.
    """
    candidate = _candidate_of(response, asked)
    text = _text_of(candidate)
    if not text.strip():
        raise ModelOutputError(f"{asked} finished without text")
    if _SURROGATE.search(text):
        raise ModelOutputError(f"{asked} broke a character in two")
    tokens_in, tokens_out = _usage_of(response)
    return Generation(
        text=text,
        model_asked=asked,
        model_answered=response.model_version or asked,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        latency_ms=latency_ms,
    )


def _usage_of(response: "GenerateContentResponse") -> tuple[int, int]:
    """Tokens in and out, 0 where the answer does not say; thoughts are paid for like text."""
    usage = response.usage_metadata
    if usage is None:
        return 0, 0
    written = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    return usage.prompt_token_count or 0, written


def _candidate_of(response: "GenerateContentResponse", asked: str) -> "Candidate":
    """The first candidate, when it is finished (STOP)."""
    feedback = response.prompt_feedback
    if feedback is not None and feedback.block_reason is not None:
        raise ModelBlockedError(f"{asked} refused the prompt: {_name(feedback.block_reason)}")
    if not response.candidates:
        raise ModelBlockedError(f"{asked} gave no candidate")
    candidate = response.candidates[0]
    reason = _name(candidate.finish_reason)
    if reason in _REFUSALS:
        raise ModelBlockedError(f"{asked} withheld its answer: {reason}")
    if reason != "STOP":
        raise ModelOutputError(f"{asked} did not finish: {reason}")
    return candidate


def _text_of(candidate: "Candidate") -> str:
    parts = (candidate.content and candidate.content.parts) or []
    return "".join(part.text for part in parts if part.text and not part.thought)


def _name(reason: object) -> str:
    """A reason's name; what is no name is not repeated, for the answer wrote it."""
    name = str(getattr(reason, "value", reason or "NONE"))
    return name if _NAME.fullmatch(name) else "UNKNOWN"
