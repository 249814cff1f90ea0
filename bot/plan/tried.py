"""What a rehearsed command did, as a plan keeps it: its exit code, the ends of its output, what is unsure."""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

MOST_OUTPUT: Final = 4_000


class Tried(BaseModel):
    """`exit_code` is None where it was stopped, `stopped_by` says by what.

    `unsteady` are the paths that came out otherwise when the same command was tried a second time on the
    same files.
    """

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    exit_code: int | None
    output: str
    stopped_by: Literal["time", "memory", "written", "processes", "output"] | None = None
    unconfined: str | None = None
    unsteady: tuple[str, ...] = ()


def ends_of(output: str, *, most: int = MOST_OUTPUT) -> str:
    """The beginning and the end, which tell most of what a command says."""
    if len(output) <= most:
        return output
    half = (most - 50) // 2
    return f"{output[:half]}\n[{len(output) - 2 * half} characters left out here]\n{output[-half:]}"
