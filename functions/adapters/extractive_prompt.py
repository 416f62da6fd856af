"""Reading a rendered memory prompt as a model would: its data blocks, and what is in them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shared.images import PLACEHOLDER
from shared.safety.fencing import LINE_PREFIX

UNKNOWN_TIME = "(시간 불명)"

_OPEN = re.compile(r"<data (\w+) (\S+)>")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2} \([^()]+\)")
_MESSAGE = re.compile(r"(\d{1,2}:\d{2}) (?:(m\d+) )?(.+?): ?(.*)")
_EPISODE = re.compile(r"### 에피소드 (.*?): ?(.*)")
_SUMMARY = re.compile(r"- (?:(s\d+) )?\[(.*?)\] (.*)")
_SCENE = re.compile(r"### 장면 .*")
_LTM_BULLET = re.compile(r"\[(?:Episode|Messenger) / \S.* / \S.* / \S.*\] \S.*")


class Said(NamedTuple):
    """One message of the chat. `day` is its day line, empty before the first.

    `source` is its id in the prompt, if it has one. `weight` is how much it seems to matter, once
    it has been weighed.
    """

    day: str
    time: str
    speaker: str
    text: str
    source: str = ""
    weight: float = 0.0


class Told(NamedTuple):
    """One summary of an episode. `source` is its id in the prompt, if it has one."""

    episode: str
    when: str
    text: str
    source: str = ""


class Memory(NamedTuple):
    """The bullets of a memory document, without their dashes."""

    ltm: list[str]
    relational: list[str]
    profile: list[str]
    how: list[str]


def data_blocks(prompt: str) -> dict[str, list[str]]:
    """The lines of each block of `shared.safety.fencing` by its name, the first of a name.

    A block that does not close with its own name and nonce, or holds a line without the
    prefix, is none.
    """
    blocks: dict[str, list[str]] = {}
    lines = prompt.split("\n")
    for index, line in enumerate(lines):
        opened = _OPEN.fullmatch(line)
        if opened and opened[1] not in blocks:
            inside = _until(lines[index + 1 :], f"</data {opened[1]} {opened[2]}>")
            if inside is not None:
                blocks[opened[1]] = inside
    return blocks


def _until(lines: Sequence[str], close: str) -> list[str] | None:
    inside: list[str] = []
    for line in lines:
        if line == close:
            return inside
        if not line.startswith(LINE_PREFIX.rstrip()):
            return None
        inside.append(line.removeprefix(LINE_PREFIX))
    return None


def read_chat(lines: Sequence[str]) -> list[Said]:
    """The messages of a transcript; a line indented by two spaces goes on with the one before.

    The placeholder of an image is no word of anybody's: it is left out.
    """
    chat: list[Said] = []
    day = ""
    for line in lines:
        message = _MESSAGE.fullmatch(line)
        if line.startswith("  ") and chat:
            if line.strip() == PLACEHOLDER:
                continue
            chat[-1] = chat[-1]._replace(text=f"{chat[-1].text}\n{line.strip()}")
        elif _DAY.fullmatch(line):
            day = line
        elif message:
            words = "" if message[4] == PLACEHOLDER else message[4]
            chat.append(Said(day, message[1], message[3], words, message[2] or ""))
    return chat


def read_episodes(lines: Sequence[str]) -> list[Told]:
    """The summaries of all episodes, in order."""
    told: list[Told] = []
    episode = ""
    for line in lines:
        heading, summary = _EPISODE.fullmatch(line), _SUMMARY.fullmatch(line)
        if heading:
            episode = heading[2].strip() or f"에피소드 {heading[1]}"
        elif summary:
            when = summary[2].strip() or UNKNOWN_TIME
            told.append(Told(episode, when, summary[3], summary[1] or ""))
    return told


def read_scenes(lines: Sequence[str]) -> list[str]:
    """The text of each scene, in order; empty ones left out."""
    scenes: list[str] = [""]
    for line in lines:
        if _SCENE.fullmatch(line):
            scenes.append("")
        else:
            scenes[-1] += f"{line}\n"
    return [scene.strip() for scene in scenes if scene.strip()]


def read_memory(lines: Sequence[str]) -> Memory:
    """The bullets under the headings of a memory document.

    Recent context is left out, since it is written anew; so are long-term bullets without the
    four parts in brackets, which nobody could read back.
    """
    memory = Memory([], [], [], [])
    slots = {
        "## long-term memory(ltm)": memory.ltm,
        "### relational": memory.relational,
        "## user persona": memory.profile,
        "### profile": memory.profile,
        "### how soul sees the user": memory.how,
    }
    for slot, bullet in _bullets(lines):
        known = slots.get(slot)
        if known is not None and (known is not memory.ltm or _LTM_BULLET.fullmatch(bullet)):
            known.append(bullet)
    return memory


def _bullets(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(heading in lower case, bullet without its dash)"""
    heading = ""
    for line in lines:
        if line.startswith("#"):
            heading = line.strip().lower()
        elif line.startswith("- ") and line[2:].strip():
            yield heading, line[2:].strip()
