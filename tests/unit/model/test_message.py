"""Messages as stored: what reads as one, and what is said of one that does not."""

from typing import Any

import pytest

from functions.adapters.firestore.codec import decode
from shared.errors import DocumentMisshapenError
from shared.model.thread import Image, Message
from tests.factories import NOW

PATH = "users/u1/images/a1.jpg"


def stored(**changes: Any) -> Message:
    body = {"role": "user", "text": "안녕", "created_at": NOW, **changes}
    return decode(Message, "users/u1/threads/s/messages/m", body, message_id="m")


def test_a_message_without_an_image_has_none() -> None:
    assert stored().image is None


@pytest.mark.parametrize("text", ["", "여기야"])
def test_an_image_needs_no_words(text: str) -> None:
    message = stored(text=text, image={"path": PATH, "content_type": "image/heic"})
    assert message.text == text
    assert message.image == Image(path=PATH, content_type="image/heic")


def test_what_others_add_to_an_image_is_left_alone() -> None:
    image = {"path": PATH, "content_type": "image/png", "width": 640}
    assert stored(image=image).image == Image(path=PATH, content_type="image/png")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "", "image": None}, "text"),
        ({"text": None, "image": {"path": PATH, "content_type": "image/png"}}, "text"),
        ({"image": {"content_type": "image/png"}}, "image.path"),
        ({"image": {"path": "videos/a1", "content_type": "image/png"}}, "image.path"),
        ({"image": {"path": f"{PATH}/b", "content_type": "image/png"}}, "image.path"),
        ({"image": {"path": f"{PATH}\n", "content_type": "image/png"}}, "image.path"),
        ({"image": {"path": PATH, "content_type": "image/gif"}}, "image.content_type"),
        ({"image": PATH}, "image"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(DocumentMisshapenError) as misshapen:
        stored(**changes)
    assert misshapen.value.field == field
    assert "a1" not in str(misshapen.value)


def test_an_image_is_of_the_user_whose_folder_it_is_in() -> None:
    image = Image(path=PATH, content_type="image/png")
    assert image.is_of("u1")
    assert not image.is_of("u")
    assert not image.is_of("u11")
