"""(A tool of somebody else's) -> the same tool, held: it can't reach out in a rehearsal, nor end a run.

While it is read from, judged or rehearsed it is restrained, whatever kind it claims; and whatever it raises
or returns is an answer.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from bot.action import Kind, storable
from bot.errors import OutcomeUnknown, ToolFailed
from bot.restraint import lifted, restrained
from bot.tools.tool import Arguments, Stage, Tool

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
        workspace: Any = _Free(stage.workspace)
        return _text(tool, look(arguments, replace(stage, workspace=workspace)))

    return answered


def _doing(tool: Tool[Any], act: Callable[[Any, Stage], object]) -> Callable[[Any, Stage], str]:
    """For real. What it raises by mistake may come before its effect or after: nobody can tell."""

    def done(arguments: Any, stage: Stage) -> str:  # noqa: ANN401 - the tool's own
        try:
            return _text(tool, act(arguments, stage))
        except ToolFailed:
            raise
        except (Exception, SystemExit) as mistake:
            raise OutcomeUnknown(_said(tool, mistake, [])) from mistake

    return done


class _Free:
    """One of our own parts in the hands of restrained code: a search starts ripgrep, and may."""

    def __init__(self, part: object) -> None:
        self._part = part

    def __getattr__(self, name: str) -> object:
        found = getattr(self._part, name)
        if not callable(found):
            return found

        def called(*given: object, **named: object) -> object:
            with lifted():
                return found(*given, **named)

        return called


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
