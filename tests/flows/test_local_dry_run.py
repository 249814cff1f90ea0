"""A dry run on a person's work tree: what is there, ignored things aside, and nothing of it touched."""

from dataclasses import replace
from pathlib import Path

import pytest
from fakes import NoShell, ScriptedLlm, call, turn
from own_home import FILES, files_in, opened

from bot.action import Call
from bot.assignment import Assignment
from bot.errors import SecretInPlan
from bot.flows.local_dry_run import rehearse
from bot.local_run.run_record import Finished
from bot.own_machine import Opened
from bot.transcript import Transcript
from bot.words.redaction import Redactor

TASK = Assignment(name="ad-hoc", words="Fix it.")


def rehearsed(
    here: Opened, *calls: Call, text: str = "Done.", language: str = "en"
) -> tuple[Finished, list[str]]:
    llm = ScriptedLlm(*(turn(each) for each in calls), turn(text=text))
    finished = rehearse(
        TASK,
        home=here.home,
        llm=llm,
        transcript=Transcript.begin(here.repository.root.parent / "transcript.jsonl"),
        language=language,
    )
    return finished, [str(one["content"]) for one in llm.asked[-1] if one["role"] == "tool"]


def test_reads_are_real_and_see_what_was_planned_and_nothing_is_touched(tmp_path: Path) -> None:
    here = opened(tmp_path)
    here = replace(here, home=replace(here.home, shell=NoShell()))
    before = files_in(here.repository.root)
    git_before = sorted(str(one) for one in (here.repository.root / ".git").rglob("*"))
    finished, told = rehearsed(
        here,
        call("read_file", path="notes.txt"),
        call("edit_file", path="README.md", old="teh", new="the"),
        call("grep", text="first line"),
        call("run_command", command="rm -rf ."),
        call("delete_file", path="old.txt"),
        call("list_files"),
    )
    assert "not committed" in told[0]
    assert "[DRY-RUN] Would execute: edit_file(" in told[1]
    assert "the first line" in told[2]
    assert "simulated" in told[3]
    assert "old.txt" not in told[5]
    assert "ignored/secret.txt" not in told[5]
    assert files_in(here.repository.root) == before
    assert sorted(str(one) for one in (here.repository.root / ".git").rglob("*")) == git_before
    assert [one.path for one in finished.changes] == ["README.md", "old.txt"]


def test_the_record_is_bound_to_commit_policy_and_tools_and_to_no_pull_request(tmp_path: Path) -> None:
    here = opened(tmp_path, config="apply: {expires_hours: 5}\n")
    finished, _ = rehearsed(here, call("delete_file", path="old.txt"))
    record = finished.record
    assert record.pull_request is None
    assert record.head_sha == record.base_sha == here.home.head_sha
    assert record.policy_digest == here.home.config.policy_digest
    assert record.policy_sha is None
    assert (record.expires_at - record.created_at).total_seconds() == 5 * 3600
    assert record.summary == "Done."


def test_the_same_run_gives_the_same_record(tmp_path: Path) -> None:
    here = opened(tmp_path)
    calls = (call("delete_file", path="old.txt"), call("write_file", path="n.txt", content="n"))
    assert len({rehearsed(here, *calls)[0].record.digest for _ in range(2)}) == 1


def test_the_model_is_told_in_the_persons_language(tmp_path: Path) -> None:
    _, told = rehearsed(opened(tmp_path), call("delete_file", path="old.txt"), language="es")
    assert "[DRY-RUN] Se ejecutaría: delete_file(path=" in told[0].replace("\\", "")


def test_a_record_with_a_secret_of_this_run_is_thrown_away(tmp_path: Path) -> None:
    key = "correct-horse-battery-staple"
    here = opened(tmp_path, files={**FILES, "leak.txt": b"nothing yet\n"})
    here = replace(here, home=replace(here.home, redact=Redactor((key,))))
    with pytest.raises(SecretInPlan):
        rehearsed(here, call("write_file", path="leak.txt", content=f"{key}\n"))


def test_findings_of_the_machine_are_in_the_record(tmp_path: Path) -> None:
    here = opened(tmp_path)
    finished, _ = rehearsed(replace(here, home=replace(here.home, findings=("No tools today.",))))
    assert finished.record.findings == ("No tools today.",)
