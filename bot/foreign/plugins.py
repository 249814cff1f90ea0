"""Tools that installed packages bring along, by the entry point group `dryrun_bot.tools`.

Each is held (see `held`), and a plan is bound to the version of the package that it came from.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from bot.errors import BadTool, BotError
from bot.sentence import Sentence
from bot.tools import EVERY_TOOL, registry
from bot.tools.tool import Tool

GROUP: Final = "dryrun_bot.tools"


@cache
def known_tools() -> Mapping[str, Tool[Any]]:
    """Ours, and those of installed packages: all that there can be without a configured server."""
    return registry((*EVERY_TOOL.values(), *plugin_tools()))


def plugin_tools(points: Iterable[EntryPoint] | None = None) -> tuple[Tool[Any], ...]:
    """In the order of their names. Raises BadTool, by name, for one that can't be used."""
    found = entry_points(group=GROUP) if points is None else points
    return tuple(_tool(point) for point in sorted(found, key=lambda point: (point.name, point.value)))


def _tool(point: EntryPoint) -> Tool[Any]:
    # Most have none installed, and need not load what holds them.
    from bot.foreign.held import held
    from bot.foreign.restraint import restrained

    try:
        with restrained(is_import=True):
            loaded = point.load()
    except BotError as known:
        raise BadTool(
            "%(where)s: %(what)s", where=_named(point), what=known.what, next_step=known.next_step
        ) from known
    # Whatever somebody's module does when it is imported, the reason has to name it.
    except (Exception, SystemExit) as mistake:
        raise BadTool(
            "%(point)s can't be loaded: %(kind)s: %(mistake)s",
            point=_named(point),
            kind=type(mistake).__name__,
            mistake=mistake,
            next_step="mend or remove the package",
        ) from mistake
    if not isinstance(loaded, Tool):
        raise BadTool(
            "%(point)s is %(kind)s, and no Tool",
            point=_named(point),
            kind=type(loaded).__name__,
            next_step="let the entry point name a bot.tools.tool.Tool",
        )
    try:
        tool = held(loaded)
        # Asked for its schema once, or a model could be the first to find out that it has none.
        tool.schema()
    except Exception as mistake:
        # Whatever stands where a part of a tool should.
        raise BadTool(
            "%(point)s is not well made: %(kind)s: %(mistake)s",
            point=_named(point),
            kind=type(mistake).__name__,
            mistake=mistake,
            next_step="give it arguments of a subclass of bot.tools.tool.Arguments, and functions",
        ) from mistake
    return replace(tool, binding={"entry_point": point.value, "package": _package(point)})


def _named(point: EntryPoint) -> Sentence:
    package = Sentence("an unknown package") if point.dist is None else _package(point)
    return Sentence("The tool %(name)s of %(what)s", name=repr(point.name), what=package)


def _package(point: EntryPoint) -> str:
    distribution = point.dist
    return "an unknown package" if distribution is None else f"{distribution.name} {distribution.version}"
