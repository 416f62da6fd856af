"""What stands for an image where only text can stand, and what an image costs."""

from shared.model.thread import Message
from shared.ports import TokenCounter

PLACEHOLDER = "(이미지)"


def told(message: Message) -> str:
    """The message as lines of text: what was written, then the placeholder of its image.

    So the model knows that an image came, and when, also where it does not get to see it.
    """
    if message.image is None:
        return message.text
    return f"{message.text.rstrip()}\n{PLACEHOLDER}".lstrip("\n")


def message_tokens(message: Message, tokens: TokenCounter, image_tokens: int) -> int:
    """What a message counts as: o200k_base tokens of its text, `image_tokens` for its image."""
    return tokens.count(message.text) + (image_tokens if message.image else 0)
