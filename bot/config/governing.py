"""(A configuration's bytes, a way to what it extends) -> the Config that counts, wherever the bot runs.

One place for a pull request and a terminal: what stops the one stops the other.
"""

from collections.abc import Callable
from typing import TypeAlias

from bot.config import Config, read_config
from bot.config.organisation import tightened
from bot.dataclass import dataclass
from bot.errors import BadConfig
from bot.sentence import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Extended:
    """Where an organisation's file is: `owner/name`, a path in it, a branch, tag or commit."""

    repository: str
    path: str
    ref: str

    def __str__(self) -> str:
        return f"{self.repository}:{self.path}@{self.ref}"


# None: there is no such file, or it may not be read.
Fetch: TypeAlias = Callable[[Extended], bytes | None]


def governing(text: bytes, *, file: str, fetch: Fetch, next_step: Sentence) -> Config:
    """Raises BadConfig; with `next_step` where what it extends can't be read."""
    own = read_config(text, file=file)
    return own if own.extends is None else _tightening(own, own.extends, file, fetch, next_step)


def _tightening(own: Config, extends: str, file: str, fetch: Fetch, next_step: Sentence) -> Config:
    # Its pattern has proven that it is all of this.
    name, _, rest = extends.partition(":")
    path, _, ref = rest.rpartition("@")
    text = fetch(Extended(repository=name, path=path, ref=ref))
    if text is None:
        raise BadConfig(
            "%(file)s: extends: there is no file %(extends)s, or the token may not read it",
            file=file,
            extends=extends,
            next_step=next_step,
        ).told_in(own.language)
    return tightened(read_config(text, file=extends), own)
