"""What the sources of one call state of the two: said, not denied, and agreed where it must be."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shared.model.thread import Role
from shared.safety.evidence import Source
from shared.safety.label_facts import Fact, facts, open_ends, settled_ends
from shared.safety.moods import Mood
from shared.safety.quotes import Names

_REPLY_MESSAGES = 3
_YES = re.compile(
    r"\s*(?:(?:응+|웅|엉|어+|네+|넵|넹|예|콜|ㅇㅇ|ㅇㅋ|오케이?|그래요?|그럼요?|맞아요?)(?![가-힣])"
    r"|좋아(?![하했한할])|좋지|좋다|그러자|당연|물론|(?:나도|저도)(?!\s?모르)|알겠|알았"
    r"|그럴게|할게|기꺼이|받아들|받아\s?줄"
    r"|(?:ok|okay|yes|yeah|yep|sure|of course|gladly|i will|i'd love)\b)[^?？\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_BUT = re.compile(
    r"근데|그런데|하지만|아직|생각해\s?볼|생각\s?좀|모르겠|미안|안\s?돼|안\s?될|싫|못\s?(?:하|해|받)|나중에|무슨"
    r"|농담|장난|\b(?:but|not|sorry|later|can't|don't|maybe)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\s*(?:아니(?!\s?(?:야?\s?)?(?:사랑|좋아))|아냐|싫|안\s?돼|안\s?되|무슨\s?(?:소리|말)|뭔\s?소리|웃기|(?:우리|내|제)가\s?(?:왜|언제|무슨)"
    r"|그런\s?(?:사이|거|적)|미안|죄송|거절|못\s?(?:받|하)|no\b|nope|sorry|we're not|we are not)",
    re.IGNORECASE,
)
_ME_TOO = re.compile(
    r"(?:^|\n)\s*(?:응+|어+|그래)?[\s,.~]*(?:나도|저도|me too|i love you too|same here)"
    r"(?=[\s.!~,♡♥❤ㅎㅋㅠ]*(?:$|\n|사랑|좋아|그래|너|네|많이|정말))",
    re.IGNORECASE,
)
_ONLY_A_JOKE = re.compile(r"농담|장난|뻥이|구라|만우절|\b(?:kidding|joking|joke)\b", re.IGNORECASE)
_TOPIC = re.compile(
    r"([가-힣A-Za-z]{2,})\s?(?:문제|일|건|사건|얘기|이야기|고장)(?:이|가|은|는|도|를|을)?\s?(?:다|이제|드디어|잘|겨우)?\s?$"
)


class Settled(NamedTuple):
    """An end that a source says is settled; `topic` is what it was about, where it says so."""

    name: str
    topic: str


class Stated:
    """The labels and the settled ends that a call's sources state."""

    def __init__(self, sources: Sequence[Source], names: Names) -> None:
        self._sources = sources
        self._names = names
        self.facts = [fact for index in range(len(sources)) for fact in self._facts_of(index)]
        self.settled = [one for index in range(len(sources)) for one in self._settled_of(index)]
        self.open = {name for source in sources for name in open_ends(source.text)}

    def _facts_of(self, index: int) -> Iterator[Fact]:
        source = self._sources[index]
        for fact in facts(source.text, self._names, speaker=source.role):
            if source.role is None:
                if fact.mood == "stated":
                    yield fact
                continue
            yield from self._agreed(index, source.role, fact)

    def _agreed(self, index: int, speaker: Role, fact: Fact) -> Iterator[Fact]:
        """A fact of a message, when it holds after what the other one answered."""
        reply = self._reply(index)
        own = not fact.holders or speaker in fact.holders
        if self._is_taken_back(index):
            return
        if fact.ladder == "feeling" and fact.mood == "asked" and own:
            fact, own = fact._replace(holders=_other(speaker)), False
        if fact.mood == "stated" and own:
            holds = not self._is_denied(index, reply, fact)
            if holds and fact.holders and _ME_TOO.search(reply):
                yield fact._replace(holders=_other(speaker))
        else:
            holds = fact.mood in {"stated", "offered", "asked"} and _accepts(reply)
        if holds:
            yield fact._replace(mood="stated")

    def _is_denied(self, index: int, reply: str, fact: Fact) -> bool:
        """Whether the other one says no, or that it is not so."""
        role = self._sources[index].role
        other: Role = "soul" if role == "user" else "user"
        answered = facts(reply, self._names, speaker=other)
        contrary = any(one.ladder == fact.ladder and one.mood == "denied" for one in answered)
        return _denies(reply) or (contrary and fact.ladder == "relationship")

    def _settled_of(self, index: int) -> Iterator[Settled]:
        source = self._sources[index]
        in_talk = source.role is not None
        for name, mood, sentence, start in settled_ends(source.text, self._names, in_talk=in_talk):
            if self._holds(index, mood, in_talk=in_talk):
                topic = _TOPIC.search(sentence.text[:start])
                yield Settled(name, topic[1] if topic else "")

    def _holds(self, index: int, mood: Mood, *, in_talk: bool) -> bool:
        if not in_talk:
            return mood == "stated"
        reply = self._reply(index)
        if mood == "stated":
            return not _denies(reply) and not self._is_taken_back(index)
        return mood in {"offered", "asked"} and _accepts(reply)

    def says(self, words: re.Pattern[str]) -> bool:
        """Whether a source says these words as done: no question, no plan, no denial."""
        return any(
            self._holds(index, "stated", in_talk=source.role is not None)
            for index, source in enumerate(self._sources)
            for found in [words.search(source.text)]
            if found and not re.match(r"[^.!\n]{0,12}[?？]", source.text[found.end() :])
        )

    def _reply(self, index: int) -> str:
        """What the other one wrote next, the first few messages of it."""
        role = self._sources[index].role
        after = index + 1
        while after < len(self._sources) and self._sources[after].role == role:
            after += 1
        turn: list[str] = []
        for source in self._sources[after : after + _REPLY_MESSAGES]:
            if source.role == role:
                break
            turn.append(source.text)
        return "\n".join(turn)

    def _is_taken_back(self, index: int) -> bool:
        """Whether the speaker says at once that it was a joke."""
        following = self._sources[index + 1 : index + 3]
        role = self._sources[index].role
        return any(one.role == role and _ONLY_A_JOKE.search(one.text) for one in following)


def _other(role: Role) -> frozenset[Role]:
    return frozenset({"soul"} if role == "user" else {"user"})


def _accepts(reply: str) -> bool:
    return bool(_YES.match(reply)) and not _BUT.search(reply)


def _denies(reply: str) -> bool:
    return bool(_NO.match(reply))
