"""firestore.rules, loosened or closed in one place: what the rows must notice."""

import re
from collections.abc import Iterator

_CONDITION = re.compile(r"(?:: if|return) (?P<body>[^;]+);")
_AND = re.compile(r"\s*&&\s*")
# Another part of the same condition says the same: without it, an error refuses.
IMPLIED = frozenset({"request.auth != null", "message.text is string"})


def opened_wide(rules: str) -> str:
    """Everybody may do everything: no refusal stands."""
    anything = "match /{document=**} { allow read, write: if true; }"
    return rules.replace(
        "match /souls/{document=**}", f"{anything}\n    match /souls/{{document=**}}"
    )


def shut(rules: str) -> str:
    """Nobody may do anything: no permission stands."""
    return re.sub(r"(allow \w+: if )[^;]+;", r"\1false;", rules)


def loosened(rules: str) -> Iterator[tuple[str, str]]:
    """(what is taken for granted, the rules that do): each part of each condition in turn."""
    for condition in _CONDITION.finditer(rules):
        start, end = condition.span("body")
        place = rules.count("\n", 0, start) + 1
        parts = _AND.split(condition["body"])
        for number, part in enumerate(parts):
            if part.strip() in IMPLIED:
                continue
            body = " && ".join([*parts[:number], "true", *parts[number + 1 :]])
            yield (
                f"line {place}: {' '.join(part.split())}",
                rules[:start] + body + rules[end:],
            )
