"""The pieces of a text that the lexical and the hash lane compare."""

import re
from collections.abc import Iterator

from shared.recall.normal_form import is_syllable, normal_form
from shared.recall.stop_words import STOP_BIGRAMS, STOP_SYLLABLES, STOP_WORDS

# Of Hangul whole syllables; jamo on their own (ㅋㅋ) say nothing.
_OTHER = "[^\\W_가-힣\\u1100-\\u11ffㄱ-ㆎ]+"
_WORDS = re.compile(f"[가-힣]+|{_OTHER}(?:['’]{_OTHER})?")
# A longer "word" is a link or noise.
_LONGEST_WORD = 40
_SHORTEST_STEM = 3
_SUFFIXES = ("ings", "ing", "ies", "ied", "ed", "es", "s", "ly", "y", "e")


def grams_of(text: str) -> list[str]:
    """The grams of `text` in order, repeats included.

    Of a Hangul word, each syllable and each two neighbouring ones; of any other word, its
    folded form. Function words have none, nor have particles at a word's end and the endings
    that verbs share.

    >>> grams_of("열쇠를 got Keys")
    ['열', '쇠', '열쇠', 'got', 'key']
    """
    return list(_grams(normal_form(text)))


def _grams(text: str) -> Iterator[str]:
    for match in _WORDS.finditer(text):
        word = match[0]
        if word in STOP_WORDS:
            continue
        if is_syllable(word[0]):
            yield from _syllable_grams(word)
        else:
            stem = word[:_LONGEST_WORD].replace("’", "'").split("'")[0]
            if stem not in STOP_WORDS:
                yield fold_word(stem)


def _syllable_grams(word: str) -> Iterator[str]:
    body = word[:-1] if len(word) > 1 and word[-1] in STOP_SYLLABLES else word
    yield from body
    pairs = (word[at : at + 2] for at in range(len(word) - 1))
    last = len(word) - 2
    for at, pair in enumerate(pairs):
        if pair not in STOP_BIGRAMS and not (at == last and pair[1] in STOP_SYLLABLES):
            yield pair


def fold_word(word: str) -> str:
    """One form for the inflections of an English word; what is no English loses little.

    >>> {fold_word(word) for word in ("plan", "plans", "planned", "planning")}
    {'plan'}
    """
    if not word.isascii():
        return word
    for suffix in _SUFFIXES:
        rest = len(word) - len(suffix)
        if rest >= _SHORTEST_STEM and word.endswith(suffix) and not word.endswith("ss"):
            word = word[:rest]
            if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] in "eyi" else word
