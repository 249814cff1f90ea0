"""(Action, what it touches, the tree, the plan so far) -> Facts: what code works out before rules are asked.

Nothing here decides. Whatever a model wrote is taken apart by our own code; a later, more exact look at the
same action (with its predicted effects) adds facts and takes none away.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from bot.action import Action, Kind
from bot.dataclass import dataclass
from bot.gate.content import NOTHING, Content, content_of
from bot.paths.path import RepoPath, path_of
from bot.shell.invocation import Invocation, invocation_of
from bot.shell.program import may_run
from bot.workspace import Change, Mode, Reader, parents


class How(StrEnum):
    """What an action does with a path.

    The last two are words of a command: of one that only reads, and of one that may do anything with it.
    """

    READ = "read"
    LIST = "list"
    WRITE = "write"
    DELETE = "delete"
    NAME = "name"
    HANDLE = "handle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One path as the model wrote it, not yet normalised, and what would be done with it."""

    path: str
    how: How


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """`link` is the symbolic link or submodule that stands in the way, as the end of a sentence, or None."""

    path: RepoPath
    how: How
    link: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much one plan holds: so far, or with one action more."""

    actions: int = 0
    files: int = 0
    added_lines: int = 0
    commands: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is seen of an action, whatever the plan held before it.

    `problem` is why the arguments are not valid; `host` is where a web request goes, "" if nobody can tell.
    """

    kind: Kind
    known: bool = True
    problem: str | None = None
    touched: tuple[Touched, ...] = ()
    command: Invocation | None = None
    content: Content = NOTHING
    host: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts(Seen):
    """`size` is the plan's with this action. `runs` are (path, step) of what earlier steps changed and this
    command may run; `depends_on` all steps whose result this one reads or runs.
    """

    size: Size = Size()
    runs: tuple[tuple[str, int], ...] = ()
    depends_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What the plan holds so far. `wrote` says of each changed path which steps changed it, in order.

    `folders` are all that changed paths lie in, None where they are still to be worked out.
    """

    size: Size = Size()
    wrote: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    folders: frozenset[str] | None = field(default=None, compare=False, repr=False)

    def after(
        self, step_number: int | None, action: Action, facts: Facts, effects: Sequence[Change]
    ) -> "Earlier":
        """With one action more; `step_number` is None for a read, which is no step and changes nothing."""
        if step_number is None or action.kind is Kind.READ:
            return self
        return self.with_step(step_number, facts.size, [change.path for change in effects])

    def with_step(self, number: int, size: Size, changed: Iterable[str]) -> "Earlier":
        """The same by paths alone, for whoever has no more of a step than a record of it."""
        changed, wrote = tuple(changed), dict(self.wrote)
        for path in changed:
            wrote[path] = (*wrote.get(path, ()), number)
        folders = self._folders.union(folder for path in changed for folder in parents(path))
        return Earlier(size=size, wrote=MappingProxyType(wrote), folders=folders)

    def steps_below(self, path: str) -> Iterator[int]:
        """Those that changed this path, or anything in this folder; "" is the root."""
        if not path or path in self._folders:
            below = f"{path}/" if path else ""
            for other, steps in self.wrote.items():
                if other.startswith(below):
                    yield from steps
        yield from self.wrote.get(path, ())

    @property
    def _folders(self) -> frozenset[str]:
        """Most paths that are touched are none of them: so what was changed needn't be gone through."""
        if self.folders is not None:
            return self.folders
        return frozenset(folder for path in self.wrote for folder in parents(path))


def facts_of(
    action: Action,
    *,
    touches: Sequence[Touch],
    command: str | None,
    tree: Reader,
    earlier: Earlier,
    effects: Sequence[Change] = (),
    known: bool = True,
    problem: str | None = None,
) -> Facts:
    """`touches` and `command` come from the arguments; `effects` from a rehearsal, () when there was none."""
    invocation = None if command is None else invocation_of(command)
    return _facts(
        earlier,
        kind=action.kind,
        known=known,
        problem=problem,
        touched=tuple(_touched(touches, invocation, effects, tree)),
        command=invocation,
        content=content_of(effects),
        host=_host_of(action),
    )


