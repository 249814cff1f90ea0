"""Golden files: what people will see. `UPDATE_SNAPSHOTS=1 pytest tests/render` writes them anew."""

import os
import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "snapshots"


def same_as_golden(name: str, language: str, body: str, *, ending: str = "md") -> bool:
    """The embedded record is left out: it is compressed, and proven elsewhere to come back."""
    body = re.sub(r"\n*<!-- dryrun-bot-record/1 \S+ -->\n$", "\n", body)
    golden = FOLDER / language / f"{name}.{ending}"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(body, encoding="utf-8", newline="\n")
    return golden.read_text(encoding="utf-8") == body
