"""`dryrun-bot transcripts` as somebody types it: fetched from a GitHub, listed, shown."""

import io
import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest
from recorded import record
from standby import bot

from bot.demo.github import GitHub


def types(*arguments: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    state = {"PATH": "/usr/bin:/bin", "XDG_STATE_HOME": str(folder / "state")}
    return bot("transcripts", *arguments, cwd=folder, env=state | environ)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for seed in range(3):
        record(tmp_path / "runs", seed)
    return tmp_path / "runs"


def _uploaded(github: GitHub, runs: Path) -> str:
    """Each run's folder as the action keeps it; the answer is a token that may read them."""
    repository = github.repository("acme/widgets", {"README.md": "x\n"})
    for seed in range(3):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as made:
            made.writestr("plan-abc.json", "{}")
            made.write(runs / f"transcript-{seed}.jsonl", f"transcript-{seed}.jsonl")
        github.upload_artifact(repository, f"dryrun-plan-{seed}", archive.getvalue())
    return github.workflow_token(repository)


def test_transcripts_are_fetched_once_and_replay_at_once(runs: Path, tmp_path: Path) -> None:
    with GitHub(tmp_path / "github") as github:
        environ = {"GITHUB_TOKEN": _uploaded(github, runs), "GITHUB_API_URL": github.url}
        ran = types("fetch", "--repo", "acme/widgets", "--limit", "2", folder=tmp_path, **environ)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout == "2 new and 0 known transcripts are in transcripts\n"
        ran = types("fetch", "--repo", "acme/widgets", folder=tmp_path, **environ)
        assert ran.stdout == "1 new and 2 known transcripts are in transcripts\n"
    assert all(file.name.endswith(".jsonl.zst") for file in (tmp_path / "transcripts").iterdir())
    ran = types("unpack", folder=tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "3 unpacked, 0 left as they are\n")
    fetched = sorted(file.read_bytes() for file in (tmp_path / "transcripts").iterdir())
    assert fetched == sorted(file.read_bytes() for file in runs.glob("transcript-*"))
    listed = types("list", folder=tmp_path)
    assert (listed.returncode, len(listed.stdout.splitlines())) == (0, 3)
    assert "planned  acme/widgets#" in listed.stdout


def test_without_a_token_it_is_said_what_is_missing(tmp_path: Path) -> None:
    ran = types("fetch", "--repo", "acme/widgets", folder=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "GITHUB_TOKEN" in ran.stderr
    ran = types("fetch", "--repo", "no name", folder=tmp_path, GH_TOKEN="x")
    assert ran.returncode == 2


def test_a_list_is_one_line_a_run_or_one_object(runs: Path, tmp_path: Path) -> None:
    ran = types("list", str(runs), "--json", folder=tmp_path)
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [row["name"] for row in rows] == [
        "acme/widgets#0 task-0",
        "acme/widgets#1 task-1",
        "acme/widgets#2 task-2",
    ]
    assert {row["ended"] for row in rows} == {"planned"}
    (runs / "cut.jsonl").write_bytes(b'{"_after":"0')
    (runs / "words.jsonl").write_text("words\n")
    ran = types("list", str(runs), folder=tmp_path)
    assert (ran.returncode, len(ran.stdout.splitlines())) == (1, 3)
    assert "Not read: words.jsonl line 1" in ran.stderr


def test_a_run_is_shown_from_beginning_to_end(runs: Path, tmp_path: Path) -> None:
    ran = types("show", str(runs / "transcript-1.jsonl"), folder=tmp_path)
    lines = ran.stdout.splitlines()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert lines[0].startswith("   1  began")
    assert lines[-1].endswith("  ended")
    whole = (runs / "transcript-1.jsonl").read_bytes().splitlines(keepends=True)
    (runs / "killed.jsonl").write_bytes(b"".join(whole[:4]))
    ran = types("show", str(runs / "killed.jsonl"), folder=tmp_path)
    assert (ran.returncode, "The run was killed" in ran.stderr) == (0, True)
    assert types("show", "nowhere", folder=tmp_path).returncode == 2
    changed = b"".join(whole).replace(b"acme", b"evil", 1)
    (runs / "changed.jsonl").write_bytes(changed)
    assert "line 2: it doesn't follow" in types("show", str(runs / "changed.jsonl"), folder=tmp_path).stderr


def test_transcripts_are_packed_and_read_as_they_were_before(runs: Path, tmp_path: Path) -> None:
    lines = (runs / "transcript-0.jsonl").read_bytes().splitlines(keepends=True)
    (runs / "killed.jsonl").write_bytes(b"".join(lines[:4]))
    (runs / "log.json").write_text("[]")
    plain = types("list", str(runs), folder=tmp_path).stdout
    shown = types("show", str(runs / "transcript-1.jsonl"), folder=tmp_path).stdout
    ran = types("pack", str(runs), folder=tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "3 packed, 1 left as they are\n")
    assert "Not packed: killed.jsonl line 4: the transcript ends here" in ran.stderr
    assert sorted(file.name for file in runs.iterdir() if "plan" not in file.name) == [
        "killed.jsonl",
        "log.json",
        *(f"transcript-{number}.jsonl.zst" for number in range(3)),
    ]
    listed = types("list", str(runs), folder=tmp_path).stdout
    assert listed == re.sub(r"(transcript-\d\.jsonl)", r"\1.zst", plain)
    assert types("show", str(runs / "transcript-1.jsonl.zst"), folder=tmp_path).stdout == shown
    assert types("pack", str(runs), folder=tmp_path).stdout == "0 packed, 4 left as they are\n"
    assert types("unpack", str(runs), folder=tmp_path).stdout == "3 unpacked, 2 left as they are\n"
    assert types("list", str(runs), folder=tmp_path).stdout == plain


def test_a_limit_that_is_none_is_told(tmp_path: Path) -> None:
    ran = types("fetch", "--repo", "acme/widgets", "--limit", "0", folder=tmp_path, GH_TOKEN="x")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--limit: '0' is not a number from 1 on" in ran.stderr


def test_where_no_runs_are_it_is_said_what_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = types("list", "empty", folder=tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "There are no runs in there: what ends in .jsonl" in ran.stderr
