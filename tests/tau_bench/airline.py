"""200 real runs of an agent that knows nothing of this bot; NOTICE.md says whose."""

import lzma
from pathlib import Path

PACKED = Path(__file__).parent / "gpt-4o-airline.json.xz"


def airline_runs(folder: Path) -> Path:
    """One file with all of them, unpacked into the folder."""
    file = folder / PACKED.stem
    file.write_bytes(lzma.decompress(PACKED.read_bytes()))
    return file
