"""Every path, command and comment that the README names is there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.command import Malformed, Misspelt, NotForUs, read_command
from bot.config import read_config

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(((?!http)[^)#]+)\)", README))))
def test_every_path_that_the_readme_links_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"(?:\$ |`)make ([a-z][a-z-]*)", README))))
def test_every_make_target_that_the_readme_names_has_a_line_of_help(target: str) -> None:
    assert re.search(rf"^{target}:.*## \w", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("words", sorted(set(re.findall(r"`dryrun-bot ([a-z]+(?: [a-z]+)?)`", README))))
def test_every_command_that_the_readme_names_answers_to_help(words: str) -> None:
    asked = [sys.executable, "-I", "-m", "bot", *words.split(), "--help"]
    assert subprocess.run(asked, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("comment", re.findall(r"^\| `(/[^`]+)` \|", README, re.MULTILINE))
def test_every_comment_that_the_readme_shows_is_a_command(comment: str) -> None:
    assert not isinstance(read_command(comment), NotForUs | Misspelt | Malformed)


def test_the_configuration_that_the_readme_shows_is_valid() -> None:
    shown = re.search(r"```yaml\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    assert read_config(shown[1].encode(), file="README.md").tasks["tidy-docs"].paths == ("docs/**",)
