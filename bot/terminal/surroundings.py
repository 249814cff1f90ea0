"""Environment variables -> what a person's machine tells of them, read once and handed on."""

import sys
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from bot.dataclass import dataclass
from bot.settings import Secret, locale_of

# Those by which git finds a person's own ignore rules.
_HOME: Final = ("HOME", "XDG_CONFIG_HOME", "USERPROFILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """`locale` is the machine's, as in `es_ES`; `is_plain`: neither colour nor motion is wanted.

    `state` is the folder of the bot's own, outside every repository; `api_url` is GitHub's.
    `environ` is all of the environment, secrets included: what is started gets named variables of it alone.
    """

    api_key: Secret | None
    github_token: Secret | None
    api_url: str
    base_url: str | None
    locale: str | None
    home: Mapping[str, str]
    is_plain: bool
    state: Path
    environ: Mapping[str, str] = field(repr=False)

    @property
    def login(self) -> str:
        import getpass

        try:
            return getpass.getuser()
        except (OSError, KeyError):
            return "somebody"

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(one.reveal() for one in (self.api_key, self.github_token) if one is not None)

    def language(self, asked: str | None, configured: str) -> str:
        """What was asked for; else Spanish where the machine speaks it; else the repository's."""
        return asked or ("es" if (self.locale or "").startswith("es") else configured)


def read_surroundings(environ: Mapping[str, str], *, platform: str = sys.platform) -> Surroundings:
    key = environ.get("OPENAI_API_KEY")
    token = environ.get("GITHUB_TOKEN") or environ.get("GH_TOKEN")
    return Surroundings(
        api_key=Secret(key) if key else None,
        github_token=Secret(token.strip()) if token else None,
        api_url=environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/"),
        base_url=environ.get("OPENAI_BASE_URL") or None,
        locale=locale_of(environ),
        home={name: environ[name] for name in _HOME if name in environ},
        is_plain=bool(environ.get("NO_COLOR")) or environ.get("TERM") in {"dumb", "unknown"},
        state=_state(environ, platform) / "dryrun-bot",
        environ=environ,
    )


def _state(environ: Mapping[str, str], platform: str) -> Path:
    """Where this system wants programs to keep what they have to remember."""
    if "XDG_STATE_HOME" in environ:
        return Path(environ["XDG_STATE_HOME"])
    if platform == "win32" and "LOCALAPPDATA" in environ:
        return Path(environ["LOCALAPPDATA"])
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    return home / "Library" / "Application Support" if platform == "darwin" else home / ".local" / "state"
