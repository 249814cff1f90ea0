"""(A tool of somebody else's) -> the same tool, held: it can't reach out in a rehearsal, nor end a run.

While it is read from, judged or rehearsed it is looked at in a process of its own (see `cell`), whatever kind
it claims; and whatever it raises or returns is an answer.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any, Final

from pydantic import ValidationError

from bot.action import Json, Kind, storable
from bot.dataclass import dataclass
from bot.errors import OutcomeUnknown, ToolFailed
from bot.foreign.cell import look
from bot.gate.facts import How, Touch
from bot.tools.outputs import Outputs
from bot.tools.tool import Arguments, Stage, Tool
from bot.workspace import Entry, Match, Mode, Workspace


@dataclass(frozen=True, slots=True)
class _Unread:
    """Arguments that were found to fit, as JSON: their own class reads them where it is held."""

    spelled: bytes


def held(tool: Tool[Any]) -> Tool[Any]:
    """An external one does its work after the commit: before it, the plan can still be refused."""
    looks = tool.kind is Kind.READ
    return replace(
        tool,
        arguments=_held_arguments(tool),
        touches=tool.touches if _is_default(tool, "touches") else _held_touches(tool),
        command=tool.command if _is_default(tool, "command") else _held_command(tool),
        simulate=None if tool.simulate is None else _answering(tool, tool.simulate),
        execute=_answering(tool, tool.execute) if looks else _doing(tool, tool.execute),
        after_commit=tool.kind is Kind.EXTERNAL,
    )


def _is_default(tool: Tool[Any], part: str) -> bool:
    return getattr(tool, part) is Tool.__dataclass_fields__[part].default


def _seen(tool: Tool[Any], act: Callable[[Workspace], object], workspace: Workspace | None = None) -> Json:
    """What `act` returns, of which nothing else gets out."""
    seen = look(act, workspace)
    if seen.tried is not None:
        raise ToolFailed(f"{tool.name} tried to reach out in a dry run, and was kept from it: {seen.tried}")
    if seen.no is not None:
        raise ToolFailed(seen.no)
    if seen.failed is not None:
        raise ToolFailed(f"{tool.name} failed: {seen.failed}")
    return seen.value


def _read(tool: Tool[Any], arguments: Any) -> Any:  # noqa: ANN401 - the tool's own
    if isinstance(arguments, _Unread):
        return tool.arguments.model_validate_json(arguments.spelled)
    return arguments


def _held_touches(tool: Tool[Any]) -> Callable[[Any], tuple[Touch, ...]]:
    def touches(arguments: Any) -> tuple[Touch, ...]:  # noqa: ANN401 - the tool's own
        def named(_: Workspace) -> object:
            found = tool.touches(_read(tool, arguments))
            return [[touch.path, How(touch.how).value] for touch in found]

        told: Any = _seen(tool, named)
        return tuple(Touch(path=str(path), how=How(how)) for path, how in told)

    return touches


def _held_command(tool: Tool[Any]) -> Callable[[Any], str | None]:
    def command(arguments: Any) -> str | None:  # noqa: ANN401 - the tool's own
        told = _seen(tool, lambda _: tool.command(_read(tool, arguments)))
        return None if told is None else _text(tool, told)

    return command


def _answering(tool: Tool[Any], act: Callable[[Any, Stage], object]) -> Callable[[Any, Stage], str]:
    def answered(arguments: Any, stage: Stage) -> str:  # noqa: ANN401 - the tool's own
        given = _given(stage)

        def told(workspace: Workspace) -> object:
            return act(_read(tool, arguments), replace(given, workspace=workspace))

        return _text(tool, _seen(tool, told, given.workspace))

    return answered


def _doing(tool: Tool[Any], act: Callable[[Any, Stage], object]) -> Callable[[Any, Stage], str]:
    """For real. What it raises by mistake may come before its effect or after: nobody can tell."""

    def done(arguments: Any, stage: Stage) -> str:  # noqa: ANN401 - the tool's own
        try:
            return _text(tool, act(_read(tool, arguments), _given(stage)))
        except ToolFailed:
            raise
        except (Exception, SystemExit) as mistake:
            words = " ".join(str(storable(str(mistake))).split())[:300]
            said = f"{tool.name} failed: {type(mistake).__name__}{f': {words}' if words else ''}"
            raise OutcomeUnknown(said) from mistake

    return done


def _given(stage: Stage) -> Stage:
    """The workspace alone. What is secret is so to others' tools as well, whatever they say they touch."""
    return replace(stage, workspace=_Shown(stage), lookout=None, desk=None, web=None, outputs=Outputs())


class _Shown:
    """A workspace in the hands of others' code."""

    def __init__(self, stage: Stage) -> None:
        self._workspace: Final = stage.workspace
        self._is_hidden: Final = stage.is_hidden

    def entry(self, path: str) -> Entry | None:
        return self._workspace.entry(path)

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        return self._workspace.modes(paths)

    def paths(self) -> Sequence[str]:
        return self._workspace.paths()

    def is_folder(self, path: str) -> bool:
        return self._workspace.is_folder(path)

    def read(self, path: str) -> bytes:
        if self._is_hidden(path):
            raise ToolFailed(f"{path} is secret: it is listed, but its content is not shown to you")
        return self._workspace.read(path)

    def search(
        self, pattern: str, *, fixed: bool, ignore_case: bool, paths: Sequence[str], most: int
    ) -> Sequence[Match]:
        shown = [path for path in paths if not self._is_hidden(path)]
        return self._workspace.search(pattern, fixed=fixed, ignore_case=ignore_case, paths=shown, most=most)

    def write(self, path: str, content: bytes, *, executable: bool | None = None) -> None:
        self._workspace.write(path, content, executable=executable)

    def delete(self, path: str) -> None:
        self._workspace.delete(path)


def _held_arguments(tool: Tool[Any]) -> type[Arguments]:
    """Their own class, which reads nothing where it is not held."""
    theirs: type[Arguments] = tool.arguments

    @cache
    def schema() -> Any:  # noqa: ANN401 - a JSON Schema
        return _seen(tool, lambda _: theirs.model_json_schema())

    def read(spelled: bytes) -> Any:  # noqa: ANN401 - stands for their own class
        def fits(_: Workspace) -> None:
            try:
                theirs.model_validate_json(spelled)
            except ValidationError as error:
                raise ToolFailed(_wrong(error)) from error

        _seen(tool, fits)
        return _Unread(spelled)

    class Held(theirs):  # type: ignore[misc, valid-type]
        @classmethod
        def model_validate_json(cls, json_data: Any, **_: Any) -> Any:  # noqa: ANN401
            return read(json_data)

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:  # noqa: ANN401
            return deepcopy(schema())

    Held.__name__, Held.__doc__ = theirs.__name__, theirs.__doc__
    return Held


def _wrong(error: ValidationError) -> str:
    found = (
        f"{'.'.join(str(part) for part in problem['loc']) or 'arguments'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False)
    )
    return str(storable("; ".join(found)))


def _text(tool: Tool[Any], answer: object) -> str:
    if not isinstance(answer, str):
        raise ToolFailed(f"{tool.name} answered with {type(answer).__name__}, and not with text")
    if len(answer) > _MOST_CHARACTERS:
        return f"{answer[:_MOST_CHARACTERS]}\n(and {len(answer) - _MOST_CHARACTERS:,} characters more)"
    return answer


_MOST_CHARACTERS: Final = 100_000
