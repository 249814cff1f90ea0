"""What governs a pull request: the configuration, and the policies that judge. Asked of GitHub, never of the
work tree.

The configuration comes from the live tip of the default branch. Where a pull request goes onto another
branch, that branch's own policy judges as well: whoever opens a pull request picks its base.
"""

import hashlib
from dataclasses import dataclass

from bot.action import canonical
from bot.config import DEFAULT, Config, read_config
from bot.policy import Policy
from bot.world import Repository

CONFIG_PATH = ".github/dryrun-bot.yml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """`policy_sha` is the commit that `config` was read from, `base_sha` the live tip of the base branch.

    All of `policies` judge, and the strictest verdict counts; `digest` is over all of them.
    """

    config: Config
    policy_sha: str
    base_sha: str
    policies: tuple[Policy, ...]
    digest: str


def read_rules(repository: Repository, *, default_branch: str, base: str | None = None) -> Rules:
    """Raises BadConfig when a policy can't be read: without one that holds, nothing is done."""
    policy_sha = repository.tip(default_branch)
    config = _config(repository, at=policy_sha) or DEFAULT
    base_sha, configs = policy_sha, [config]
    if base not in {None, default_branch}:
        base_sha = repository.tip(str(base))
        if own := _config(repository, at=base_sha):
            configs.append(own)
    digests = [governing.policy_digest for governing in configs]
    return Rules(
        config=config,
        policy_sha=policy_sha,
        base_sha=base_sha,
        policies=tuple(governing.policy for governing in configs),
        digest=digests[0] if len(digests) == 1 else hashlib.sha256(canonical(digests)).hexdigest(),
    )


def _config(repository: Repository, *, at: str) -> Config | None:
    text = repository.file(CONFIG_PATH, at=at)
    return None if text is None else read_config(text, file=CONFIG_PATH)
