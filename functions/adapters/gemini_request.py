"""How a request is put to Gemini: what each generation of models takes."""

import re
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from google.genai.types import GenerateContentConfig, ThinkingConfig

_VERSION = re.compile(r"gemini-(\d+)(?:\.(\d+))?")
_FIRST_WITH_LEVELS = (3, 0)
_LAST_FLASH_WITH_MINIMAL = (3, 6)
_WITH_BUDGETS = (2, 5)
_LEAST_BUDGET_OF_PRO = 128


class Manner(Protocol):
    """How an answer is to be written; a memory request and a composed prompt both say it."""

    @property
    def temperature(self) -> float: ...
    @property
    def reasoning(self) -> bool: ...


def config_for(model: str, system: str, manner: Manner, seconds: float) -> "GenerateContentConfig":
    """The call's configuration. `seconds` is what is left until the deadline.

    Continuation and function calling are off: each would send requests of its own.
    """
    from google.genai.types import (
        AutomaticFunctionCallingConfig,
        GenerateContentConfig,
        HttpOptions,
    )

    return GenerateContentConfig(
        system_instruction=system or None,
        temperature=manner.temperature,
        thinking_config=None if manner.reasoning else _least_thinking(model),
        automatic_continuation=False,
        automatic_function_calling=AutomaticFunctionCallingConfig(disable=True),
        http_options=HttpOptions(timeout=max(1, round(seconds * 1000))),
    )


def _least_thinking(model: str) -> "ThinkingConfig | None":
    """`reasoning: false` in the words of this model; a level and a budget together are a 400.

    Gemini 3 takes a level. LOW is the one level that all of them take: MINIMAL is refused by
    the Pro models and by Flash from 3.7 on (ai.google.dev/gemini-api/docs/thinking). Gemini 2.5
    takes a budget, of which Pro needs at least 128. Others do not think.
    """
    from google.genai.types import ThinkingConfig, ThinkingLevel

    name = model.rsplit("/", 1)[-1]
    version = _version_of(name)
    if version is None or version >= _FIRST_WITH_LEVELS:
        if not name.startswith("gemini-"):
            return None
        minimal = version is not None and "flash" in name and version <= _LAST_FLASH_WITH_MINIMAL
        return ThinkingConfig(
            thinking_level=ThinkingLevel.MINIMAL if minimal else ThinkingLevel.LOW
        )
    if version == _WITH_BUDGETS:
        return ThinkingConfig(thinking_budget=_LEAST_BUDGET_OF_PRO if "-pro" in name else 0)
    return None


def _version_of(name: str) -> tuple[int, int] | None:
    """(3, 1) of `gemini-3.1-flash-lite-preview`; None of a name without one."""
    found = _VERSION.match(name)
    return (int(found[1]), int(found[2] or 0)) if found else None
