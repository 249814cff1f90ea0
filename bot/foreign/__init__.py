"""(A tool of somebody else's) -> the same tool, held: it can't reach out in a rehearsal, nor end a run.

While it is read from, judged or rehearsed it is restrained, whatever kind it claims; and whatever it raises
or returns is an answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from bot.action import Kind, storable
from bot.errors import OutcomeUnknown, ToolFailed
from bot.foreign.restraint import lifted, restrained
from bot.tools.tool import Arguments, Stage, Tool
from bot.workspace import Entry, Match

T = TypeVar("T")


def held(tool: Tool[Any]) -> Tool[Any]:
    """An external one does its work after the commit: before it, the plan can still be refused."""
    looks = tool.kind is Kind.READ
    return replace(
        tool,
        arguments=_held_arguments(tool),
        touches=_looking(tool, tool.touches),
        command=_looking(tool, tool.command),
        simulate=None if tool.simulate is None else _answering(tool, tool.simulate),
        execute=_answering(tool, tool.execute) if looks else _doing(tool, tool.execute),
        after_commit=tool.kind is Kind.EXTERNAL,
    )


def _looking(tool: Tool[Any], act: Callable[..., T]) -> Callable[..., T]:
    """`act`, of which nothing gets out but what it returns."""

    def looked(*given: Any) -> T:  # noqa: ANN401 - whatever the tool takes
        with restrained() as attempts:
            try:
                found = act(*given)
            except (ToolFailed, ValidationError):
                raise
            # Whoever wrote it, its mistakes end no run; an exit in it would.
            except (Exception, SystemExit) as mistake:
                raise ToolFailed(_said(tool, mistake, attempts.words)) from mistake
            if attempts.words:
                raise ToolFailed(_tried(tool, attempts.words))
            return found

    return looked


def _answering(tool: Tool[Any], act: Callable[[Any, Stage], object]) -> Callable[[Any, Stage], str]:
    look = _looking(tool, act)

    def answered(arguments: Any, stage: Stage) -> str:  # noqa: ANN401 - the tool's own
        return _text(tool, look(arguments, _given(stage)))

    return answered


def _doing(tool: Tool[Any], act: Callable[[Any, Stage], object]) -> Callable[[Any, Stage], str]:
    """For real. What it raises by mistake may come before its effect or after: nobody can tell."""

    def done(arguments: Any, stage: Stage) -> str:  # noqa: ANN401 - the tool's own
        try:
            return _text(tool, act(arguments, _given(stage)))
        except ToolFailed:
            raise
        except (Exception, SystemExit) as mistake:
            raise OutcomeUnknown(_said(tool, mistake, [])) from mistake

    return done


def _given(stage: Stage) -> Stage:
    """The workspace alone. What is secret is so to others' tools as well, whatever they say they touch."""
    return replace(stage, workspace=_Shown(stage), lookout=None, desk=None, web=None)


class _Shown:
    """A workspace in the hands of restrained code: what it asks of us we may do, such as start ripgrep."""

    def __init__(self, stage: Stage) -> None:
        self._workspace: Final = stage.workspace
        self._is_hidden: Final = stage.is_hidden

    def entry(self, path: str) -> Entry | None:
        with lifted():
            return self._workspace.entry(path)

    def paths(self) -> Sequence[str]:
        with lifted():
            return self._workspace.paths()

    def is_folder(self, path: str) -> bool:
        with lifted():
            return self._workspace.is_folder(path)

    def read(self, path: str) -> bytes:
        if self._is_hidden(path):
            raise ToolFailed(f"{path} is secret: it is listed, but its content is not shown to you")
        with lifted():
            return self._workspace.read(path)

    def search(
        self, pattern: str, *, fixed: bool, ignore_case: bool, paths: Sequence[str], most: int
    ) -> Sequence[Match]:
        shown = [path for path in paths if not self._is_hidden(path)]
        with lifted():
            return self._workspace.search(
                pattern, fixed=fixed, ignore_case=ignore_case, paths=shown, most=most
            )

    def write(self, path: str, content: bytes, *, executable: bool | None = None) -> None:
        with lifted():
            self._workspace.write(path, content, executable=executable)

    def delete(self, path: str) -> None:
        with lifted():
            self._workspace.delete(path)


def _held_arguments(tool: Tool[Any]) -> type[Arguments]:
    """Their own class, whose validators are restrained as well."""
    theirs: type[Arguments] = tool.arguments
    read = _looking(tool, theirs.model_validate_json)

    class Held(theirs):  # type: ignore[misc, valid-type]
        @classmethod
        def model_validate_json(cls, *given: Any, **_: Any) -> Arguments:  # noqa: ANN401
            return read(*given)

    Held.__name__, Held.__doc__ = theirs.__name__, theirs.__doc__
    return Held


def _text(tool: Tool[Any], answer: object) -> str:
    if not isinstance(answer, str):
        raise ToolFailed(f"{tool.name} answered with {type(answer).__name__}, and not with text")
    if len(answer) > _MOST_CHARACTERS:
        return f"{answer[:_MOST_CHARACTERS]}\n(and {len(answer) - _MOST_CHARACTERS:,} characters more)"
    return answer


def _said(tool: Tool[Any], mistake: BaseException, attempts: list[str]) -> str:
    if attempts:
        return _tried(tool, attempts)
    words = str(storable(" ".join(str(mistake).split())))[:300]
    return f"{tool.name} failed: {type(mistake).__name__}{f': {words}' if words else ''}"


def _tried(tool: Tool[Any], attempts: list[str]) -> str:
    return f"{tool.name} tried to reach out in a dry run, and was kept from it: {attempts[0]}"


_MOST_CHARACTERS: Final = 100_000
