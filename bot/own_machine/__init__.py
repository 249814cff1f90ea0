"""This machine, opened for a run in a terminal: the repository, its rules, its tools, the model."""

from pathlib import Path
from typing import TYPE_CHECKING

from bot import CONFIG_PATH
from bot.config import DEFAULT, Config
from bot.dataclass import dataclass
from bot.errors import BadUsage
from bot.foreign.plugins import known_tools
from bot.local_run.home import Home
from bot.outside.checkout import materialise
from bot.outside.clock import SystemClock
from bot.outside.journal import Journal
from bot.outside.own_repository import OwnRepository
from bot.outside.sandbox import LandlockShell
from bot.outside.search import Ripgrep
from bot.own_machine.extended import read_own_config
from bot.terminal.surroundings import Surroundings
from bot.tools import registry
from bot.words.redaction import Redactor
from bot.workspace.snapshot import Snapshot

if TYPE_CHECKING:
    from bot.outside.llm import OpenAiModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """`journal` is the only way to write to the person's files."""

    home: Home
    repository: OwnRepository
    journal: Journal

    @property
    def has_other_config(self) -> bool:
        """Whether the work tree's configuration is another than the committed one."""
        file = self.repository.root / CONFIG_PATH
        there = file.read_bytes() if file.is_file() else None
        return there is not None and there != self.repository.committed(CONFIG_PATH)


def open_home(
    folder: Path, *, config_file: Path | None, surroundings: Surroundings, extended: Path | None = None
) -> Opened:
    """`extended` is a copy of what the configuration extends.

    Raises CheckoutFailed where `folder` is in no work tree, BadConfig for a file that can't be used.
    """
    repository = OwnRepository.opened(folder, home=surroundings.home)
    config = _config(repository, config_file, extended, surroundings)
    home = Home(
        repository=repository.name,
        head_sha=repository.head_sha,
        tree=Snapshot(repository.tree()),
        config=config,
        # Nothing is committed here, so there is no time after it for what waits for that.
        tools=registry(tool for tool in known_tools().values() if not tool.after_commit),
        searcher=Ripgrep(),
        clock=SystemClock(),
        shell=LandlockShell(required=config.sandbox.required),
        redact=Redactor(surroundings.secrets),
        materialise=materialise,
        counted_in=repository.counted_in,
    )
    return Opened(
        home=home, repository=repository, journal=Journal(repository.private_folder, repository.root)
    )


def open_model(name: str, *, base_url: str | None, surroundings: Surroundings) -> "OpenAiModel":
    from bot.outside.llm import OpenAiModel

    key, address = surroundings.api_key, base_url or surroundings.base_url
    if key is None and address is None:
        raise BadUsage(
            "There is no key for the model: OPENAI_API_KEY is not set",
            next_step="set it; a server without keys needs --base-url, or OPENAI_BASE_URL",
        )
    # The client insists on a key, also for servers that ask for none.
    return OpenAiModel(model=name, api_key=key.reveal() if key else "none", base_url=address)


def _config(
    repository: OwnRepository, file: Path | None, extended: Path | None, surroundings: Surroundings
) -> Config:
    """As committed: what an agent or a branch's files say in the work tree decides nothing."""
    try:
        text = repository.committed(CONFIG_PATH) if file is None else file.read_bytes()
    except OSError as error:
        raise BadUsage(
            "%(file)s can't be read: %(why)s",
            file=file,
            why=error.strerror,
            next_step="name the file, or leave --config out",
        ) from error
    if text is None:
        return DEFAULT
    return read_own_config(text, file=str(file or CONFIG_PATH), copy=extended, surroundings=surroundings)
