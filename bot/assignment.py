"""(Event or `/plan`, configuration) -> which tasks the agent is given."""

from collections.abc import Sequence
from typing import TypeAlias

from bot.command import Plan
from bot.config import Config, Task
from bot.dataclass import dataclass
from bot.errors import Reason
from bot.refusal import Refusal

AD_HOC = "ad-hoc"

_SAY_IT = "Say what you want: `/plan fix the typos in docs/`."
_ADD_ONE = "Add a task to .github/dryrun-bot.yml on the default branch."


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A task's name, and the words that the model is given."""

    name: str
    words: str


Assigned: TypeAlias = tuple[Assignment, ...] | Refusal


def due(config: Config, *, action: str, changed: Sequence[str]) -> tuple[Assignment, ...]:
    """The tasks that this event of a pull request starts by itself; several give a plan each."""
    return tuple(
        Assignment(name=name, words=task.prompt)
        for name, task in config.tasks.items()
        if action in task.on and _concerns(task, changed)
    )


def _concerns(task: Task, changed: Sequence[str]) -> bool:
    if not task.paths:
        return True
    from pathspec import GitIgnoreSpec

    patterns = GitIgnoreSpec.from_lines(task.paths)
    return any(patterns.match_file(path) for path in changed)


def asked_for(config: Config, asked: Plan) -> Assigned:
    """What `/plan` means here: a task by name, with further words or none; or free words, where allowed."""
    names = ", ".join(f"`/plan {name}`" for name in config.tasks)
    if asked.first_word in config.tasks:
        task = config.tasks[str(asked.first_word)]
        words = f"{task.prompt}\n\n{asked.further_words}".strip()
        return (Assignment(name=str(asked.first_word), words=words),)
    if asked.text and config.ad_hoc_tasks:
        return (Assignment(name=AD_HOC, words=asked.text),)
    if asked.text:
        return Refusal(
            reason=Reason.UNKNOWN_TASK,
            detail="There is no task of that name, and free words are switched off here (`ad_hoc_tasks`).",
            next_step=f"Comment one of {names}." if names else _ADD_ONE,
        )
    by_itself = [name for name, task in config.tasks.items() if task.on] or list(config.tasks)[:1]
    if not by_itself:
        return Refusal(
            reason=Reason.NO_TASK,
            detail="No task is configured here, so a bare `/plan` has nothing to do.",
            next_step=_SAY_IT if config.ad_hoc_tasks else _ADD_ONE,
        )
    return tuple(Assignment(name=name, words=config.tasks[name].prompt) for name in by_itself)
