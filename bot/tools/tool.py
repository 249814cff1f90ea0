"""What an agent may ask for: a name, a kind, the shape of its arguments, and what it does.

A half-made tool cannot be built: a side effect without `simulate` is a `BadTool` at start-up, by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from bot.action import Json, Kind
from bot.dataclass import dataclass
from bot.errors import BadTool, ToolFailed
from bot.tools.outputs import Outputs

if TYPE_CHECKING:
    from bot.gate.facts import Touch
    from bot.workspace import Workspace
    from bot.workspace.listing import Listing
    from bot.world import Desk, Lookout, Shell, Web

__all__ = ["Arguments", "Stage", "Tool", "ToolFailed"]


class Arguments(BaseModel):
    """Of a tool that only reads. Field descriptions are shown to the model."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid", strict=True)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """All that a tool may touch. `is_hidden` says of a path that it is listed by name, never read;
    `hidden_among` says it of many at once, where there is a quicker way than one by one.

    `shell`, `desk` and `web` are None while rehearsing: nothing can be run or done then, whatever a tool
    tries. The shell runs in `folder`. `lookout` is None where there is no pull request. `outputs` are of the
    commands that ran.
    """

    workspace: Workspace
    is_hidden: Callable[[str], bool]
    hidden_among: Callable[[Listing], frozenset[str]] | None = None
    shell: Shell | None = None
    folder: Path | None = None
    lookout: Lookout | None = None
    desk: Desk | None = None
    web: Web | None = None
    outputs: Outputs = field(default_factory=Outputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[A]):
    """`execute` and `simulate` return the text for the model, or raise ToolFailed. `rehearse` does what
    `execute` does, in a shell on a throwaway copy, and stands in for `simulate` where there is one.

    `touches` names every path the call would touch, as written in its arguments; `command` is the command
    line it would run. Both are asked before anything else happens; ToolFailed means that they can't be told.
    `after_commit`: its effect is no file of the repository, so an apply leaves it until the commit is made.
    `binding` says what is behind it, where that is not this program itself; a plan holds for that alone.
    """

    name: str
    kind: Kind
    description: str
    arguments: type[A]
    execute: Callable[[A, Stage], str]
    simulate: Callable[[A, Stage], str] | None = None
    rehearse: Callable[[A, Stage], str] | None = None
    touches: Callable[[A], tuple[Touch, ...]] = lambda _: ()
    command: Callable[[A], str | None] = lambda _: None
    after_commit: bool = False
    binding: Json = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(str(self.name)):
            raise BadTool(
                "%(name)s can't be the name of a tool",
                name=repr(self.name),
                next_step="use up to 64 letters, digits, points, hyphens and underscores",
            )
        if not isinstance(self.kind, Kind):
            raise BadTool(
                "The tool %(name)s has no kind",
                name=repr(self.name),
                next_step="give it kind=Kind.READ, Kind.WRITE or Kind.EXTERNAL",
            )
        if self.kind is not Kind.READ and self.simulate is None:
            raise BadTool(
                "The tool %(name)s has kind %(kind)s and no `simulate`",
                name=repr(self.name),
                kind=repr(self.kind.value),
                next_step="write a simulate function: a dry run calls it instead of execute",
            )

    @property
    def offered_name(self) -> str:
        """As models' servers let it be: without points."""
        return self.name.replace(".", "_")

    def schema(self) -> dict[str, Json]:
        """The tool as chat.completions wants it; tools that change something also take an `intent`."""
        parameters = dict(_parameters(self.arguments))
        if self.kind is not Kind.READ:
            parameters["properties"] = parameters.get("properties", {}) | {"intent": _INTENT}
        function: dict[str, Json] = {
            "name": self.offered_name,
            "description": self.description,
            "parameters": parameters,
        }
        return {"type": "function", "function": function}


@cache
def _parameters(arguments: type[Arguments]) -> Mapping[str, Any]:
    """Worked out once: a run needs all of them twice, for the model and for the digest."""
    parameters = arguments.model_json_schema()
    parameters.pop("title", None)
    return parameters


_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_INTENT: Final[Mapping[str, Json]] = {
    "type": "string",
    "description": "One sentence for the reviewer: why this step is needed.",
}
