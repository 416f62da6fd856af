"""What `make bench` holds its figures against, and what it says of one that it cannot have."""

import pytest

from tests.bench import page
from tests.bench.__main__ import LEAST, MOST, beyond_limits
from tools.emulators import Suite

GOOD = {**MOST, **LEAST}
NO_SUITE = Suite("", "", {}, None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("figure", "value", "said"),
    [
        ("page_js_kb", 250.001, ["page_js_kb is over its limit of 250"]),
        ("page_accessibility", 94.0, ["page_accessibility is under its limit of 95"]),
        ("page_accessibility", 100.0, []),
        ("ops_per_message_100", 2.0, ["ops_per_message_10000 is not that of 100 messages"]),
    ],
)
def test_a_figure_beyond_its_limit_is_named(figure: str, value: float, said: list[str]) -> None:
    assert beyond_limits({**GOOD, figure: value}) == said


def test_without_a_browser_there_is_no_score(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(page, "find_chromium", lambda: None)
    assert page.accessibility(NO_SUITE) == {}
    assert "page_accessibility is not measured: no Chromium" in capsys.readouterr().err
    assert beyond_limits(MOST) == []


def test_any_other_figure_must_be_there() -> None:
    with pytest.raises(KeyError):
        beyond_limits(LEAST)
