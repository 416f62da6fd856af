"""The redactor on the project's own set, and the time that hostile text takes."""

from tests.safety import redaction_recall, redaction_time
from tests.safety.figures import Figure
from tests.safety.redaction_recall import is_found
from tests.safety.redaction_set import Positive, negatives, positives


def unmet(figures: list[Figure]) -> list[str]:
    return [f"{figure}: {figure.detail}" for figure in figures if not figure.is_met]


def test_enough_is_found_and_hardly_anything_in_vain() -> None:
    assert unmet(redaction_recall.measure()) == []


def test_hostile_text_takes_hardly_longer_than_plain_text() -> None:
    assert unmet(redaction_time.measure(characters=10_000)) == []


def test_the_set_is_the_same_each_time_and_no_case_is_there_twice() -> None:
    texts = [case.text for case in positives()]
    assert len(set(texts)) > 0.9 * len(texts)
    assert not set(texts).intersection(negatives())


def test_a_secret_of_which_something_is_left_is_not_found() -> None:
    text = "내 번호 010-9876-5432이야"
    assert is_found(Positive("numbers", text, 5, 18))
    assert not is_found(Positive("numbers", text, 5, 19))
    assert not is_found(Positive("numbers", "내 번호 98765432이야", 5, 13))
