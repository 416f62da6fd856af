"""The first of several models that still exists: an id is retired, the prompt is not."""

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from functions.adapters.gemini_answer import generation_of
from shared.errors import ModelNotFoundError
from shared.model.generation import Generation

if TYPE_CHECKING:
    from google.genai.types import GenerateContentResponse

_log = logging.getLogger(__name__)


def first_answer(
    models: Sequence[str],
    seconds: float,
    ask: "Callable[[str, float], GenerateContentResponse]",
    monotonic: Callable[[], float],
) -> Generation:
    """What the first model that exists answers to `ask(model, seconds left)`.

    `seconds` is the deadline of all of it; `latency_ms` is what the model that answered took. A
    retired model is logged. Raises what `ask` raises, what `generation_of` does, and
    ModelNotFoundError when every id is gone.
    """
    deadline = monotonic() + seconds
    for model in models:
        started = monotonic()
        try:
            response = ask(model, max(deadline - started, 0.001))
        except ModelNotFoundError:
            _log.warning("model %s is retired or unknown (404)", model)
            continue
        latency_ms = round((monotonic() - started) * 1000)
        return generation_of(response, asked=model, latency_ms=latency_ms)
    raise ModelNotFoundError(f"no model is left of: {', '.join(models)}")
