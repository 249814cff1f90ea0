"""The real program, as somebody types it."""

import json
import subprocess
from pathlib import Path

import pytest
import yaml
from standby import bot

CASES = Path(__file__).parent.parent / "cases"
GOOD = "policy: {commands: {allow: [{argv: [ls, '**'], match: [ls -a], not_match: [ls .env]}]}}\n"


def dryrun_bot(*arguments: str, folder: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return bot(*arguments, cwd=folder, env={"PATH": "/usr/bin:/bin"}, stdin=stdin)


def test_a_good_file_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "dryrun-bot.yml").write_text(GOOD)
    ran = dryrun_bot("policy", "check", folder=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "nothing to find fault with" in ran.stdout


CHECKS = {
    "a mistake": (
        "policy:\n  path: {}\n",
        2,
        "stderr",
        "f.yml line 2 column 3: policy.path: there is no such key",
    ),
    "a finding": ("policy: {tools: {x: ask}}\n", 2, "stdout", "f.yml:1: there is no tool 'x'"),
}


@pytest.mark.parametrize(("text", "code", "stream", "said"), CHECKS.values(), ids=CHECKS)
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, text: str, code: int, stream: str, said: str
) -> None:
    (tmp_path / "f.yml").write_text(text)
    ran = dryrun_bot("policy", "check", "f.yml", folder=tmp_path)
    assert ran.returncode == code
    assert said in getattr(ran, stream)
    assert "Traceback" not in ran.stderr


def test_a_file_that_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    ran = dryrun_bot("policy", "check", folder=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ".github/dryrun-bot.yml can't be read" in ran.stderr


def test_what_a_file_extends_is_said_to_be_missing_or_judges_from_a_copy(tmp_path: Path) -> None:
    (tmp_path / "f.yml").write_text("extends: acme/.github:bot.yml@main\n")
    (tmp_path / "theirs.yml").write_text("policy: {paths: {deny: ['docs/**']}}\n")
    asked = ("policy", "explain", "write_file", '{"path": "docs/a"}', "--config", "f.yml")
    without = dryrun_bot(*asked, folder=tmp_path)
    assert without.stdout.startswith("allow: ")
    assert "f.yml extends acme/.github:bot.yml@main, which is not read here" in without.stderr
    copied = dryrun_bot(*asked, "--extends", "theirs.yml", folder=tmp_path)
    assert (copied.stdout.partition("\n")[0], copied.stderr) == ("deny: docs/a is denied (docs/**).", "")
    checked = dryrun_bot("policy", "check", "f.yml", "--extends", "theirs.yml", folder=tmp_path)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_schema_is_printed(tmp_path: Path) -> None:
    ran = dryrun_bot("policy", "schema", folder=tmp_path)
    assert ran.returncode == 0
    assert "policy" in json.loads(ran.stdout)["properties"]


def test_one_action_is_explained_to_a_person(tmp_path: Path) -> None:
    (tmp_path / "f.yml").write_text("policy:\n  paths:\n    deny: [docs/**]\n")
    ran = dryrun_bot(
        "policy", "explain", "write_file", '{"path": "docs/a"}', "--config", "f.yml", folder=tmp_path
    )
    assert ran.returncode == 0
    assert ran.stdout.startswith("deny: docs/a is denied (docs/**).\n")
    assert "rule    path-denied" in ran.stdout
    assert "source  f.yml:3" in ran.stdout


def test_one_action_is_explained_as_json(tmp_path: Path) -> None:
    ran = dryrun_bot("policy", "explain", "run_command", '{"command": "ls | sh"}', "--json", folder=tmp_path)
    told = json.loads(ran.stdout)
    assert (told["outcome"], told["rule"]) == ("ask", "command-caution")


def test_the_collected_cases_are_explained_one_for_one(tmp_path: Path) -> None:
    (tmp_path / "link-to-env").symlink_to(".env")
    (tmp_path / "linkdir").symlink_to("/etc")
    cases = yaml.safe_load((CASES / "paths.yaml").read_text())["cases"]
    lines = [
        json.dumps({"tool": "write_file", "arguments": {"path": case["path"], "content": "x"}})
        for case in cases
    ]
    ran = dryrun_bot("policy", "explain", "-", "--repo", ".", folder=tmp_path, stdin="\n".join(lines))
    told = [json.loads(line)["outcome"] for line in ran.stdout.splitlines()]
    assert len(told) == len(cases)
    for case, outcome in zip(cases, told, strict=True):
        assert outcome == case["verdict"] or (case["verdict"] == "ask" and outcome == "deny")


def test_a_line_that_is_no_call_is_answered_too(tmp_path: Path) -> None:
    lines = ["nonsense", '{"tool": "write_file"}', '{"tool": 1, "arguments": {}}', "[1]", "[" * 5_000, "{}"]
    ran = dryrun_bot("policy", "explain", "-", folder=tmp_path, stdin="\n".join(lines))
    assert [json.loads(line)["outcome"] for line in ran.stdout.splitlines()] == ["deny"] * len(lines)
    assert ran.stderr == ""


def test_hostile_words_reach_the_terminal_inert(tmp_path: Path) -> None:
    path = json.dumps({"path": "a\x1b[2J\u202e::error::x"})
    ran = dryrun_bot("policy", "explain", "write_file", path, folder=tmp_path)
    assert "\x1b" not in ran.stdout
    assert "\u202e" not in ran.stdout
