"""A stand-in for the language model, for emulators without a key or a network.

It is no language model: it picks and trims sentences of the prompt's own data into documents
of the right form, the same ones each time. It reads the rendered prompt that the real model
gets, so everything around it is exercised as it is.
"""

import logging
from functools import cache

from functions.adapters.extractive_prompt import (
    data_blocks,
    read_chat,
    read_episodes,
    read_memory,
    read_scenes,
)
from functions.adapters.extractive_seed import first_memory_document, scene_summaries
from functions.adapters.extractive_summary import summary_document
from shared.errors import ModelMisconfiguredError
from shared.model.generation import Generation, ModelRequest
from shared.ports import TokenCounter

MODEL_NAME = "extractive-stand-in"

_log = logging.getLogger(__name__)


class ExtractiveModel:
    """The `Model` port without a model. `latency_ms` is 0: the same input, the same answer."""

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens

    def generate(self, request: ModelRequest) -> Generation:
        """A document of the data blocks in `request.user`; which one follows from their names.

        Raises ModelMisconfiguredError for a prompt that is none of the memory prompts.
        """
        say_what_this_is()
        text = _document(request.user)
        return Generation(
            text=text,
            model_asked=MODEL_NAME,
            model_answered=MODEL_NAME,
            tokens_in=self._tokens.count(request.system) + self._tokens.count(request.user),
            tokens_out=self._tokens.count(text),
            latency_ms=0,
        )


@cache
def say_what_this_is() -> None:
    """One line in the log, the first time in a process."""
    _log.warning(
        "%s is not a language model: memory is made of trimmed sentences, for development only",
        MODEL_NAME,
    )


def _document(prompt: str) -> str:
    blocks = data_blocks(prompt)
    if "chat" in blocks:
        memory = read_memory(blocks.get("memory_document", []))
        return summary_document(read_chat(blocks["chat"]), memory)
    if "episodes" in blocks:
        memory = read_memory(blocks.get("current_memory", []))
        return first_memory_document(read_episodes(blocks["episodes"]), memory)
    if "scenes" in blocks:
        return scene_summaries(read_scenes(blocks["scenes"]))
    raise ModelMisconfiguredError(f"{MODEL_NAME} answers the memory prompts only")
