"""(Action, what it touches, the tree, what was planned before) -> Facts: what code works out before any rule is asked.

Nothing here decides. Whatever a model wrote is taken apart by our own code; a later, more exact look at the
same action (with its predicted effects) adds facts and takes none away.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from bot.action import Action, Kind
from bot.argv_pattern import Word
from bot.hidden import Hidden, scan
from bot.invocation import Invocation, invocation_of
from bot.path import RepoPath, path_of
from bot.program import may_run
from bot.workspace import Change, Mode, Reader


class How(StrEnum):
    """What an action does with a path; `NAME`: a word of a command, which may read or write what it names."""

    READ = "read"
    LIST = "list"
    WRITE = "write"
    DELETE = "delete"
    NAME = "name"


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
    """How much: of one plan so far, or with one action more."""

    actions: int = 0
    files: int = 0
    added_lines: int = 0
    commands: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """`size` is the plan's with this action; `removed_lines` and `largest_bytes` are this action's alone.

    `odd` are paths that become a link or a submodule, `binary` those that become something else than text.
    `hidden` are invisible characters and `secrets` names of secret-shaped strings in lines that are added.
    `runs` are (path, step) of what earlier steps changed and this command may run; `depends_on` all steps
    whose result this one reads or runs.
    """

    kind: Kind
    known: bool = True
    problem: str | None = None
    touched: tuple[Touched, ...] = ()
    command: Invocation | None = None
    size: Size = Size()
    added_lines: int = 0
    removed_lines: int = 0
    largest_bytes: int = 0
    odd: tuple[str, ...] = ()
    binary: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    host: str | None = None
    runs: tuple[tuple[str, int], ...] = ()
    depends_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What the plan holds so far. `wrote` says of each changed path which steps changed it, in order."""

    size: Size = Size()
    wrote: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def after(
        self, step_number: int | None, action: Action, facts: Facts, effects: Sequence[Change]
    ) -> "Earlier":
        """With one action more; `step_number` is None for a read, which is no step and changes nothing."""
        if step_number is None or action.kind is Kind.READ:
            return self
        wrote = dict(self.wrote)
        for change in effects:
            wrote[change.path] = (*wrote.get(change.path, ()), step_number)
        return Earlier(size=facts.size, wrote=MappingProxyType(wrote))


NOTHING_EARLIER: Final = Earlier()


