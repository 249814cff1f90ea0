"""The outside itself: GitHub, the model, git, the sandbox, the clock. Only the front door opens it."""

import sys
from collections.abc import Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.kit import Kit, Outside
    from bot.outside.checkout import Blobs
    from bot.outside.github import GitHubRepository
    from bot.outside.llm import OpenAiModel
    from bot.outside.patience import Patience
    from bot.phase import Phase
    from bot.settings import Settings
    from bot.situation import Situation
    from bot.words.redaction import Redactor
    from bot.world import Beyond, Clock, Lookout


def open_outside(
    settings: "Settings",
    *,
    occasion: int,
    environ: Mapping[str, str] = MappingProxyType({}),
    clock: "Clock | None" = None,
    patience: "Patience | None" = None,
    phase: "Phase | None" = None,
) -> "Outside":
    """What one event is answered with; nothing is asked of anybody yet. `occasion` as in `Kit`.

    `environ` is where MCP servers get those variables from that the configuration lets them have.
    """
    from bot.kit import Outside
    from bot.outside.clock import SystemClock
    from bot.outside.closed import ClosedShell, no_model
    from bot.outside.github import connect
    from bot.outside.relay import FolderRelay
    from bot.outside.sandbox import LandlockShell
    from bot.outside.toolbox import toolbox
    from bot.phase import Phase
    from bot.words.redaction import Redactor

    repository = connect(settings, patience=patience)
    redact = Redactor(settings.secrets)
    phase = phase or Phase.ALL
    return Outside(
        kit=_kit(settings, repository, redact, occasion=occasion, clock=clock or SystemClock()),
        llm=partial(_model, settings) if phase.asks_model else partial(no_model, phase),
        shell=LandlockShell() if phase.runs_commands else ClosedShell(phase=phase),
        toolbox=partial(toolbox, environ=environ),
        beyond=partial(_beyond, repository),
        rerun_by=settings.triggering_actor if settings.is_rerun else None,
        phase=phase,
        relay=FolderRelay(folder=settings.out / "handover", phase=phase),
    )


def _kit(
    settings: "Settings",
    repository: "GitHubRepository",
    redact: "Redactor",
    *,
    occasion: int,
    clock: "Clock",
) -> "Kit":
    from bot.kit import Kit
    from bot.outside.archive import FolderArchive
    from bot.outside.checkout import CommitTree, materialise
    from bot.outside.merge import merge
    from bot.outside.search import Ripgrep
    from bot.tools import TOOLS

    bring = partial(_brought, settings)
    return Kit(
        repository=repository,
        # One tree for each commit: what was fetched for it once is not fetched again.
        tree_at=cache(partial(CommitTree, folder=settings.workspace, remote=repository, bring=bring)),
        materialise=materialise,
        merge=merge,
        tools=TOOLS,
        searcher=Ripgrep(),
        archive=FolderArchive(folder=settings.out, redact=redact),
        clock=clock,
        redact=redact,
        signing_key=settings.inputs.signing_key,
        log=partial(_log, redact),
        lookout=partial(_lookout, repository),
        occasion=occasion,
        run_url=settings.run_url,
    )


def _lookout(repository: "GitHubRepository", situation: "Situation") -> "Lookout":
    from bot.outside.desk import GitHubLookout

    pull_request, at = situation.pull_request, situation.rules.policy_sha
    return GitHubLookout(repository=repository, pull_request=pull_request, at=at)


def _beyond(repository: "GitHubRepository", situation: "Situation") -> "Beyond":
    from bot.outside.desk import GitHubDesk
    from bot.outside.web import PublicWeb
    from bot.world import Beyond

    pull_request, at = situation.pull_request, situation.rules.policy_sha
    desk = GitHubDesk(repository=repository, pull_request=pull_request, at=at)
    return Beyond(desk=desk, web=PublicWeb())


def _log(redact: "Redactor", line: str) -> None:
    """To stderr, where the runner obeys no line of it."""
    from bot.words.sanitise import for_log

    print(redact(for_log(line)), file=sys.stderr)  # noqa: T201 - the job's log


def _brought(settings: "Settings", commit: str) -> "Blobs":
    """A fork's commits are in the repository that its pull request is made to, too."""
    from bot.outside.fetch import Fetched

    fetched = Fetched(f"{settings.server_url}/{settings.repository}.git", settings.token)
    fetched.bring(commit)
    return fetched.blob


def _model(settings: "Settings", name: str) -> "OpenAiModel":
    from bot.errors import BadUsage
    from bot.outside.llm import OpenAiModel, load_ahead

    key = settings.openai_api_key
    if key is None and settings.openai_base_url is None:
        raise BadUsage(
            "There is no key for the model: OPENAI_API_KEY is empty",
            next_step="give the action the input openai-api-key; a server without keys needs openai-base-url",
        )
    # Whoever opens one asks it soon, and GitHub and git are asked before that.
    load_ahead()
    # The client insists on a key, also for servers that ask for none.
    return OpenAiModel(model=name, api_key=key.reveal() if key else "none", base_url=settings.openai_base_url)
