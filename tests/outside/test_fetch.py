"""Objects over git's own protocol, from a real server, with a token that no subprocess sees."""

from pathlib import Path

import pygit2
import pytest
from journey import Journey

from bot.errors import CheckoutFailed
from bot.outside.fetch import Fetched
from bot.settings import Secret
from bot.workspace import blob_sha


def _url(journey: Journey) -> str:
    return f"{journey.github.url}/acme/widgets.git"


def test_one_commit_is_brought_whole_in_one_exchange(journey: Journey) -> None:
    journey.repository.private = True
    files = {f"many/{number}.txt": f"{number}\n" for number in range(300)}
    journey.github.push(journey.repository, "topic", files, message="Many", by="mona")
    token = journey.github.workflow_token(journey.repository)
    journey.github.log.clear()
    fetched = Fetched(_url(journey), Secret(token))
    fetched.bring(journey.head)
    assert all(fetched.blob(blob_sha(text.encode())) == text.encode() for text in files.values())
    assert fetched.blob(blob_sha(b"#!/bin/sh\necho hi\n")) == b"#!/bin/sh\necho hi\n"
    assert fetched.blob("0" * 40) is None
    assert len(journey.github.log) <= 4


def test_a_commit_that_is_not_there_is_said_with_its_name(journey: Journey) -> None:
    token = journey.github.workflow_token(journey.repository)
    fetched = Fetched(_url(journey), Secret(token))
    with pytest.raises(CheckoutFailed, match="1234567890" * 4):
        fetched.bring("1234567890" * 4)


def test_a_wrong_token_is_a_failure_in_words_that_do_not_hold_it(journey: Journey) -> None:
    journey.repository.private = True
    with pytest.raises(CheckoutFailed) as failed:
        Fetched(_url(journey), Secret("ghs_wrong")).bring(journey.head)
    assert "ghs_wrong" not in f"{failed.value} {failed.value.next_step}"


def test_the_machine_s_own_git_configuration_has_no_say(journey: Journey, tmp_path: Path) -> None:
    """`insteadOf` could send the token to another host."""
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(f'[url "http://127.0.0.1:9/"]\n\tinsteadOf = {journey.github.url}/\n')
    # What libgit2 makes of $HOME when a process starts.
    pygit2.settings.search_path[pygit2.enums.ConfigLevel.GLOBAL] = str(home)
    token = journey.github.workflow_token(journey.repository)
    fetched = Fetched(_url(journey), Secret(token))
    fetched.bring(journey.head)
    assert fetched.blob(blob_sha(b"Some notes.\n")) == b"Some notes.\n"
