"""The stand-in asked as the product asks a model: through the real prompt files."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from functions.adapters.extractive import ExtractiveModel
from functions.adapters.prompt_files import PromptFiles
from shared.model.generation import Generation, ModelRequest
from shared.model.thread import Message
from shared.prompting import render
from shared.safety.fencing import fence, one_line
from shared.summarizing.transcript import transcript

NONCE = "7f3a"
SEOUL = ZoneInfo("Asia/Seoul")
START = datetime(2026, 5, 26, 14, 14, tzinfo=UTC)


class Characters:
    """A TokenCounter that needs no ranks: four characters a token."""

    def count(self, text: str) -> int:
        return len(text) // 4


def chat_of(*lines: str, soul_name: str = "소희", messages_a_day: int = 8) -> str:
    """A transcript in which the user and the soul take turns, some messages a day."""
    messages = [
        Message(
            message_id=f"m{index}",
            role="soul" if index % 2 else "user",
            text=line,
            created_at=START
            + timedelta(days=index // messages_a_day, minutes=index % messages_a_day),
        )
        for index, line in enumerate(lines)
    ]
    return transcript(messages, soul_name=soul_name, where=SEOUL)


def ask_summary(chat: str, memory: str = "") -> str:
    return ask(
        "chat_summary",
        memory_document=fence("memory_document", memory, NONCE),
        soul_default_persona=fence(
            "soul_default_persona", "사진을 찍는 사람. 약속을 지킨다.", NONCE
        ),
        chat=fence("chat", chat, NONCE),
    ).text


def ask_first_memory(episodes: str, memory: str = "") -> str:
    return ask(
        "memory_extraction",
        episodes=fence("episodes", episodes, NONCE),
        current_memory=fence("current_memory", memory, NONCE),
    ).text


def ask_scenes(scenes: str) -> str:
    return ask(
        "episode_summary", episode_title=one_line("첫눈"), scenes=fence("scenes", scenes, NONCE)
    ).text


def ask(prompt: str, **values: str) -> Generation:
    template = PromptFiles().load(prompt)
    blocks = render(template, soul_name="소희", language="Korean (한국어)", nonce=NONCE, **values)
    return ExtractiveModel(Characters()).generate(request_of(blocks["system"], blocks["user"]))


def request_of(system: str, user: str) -> ModelRequest:
    return ModelRequest(
        system=system,
        user=user,
        models=("gemini-3-flash-preview",),
        temperature=0.4,
        reasoning=False,
        timeout_seconds=10,
    )
