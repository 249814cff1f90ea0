"""What a machine tells of the person at it."""

from pathlib import Path

import pytest

from bot.terminal.surroundings import read_surroundings

LANGUAGES = {
    "asked for": ({"LANG": "es_ES.UTF-8"}, "en", "es", "en"),
    "a Spanish locale": ({"LANG": "es_MX.UTF-8"}, None, "en", "es"),
    "one of messages only": ({"LANG": "en_US", "LC_MESSAGES": "es"}, None, "en", "es"),
    "the strongest variable": ({"LC_ALL": "de_DE", "LANG": "es_ES"}, None, "en", "en"),
    "the repository's": ({"LANG": "C.UTF-8"}, None, "es", "es"),
    "nothing at all": ({}, None, "en", "en"),
}


@pytest.mark.parametrize(("environ", "asked", "configured", "language"), LANGUAGES.values(), ids=LANGUAGES)
def test_a_person_is_spoken_to_in_their_language(
    environ: dict[str, str], asked: str | None, configured: str, language: str
) -> None:
    assert read_surroundings(environ).language(asked, configured) == language


PLAIN = {
    "a terminal": ({"TERM": "xterm"}, False),
    "no colour": ({"NO_COLOR": "1"}, True),
    "an empty wish is none": ({"NO_COLOR": ""}, False),
    "a dumb terminal": ({"TERM": "dumb"}, True),
}


@pytest.mark.parametrize(("environ", "is_plain"), PLAIN.values(), ids=PLAIN)
def test_colour_can_be_unwanted(environ: dict[str, str], *, is_plain: bool) -> None:
    assert read_surroundings(environ).is_plain is is_plain


STATES = {
    "linux": ("linux", {"HOME": "/h"}, "/h/.local/state/dryrun-bot"),
    "as its user has it": ("linux", {"HOME": "/h", "XDG_STATE_HOME": "/s"}, "/s/dryrun-bot"),
    "macOS": ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/dryrun-bot"),
    "Windows": ("win32", {"LOCALAPPDATA": "/l", "USERPROFILE": "/u"}, "/l/dryrun-bot"),
    "Windows without": ("win32", {"USERPROFILE": "/u"}, "/u/.local/state/dryrun-bot"),
}


@pytest.mark.parametrize(("platform", "environ", "state"), STATES.values(), ids=STATES)
def test_state_is_kept_where_the_system_wants_it(platform: str, environ: dict[str, str], state: str) -> None:
    assert read_surroundings(environ, platform=platform).state == Path(state)


GITHUBS = {
    "none": ({}, None, "https://api.github.com"),
    "the usual variable": ({"GITHUB_TOKEN": "a\n", "GH_TOKEN": "b"}, "a", "https://api.github.com"),
    "the command line's": ({"GH_TOKEN": "b"}, "b", "https://api.github.com"),
    "an empty one": ({"GITHUB_TOKEN": "", "GH_TOKEN": ""}, None, "https://api.github.com"),
    "a server of one's own": ({"GITHUB_API_URL": "https://h/api/v3/"}, None, "https://h/api/v3"),
}


@pytest.mark.parametrize(("environ", "token", "url"), GITHUBS.values(), ids=GITHUBS)
def test_a_token_for_github_is_a_secret_too(environ: dict[str, str], token: str | None, url: str) -> None:
    told = read_surroundings(environ)
    assert (told.github_token and told.github_token.reveal()) == token
    assert told.secrets == (() if token is None else (token,))
    assert told.api_url == url


def test_the_key_is_a_secret_and_git_is_told_of_the_home_only() -> None:
    told = read_surroundings({"OPENAI_API_KEY": "sk-abc", "HOME": "/h", "GIT_DIR": "/x", "PATH": "/p"})
    assert told.secrets == ("sk-abc",)
    assert "sk-abc" not in repr(told)
    assert told.home == {"HOME": "/h"}
    assert read_surroundings({"OPENAI_API_KEY": ""}).secrets == ()
    assert read_surroundings({}).base_url is None
