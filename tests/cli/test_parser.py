"""The command line as a whole: every command is described, and nothing heavy is loaded to describe it."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot import __version__
from bot.cli.parser import number_from, parse, words

ROOT = Path(__file__).parent.parent.parent
COMMANDS = ("run", "apply", "event", "policy", "render", "init", "doctor", "demo")


def test_help_names_every_command_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["--help"])
    assert ended.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    for command in COMMANDS:
        assert f" {command} " in said
    assert "0 done, 1 could not be done, 2 bad usage or config, 3 refused, 130 interrupted" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse([command, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: dryrun-bot {command}")
    assert len(said.split("\n")) > 5


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"dryrun-bot {__version__}\n"


BAD = {
    "nothing": [],
    "an unknown command": ["aply"],
    "an unknown option": ["event", "--force"],
    "a word too many": ["event", "now"],
    "an abbreviation of nothing": ["--frobnicate"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_usage_ends_with_2_and_says_so_on_stderr(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(arguments)
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "usage: dryrun-bot" in said.err


@pytest.mark.parametrize("command", ["event", "demo"])
def test_a_command_is_parsed_into_what_runs_it(command: str) -> None:
    assert callable(parse([command]).run)


_MODULES = """
import json, sys
from bot.cli.parser import number_from, parse, words
parse(["event"])
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def test_the_command_line_is_read_without_any_client_or_parser() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _MODULES], capture_output=True, text=True, check=True, cwd=ROOT
    )
    modules = set(json.loads(ran.stdout))
    heavy = {
        "github",
        "requests",
        "openai",
        "httpx2",
        "pydantic",
        "jinja2",
        "yaml",
        "rich",
        "babel",
        "pygit2",
    }
    assert modules.isdisjoint(heavy), sorted(modules & heavy)


def test_every_module_of_a_command_is_named_with_its_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    said = capsys.readouterr().out
    modules = {file.stem for file in (ROOT / "bot" / "cli").glob("*.py")} - {"__init__", "parser"}
    assert {
        line.split()[0] for line in said.split("commands:")[1].split("\n") if line[:4] == " " * 4
    } >= modules


@pytest.mark.parametrize(("text", "least", "number"), [("1", 1, 1), ("0", 0, 0), (" 7 ", 1, 7)])
def test_a_number_is_read(text: str, least: int, number: int) -> None:
    assert number_from(least)(text) == number


NUMBERS = [("0", 1), ("-1", 0), ("many", 0), ("", 1), ("1.5", 1), ("9" * 5_000, 1)]


@pytest.mark.parametrize(("text", "least"), NUMBERS)
def test_what_is_no_number_or_too_few_is_told(text: str, least: int) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=f"is not a number from {least} on"):
        number_from(least)(text)


TYPED = {
    "what the locale could read": ("Añade ñ", "Añade ñ"),
    "UTF-8 that it could not": (b"A\xc3\xb1ade".decode("ascii", "surrogateescape"), "Añade"),
    "bytes that are no text": (b"caf\xe9 au lait".decode("utf-8", "surrogateescape"), r"caf\xe9 au lait"),
}


@pytest.mark.parametrize(("typed", "read"), TYPED.values(), ids=TYPED)
def test_words_are_read_whatever_the_locale(typed: str, read: str) -> None:
    assert words(typed) == read
