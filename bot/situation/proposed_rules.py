"""What a pull request would make of the rules if it were merged: somebody's data, which permits nothing.

It is read to be compared with the rules that hold. What it extends is not fetched: a pull request must not
choose what the bot reads with its tokens.
"""

from collections.abc import Mapping

from bot import CONFIG_PATH
from bot.config import DEFAULT, Config, read_config
from bot.dataclass import dataclass
from bot.gate.policy import Policy
from bot.situation.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedRules:
    """`policies` judge then; `findings` are sentences on what can't be known before."""

    config: Config
    policies: tuple[Policy, ...]
    findings: tuple[str, ...] = ()

    def changes_policy(self, rules: Rules) -> bool:
        now = [policy.model_dump() for policy in rules.config.policies]
        return [policy.model_dump() for policy in self.policies] != now

    def changes_decisions(self, rules: Rules) -> bool:
        """Whether a model is asked in other words, or another one."""
        return (
            _prompts(self.config) != _prompts(rules.config)
            or self.config.model.name != rules.config.model.name
        )


def proposed_rules(text: bytes | None, rules: Rules) -> ProposedRules:
    """`text` is the file as the pull request has it, None where it takes it away. Raises BadConfig."""
    own = DEFAULT if text is None else read_config(text, file=CONFIG_PATH)
    if own.extends is None:
        return ProposedRules(config=own, policies=(own.policy,))
    if own.extends == rules.config.extends:
        return ProposedRules(config=own, policies=(*rules.config.policies[:-1], own.policy))
    what = f"it extends {own.extends}, which is not read before this is merged"
    return ProposedRules(
        config=own, policies=(own.policy,), findings=(f"{what}: verdicts may be stricter then",)
    )


def _prompts(config: Config) -> Mapping[str, str]:
    return {name: task.prompt for name, task in config.tasks.items()}
