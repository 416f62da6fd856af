"""Content words of a chat, for titles and lorebook keywords: without a dictionary, by their form.

Korean: a word is a noun when it is seen with particles; what ends like a verb is left out.
English: a word is worth keeping when it is capitalised inside a sentence, or rare and long.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from functions.adapters.extractive_stop_words import ENGLISH, KOREAN

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CAPITALISED_INSIDE = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+")
_HANGUL = re.compile(r"[가-힣]")
_PARTICLES = re.compile(
    r"(?P<sure>(?:에서|에게서|에게|한테|까지|부터|으로|이랑|하고|처럼|보다|마다|에)[는도만]?|을|를|의"
    r"|이었어|였어|이야|이에요|예요|이라고|라고|인데|입니다|이라는|라는)"
    r"|(?P<likely>이나|이면|이|가|은|는|도|만|와|과|랑|로|나|야|아|인)"
)
_DOING = re.compile(r"(하|해|했|할|한|함|합)[가-힣]{0,4}")
_VERB_END = re.compile(
    r"(?:[다어아여려해했지고네요까래대라자게기면서니냐줘봐돼야든데걸군죠거건된할한될볼은는을던]|습니다|구나|잖아|려고)$"
)
_BOUND = "것거줄뭐때중건시"
_VERB_STEM = re.compile(r"[하되있없겠았었했였졌갔왔같싶않못]$")


class Words:
    """What words there are in a chat and how they are used; `names` never become keywords."""

    def __init__(self, texts: Iterable[str], *, names: Iterable[str]) -> None:
        self._names = {word.lower() for name in names for word in _TOKEN.findall(name)}
        chat = unicodedata.normalize("NFC", "\n".join(texts))
        self._lines = chat.count("\n") + 1
        self._seen = Counter(_TOKEN.findall(chat))
        self._inside = Counter(_CAPITALISED_INSIDE.findall(chat))
        self._forms: Counter[str] = Counter()
        for token in self._seen:
            if "가" <= token[-1] <= "힣":
                self._forms.update([stem for stem, _ in _readings(token)])
        self._scores: dict[str, tuple[str, float]] = {}

    def keywords(self, texts: Sequence[str], *, most: int) -> list[str]:
        """The best content words of `texts`, best first; words of the first text go before."""
        found: dict[str, float] = {}
        for position, text in enumerate(texts):
            for token in _TOKEN.findall(text):
                word, score = self._score(token)
                if word and score > 0:
                    near = 1.5 if position == 0 else 0.0
                    found[word] = max(found.get(word, 0.0), score + near)
        ranked = sorted(found, key=lambda word: -found[word])
        return _without_parts(ranked)[:most]

    def _score(self, token: str) -> tuple[str, float]:
        if token not in self._scores:
            hangul = _HANGUL.search(token)
            word, score = self._korean(token) if hangul else self._other(token)
            if len(word) < 2 or word == "REDACTED" or self._is_name(word.lower()):
                score = 0.0
            rare = math.log((self._lines + 1) / (self._seen[token] + 1)) / 4
            self._scores[token] = (word, score + rare if score > 0 else 0.0)
        return self._scores[token]

    def _is_name(self, word: str) -> bool:
        """A speaker's name, or what it is shortened to: it would bring up everything."""
        return any(name.startswith(word) for name in self._names)

    def _korean(self, token: str) -> tuple[str, float]:
        """The likeliest noun that the token is or begins with; none of what is too common."""
        readings = _readings(token)
        if any(word in KOREAN for word, _ in readings):
            return "", 0.0
        best, best_score = "", 0.0
        for word, sure in readings:
            forms = self._forms[word]
            if _VERB_STEM.search(word) and word != token:
                continue
            if forms < 2 and sure < 1 and _VERB_END.search(word):
                continue
            score = sure + 0.7 * min(forms, 4) + (0.1 if len(word) > 2 else 0)
            if sure and score > best_score:
                best, best_score = word, score
        return best, best_score

    def _other(self, token: str) -> tuple[str, float]:
        word = re.sub(r"['’]s$", "", token)
        lower = word.lower()
        if lower in ENGLISH or not word.isalpha():
            return "", 0.0
        if word[0].isupper() and self._inside[token] and not self._seen[lower]:
            return word, 3.0
        if len(word) < 4 or lower.endswith(("ing", "ed", "ly")):
            return lower, 0.3 if len(word) > 3 else 0.0
        return lower, 1.0 + (0.3 if len(word) > 6 else 0)


def _readings(token: str) -> list[tuple[str, float]]:
    """The words that a Korean token may be, and how sure its form is of each (0 to 1.5).

    Of two endings the longer one counts: 무엇으로 is 무엇, never 무엇으.
    """
    short = _PARTICLES.fullmatch(token, 1) if len(token) > 2 or token[0] in _BOUND else None
    if short and (short["sure"] or token[0] in _BOUND):
        return [(token, 0.0)]
    readings = [(token, 0.0 if _VERB_END.search(token) else 0.6)]
    for start in range(2, len(token)):
        particle = _PARTICLES.fullmatch(token, start)
        if particle:
            return [*readings, (token[:start], 1.5 if particle["sure"] else 0.8)]
        if _DOING.fullmatch(token, start) and not _VERB_END.search(token[:start]):
            return [*readings, (token[:start], 0.5)]
    return readings


def _without_parts(words: Sequence[str]) -> list[str]:
    """`words` without those that another, better one begins with or is the beginning of."""
    kept: list[str] = []
    for word in words:
        lower = word.lower()
        if not any(lower.startswith(k.lower()) or k.lower().startswith(lower) for k in kept):
            kept.append(word)
    return kept
