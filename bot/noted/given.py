"""What a dry run was given, apart from files and a model: enough to begin the same one again.

It is kept in the transcript, and so comes back as somebody's bytes: nothing in it is trusted to be ours.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.action import Json
from bot.assignment import Assignment
from bot.config import Config
from bot.dataclass import dataclass
from bot.gate.policy import Policy
from bot.pull_request import PullRequest
from bot.situation import Situation
from bot.situation.rules import Rules


class NotGiven(ValueError):
    """The message says which part of the record is wrong, and how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """`version` is that of the bot, which a plan is bound to."""

    repository: str
    assignment: Assignment
    situation: Situation
    version: str

    def kept(self) -> dict[str, Json]:
        """A `Given` is read back from this."""
        rules = self.situation.rules
        return {
            "repository": self.repository,
            "version": self.version,
            "assignment": asdict(self.assignment),
            "pull_request": asdict(self.situation.pull_request),
            "changed_paths": list(self.situation.changed_paths),
            "rules": {
                "config": _kept_config(rules.config),
                "policies": [_kept(policy) for policy in rules.policies],
                "policy_sha": rules.policy_sha,
                "base_sha": rules.base_sha,
                "digest": rules.digest,
            },
        }


class _Place(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    keys: tuple[str | int, ...]
    line: int


class _Policy(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    policy: Policy
    file: str
    places: tuple[_Place, ...]


class _Rules(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    config: Config
    policies: tuple[_Policy, ...]
    policy_sha: str
    base_sha: str
    digest: str


class _Given(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="ignore")

    repository: str
    version: str
    assignment: Assignment
    pull_request: PullRequest
    changed_paths: tuple[str, ...]
    rules: _Rules


def read_given(kept: Mapping[str, Any]) -> Given:
    """Raises NotGiven."""
    try:
        read = _Given.model_validate(kept)
    except ValidationError as error:
        problem = error.errors()[0]
        raise NotGiven(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}") from error
    rules = read.rules
    return Given(
        repository=read.repository,
        version=read.version,
        assignment=read.assignment,
        situation=Situation(
            pull_request=read.pull_request,
            rules=Rules(
                config=rules.config,
                policy_sha=rules.policy_sha,
                base_sha=rules.base_sha,
                policies=tuple(
                    one.policy.located(one.file, {place.keys: place.line for place in one.places})
                    for one in rules.policies
                ),
                digest=rules.digest,
            ),
            changed_paths=read.changed_paths,
        ),
    )


def _kept_config(config: Config) -> dict[str, Json]:
    """All but the policy, which stands beside it with the lines of its file."""
    kept: dict[str, Json] = config.model_dump(mode="json", exclude={"policy", "mcp"})
    # What a tool simulates is told by which of its keys are there.
    return kept | config.model_dump(mode="json", include={"mcp"}, exclude_unset=True)


def _kept(policy: Policy) -> dict[str, Json]:
    file, lines = policy.location
    places: list[Json] = [{"keys": list(keys), "line": line} for keys, line in lines.items()]
    return {"policy": policy.model_dump(mode="json"), "file": file, "places": places}
