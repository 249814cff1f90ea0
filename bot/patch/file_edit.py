"""What a patch does to one file, whichever format it was written in."""

from bot.dataclass import dataclass
from bot.patch.hunk import Hunk


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdit:
    """`old` is None for a new file and `new` for a deletion; where they differ otherwise, the file moves.

    `hunks` is None for a deletion that doesn't care what is in the file. `executable` is None where the patch
    doesn't speak of modes.
    """

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...] | None
    executable: bool | None = None
