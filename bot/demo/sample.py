"""The sample repository: a tea timer of a few files, and a pull request whose documents need tidying.

Every file is here as text, so that line ends, modes and the odd file name are what they say, however this
package was installed. The secret in `.env` is none.
"""

from collections.abc import Mapping
from typing import Final

from bot import CONFIG_PATH
from bot.demo.github.push import File

REPOSITORY: Final = "tea-friends/teatime"
OWNER: Final = "tea-friends"
MAINTAINER: Final = "maja"
AUTHOR: Final = "oliver"

BRANCH: Final = "cold-brew"
TITLE: Final = "Brew tea cold"
BODY: Final = """\
Adds `teatime --cold`, for hot days: the same teas, in cold water, overnight.

I am not a writer, so somebody should look over what I did to the documents.
"""

_README = """\
# teatime

A kitchen timer for tea, in the terminal.

```console
$ teatime green
Green tea: 80 °C, 2 minutes. Go!
```

- [Brewing](docs/brewing.md): temperatures and times
- [Install](docs/install.md)
- [Changes](CHANGELOG.md)
"""

_CHANGELOG = """\
# Changes

## 1.1.0

- Oolong.

## 1.0.0

- The first pot: black, green and white tea.
"""

_PYPROJECT = """\
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "teatime"
version = "1.1.0"
description = "A kitchen timer for tea, in the terminal."
requires-python = ">=3.11"

[project.scripts]
teatime = "teatime.cli:main"
"""

_BREW = '''\
"""How long, and how hot."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Brew:
    name: str
    celsius: int
    minutes: int


BREWS = {
    "black": Brew("Black tea", 95, 4),
    "green": Brew("Green tea", 80, 2),
    "oolong": Brew("Oolong", 90, 3),
    "white": Brew("White tea", 75, 5),
}


def announce(brew: Brew) -> str:
    return f"{brew.name}: {brew.celsius} °C, {brew.minutes} minutes. Go!"
'''

_CLI = '''\
"""The command `teatime`."""

import argparse

from teatime.brew import BREWS, announce


def main() -> None:
    parser = argparse.ArgumentParser(prog="teatime", description=__doc__)
    parser.add_argument("tea", choices=sorted(BREWS))
    print(announce(BREWS[parser.parse_args().tea]))
'''

_TEST = """\
from teatime.brew import BREWS, announce


def test_green_tea_is_not_boiled():
    assert BREWS["green"].celsius == 80


def test_the_announcement_says_how_hot_and_how_long():
    assert announce(BREWS["green"]) == "Green tea: 80 °C, 2 minutes. Go!"
"""

_BREWING = """\
# Brewing

| Tea    | Water | Time      |
|--------|------:|----------:|
| Black  | 95 °C | 4 minutes |
| Green  | 80 °C | 2 minutes |
| Oolong | 90 °C | 3 minutes |
| White  | 75 °C | 5 minutes |

Let boiling water stand for a while before you pour it on green tea.
"""

_INSTALL = """\
# Install

```console
$ pipx install teatime
```

On Windows, see [windows.txt](windows.txt).
"""

_WINDOWS = """\
Windows

1. Install Python 3.11 or newer from the Microsoft Store.
2. py -m pip install teatime
3. py -m teatime green
"""

_RELEASE = """\
#!/bin/sh
# Cuts a release: scripts/release.sh 1.2.0
set -eu
version=$1
sed -i "s/^version = .*/version = \\"$version\\"/" pyproject.toml
git commit -am "Release $version"
git tag "v$version"
"""

_FORMAT = '''\
"""Puts the Python files in order: no blanks at the ends of lines, one newline at the end."""

from pathlib import Path

for file in sorted(Path("src").rglob("*.py")):
    text = file.read_text("utf-8")
    lines = [line.rstrip() for line in text.rstrip().split("\\n")]
    ordered = "\\n".join(lines) + "\\n" if text.strip() else ""
    if ordered != text:
        file.write_text(ordered, "utf-8")
        print(f"formatted {file}")
'''

