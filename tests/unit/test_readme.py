"""The README says what is so."""

import re
from pathlib import Path

from shared.settings import Settings

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_every_setting_is_in_the_table_with_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$", README, re.MULTILINE)
    told = {name: (default.replace(",", ""), meaning) for name, default, meaning in rows}
    expected = {
        name.upper(): (
            "(measured)" if field.default_factory else str(field.default) or "(none)",
            field.description,
        )
        for name, field in Settings.model_fields.items()
    }
    assert told == expected