def facts_of(  # noqa: PLR0913 - each is one source of facts
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
    """`touches` and `command` come from the arguments; `effects` from a rehearsal, () when there was none yet."""
    invocation = None if command is None else invocation_of(command)
    touched = _touched(touches, invocation, effects, tree)
    added = [_added(change) for change in effects]
    removed = sum(_lines_gone(change) for change in effects)
    runs = _runs(invocation, touched, earlier) if invocation else ()
    new_files = {change.path for change in effects}.union(
        one.path.normal for one in touched if one.how in _CHANGES
    )
    count = sum(map(len, added))
    return Facts(
        kind=action.kind,
        known=known,
        problem=problem,
        touched=touched,
        command=invocation,
        size=_size(action.kind, earlier, new_files, added_lines=count, is_command=invocation is not None),
        added_lines=count,
        removed_lines=removed,
        largest_bytes=max((len(change.content_after or b"") for change in effects), default=0),
        odd=tuple(c.path for c in effects if c.after and c.after.mode in {Mode.LINK, Mode.SUBMODULE}),
        binary=tuple(c.path for c in effects if not _is_text(c.content_after)),
        hidden=_hidden_in(added),
        secrets=_secrets_in(added),
        host=_host_of(action),
        runs=runs,
        depends_on=tuple(sorted({step for _, step in runs} | _steps_read(touched, earlier))),
    )


def _touched(
    touches: Sequence[Touch],
    invocation: Invocation | None,
    effects: Sequence[Change],
    tree: Reader,
) -> tuple[Touched, ...]:
    found = [(path_of(touch.path), touch.how) for touch in touches]
    if invocation is not None:
        found += [(name.path, How.WRITE if name.is_written else How.NAME) for name in invocation.named]
    found += [(path_of(c.path), How.DELETE if c.after is None else How.WRITE) for c in effects]
    seen: set[tuple[str, How]] = set()
    result = []
    for path, how in found:
        if (path.written, how) not in seen:
            seen.add((path.written, how))
            result.append(Touched(path=path, how=how, link=_link(path, how, tree)))
    return tuple(result)


def _link(path: RepoPath, how: How, tree: Reader) -> str | None:
    """What stands in the way on the path, which no tool follows and whose far end no rule has seen."""
    if path.fault or not path.normal:
        return None
    at = path.normal.find("/")
    while at >= 0:
        if (said := _said_of_link(path.normal[:at], tree)) is not None:
            return said
        at = path.normal.find("/", at + 1)
    # A link itself may be listed or removed: that goes nowhere.
    return None if how in {How.LIST, How.DELETE} else _said_of_link(path.normal, tree)


def _said_of_link(path: str, tree: Reader) -> str | None:
    entry = tree.entry(path)
    if entry is None or entry.mode in {Mode.FILE, Mode.EXECUTABLE}:
        return None
    return f"the symbolic link {path}" if entry.mode is Mode.LINK else f"the submodule {path}"


def _size(kind: Kind, earlier: Earlier, files: set[str], *, added_lines: int, is_command: bool) -> Size:
    if kind is Kind.READ:
        return earlier.size
    return Size(
        actions=earlier.size.actions + 1,
        files=len(files.union(earlier.wrote)),
        added_lines=earlier.size.added_lines + added_lines,
        commands=earlier.size.commands + is_command,
    )


def _added(change: Change) -> list[str]:
    """The lines that are there afterwards and were not before; moved lines are no new ones."""
    return list((Counter(_lines(change.content_after)) - Counter(_lines(change.content_before))).elements())


def _lines_gone(change: Change) -> int:
    gone = Counter(_lines(change.content_before)) - Counter(_lines(change.content_after))
    return gone.total()


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines()


def _is_text(content: bytes | None) -> bool:
    if content is None:
        return True
    try:
        return "\0" not in content.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _hidden_in(added: Iterable[list[str]]) -> tuple[str, ...]:
    runs = (part.text for lines in added for line in lines for part in scan(line) if isinstance(part, Hidden))
    return tuple(dict.fromkeys(f"U+{ord(character):04X}" for character in "".join(runs)))


def _secrets_in(added: Iterable[list[str]]) -> tuple[str, ...]:
    return ()


def _host_of(action: Action) -> str | None:
    url = action.arguments.get("url") if action.tool == "http_request" else None
    if not isinstance(url, str):
        return None
    try:
        return (urlsplit(url).hostname or "").casefold().rstrip(".")
    except ValueError:
        return ""


def _runs(
    invocation: Invocation, touched: Iterable[Touched], earlier: Earlier
) -> tuple[tuple[str, int], ...]:
    if not earlier.wrote:
        return ()
    return tuple(
        (path, step)
        for path, steps in sorted(earlier.wrote.items())
        for step in steps
        if any(_may_run(argv, path) for argv in invocation.handed_on)
    )


def _may_run(argv: Sequence[Word], path: str) -> bool:
    return not argv or argv[0] is None or may_run(argv[0], path)


def _steps_read(touched: Iterable[Touched], earlier: Earlier) -> set[int]:
    if not earlier.wrote:
        return set()
    return {
        step
        for path, steps in earlier.wrote.items()
        for one in touched
        if _reaches(one.path.normal, path)
        for step in steps
    }


def _reaches(touched: str, path: str) -> bool:
    return touched in {"", path} or path.startswith(f"{touched}/")


_CHANGES: Final = frozenset({How.WRITE, How.DELETE})
