"""Step -> what a table row and a fold say of it.

Words of others are still bare here: the template's filters wait.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.action import Kind
from bot.plan import Effect, Step
from bot.plan.tried import Tried, ends_of
from bot.render.patch import Patch, patch_of, tells
from bot.verdict import Outcome
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
    # What changes files is told by their diffs; everything else by the call itself.
    call = "" if files and step.kind is Kind.WRITE else _call(step)
    return StepView(
        number=step.number,
        tool=step.tool,
        verb=verb,
        object=target,
        badge="failed" if step.error is not None and _is_open(step) else step.verdict.outcome.value,
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
        call=call,
        rehearsed=_ended(step.rehearsed),
        output="" if step.rehearsed is None else ends_of(step.rehearsed.output, most=_MOST_OUTPUT),
        unsteady=() if step.rehearsed is None else step.rehearsed.unsteady,
        spelled=_spelled(step),
        added=sum(file.patch.added for file in files),
        removed=sum(file.patch.removed for file in files),
        is_performed=step.is_performed,
        is_told=all(file.is_told for file in files),
    )


def _is_open(step: Step) -> bool:
    return step.verdict.outcome is not Outcome.DENY


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
    if tried is None:
        return ""
    return f"exit code {tried.exit_code}" if tried.stopped_by is None else f"stopped: {tried.stopped_by}"


def _call(step: Step) -> str:
    """The whole call, as text for a code block; a command line alone stands as it is."""
    command = step.arguments.get("command")
    if isinstance(command, str) and set(step.arguments) == {"command"}:
        return "\n".join(f"{'>' if at else '$'} {line}" for at, line in enumerate(command.split("\n")))
    lines = [step.tool]
    for name, value in step.arguments.items():
        if isinstance(value, str) and "\n" in value:
            lines += [f"  {name}:", *(f"  │ {line}" for line in value.split("\n"))]
        else:
            lines.append(f"  {name}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines)


def _spelled(step: Step) -> str:
    named = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in step.arguments.items())
    return f"{step.tool}({', '.join(named)})"


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


# All of what is kept is in the plan record.
_MOST_OUTPUT: Final = 1_500
