"""A run that another program recorded -> Past. It has no verdicts, and no files to see an effect on.

A tool that is one of this bot's own, by name, is judged as that; any other counts as reaching beyond the
repository, and by its command line, if it has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from bot.action import Call, Kind
from bot.dataclass import dataclass
from bot.description import describe
from bot.noted.look import Look, Touch
from bot.replay.sight import Sight

if TYPE_CHECKING:
    from bot.replay.importers import Called, Run

_MOST_KNOWN: Final = 20_000


@dataclass(slots=True, kw_only=True)
class ForeignRun:
    """`found_in` is the file, for whoever looks for the run."""

    run_id: str
    name: str
    found_in: str
    calls: Sequence[Called]
    sights: Sequence[Sight]

    def described(self, number: int) -> tuple[str, str]:
        called = self.calls[number - 1]
        if called.command is not None:
            return called.tool, describe(called.tool, {"command": called.command})
        from bot.proposal import propose
        from bot.tools import TOOLS

        return called.tool, describe(called.tool, propose(_asked(called), TOOLS).action.arguments)

    def link(self) -> str | None:
        return self.found_in


class Strangers:
    """Of a process: equal calls are looked at once."""

    def __init__(self) -> None:
        self._known: Final[dict[tuple[str, str | None], Sight]] = {}

    def run(self, run: Run, *, run_id: str, name: str, found_in: str) -> ForeignRun:
        return ForeignRun(
            run_id=run_id,
            name=name,
            found_in=found_in,
            calls=run.calls,
            sights=[self._sight(called) for called in run.calls],
        )

    def _sight(self, called: Called) -> Sight:
        from bot.tools import TOOLS

        is_own = called.tool in TOOLS
        # Of a tool that isn't ours nothing but its name and its command line is judged.
        key = (called.tool, called.arguments if is_own else called.command)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = Sight(_own_look(called) if is_own else _look(called))
        return found


def _asked(called: Called) -> Call:
    return Call(id="", tool=called.tool, arguments=called.arguments)


def _own_look(called: Called) -> Look:
    from bot.gate.facts import Earlier, facts_of
    from bot.proposal import propose
    from bot.tools import TOOLS
    from bot.workspace.empty_tree import EMPTY_TREE

    proposal = propose(_asked(called), TOOLS)
    tool, arguments = proposal.tool, proposal.arguments
    touches = tool.touches(arguments) if tool and arguments else ()
    command = tool.command(arguments) if tool and arguments else None
    facts = facts_of(
        proposal.action,
        touches=touches,
        command=command,
        tree=EMPTY_TREE,
        earlier=Earlier(),
        problem=proposal.problem,
    )
    return Look(
        tool=proposal.action.tool,
        kind=proposal.action.kind,
        problem=proposal.problem,
        touches=tuple(Touch(path=touch.path, how=touch.how) for touch in touches),
        command=command,
        host=facts.host,
    )


def _look(called: Called) -> Look:
    from bot.proposal import storable_text

    return Look(tool=storable_text(called.tool), kind=Kind.EXTERNAL, command=called.command)