_RUN_TESTS = '''\
"""Runs every test in tests/, with nothing but Python."""

import runpy
import sys

sys.path.insert(0, "src")
found = runpy.run_path("tests/test_brew.py")
tests = [test for name, test in found.items() if name.startswith("test_")]
for test in tests:
    test()
print(f"{len(tests)} passed")
'''

_WORKFLOW = """\
name: dryrun-bot

on:
  pull_request:
  issue_comment: # zizmor: ignore[dangerous-triggers] it runs nothing from the pull request; see the manual
    types: [created]

permissions: {}

jobs:
  dryrun-bot:
    if: github.event_name == 'pull_request' || github.event.issue.pull_request
    runs-on: ubuntu-latest
    permissions:
      contents: write
      pull-requests: write
      checks: write
      actions: read
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - uses: dryrun-bot/dryrun-bot@v0
        env:
          OPENAI_API_KEY: ${{ secrets.OPENAI_API_KEY }}
"""

_CONFIG = """\
version: 1

tasks:
  tidy-docs:
    prompt: >-
      Fix typos in the documents this pull request touches, and add its change to CHANGELOG.md. Then format
      the code, and run the tests.
    on: [opened, synchronize]
    paths: ["docs/**"]

policy:
  paths:
    ask: ["CHANGELOG.md"]

# Commands are tried in the sandbox, on a throwaway copy, so that a plan shows what they really do.
sandbox: {rehearse: true}
"""

FILES: Final[Mapping[str, File | str]] = {
    ".env": "TEA_SHOP_TOKEN=not-a-secret-this-is-a-sample\n",
    ".env.example": "TEA_SHOP_TOKEN=\n",
    CONFIG_PATH: _CONFIG,
    ".github/workflows/dryrun-bot.yml": _WORKFLOW,
    ".gitignore": "__pycache__/\n*.egg-info/\n",
    "CHANGELOG.md": _CHANGELOG,
    "README.md": _README,
    "docs/brewing.md": _BREWING,
    "docs/install.md": _INSTALL,
    "docs/windows.txt": File(content=_WINDOWS.replace("\n", "\r\n").encode()),
    "pyproject.toml": _PYPROJECT,
    "scripts/format.py": _FORMAT,
    "scripts/run_tests.py": _RUN_TESTS,
    "scripts/release.sh": File(content=_RELEASE.encode(), mode="100755"),
    "src/teatime/__init__.py": "",
    "src/teatime/brew.py": _BREW,
    "src/teatime/cli.py": _CLI,
    "tests/test_brew.py": _TEST,
}

_COLD_BREW = """

def announce_cold(brew: Brew) -> str:  \t
    return f"{brew.name}, cold: tap water, {brew.minutes * 2} hours in the fridge. Good night!"
"""

_COLD_CLI = '''\
"""The command `teatime`."""

import argparse

from teatime.brew import BREWS, announce, announce_cold


def main() -> None:
    parser = argparse.ArgumentParser(prog="teatime", description=__doc__)
    parser.add_argument("tea", choices=sorted(BREWS))
    parser.add_argument("--cold", action="store_true", help="in cold water, overnight")
    given = parser.parse_args()
    print((announce_cold if given.cold else announce)(BREWS[given.tea]))
'''

_COLD_TEST = """

def test_cold_brew_takes_hours():
    assert "4 hours" in announce_cold(BREWS["green"])
"""

_COLD_DOCS = """\

## Cold brew

With `--cold` teh leaves go into cold tap water and stay there overnight, so you
recieve a tea that is never bitter. Keep it in a seperate jug, in the fridge, and drink
it within to days.
"""

_COLD_WINDOWS = "4. py -m teatime green --cold    (occured to us last summer)\r\n"

# What the pull request changes.
CHANGES: Final[Mapping[str, File | str]] = {
    "docs/brewing.md": _BREWING + _COLD_DOCS,
    "docs/windows.txt": File(content=(_WINDOWS.replace("\n", "\r\n") + _COLD_WINDOWS).encode()),
    "src/teatime/brew.py": _BREW + _COLD_BREW,
    "src/teatime/cli.py": _COLD_CLI,
    "tests/test_brew.py": _TEST.replace("announce\n", "announce, announce_cold\n", 1) + _COLD_TEST,
}
