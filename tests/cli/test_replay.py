"""`dryrun-bot replay` as somebody types it: streams, reports, exit codes."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fakes import call
from recorded import POLICY, record
from standby import bot

from bot.replay.importers import Importer, Run, Unreadable
from bot.replay.importers.importer import in_shell

ROOT = Path(__file__).parent.parent.parent
NEXT = POLICY.replace(b'"docs/policies/**"', b'"docs/policies/**", "docs/legal/**"')
PLANTED = [call("write_file", path="docs/legal/terms.md", content="x\n")]


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bot", "replay", *arguments]


def _environ(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": str(folder / "state")}


def replay(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return bot("replay", *arguments, cwd=folder, env=_environ(folder))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("here")
    for seed in range(20):
        record(folder / "runs", seed, planted=PLANTED if seed % 5 == 0 else (), actions=3)
    (folder / "now.yml").write_bytes(POLICY)
    (folder / "next.yml").write_bytes(NEXT)
    return folder


def test_no_change_is_said_and_ends_with_0(folder: Path) -> None:
    ran = replay("runs", "--policy", "now.yml", folder=folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[0] == "policy replay: changed 0 of 20"


def test_more_changes_than_allowed_end_with_3(folder: Path) -> None:
    ran = replay("runs", "--policy", "next.yml", folder=folder)
    assert (ran.returncode, ran.stderr) == (3, "")
    assert "allow→ask: 4" in ran.stdout
    assert replay("runs", "--policy", "next.yml", "--allow-changes", "3", folder=folder).returncode == 3
    assert replay("runs", "--policy", "next.yml", "--allow-changes", "4", folder=folder).returncode == 0


def test_the_report_is_data_and_goes_where_it_is_told(folder: Path, tmp_path: Path) -> None:
    ran = replay("runs", "--policy", "next.yml", "--report", "json", folder=folder)
    fields = json.loads(ran.stdout)
    assert {name: fields[name] for name in ("schema", "kind", "runs", "changed")} == {
        "schema": "dryrun-bot/replay/1",
        "kind": "policy",
        "runs": 20,
        "changed": 4,
    }
    assert len(fields["changes"]) == 4
    out = tmp_path / "deep" / "report.json"
    again = replay(
        "runs", "--policy", "next.yml", "--report", "json", "--report-file", str(out), folder=folder
    )
    assert (again.stdout, out.read_text()) == ("", ran.stdout)


@pytest.mark.parametrize(
    ("report", "language", "begins", "holds"),
    [
        (
            "markdown",
            "en",
            "### 🔁 This change alters 4 of 20 past runs",
            "| ✅&nbsp;allow → ✋&nbsp;ask | 4 |",
        ),
        ("markdown", "es", "### 🔁 Este cambio altera 4 de 20", "docs/legal/terms.md"),
        ("html", "en", "<!doctype html>", "This change alters 4 of 20 past runs"),
        ("html", "es", "<!doctype html>", "Este cambio altera 4 de 20 ejecuciones anteriores"),
    ],
)
def test_the_report_is_for_people_too(
    folder: Path, report: str, language: str, begins: str, holds: str
) -> None:
    ran = replay("runs", "--policy", "next.yml", "--report", report, "--language", language, folder=folder)
    assert ran.returncode == 3
    assert ran.stdout.startswith(begins)
    assert holds in ran.stdout


def test_the_policy_of_the_folder_is_the_default(folder: Path, tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "dryrun-bot.yml").write_bytes(NEXT)
    ran = replay(str(folder / "runs"), folder=tmp_path)
    assert "changed 4 of 20" in ran.stdout
    before = replay(str(folder / "runs"), "--before", str(folder / "next.yml"), folder=tmp_path)
    assert (before.returncode, before.stdout.splitlines()[0]) == (0, "policy replay: changed 0 of 20")


def test_shards_are_merged_to_the_very_report_of_the_whole(folder: Path, tmp_path: Path) -> None:
    whole = replay("runs", "--policy", "next.yml", "--report", "json", folder=folder)
    names = []
    for number in (3, 1, 2):
        names.append(str(tmp_path / f"{number}.json"))
        replay(
            *("runs", "--policy", "next.yml", "--shard", f"{number}/3"),
            *("--report", "json", "--report-file", names[-1]),
            folder=folder,
        )
    merged = replay(*names, "--merge", "--report", "json", folder=folder)
    assert (merged.returncode, merged.stdout) == (3, whole.stdout)
    short = replay(*names[:2], "--merge", folder=folder)
    assert (short.returncode, short.stdout) == (2, "")
    assert "these are missing: 2" in short.stderr


def test_what_can_not_be_read_ends_with_1_and_is_told_on_stderr(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes((folder / "runs" / "transcript-1.jsonl").read_bytes()[:-30])
    ran = replay(str(tmp_path), "--policy", "next.yml", "--allow-changes", "9", folder=folder)
    assert ran.returncode == 1
    assert "Not read: a.jsonl line" in ran.stderr
    killed = tmp_path / "killed"
    killed.mkdir()
    lines = (folder / "runs" / "transcript-1.jsonl").read_bytes().splitlines(keepends=True)
    (killed / "a.jsonl").write_bytes(b"".join(lines[:-1]))
    assert replay(str(killed), "--policy", "now.yml", folder=folder).returncode == 1
    assert replay(str(killed), "--policy", "now.yml", "--unfinished", folder=folder).returncode == 0


def test_every_copy_that_was_tampered_with_is_refused_with_its_line_whatever_lies_beside_it(
    folder: Path, tmp_path: Path
) -> None:
    lines = (folder / "runs" / "transcript-1.jsonl").read_bytes().splitlines(keepends=True)
    others = (folder / "runs" / "transcript-2.jsonl").read_bytes().splitlines(keepends=True)
    made = {
        "a-cut.jsonl": lines[:-1],
        "b-edited.jsonl": [*lines[:3], lines[3].replace(b'"event"', b'"tnevent"'), *lines[4:]],
        "c-moved.jsonl": [*lines[:3], lines[4], lines[3], *lines[5:]],
        "d-foreign.jsonl": [*lines[:4], *others[4:]],
        "e-newer.jsonl": [lines[0].replace(b"transcript/1", b"transcript/2"), *lines[1:]],
        "f-whole.jsonl": lines,
    }
    for name, content in made.items():
        (tmp_path / name).write_bytes(b"".join(content))
    for order in (sorted(made), sorted(made, reverse=True)):
        ran = replay(*(str(tmp_path / name) for name in order), "--policy", "now.yml", folder=folder)
        assert ran.returncode == 1
        assert ran.stdout.startswith("policy replay: changed 0 of 1\n")
        for told in (
            f"a-cut.jsonl line {len(lines) - 1}: the transcript ends here, before the run does",
            "b-edited.jsonl line 5: it doesn't follow on line 4",
            "c-moved.jsonl line 4: it says it is line 5",
            "d-foreign.jsonl line 5: it doesn't follow on line 4",
            (
                "e-newer.jsonl line 1: the transcript says dryrun-bot/transcript/2, and this version reads "
                "dryrun-bot/transcript/1: upgrade dryrun-bot"
            ),
        ):
            assert f"Not read: {told}" in ran.stderr


USAGES: dict[str, tuple[list[str], str]] = {
    "no such path": (["nowhere"], "There is no file or folder nowhere"),
    "no such policy": (["runs", "--policy", "nowhere.yml"], "nowhere.yml can't be read"),
    "a policy with a mistake": (["runs", "--policy", "runs/../broken.yml"], "broken.yml line 1"),
    "a shard that is none": (["runs", "--shard", "3/2"], "--shard 3/2 is no part of a whole"),
    "a shard in words": (["runs", "--shard", "first"], "--shard first is no part"),
    "no process": (["runs", "--processes", "0"], "--processes: '0' is not a number from 1 on"),
    "fewer changes than none": (["runs", "--allow-changes", "-1"], "'-1' is not a number from 0 on"),
    "a folder for a report": (["runs", "--report-file", "runs"], "runs can't be written"),
    "merging what is no report": (["now.yml", "--merge"], "now.yml is no result of a replay"),
    "merging what is not there": (["nowhere.json", "--merge"], "nowhere.json can't be read"),
}


@pytest.mark.parametrize(("arguments", "told"), USAGES.values(), ids=USAGES)
def test_a_wrong_question_is_told_and_ends_with_2(folder: Path, arguments: list[str], told: str) -> None:
    (folder / "broken.yml").write_text("polcy: {}\n")
    ran = replay(*arguments, folder=folder)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert told in ran.stderr
    assert "Next:" in ran.stderr or "usage:" in ran.stderr


def test_today_s_tools_are_asked_for_by_kind(folder: Path, tmp_path: Path) -> None:
    from real_git import committed

    committed(tmp_path / "clone", {"a.txt": b"x"})
    ran = replay("runs", "--kind", "tools", "--repo", str(tmp_path / "clone"), folder=folder)
    assert ran.returncode == 1
    assert ran.stdout.startswith("tools replay: changed 0 of 0\n")
    assert "there is no commit" in ran.stderr.lower() or "commit 1111111" in ran.stderr


def test_an_extended_policy_is_said_to_be_left_out(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "p.yml").write_text("version: 1\nextends: acme/.github:dryrun-bot.yml@main\n")
    ran = replay("runs", "--policy", str(tmp_path / "p.yml"), "--allow-changes", "99", folder=folder)
    assert "extends acme/.github:dryrun-bot.yml@main, which is not read here" in ran.stderr


def test_a_replay_that_was_interrupted_says_so_and_goes_on(folder: Path, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(2_000):
        source = folder / "runs" / f"transcript-{number % 20}.jsonl"
        (many / f"{number:04}.jsonl").hardlink_to(source)
    command = _command(str(many), "--policy", "now.yml", "--processes", "1")
    with subprocess.Popen(
        command, cwd=folder, env=_environ(tmp_path), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        journals = tmp_path / "state" / "dryrun-bot" / "replay"
        deadline = time.monotonic() + 60
        while not any(file.read_bytes().count(b"\n") > 1 for file in journals.glob("*.jsonl")):
            assert time.monotonic() < deadline
            time.sleep(0.002)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate()
    assert running.returncode == 130
    assert "The same command goes on where this one was" in told
    (journal,) = journals.glob("*.jsonl")
    assert 1 < journal.read_bytes().count(b"\n") < 2_001
    again = subprocess.run(
        command, cwd=folder, env=_environ(tmp_path), capture_output=True, text=True, check=True
    )
    assert "changed 0 of 20" in again.stdout
    assert not list(journals.glob("*.jsonl"))


def test_where_no_runs_are_it_is_said_what_is_looked_at(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("x")
    ran = replay(str(tmp_path), folder=folder)
    assert (ran.returncode, ran.stdout.splitlines()[0]) == (0, "policy replay: changed 0 of 0")
    assert "There are no runs in there: what ends in .jsonl" in ran.stderr
    assert "There are no runs" not in replay(str(tmp_path), "--shard", "1/2", folder=folder).stderr


DOCUMENT = (ROOT / "docs" / "replay.md").read_text("utf-8")


def test_every_option_that_the_document_names_is_there(folder: Path) -> None:
    options = set(re.findall(r"--[a-z][a-z-]+", DOCUMENT))
    helped = "".join(
        bot(*words, "--help", cwd=folder, env=_environ(folder) | {"COLUMNS": "200"}).stdout
        for words in (["replay"], ["transcripts", "fetch"])
    )
    assert len(options) > 15
    assert {
        option for option in options if f"{option} " not in helped and f"{option}\n" not in helped
    } == set()


def test_the_importer_that_the_document_shows_works(tmp_path: Path) -> None:
    shown = re.search(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    assert shown is not None
    scope = {"Any": Any, "Run": Run, "Importer": Importer, "Unreadable": Unreadable, "in_shell": in_shell}
    exec(compile(shown[1], "docs/replay.md", "exec"), scope)
    importer = scope["MY_AGENT"]
    assert isinstance(importer, Importer)
    value = {"format": "my-agent/1", "id": 7, "steps": [{"bash": "ls"}]}
    assert importer.takes(value)
    assert not importer.takes({"steps": []})
    assert importer.run(value) == Run(name="7", calls=(in_shell("ls"),))
    with pytest.raises(Unreadable, match="a step without 'bash'"):
        importer.run(value | {"steps": [{}]})
