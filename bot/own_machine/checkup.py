"""This machine and repository -> what works here and what is missing, each with the next step."""

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.config import Config, read_config
from bot.config.policy_lint import findings_in
from bot.errors import BotError, ToolFailed
from bot.foreign.plugins import known_tools
from bot.outside.git import Git
from bot.outside.journal import Journal
from bot.outside.own_repository import OwnRepository
from bot.outside.sandbox import LandlockShell
from bot.outside.search import Ripgrep
from bot.own_machine import CONFIG_PATH
from bot.terminal.surroundings import Surroundings
from bot.workspace import Place

_OLDEST_GIT = (2, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """`next_step` is None where all is well. Without what `is_needed`, nothing works here."""

    what: str
    found: str
    next_step: str | None = None
    is_needed: bool = True


def checkup(folder: Path, surroundings: Surroundings) -> Iterator[Check]:
    """Nothing is asked of any server, and nothing is changed."""
    yield Check(what="Python", found=sys.version.split()[0])
    git = _git()
    yield git
    yield _search()
    yield _model(surroundings)
    yield _sandbox()
    if git.next_step is None:
        yield from _repository(folder, surroundings)


def _git() -> Check:
    try:
        said = (Git(Path()).says("--version") or b"").decode("utf-8", "replace").strip()
    except BotError as error:
        return Check(what="git", found=error.what, next_step=error.next_step)
    found = re.search(r"(\d+)\.(\d+)", said)
    is_new = found is not None and (int(found[1]), int(found[2])) >= _OLDEST_GIT
    return Check(what="git", found=said, next_step=None if is_new else "install git 2.30 or newer")


def _search() -> Check:
    """Done for real: the program may be there and not run."""
    with tempfile.TemporaryDirectory(prefix="dryrun-bot-") as folder:
        (Path(folder) / "a").write_text("needle\n")
        places = [Place(folder=folder, names={"a": "a"})]
        try:
            hits = Ripgrep().search(places, "needle", fixed=True, ignore_case=False, most=1)
        except (BotError, ToolFailed) as failed:
            return Check(
                what="Search", found=str(failed), next_step="reinstall dryrun-bot with its dependencies"
            )
    return Check(
        what="Search", found="works" if hits else "finds nothing", next_step=None if hits else "report this"
    )


def _model(surroundings: Surroundings) -> Check:
    if surroundings.base_url is not None:
        return Check(what="Model", found="the server in OPENAI_BASE_URL (not asked)")
    if surroundings.api_key is not None:
        return Check(what="Model", found="OPENAI_API_KEY is set (not tried)")
    return Check(
        what="Model",
        found="no key",
        next_step="set OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys",
        is_needed=False,
    )


def _sandbox() -> Check:
    """Done for real as well: kernels and containers differ."""
    what = "Commands"
    with tempfile.TemporaryDirectory(prefix="dryrun-bot-") as folder:
        try:
            ran = LandlockShell().run("true", folder=Path(folder), timeout_s=30)
        except BotError as error:
            return Check(what=what, found=error.what, next_step=error.next_step, is_needed=False)
    if ran.exit_code != 0:
        return Check(
            what=what, found=f"they fail: {ran.output.strip()}", next_step="report this", is_needed=False
        )
    return Check(what=what, found="run confined")


def _repository(folder: Path, surroundings: Surroundings) -> Iterator[Check]:
    try:
        repository = OwnRepository.opened(folder, home=surroundings.home)
    except BotError as error:
        yield Check(what="Repository", found=error.what, next_step=error.next_step)
        return
    yield Check(what="Repository", found=f"{repository.name} in {repository.root}")
    if Journal(repository.private_folder, repository.root).is_open:
        yield Check(
            what="Files",
            found="a run was killed while it wrote here",
            next_step="run `git status`; the next live run or apply takes back what was half done",
        )
    yield _configuration(repository, surroundings)
    yield _workflow(repository)


def _configuration(repository: OwnRepository, surroundings: Surroundings) -> Check:
    what, committed = "Configuration", repository.committed(CONFIG_PATH)
    file = repository.root / CONFIG_PATH
    if committed is None:
        found, next_step = "none: the defaults hold", "run dryrun-bot init"
        if file.is_file():
            found, next_step = (
                f"{CONFIG_PATH} is not committed, so the defaults hold",
                f"git add {CONFIG_PATH}, and commit",
            )
        return Check(what=what, found=found, next_step=next_step, is_needed=False)
    try:
        config: Config = read_config(committed, file=CONFIG_PATH)
    except BotError as error:
        return Check(what=what, found=error.what, next_step=error.next_step)
    if findings := findings_in(config, tools=known_tools()):
        found = f"{len(findings)} rules that may not do what they seem to"
        return Check(what=what, found=found, next_step="run dryrun-bot policy check", is_needed=False)
    if config.extends is not None and surroundings.github_token is None:
        found = f"it extends {config.extends}, and there is no token to read that with"
        next_step = "set GITHUB_TOKEN, or give run and apply a copy of it with --extends FILE"
        return Check(what=what, found=found, next_step=next_step, is_needed=False)
    tasks = ", ".join(config.tasks) or "none"
    return Check(what=what, found=f"{CONFIG_PATH}, tasks: {tasks}")


def _workflow(repository: OwnRepository) -> Check:
    folder = repository.root / ".github" / "workflows"
    for file in sorted(folder.glob("*.y*ml")) if folder.is_dir() else ():
        if "dryrun-bot" in file.read_text("utf-8", "replace"):
            return Check(what="Workflow", found=str(file.relative_to(repository.root)))
    return Check(
        what="Workflow",
        found="none: the bot doesn't answer on pull requests",
        next_step="run dryrun-bot init",
        is_needed=False,
    )
