"""The stand-in for the chat's model, on emulators without a key: it picks sentences of the prompt.

It is no language model. It answers with what memory holds that is most like the last message, and
says once in a chat what it is.
"""

import re
from collections.abc import Callable, Sequence

from functions.adapters.extractive import MODEL_NAME, say_what_this_is
from functions.adapters.extractive_text import USER, is_korean, sentences, trimmed
from shared.composing.composed import ComposedPrompt
from shared.model.generation import Generation
from shared.ports import TokenCounter
from shared.replying.reply_ports import ChatRequest
from shared.safety.comparable import likeness

LEAST_LIKENESS = 0.15
LONGEST = 120

_STAMPED = re.compile(r"^\[\d{4}-\d{2}-\d{2} \([^)]*\) \d{1,2}:\d{2}\] (.*)$")
_BULLET = re.compile(r"^(?:\| )?- (?:\[(?:Episode|Messenger) / .*? / .*? / .*?\] )?(.+)$")
_KOREAN = {
    "what_this_is": "저는 언어 모델이 아니라 개발용 대역이에요. 기억에 있는 문장을 골라 답해요.",
    "remembered": "그거 기억나.",
    "heard": "“{said}”라고 했지. 더 들려줘.",
    "silence": "아직 아무 말이 없네. 무슨 생각 해?",
    "you": "너",
}
_ENGLISH = {
    "what_this_is": "I am a stand-in for development and no language model: I quote memory.",
    "remembered": "I remember that.",
    "heard": "You said “{said}”. Tell me more.",
    "silence": "Nothing said yet. What is on your mind?",
    "you": "you",
}


class ExtractiveChat:
    """The `ChatModel` port without a model: the same prompt, the same answer."""

    def __init__(self, tokens: TokenCounter) -> None:
        self._tokens = tokens

    def chat(self, request: ChatRequest, heard: Callable[[str], None]) -> Generation:
        """A line or two from the prompt's memory and the last message."""
        say_what_this_is()
        lines = _lines(request.prompt)
        for line in lines:
            heard(f"{line}\n")
        text = "\n".join(lines)
        return Generation(
            text=text,
            model_asked=MODEL_NAME,
            model_answered=MODEL_NAME,
            tokens_in=request.prompt.token_counts.total,
            tokens_out=self._tokens.count(text),
            latency_ms=0,
        )


def _lines(prompt: ComposedPrompt) -> list[str]:
    said = _last_message(prompt)
    words = _KOREAN if is_korean([said]) else _ENGLISH
    first = all(content.role == "user" for content in prompt.contents)
    opening = [words["what_this_is"]] if first else []
    if not said:
        return [*opening, words["silence"]]
    memory = max(_memories(prompt), key=lambda one: likeness(one, said), default="")
    if memory and likeness(memory, said) >= LEAST_LIKENESS:
        told = trimmed(memory.replace(USER, words["you"]), LONGEST)
        return [*opening, words["remembered"], told]
    return [*opening, words["heard"].format(said=trimmed(said, LONGEST // 2))]


def _last_message(prompt: ComposedPrompt) -> str:
    """What the user wrote last, without its time; empty where they have not written."""
    lines = [line for part in prompt.contents[-1].parts for line in part.text.split("\n")]
    said = [found[1] for line in lines if (found := _STAMPED.match(line))]
    return said[-1] if said else ""


def _memories(prompt: ComposedPrompt) -> list[str]:
    """The sentences of memory that stand in the prompt, none of its rules and no message."""
    _, _, remembered = prompt.system_instruction.partition("## Long-term memory(LTM)")
    remembered = remembered.partition("### Default")[0]
    context = "\n".join(part.text for part in prompt.contents[0].parts)
    context = context.partition("# Live Chat History")[0]
    return [*_sentences(remembered), *_sentences(context)]


def _sentences(text: str) -> Sequence[str]:
    bullets = (found[1] for line in text.split("\n") if (found := _BULLET.match(line)))
    return [sentence for bullet in bullets for sentence in sentences(bullet)]
