"""The one reading of a configuration that counts, with what it extends, wherever the bot runs."""

import pytest

from bot.config.governing import Extended, governing
from bot.errors import BadConfig

EXTENDS = b"version: 1\nextends: acme/.github:policies/bot.yml@v1\n"


def _governing(text: bytes, theirs: bytes | None = None) -> tuple[list[str], object]:
    asked: list[str] = []

    def fetch(extended: Extended) -> bytes | None:
        asked.append(str(extended))
        assert extended == Extended(repository="acme/.github", path="policies/bot.yml", ref="v1")
        return theirs

    return asked, governing(text, file="bot.yml", fetch=fetch, next_step="look there").policies


def test_a_file_that_extends_nothing_asks_nobody() -> None:
    asked, policies = _governing(b"policy: {paths: {deny: [docs/**]}}\n")
    assert asked == []
    assert len(policies) == 1  # type: ignore[arg-type]


def test_what_it_extends_judges_as_well() -> None:
    asked, policies = _governing(EXTENDS, b"policy: {paths: {deny: [docs/**]}}\n")
    assert asked == ["acme/.github:policies/bot.yml@v1"]
    assert len(policies) == 2  # type: ignore[arg-type]


STOPPED: dict[str, tuple[bytes, bytes | None, str]] = {
    "what can't be read": (EXTENDS, None, "bot.yml: extends: there is no file acme/.github"),
    "what is no configuration": (EXTENDS, b"nonsense: 1\n", "acme/.github:policies/bot.yml@v1 line 1"),
    "what loosens": (
        EXTENDS + b"apply: {permission: write}\n",
        b"apply: {permission: admin}\n",
        r"apply\.permission",
    ),
}


@pytest.mark.parametrize(("text", "theirs", "said"), STOPPED.values(), ids=STOPPED)
def test_what_does_not_hold_stops_it(text: bytes, theirs: bytes | None, said: str) -> None:
    with pytest.raises(BadConfig, match=said) as raised:
        _governing(text, theirs)
    assert theirs is not None or raised.value.next_step == "look there"
