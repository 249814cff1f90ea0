"""A pull request as it stands now, and the rules that govern it there."""

from bot.dataclass import dataclass
from bot.pull_request import PullRequest
from bot.situation.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """`changed_paths` are those that the pull request touches, asked for where a task depends on them."""

    pull_request: PullRequest
    rules: Rules
    changed_paths: tuple[str, ...] = ()
