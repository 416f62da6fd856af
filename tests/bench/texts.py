"""Messages of an exact number of tokens, all of them different."""

from functools import lru_cache

from functions.adapters.tiktoken_counter import TiktokenCounter

TOKENS_EACH = 40
_WORDS = (
    "오늘 현상소 앞에서 비를 만났는데 우산이 없어서 한참 기다렸어 그래도 필름은 무사히 찾았고 "
    "돌아오는 길에 책방에 들러서 네가 말한 시집을 샀어 내일 강릉 가는 기차에서 읽으려고 해"
).split()


@lru_cache(maxsize=4096)
def text_of(number: int) -> str:
    """The `number`-th text, of exactly `TOKENS_EACH` tokens."""
    counter = TiktokenCounter()
    turned = [_WORDS[(number + step * (1 + number % 7)) % len(_WORDS)] for step in range(60)]
    text = f"{number}번째"
    for word in turned:
        longer = f"{text} {word}"
        if counter.count(longer) > TOKENS_EACH:
            break
        text = longer
    while counter.count(text) < TOKENS_EACH:
        text += "." if counter.count(text + ".") > counter.count(text) else " 응"
    while counter.count(text) > TOKENS_EACH:
        text = text[:-1]
    return text
