"""Whether words are stated of the two in the chat, or denied, asked, offered, imagined, of others.

A mention is looked at within its own sentence; the grammar is data (`mood_words`).
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from shared.safety import mood_words as words
from shared.safety.quotes import CLAUSE_END, Names

Mood = Literal["stated", "offered", "asked", "denied", "unsure", "others"]
# Who speaks: one of the two in a message, a summary of an episode, or a line of memory.
Voice = Literal["talk", "told", "memory"]

# Characters: how far words stand that turn a sense. With no bound, a message of nothing but labels
# would take time by the square of its length.
REACH = 200
CLOSING = 40
_AT_ONCE = 8  # 연인인 소희와 {user}는

_SENTENCE = re.compile(r"[^.!?。？！\n]+[.!?。？！]*")


class Mention(NamedTuple):
    """A label in its sentence: what stands before it, itself, and what stands after it."""

    lead: str
    label: str
    tail: str

    @classmethod
    def at(cls, sentence: str, start: int, end: int) -> "Mention":
        """The mention at [start, end); of an endless sentence, what is near, and how it ends."""
        tail = sentence[end:]
        if len(tail) > REACH:
            tail = tail[:REACH] + tail[-CLOSING:]
        return cls(sentence[max(0, start - REACH) : start], sentence[start:end], tail)

    @property
    def sentence(self) -> str:
        return self.lead + self.label + self.tail


def sentences(text: str) -> list[str]:
    """The sentences of `text` with their closing marks, in order."""
    return _SENTENCE.findall(text)


def mentions(text: str, form: re.Pattern[str]) -> Iterator[Mention]:
    """Each place where `form` stands in a text, in its sentence."""
    for sentence in sentences(text):
        for found in form.finditer(sentence):
            yield Mention.at(sentence, *found.span())


def mood_of(mention: Mention, names: Names, voice: Voice) -> Mood:
    """How a mention is meant.

    What is in doubt is no evidence in a source, and a claim in a line of memory. So in talk, who
    is not known to be one of the two is somebody else; in narration it counts as the two.
    """
    if words.DENIED_AFTER.match(mention.tail) or words.DENIED_BEFORE.search(mention.lead):
        return "denied"
    if _is_of_others(mention, names, in_talk=voice == "talk"):
        return "others"
    if voice == "talk":
        return _mood_in_talk(mention)
    mood = _mood_in_narration(mention)
    is_told_of = (
        words.MADE_UP.search(mention.sentence)
        or words.REPORTED.search(mention.sentence)
        or words.SPOKEN_OF_AFTER.match(mention.tail)
    )
    return "unsure" if voice == "told" and mood == "stated" and is_told_of else mood


def _mood_in_talk(mention: Mention) -> Mood:
    """Strict: what is not plainly stated, asked or offered is no evidence."""
    if words.LATER.search(mention.lead):
        return "unsure"
    if _is_offered(mention) or _is_wanted(mention):
        return "offered"
    if _is_unreal(mention) or _is_retold(mention) or not _says_somebody_is_one(mention):
        return "unsure"
    if words.SPOKEN_OF_AFTER.match(mention.tail):
        return "unsure"
    is_asked = words.ASKED.search(mention.sentence) or words.RHETORICAL.search(mention.lead)
    return "asked" if is_asked else "stated"


def _mood_in_narration(mention: Mention) -> Mood:
    """Lenient: what is not plainly something else counts as stated, and needs a source."""
    if _is_offered(mention):
        return "stated" if words.ACCEPTED_AFTER.match(mention.tail) else "offered"
    if _is_unreal(mention):
        return "unsure"
    return "asked" if words.ASKED.search(mention.sentence) else "stated"


def _is_offered(mention: Mention) -> bool:
    return bool(
        mention.label.endswith(("자", "해요", "합시다"))
        or words.OFFERED_AFTER.match(mention.tail)
        or words.OFFERED_BEFORE.search(mention.lead)
    )


def _is_wanted(mention: Mention) -> bool:
    return mention.label == "화해" and bool(words.IMPERATIVE.fullmatch(mention.tail))


def _is_unreal(mention: Mention) -> bool:
    clause = CLAUSE_END.split(mention.lead.rstrip() + " ")
    nearest = next((part for part in reversed(clause) if part.strip()), "")
    return bool(words.UNREAL_AFTER.match(mention.tail) or words.UNREAL_BEFORE.search(nearest))


def _is_retold(mention: Mention) -> bool:
    """Hearsay, a story or a joke; and what is left hanging with 고 says nothing yet."""
    return bool(
        words.MADE_UP.search(mention.sentence)
        or words.HEARSAY.match(mention.tail)
        or mention.label.endswith("고")
    )


def _says_somebody_is_one(mention: Mention) -> bool:
    """Whether a noun says that somebody is one, and is not only mentioned; true of verbs."""
    if words.LOVER_NOUN.search(mention.label):
        is_bare = words.IS_ONE_AT_LAST.match(mention.tail) and words.PAIR.search(mention.lead)
        return bool(words.IS_ONE_AFTER.match(mention.tail) or is_bare)
    is_noun = words.ENGLISH_NOUN.search(mention.label)
    return not is_noun or bool(words.IS_ONE_BEFORE.search(mention.lead))


def _is_of_others(mention: Mention, names: Names, *, in_talk: bool) -> bool:
    """Whether the nearest one named before the mention is neither of the two."""
    is_kin = words.OF_A_FAMILY.match(mention.label) and words.KIN_AT_LAST.search(mention.lead)
    is_had = words.A_PARTNER.search(mention.label) and words.HAVING_AFTER.match(mention.tail)
    if is_kin or is_had or words.OTHERS_AFTER.match(mention.tail):
        return True
    if any(name in mention.tail[:_AT_ONCE] for name in (*names.user, *names.soul)):
        return False
    lead = mention.lead + " "
    near = [lead.rfind(name) for name in (*names.user, *names.soul)]
    near += [found.end() for found in words.PAIR.finditer(lead)]
    others = words.OTHERS_IN_TALK if in_talk else words.OTHERS
    far = [found.end() for found in others.finditer(lead)]
    far += _somebody(lead, names) if in_talk else []
    return max(far, default=-1) > max(near, default=-1)


def _somebody(lead: str, names: Names) -> Iterator[int]:
    """Where somebody is named that is neither of the two, as far as a particle tells."""
    known = {*words.NOBODY, *names.user, *names.soul}
    for found in words.SOMEBODY.finditer(lead):
        if found[1] not in known and not found[1].startswith(words.ADDRESSES):
            yield found.end()
