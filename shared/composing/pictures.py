"""Which images of the live window the model gets to see (docs/adr/0018)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.composing.composed import FileData, Part
from shared.model.thread import Message
from shared.settings import Settings


@dataclass(frozen=True, slots=True)
class Pictures:
    """The images that go along as files, by message, and what each of them costs."""

    files: Mapping[str, Part]
    tokens: int

    def cost_of(self, message: Message) -> int:
        """Tokens of the file that goes along with this message; 0 without one."""
        return self.tokens if message.message_id in self.files else 0

    def left_out(self, messages: Sequence[Message]) -> int:
        """How many images of these messages are a placeholder alone."""
        return sum(one.image is not None and one.message_id not in self.files for one in messages)


def pictures_of(window: Sequence[Message], uid: str, settings: Settings) -> Pictures:
    """The newest `prompt_max_images` of the user's own images; none where no bucket is known.

    Nobody but the user may show one, and only out of their own folder: the model's service reads
    the bucket with the project's rights and not with the user's.
    """
    shown = [
        (one.message_id, one.image)
        for one in window
        if one.image is not None and one.role == "user" and one.image.is_of(uid)
    ]
    most = settings.prompt_max_images if settings.image_bucket else 0
    return Pictures(
        files={
            message_id: Part(
                file_data=FileData(
                    file_uri=f"gs://{settings.image_bucket}/{image.path}",
                    mime_type=image.content_type,
                )
            )
            for message_id, image in shown[max(0, len(shown) - most) :]
        },
        tokens=settings.image_tokens,
    )
