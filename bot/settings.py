"""Environment variables -> Settings: everything a run is told by its runner, read once and handed on.

A secret never prints: only `reveal` gives it away, and only the doors to the outside call that.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from bot.dataclass import dataclass
from bot.errors import BadUsage
from bot.sentence import Sentence


class Secret:
    """A word that never shows in a message, a log or a traceback.

    No dataclass, for `asdict` of whatever holds one would spell it out.
    """

    __slots__ = ("_word",)

    def __init__(self, word: str) -> None:
        self._word = word

    def reveal(self) -> str:
        return self._word

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled or copied to anywhere")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The action's own inputs. `pull_request` and `task` are for workflow_dispatch."""

    pull_request: int | None = None
    task: str | None = None
    signing_key: Secret | None = None
    org_token: Secret | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`actor` started the event, `triggering_actor` this attempt: they differ on a re-run by somebody else.

    `out` is the one folder that the bot writes to. `locale` is the machine's, as in `es_ES`, or None.
    """

    repository: str
    event_name: str
    event_path: Path
    workspace: Path
    out: Path
    api_url: str
    graphql_url: str
    server_url: str
    token: Secret
    actor: str
    triggering_actor: str
    run_id: int
    run_attempt: int
    openai_api_key: Secret | None
    openai_base_url: str | None
    inputs: Inputs
    locale: str | None

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every value that must not be seen anywhere."""
        all_of_them = (self.token, self.openai_api_key, self.inputs.signing_key, self.inputs.org_token)
        return tuple(secret.reveal() for secret in all_of_them if secret is not None)

    @property
    def run_url(self) -> str:
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}"

    @property
    def is_rerun(self) -> bool:
        return self.run_attempt > 1


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Raises BadUsage with the name of the variable that is missing or can't be used."""
    api_url = environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    actor = _needed(environ, "GITHUB_ACTOR")
    repository = _needed(environ, "GITHUB_REPOSITORY")
    if not is_repository_name(repository):
        raise _unusable("GITHUB_REPOSITORY", repository, Sentence("owner/name"))
    return Settings(
        repository=repository,
        event_name=_needed(environ, "GITHUB_EVENT_NAME"),
        event_path=Path(_needed(environ, "GITHUB_EVENT_PATH")),
        workspace=Path(_needed(environ, "GITHUB_WORKSPACE")),
        out=Path(_needed(environ, "RUNNER_TEMP")) / "dryrun-bot",
        api_url=api_url,
        graphql_url=environ.get("GITHUB_GRAPHQL_URL") or api_url.removesuffix("/v3") + "/graphql",
        server_url=environ.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/"),
        token=_token(environ),
        actor=actor,
        triggering_actor=environ.get("GITHUB_TRIGGERING_ACTOR") or actor,
        run_id=_number("GITHUB_RUN_ID", environ.get("GITHUB_RUN_ID") or "0"),
        run_attempt=_number("GITHUB_RUN_ATTEMPT", environ.get("GITHUB_RUN_ATTEMPT") or "1"),
        openai_api_key=_secret(environ.get("OPENAI_API_KEY")),
        openai_base_url=environ.get("OPENAI_BASE_URL") or None,
        inputs=_inputs(environ),
        locale=locale_of(environ),
    )


def is_repository_name(name: str) -> bool:
    """Whether it is `owner/name` in GitHub's alphabet, so that it can stand in a URL as it is."""
    return re.fullmatch(r"[A-Za-z0-9_-]+/(?!\.{1,2}$)[A-Za-z0-9._-]+", name) is not None


def _inputs(environ: Mapping[str, str]) -> Inputs:
    number = _input(environ, "pull-request")
    return Inputs(
        pull_request=None if number is None else _number("INPUT_PULL-REQUEST", number),
        task=_input(environ, "task"),
        signing_key=_secret(_input(environ, "signing-key")),
        org_token=_secret(_input(environ, "org-token")),
    )


def _input(environ: Mapping[str, str], name: str) -> str | None:
    # The runner writes INPUT_SIGNING-KEY; a composite action's shell can't, and passes INPUT_SIGNING_KEY.
    variable = f"INPUT_{name.upper()}"
    value = environ.get(variable) or environ.get(variable.replace("-", "_")) or ""
    return value.strip() or None


def _token(environ: Mapping[str, str]) -> Secret:
    token = _input(environ, "github-token") or environ.get("GITHUB_TOKEN")
    if not token:
        raise _missing("GITHUB_TOKEN")
    if not token.isascii() or not token.isprintable() or " " in token:
        # Not shown: it is a secret all the same.
        raise BadUsage("GITHUB_TOKEN has characters that no token has", next_step="set the secret again")
    return Secret(token)


def _needed(environ: Mapping[str, str], variable: str) -> str:
    if value := environ.get(variable):
        return value
    raise _missing(variable)


def _missing(variable: str) -> BadUsage:
    return BadUsage(
        "The environment variable %(variable)s is missing",
        variable=variable,
        next_step="run this as a GitHub Action, or set %(variable)s",
    )


def _unusable(variable: str, value: str, wanted: Sentence) -> BadUsage:
    return BadUsage(
        "%(variable)s is %(value)s, which is not %(wanted)s",
        variable=variable,
        value=repr(value),
        wanted=wanted,
        next_step="set %(variable)s to %(wanted)s",
    )


def _number(variable: str, value: str) -> int:
    if re.fullmatch(r"[0-9]{1,18}", value):
        return int(value)
    raise _unusable(variable, value, Sentence("a whole number"))


def _secret(value: str | None) -> Secret | None:
    return Secret(value) if value else None


def locale_of(environ: Mapping[str, str]) -> str | None:
    spelled = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    name = spelled.partition(".")[0].partition("@")[0]
    return None if name in {"", "C", "POSIX"} else name
