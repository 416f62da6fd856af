"""What the sources of one call state of the two: said, not denied, and agreed where it must be."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
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
    r"(?<![가-힣A-Za-z])([가-힣A-Za-z]{2,})\s?(?:문제|일|건|사건|얘기|이야기|고장)(?:이|가|은|는|도|를|을)?\s?(?:다|이제|드디어|잘|겨우)?\s?$"
)


class Settled(NamedTuple):
    """An end that a source says is settled; `topic` is what it was about, where it says so."""

    name: str
    topic: str


class Aftermath(NamedTuple):
    """What became of a message: how the other one answered it, and whether it was a joke.

    `is_shared`: the other one feels the same. `is_contradicted`: they say that the two are not so.
    """

    is_accepted: bool
    is_denied: bool
    is_shared: bool
    is_contradicted: bool
    is_taken_back: bool


class Stated:
    """The labels and the settled ends that a call's sources state."""

    def __init__(self, sources: Sequence[Source], names: Names) -> None:
        self._sources = sources
        self._names = names
        said = [facts(one.text, names, speaker=one.role) for one in sources]
        self._after = list(_aftermaths(sources, said))
        self.facts = {
            fact for index, found in enumerate(said) for fact in self._facts_of(index, found)
        }
        self.settled = {one for index in range(len(sources)) for one in self._settled_of(index)}
        self.open = {name for source in sources for name in open_ends(source.text)}

    def _facts_of(self, index: int, said: Sequence[Fact]) -> Iterator[Fact]:
        speaker = self._sources[index].role
        if speaker is None:
            yield from (fact for fact in said if fact.mood == "stated")
        elif not self._after[index].is_taken_back:
            for fact in said:
                yield from _agreed(speaker, fact, self._after[index])

    def _settled_of(self, index: int) -> Iterator[Settled]:
        source = self._sources[index]
        in_talk = source.role is not None
        for name, mood, lead in settled_ends(source.text, self._names, in_talk=in_talk):
            if self._holds(index, mood, in_talk=in_talk):
                topic = _TOPIC.search(lead)
                yield Settled(name, topic[1] if topic else "")

    def _holds(self, index: int, mood: Mood, *, in_talk: bool) -> bool:
        if not in_talk:
            return mood == "stated"
        after = self._after[index]
        if mood == "stated":
            return not (after.is_denied or after.is_taken_back)
        return mood in {"offered", "asked"} and after.is_accepted

    def says(self, words: re.Pattern[str]) -> bool:
        """Whether a source says these words as done: no question, no plan, no denial."""
        return any(
            self._holds(index, "stated", in_talk=source.role is not None)
            for index, source in enumerate(self._sources)
            for found in [words.search(source.text)]
            if found and not re.match(r"[^.!\n]{0,12}[?？]", source.text[found.end() :])
        )


def _agreed(speaker: Role, fact: Fact, after: Aftermath) -> Iterator[Fact]:
    """A fact of a message, when it holds after what the other one answered."""
    own = not fact.holders or speaker in fact.holders
    if fact.ladder == "feeling" and fact.mood == "asked" and own:
        fact, own = fact._replace(holders=_other(speaker)), False
    if fact.mood == "stated" and own:
        # A feeling is one's own to state, whatever the other one says of it.
        is_contrary = fact.ladder == "relationship" and after.is_contradicted
        holds = not (after.is_denied or is_contrary)
        if holds and fact.holders and after.is_shared:
            yield fact._replace(holders=_other(speaker))
    else:
        holds = fact.mood in {"stated", "offered", "asked"} and after.is_accepted
    if holds:
        yield fact._replace(mood="stated")


def _other(role: Role) -> frozenset[Role]:
    return frozenset({"soul"} if role == "user" else {"user"})


def _aftermaths(sources: Sequence[Source], said: Sequence[Sequence[Fact]]) -> Iterator[Aftermath]:
    """Of each source. All the bubbles of a turn are answered by the next turn's first few."""
    turns = [list(turn) for _, turn in groupby(range(len(sources)), lambda n: sources[n].role)]
    jokes = [bool(_ONLY_A_JOKE.search(one.text)) for one in sources]
    for turn, following in pairwise([*turns, []]):
        answer = following[:_REPLY_MESSAGES]
        reply = "\n".join(sources[index].text for index in answer)
        answered = [fact for index in answer for fact in said[index]]
        heard = Aftermath(
            is_accepted=bool(_YES.match(reply)) and not _BUT.search(reply),
            is_denied=bool(_NO.match(reply)),
            is_shared=bool(_ME_TOO.search(reply)),
            is_contradicted=any(
                fact.ladder == "relationship" and fact.mood == "denied" for fact in answered
            ),
            is_taken_back=False,
        )
        for index in turn:
            # `농담이야` comes at once, or after the other one's first word.
            said_next = [n for n in (index + 1, index + 2) if n < len(sources)]
            own = (n for n in said_next if sources[n].role == sources[index].role)
            yield heard._replace(is_taken_back=any(jokes[n] for n in own))
