"""Images in the composed prompt: which the model sees, where they stand, what they cost."""

from typing import Any

import pytest
from google.genai import Client
from google.genai.types import Content, HttpOptions
from google.oauth2.credentials import Credentials

from shared.composing.composed import ComposedPrompt
from shared.model.thread import MemoryState, Message, Thread
from shared.settings import Settings
from tests.factories import KEY, NOW, World, image_message, message
from tests.gemini_server import GeminiServer, text_answer
from tests.unit.composing.test_compose_prompt import compose

SETTINGS = Settings(
    prompt_budget_tokens=1_000_000, image_bucket="pictures", image_tokens=50, prompt_max_images=2
)
STAMP = "[2026-05-27 (수) 23:{:02}]"


def chat(*messages: Message) -> World:
    world = World(settings=SETTINGS)
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="ready")
    world.store.states[KEY] = MemoryState(generation=1)
    world.say(*messages)
    return world


def said(prompt: ComposedPrompt) -> list[Any]:
    """Every part behind the context: a text as it is, a file by its address."""
    parts = [part for content in prompt.contents for part in content.parts][1:]
    return [part.file_data.file_uri if part.file_data else part.text for part in parts]


def test_a_turn_is_its_lines_and_then_its_image() -> None:
    world = chat(
        message(0, "왔어?", role="soul"),
        message(1, "응", role="user"),
        image_message(2, "여기 예쁘지\n어때"),
        image_message(3),
        message(4, "대답해 줘", role="user"),
        message(5, "예쁘다", role="soul"),
    )
    prompt = compose(world, SETTINGS)
    assert [content.role for content in prompt.contents] == [
        "user",
        "model",
        "user",
        "model",
        "user",
    ]
    assert said(prompt)[1:6] == [
        f"{STAMP.format(15)} 응\n{STAMP.format(16)} 여기 예쁘지\n{STAMP.format(16)} 어때\n"
        f"{STAMP.format(16)} (이미지)",
        "gs://pictures/users/u1/images/2.jpg",
        f"{STAMP.format(17)} (이미지)",
        "gs://pictures/users/u1/images/3.jpg",
        f"{STAMP.format(18)} 대답해 줘",
    ]


def test_parts_are_serialised_without_nulls() -> None:
    prompt = compose(chat(image_message(0)), SETTINGS)
    assert prompt.model_dump(mode="json")["contents"] == [
        {
            "role": "user",
            "parts": [
                {"text": prompt.contents[0].parts[0].text},
                {"text": f"{STAMP.format(14)} (이미지)"},
                {
                    "file_data": {
                        "file_uri": "gs://pictures/users/u1/images/0.jpg",
                        "mime_type": "image/jpeg",
                    }
                },
            ],
        }
    ]


def test_only_the_newest_images_are_seen() -> None:
    world = chat(image_message(0), message(1, "응"), image_message(2), image_message(4))
    prompt = compose(world, SETTINGS)
    assert [one for one in said(prompt) if one.startswith("gs:")] == [
        "gs://pictures/users/u1/images/2.jpg",
        "gs://pictures/users/u1/images/4.jpg",
    ]
    assert said(prompt)[0] == f"{STAMP.format(14)} (이미지)"
    assert [one.model_dump() for one in prompt.omitted] == [
        {"what": "image", "count": 1, "reason": "limit"}
    ]


@pytest.mark.parametrize("changes", [{"prompt_max_images": 0}, {"image_bucket": ""}])
def test_without_room_or_a_bucket_an_image_is_named_and_not_seen(changes: dict[str, Any]) -> None:
    prompt = compose(chat(image_message(0)), SETTINGS.model_copy(update=changes))
    assert said(prompt) == [f"{STAMP.format(14)} (이미지)"]


def test_nobody_elses_image_is_seen() -> None:
    prompt = compose(chat(image_message(0, uid="u2"), image_message(1, uid="u11")), SETTINGS)
    assert said(prompt) == [f"{STAMP.format(14)} (이미지)\n{STAMP.format(15)} (이미지)"]


def test_a_souls_image_is_not_seen() -> None:
    """Only the server can have written it, and Gemini takes no files from a model."""
    world = chat(image_message(0).model_copy(update={"role": "soul"}))
    assert not [one for one in said(compose(world, SETTINGS)) if one.startswith("gs:")]


def live_tokens(*messages: Message, **changes: Any) -> int:
    prompt = compose(chat(*messages), SETTINGS.model_copy(update=changes))
    return prompt.token_counts.live


def test_an_image_that_is_seen_costs_and_a_placeholder_costs_its_words() -> None:
    seen = live_tokens(image_message(0, "여기야"))
    assert seen - live_tokens(image_message(0, "여기야"), prompt_max_images=0) == 50
    assert seen - 50 == live_tokens(message(0, "여기야\n(이미지)"))


def test_a_prompt_with_images_keeps_its_budget() -> None:
    world = chat(*(image_message(number, "마" * 40) for number in range(0, 20, 2)))
    total = compose(world, SETTINGS).token_counts.total
    few = SETTINGS.model_copy(update={"prompt_budget_tokens": total - 40})
    assert compose(world, few).token_counts.total <= total - 40
    least = SETTINGS.model_copy(update={"prompt_budget_tokens": total - 10 * 71 - 49})
    assert said(compose(world, least))[-1] == "gs://pictures/users/u1/images/18.jpg"


def test_an_image_alone_calls_nothing_up() -> None:
    world = chat(message(0, "현상소 갔어?"), message(1, "응"), image_message(2))
    assert compose(world, SETTINGS).lorebook_entry_ids == ()


def test_google_genai_takes_the_contents_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """To Vertex AI, as maps, the same goes out as from the library's own types."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    prompt = compose(chat(image_message(0, "여기야")), SETTINGS).model_dump(mode="json")
    typed = [Content.model_validate(one) for one in prompt["contents"]]
    with GeminiServer([text_answer("바다네"), text_answer("바다네")]) as server:
        client = Client(
            vertexai=True,
            project="p",
            location="global",
            credentials=Credentials("token"),  # type: ignore[no-untyped-call]
            http_options=HttpOptions(base_url=server.url),
        )
        client.models.generate_content(model=prompt["model"], contents=prompt["contents"])
        client.models.generate_content(model=prompt["model"], contents=list(typed))
    maps, types = (request.body["contents"] for request in server.requests)
    assert maps == types
    lead, lines, file = maps[0]["parts"]
    assert (list(lead), lines) == (["text"], {"text": prompt["contents"][0]["parts"][1]["text"]})
    assert list(file) == ["fileData"]
    assert list(file["fileData"].values()) == ["gs://pictures/users/u1/images/0.jpg", "image/jpeg"]
