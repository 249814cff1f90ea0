"""What a recorded task is called for in words now: by one new prompt, or by a configuration's tasks."""

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from bot.config import Config, Task
from bot.dataclass import dataclass
from bot.noted.given import Given


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """`prompt` is for every run; else `tasks` has that of each. Runs of neither keep their words."""

    prompt: str | None = None
    tasks: Mapping[str, Task] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, config: Config) -> "Wording":
        return cls(tasks=config.tasks)

    def words(self, given: Given) -> str:
        """Further words, which somebody wrote behind the task's name, stay behind the new prompt."""
        words, name = given.assignment.words, given.assignment.name
        if self.prompt is not None:
            return self.prompt
        if name not in self.tasks:
            return words
        recorded = given.situation.rules.config.tasks.get(name)
        if recorded is not None and words.startswith(recorded.prompt):
            return self.tasks[name].prompt + words.removeprefix(recorded.prompt)
        return self.tasks[name].prompt
