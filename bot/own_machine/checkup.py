"""This machine and repository -> what works here and what is missing, each with the next step."""

import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bot import CONFIG_PATH, __version__
from bot.config import Config, read_config
from bot.config.policy_lint import findings_in
from bot.errors import BotError, ToolFailed
from bot.foreign.plugins import known_tools
from bot.outside.git import Git
from bot.outside.journal import Journal
from bot.outside.own_repository import OwnRepository
from bot.outside.sandbox import LandlockShell
from bot.outside.search import Ripgrep
from bot.own_machine.reachability import github_check, model_check
from bot.own_machine.workflow_checkup import Check, workflow_checkup
from bot.terminal.surroundings import Surroundings
from bot.workspace import Place

_OLDEST_GIT = (2, 30)


def checkup(folder: Path, surroundings: Surroundings, *, is_offline: bool = False) -> Iterator[Check]:
    """Nothing is changed, no model answers, and nothing costs anything. `is_offline`: no server is asked."""
    yield Check(what="Python", found=f"{platform.python_version()}, dryrun-bot {__version__}, {sys.platform}")
    git = _git()
    yield git
    yield _search()
    yield _sandbox()
    if git.next_step is not None:
        return
    try:
        repository = OwnRepository.opened(folder, home=surroundings.home)
    except BotError as error:
        yield Check(what="Repository", found=error.what, next_step=error.next_step)
        return
    config = _config(repository)
    yield model_check(surroundings, config, is_offline=is_offline)
    yield from _repository(repository, config, surroundings)
    yield github_check(surroundings, repository.name, is_offline=is_offline)


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


def _repository(
    repository: OwnRepository, config: Config | BotError | None, surroundings: Surroundings
) -> Iterator[Check]:
    yield Check(what="Repository", found=f"{repository.name} in {repository.root}")
    if Journal(repository.private_folder, repository.root).is_open:
        yield Check(
            what="Files",
            found="a run was killed while it wrote here",
            next_step="run `git status`; the next live run or apply takes back what was half done",
        )
    yield _configuration(repository, config, surroundings)
    yield from _workflow(repository)


def _config(repository: OwnRepository) -> Config | BotError | None:
    """As it is committed; None where there is none, and what is wrong with it where it can't be used."""
    committed = repository.committed(CONFIG_PATH)
    try:
        return None if committed is None else read_config(committed, file=CONFIG_PATH)
    except BotError as error:
        return error


def _configuration(
    repository: OwnRepository, config: Config | BotError | None, surroundings: Surroundings
) -> Check:
    what = "Configuration"
    if isinstance(config, BotError):
        return Check(what=what, found=config.what, next_step=config.next_step)
    if config is None:
        found, next_step = "none: the defaults hold", "run dryrun-bot init"
        if (repository.root / CONFIG_PATH).is_file():
            found = f"{CONFIG_PATH} is not committed, so the defaults hold"
            next_step = f"git add {CONFIG_PATH}, and commit"
        return Check(what=what, found=found, next_step=next_step, is_needed=False)
    if findings := findings_in(config, tools=known_tools()):
        found = f"{len(findings)} rules that may not do what they seem to"
        return Check(what=what, found=found, next_step="run dryrun-bot policy check", is_needed=False)
    if config.extends is not None and surroundings.github_token is None:
        found = f"it extends {config.extends}, and there is no token to read that with"
        next_step = "set GITHUB_TOKEN, or give run and apply a copy of it with --extends FILE"
        return Check(what=what, found=found, next_step=next_step, is_needed=False)
    tasks = ", ".join(config.tasks) or "none"
    return Check(what=what, found=f"{CONFIG_PATH}, tasks: {tasks}")


def _workflow(repository: OwnRepository) -> Iterator[Check]:
    folder = repository.root / ".github" / "workflows"
    for file in sorted(folder.glob("*.y*ml")) if folder.is_dir() else ():
        text = file.read_bytes()
        if b"dryrun-bot/dryrun-bot@" in text:
            name = file.relative_to(repository.root).as_posix()
            is_committed = repository.committed(name) is not None
            yield Check(
                what="Workflow",
                found=name if is_committed else f"{name} is not committed",
                next_step=None if is_committed else f"git add {name}, and commit it to the default branch",
                is_needed=False,
            )
            yield from workflow_checkup(text, file=name)
            return
    yield Check(
        what="Workflow",
        found="none: the bot doesn't answer on pull requests",
        next_step="run dryrun-bot init",
        is_needed=False,
    )