def facts_after(earlier: Earlier, seen: Seen) -> Facts:
    """What was seen, with what the plan held before: its size, and the earlier steps that this one needs."""
    return _facts(
        earlier,
        kind=seen.kind,
        known=seen.known,
        problem=seen.problem,
        touched=seen.touched,
        command=seen.command,
        content=seen.content,
        host=seen.host,
    )


def _facts(
    earlier: Earlier,
    *,
    kind: Kind,
    known: bool,
    problem: str | None,
    touched: tuple[Touched, ...],
    command: Invocation | None,
    content: Content,
    host: str | None,
) -> Facts:
    runs, depends_on = _earlier_steps(command, touched, earlier) if earlier.wrote else ((), ())
    return Facts(
        kind=kind,
        known=known,
        problem=problem,
        touched=touched,
        command=command,
        content=content,
        host=host,
        size=_size(kind, earlier, touched, content, is_command=command is not None),
        runs=runs,
        depends_on=depends_on,
    )


def runs_in(invocation: Invocation, wrote: Mapping[str, tuple[int, ...]]) -> tuple[tuple[str, int], ...]:
    """(Path, step) of what earlier steps `wrote`, and this may run."""
    programs = dict.fromkeys(argv[0] if argv else None for argv in invocation.handed_on)
    return tuple(
        (path, step)
        for path, steps in sorted(wrote.items())
        if any(program is None or may_run(program, path) for program in programs)
        for step in steps
    )


def _touched(
    touches: Sequence[Touch], invocation: Invocation | None, effects: Sequence[Change], tree: Reader
) -> Iterator[Touched]:
    for touch in touches:
        path = path_of(touch.path)
        yield Touched(path=path, how=touch.how, link=_link(path, touch.how, tree))
    for change in effects:
        path, how = path_of(change.path), How.DELETE if change.after is None else How.WRITE
        yield Touched(path=path, how=how, link=_link(path, how, tree))
    if invocation is not None:
        for named in invocation.named:
            how = How.NAME if named.is_only_read else How.HANDLE
            yield Touched(path=named.path, how=how, link=_link(named.path, how, tree))


def _link(path: RepoPath, how: How, tree: Reader) -> str | None:
    """What stands in the way on the path, which no tool follows and whose far end no rule has seen."""
    if path.fault or not path.normal:
        return None
    ways = list(parents(path.normal))
    # A link itself may be listed or removed: that goes nowhere.
    if how not in {How.LIST, How.DELETE}:
        ways.append(path.normal)
    modes = tree.modes(ways)
    for way in ways:
        if (mode := modes.get(way, Mode.FILE)) not in _FILES:
            return f"the symbolic link {way}" if mode is Mode.LINK else f"the submodule {way}"
    return None


def _size(
    kind: Kind, earlier: Earlier, touched: Iterable[Touched], content: Content, *, is_command: bool
) -> Size:
    if kind is Kind.READ:
        return earlier.size
    files = {one.path.normal for one in touched if one.how in _CHANGES}
    return Size(
        actions=earlier.size.actions + 1,
        files=len(earlier.wrote) + sum(path not in earlier.wrote for path in files),
        added_lines=earlier.size.added_lines + content.added_lines,
        commands=earlier.size.commands + is_command,
    )


def _host_of(action: Action) -> str | None:
    url = action.arguments.get("url") if action.tool == "http_request" else None
    if not isinstance(url, str):
        return None
    try:
        return (urlsplit(url).hostname or "").casefold().rstrip(".")
    except ValueError:
        return ""


def _earlier_steps(
    invocation: Invocation | None, touched: Iterable[Touched], earlier: Earlier
) -> tuple[tuple[tuple[str, int], ...], tuple[int, ...]]:
    """What this may run of what earlier steps changed, and all steps whose changes it runs or reads."""
    runs = runs_in(invocation, earlier.wrote) if invocation else ()
    paths = {one.path.normal for one in touched}
    reads = {step for path in paths for step in earlier.steps_below(path)}
    return runs, tuple(sorted(reads.union(step for _, step in runs)))


_FILES: Final = frozenset({Mode.FILE, Mode.EXECUTABLE})
_CHANGES: Final = frozenset({How.WRITE, How.DELETE})
