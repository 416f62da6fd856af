"""One call of a language model: what goes in, what comes out."""

from shared.model.base import Frozen


class ModelRequest(Frozen):
    """A rendered prompt and how to run it. `models` are tried in order when an id is retired."""

    system: str
    user: str
    models: tuple[str, ...]
    temperature: float
    reasoning: bool
    timeout_seconds: float


class Generation(Frozen):
    """A finished answer (finish reason STOP, non-empty text) and the model's own usage figures."""

    text: str
    model_asked: str
    model_answered: str
    tokens_in: int
    tokens_out: int
    latency_ms: int
