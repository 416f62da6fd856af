"""Write docs/export.schema.json anew from the models: `python -m tools.export_schema`."""

import json
from pathlib import Path

from shared.exporting.export_document import export_schema

SCHEMA = Path(__file__).parents[1] / "docs" / "export.schema.json"


def schema_text() -> str:
    return json.dumps(export_schema(), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8")
