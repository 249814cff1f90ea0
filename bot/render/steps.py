"""Step -> what a table row and a fold say of it.

Words of others are still bare here: the template's filters wait.
"""

import json
from enum import StrEnum
from typing import Final

from bot.dataclass import dataclass
from bot.plan import Effect, Step
from bot.plan.call import call_on_a_line, call_to_read, output_to_read
from bot.plan.tried import Tried
from bot.render.patch import Patch, patch_of, tells
from bot.workspace import Mode


class Verb(StrEnum):
    """What a step does, for the reader; the template has the words."""

    CREATE = "create"
    EDIT = "edit"
    DELETE = "delete"
    MODE = "mode"
    SEVERAL = "several"
    RUN = "run"
    CALL = "call"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """One path of a step.

    `mode` is the new mode where it changed to an executable, a link or back, else "".
    """

    verb: Verb
    path: str
    mode: str
    patch: Patch
    is_told: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """`object` is the path, the command line or the arguments. `badge` is an outcome, or "failed".

    `call` is the whole call, where the files don't tell what it does; `spelled` is every call, on one line.
    `expected` and `concerns` are the second model's words. `rehearsed` says how a command ended that was run
    in the sandbox, "" of one that was not; `output` is what it said, `unsteady` what a second try did
    otherwise.
    `is_told` says whether files and call together let a reader see all that it would do.
    """

    number: int
    tool: str
    verb: Verb
    object: str
    badge: str
    reason: str
    rule: str
    source: str
    intent: str
    error: str
    depends_on: tuple[int, ...]
    conditional_on: tuple[int, ...]
    expected: str
    concerns: tuple[str, ...]
    files: tuple[FileView, ...]
    call: str
    rehearsed: str
    output: str
    unsteady: tuple[str, ...]
    spelled: str
    added: int
    removed: int
    is_performed: bool
    is_told: bool


def view(step: Step) -> StepView:
    files = tuple(map(_file, step.effects))
    verb, target = _headline(step, files)
    return StepView(
        number=step.number,
        tool=step.tool,
        verb=verb,
        object=target,
        badge=step.badge,
        reason=step.verdict.reason,
        rule=step.verdict.rule,
        source=step.verdict.source,
        intent=step.intent or "",
        error=step.error or "",
        depends_on=step.depends_on,
        conditional_on=step.conditional_on,
        expected=_expected(step),
        concerns=_concerns(step),
        files=files,
        call=call_to_read(step),
        rehearsed=_ended(step.rehearsed),
        output=output_to_read(step),
        unsteady=() if step.rehearsed is None else step.rehearsed.unsteady,
        spelled=call_on_a_line(step),
        added=sum(file.patch.added for file in files),
        removed=sum(file.patch.removed for file in files),
        is_performed=step.is_performed,
        is_told=all(file.is_told for file in files),
    )


def _file(effect: Effect) -> FileView:
    patch = patch_of(effect)
    if effect.blob_before is None:
        verb = Verb.CREATE
    elif effect.blob_after is None:
        verb = Verb.DELETE
    else:
        verb = Verb.MODE if effect.blob_before == effect.blob_after else Verb.EDIT
    was = effect.mode_before or Mode.FILE
    changed = effect.mode_after is not None and effect.mode_after is not was
    mode = effect.mode_after.value if changed and effect.mode_after else ""
    return FileView(verb=verb, path=effect.path, mode=mode, patch=patch, is_told=tells(effect, patch))


def _headline(step: Step, files: tuple[FileView, ...]) -> tuple[Verb, str]:
    if step.is_command:
        return Verb.RUN, str(step.arguments["command"])
    if len(files) == 1:
        return files[0].verb, files[0].path
    if files:
        return Verb.SEVERAL, files[0].path
    command = step.arguments.get("command")
    if isinstance(command, str):
        return Verb.RUN, command
    path = step.arguments.get("path")
    return Verb.CALL, path if isinstance(path, str) else _arguments(step)


def _ended(tried: Tried | None) -> str:
    """In English; the catalogue has it in others."""
    if tried is None:
        return ""
    return f"exit code {tried.exit_code}" if tried.stopped_by is None else _STOPPED[tried.stopped_by]


def _arguments(step: Step) -> str:
    return json.dumps(step.arguments, ensure_ascii=False, separators=(", ", ": ")) if step.arguments else ""


def _expected(step: Step) -> str:
    """What the second model predicts, in its words."""
    expected = (step.advice or {}).get("predicted_effect")
    return expected if isinstance(expected, str) else ""


def _concerns(step: Step) -> tuple[str, ...]:
    """What the advising model worries about; its words, whatever shape they came in."""
    concerns = (step.advice or {}).get("concerns")
    return tuple(str(concern) for concern in concerns) if isinstance(concerns, list | tuple) else ()


_STOPPED: Final = {
    "time": "stopped: it took too long",
    "memory": "stopped: it took too much memory",
    "written": "stopped: it wrote too much",
    "processes": "stopped: it started too many processes",
    "output": "stopped: it said too much",
}
