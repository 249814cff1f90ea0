"""What governs a pull request: the configuration, and the policies that judge. Asked of GitHub, never of the
work tree.

The configuration comes from the live tip of the default branch. Where a pull request goes onto another
branch, that branch's own policy judges as well: whoever opens a pull request picks its base.
"""

import hashlib
from collections.abc import Mapping

from bot import CONFIG_PATH
from bot.action import canonical
from bot.config import DEFAULT, Config
from bot.config.governing import governing
from bot.dataclass import dataclass
from bot.errors import BadConfig
from bot.gate.policy import Policy
from bot.pull_request import Tip
from bot.sentence import Sentence
from bot.world import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """`policy_sha` is the commit that `config` was read from, `base_sha` the live tip of the base branch.

    `template` is the text of the repository's own layout of the plan, if it has one.
    All of `policies` judge, and the strictest verdict counts; `digest` is over all of them.
    """

    config: Config
    policy_sha: str
    base_sha: str
    policies: tuple[Policy, ...]
    digest: str
    template: str | None = None

    def is_secret(self, path: str) -> bool:
        """Whether any policy keeps it from everybody."""
        return any(policy.is_secret(path) for policy in self.policies)


def read_rules(
    repository: Repository,
    *,
    default_branch: str,
    base: str | None = None,
    tips: Mapping[str, Tip] | None = None,
) -> Rules:
    """Raises BadConfig when a policy can't be read: without one that holds, nothing is done.

    `tips` are those of both branches, where they are known already.
    """
    branches = [default_branch] if base in {None, default_branch} else [default_branch, str(base)]
    if tips is None:
        tips = repository.tips(branches, path=CONFIG_PATH)
    policy, target = tips[default_branch], tips[branches[-1]]
    config = _config(policy, repository) or DEFAULT
    configs = [config]
    if target is not policy and (own := _config(target, repository)):
        configs.append(own)
    digests = [governing.policy_digest for governing in configs]
    return Rules(
        config=config,
        policy_sha=policy.sha,
        base_sha=target.sha,
        policies=tuple(judge for governing in configs for judge in governing.policies),
        template=_template(config, repository, at=policy.sha),
        digest=digests[0] if len(digests) == 1 else hashlib.sha256(canonical(digests)).hexdigest(),
    )


def _config(tip: Tip, repository: Repository) -> Config | None:
    if tip.file is None:
        return None
    return governing(
        tip.file,
        file=CONFIG_PATH,
        fetch=lambda it: repository.organisations(it.repository).file(it.path, at=it.ref),
        next_step=Sentence(
            "check the name, and give the action the input org-token if the repository is private"
        ),
    )


def _template(config: Config, repository: Repository, *, at: str) -> str | None:
    if config.template is None:
        return None
    text = repository.file(config.template, at=at)
    if text is None:
        raise BadConfig(
            "%(file)s: template: there is no file %(template)s on the default branch",
            file=CONFIG_PATH,
            template=config.template,
            next_step="add the file, or take `template` out",
        ).told_in(config.language)
    return text.decode("utf-8", "replace")
