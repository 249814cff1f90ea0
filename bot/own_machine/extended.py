"""How a person's machine reads what a configuration extends: from a copy, or from GitHub with their token.

Without either nothing is done: an organisation's rules are never left out in silence.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from bot.config import Config
from bot.config.governing import Extended, governing
from bot.errors import BadUsage, GitHubFailed
from bot.sentence import Sentence
from bot.terminal.surroundings import Surroundings

_A_COPY: Final = Sentence("give a copy of that file with --extends FILE")


def read_own_config(text: bytes, *, file: str, copy: Path | None, surroundings: Surroundings) -> Config:
    """`copy` takes the place of what the configuration extends. Raises BadConfig, BadUsage, GitHubFailed."""
    fetch: Callable[[Extended], bytes | None]
    fetch = partial(_from_github, surroundings=surroundings) if copy is None else lambda _: _copied(copy)
    return governing(
        text,
        file=file,
        fetch=fetch,
        next_step=Sentence("check the name and the token, or %(then)s", then=_A_COPY),
    )


def _copied(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadUsage(
            "%(file)s can't be read: %(why)s",
            file=file,
            why=error.strerror,
            next_step="name the file, or leave --extends out",
        ) from error


def _from_github(extended: Extended, *, surroundings: Surroundings) -> bytes | None:
    token = surroundings.github_token
    if token is None:
        raise BadUsage(
            "The configuration extends %(extended)s, and there is no token to read that with",
            extended=extended,
            then=_A_COPY,
            next_step="set GITHUB_TOKEN, for instance to what `gh auth token` prints, or %(then)s",
        )
    from bot.outside.github import repository
    from bot.outside.patience import Patience
    from bot.outside.rest import rest

    # Somebody waits: a minute for a limit to end is no time for a keyboard.
    door = rest(token, api_url=surroundings.api_url, patience=Patience(tries=2, longest_wait_s=10.0))
    try:
        return repository(extended.repository, door=door, org_door=door).file(extended.path, at=extended.ref)
    except GitHubFailed as failed:
        raise GitHubFailed(
            "What the configuration extends can't be read: %(what)s",
            what=failed.what,
            then=_A_COPY,
            next_step="check the token and the network, or %(then)s",
        ) from failed
