"""One run from what was typed to the exit code, and what is left when it ends early."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from journey import call
from own_home import files_in, opened, surroundings

from bot.demo.model import Raw, Said, ScriptedModel
from bot.errors import CheckoutFailed, ModelFailed
from bot.local_run.report import Format
from bot.own_machine.session import Session, Wanted
from bot.terminal.question import Mode
from bot.transcript.timeline import Timeline

PLANS = (
    Said(
        calls=(
            call("edit_file", path="README.md", old="teh", new="the"),
            call("delete_file", path="old.txt"),
        )
    ),
    Said(text="Done."),
)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(PLANS) as model:
        yield model


def session(folder: Path, model: ScriptedModel, **typed: Any) -> Session:
    wanted: dict[str, Any] = {
        "task": "fix it",
        "mode": Mode.YOLO,
        "folder": folder / "repo",
        "config_file": None,
        "report": None,
        "report_file": None,
        "plan_file": None,
        "transcript_file": None,
        "with_costs": False,
        "language": None,
        "model": None,
        "base_url": model.base_url,
    }
    opened(folder)
    return Session.of(Wanted(**wanted | typed), surroundings(folder))


def test_a_live_run_writes_the_files_and_keeps_a_transcript(
    tmp_path: Path, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    assert session(tmp_path, model).run() == 0
    assert (tmp_path / "repo/README.md").read_text() == "# Sample\n\nthe first line\n"
    assert not (tmp_path / "repo/old.txt").exists()
    (transcript,) = (tmp_path / "state/dryrun-bot").iterdir()
    lines = [json.loads(line) for line in transcript.read_text().splitlines()]
    assert [line["by"] for line in lines if line["event"] == "agreed"] == ["mode", "mode"]
    assert lines[0]["mode"] == "yolo"
    assert "2 actions carried out" in capsys.readouterr().out


def test_a_dry_run_keeps_nothing_that_was_not_asked_for(tmp_path: Path, model: ScriptedModel) -> None:
    made = session(tmp_path, model, mode=None)
    before = sorted(tmp_path.rglob("*"))
    assert made.run() == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_what_somebody_changed_meanwhile_is_not_overwritten(
    tmp_path: Path, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    """The person saves the file while the model thinks about its last word."""
    made = session(tmp_path, model)
    readme = tmp_path / "repo/README.md"

    def saved(_: object) -> Said:
        readme.write_text("saved by the person\n")
        return Said(text="Done.")

    model.script = (PLANS[0], saved)
    with pytest.raises(CheckoutFailed, match=r"README\.md was changed by somebody else"):
        made.run()
    assert readme.read_text() == "saved by the person\n"
    assert (tmp_path / "repo/old.txt").exists()
    assert "Nothing was changed." in capsys.readouterr().err


def test_an_interrupt_while_the_model_thinks_leaves_the_files_as_they_were(
    tmp_path: Path, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupting(Timeline):
        def watch(self, event: str, facts: Mapping[str, object]) -> None:
            if event == "answered":
                raise KeyboardInterrupt

    made = replace(session(tmp_path, model), timeline=Interrupting())
    before = files_in(tmp_path / "repo")
    with pytest.raises(KeyboardInterrupt):
        made.run()
    assert files_in(tmp_path / "repo") == before
    assert "Nothing was changed." in capsys.readouterr().err


def test_an_interrupt_after_the_files_were_written_says_that_they_were(
    tmp_path: Path, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    made = session(tmp_path, model)
    write = made.opened.journal.commit

    class Interrupted(type(made.opened.journal)):  # type: ignore[misc]
        def commit(self, changes: Any) -> None:
            write(changes)
            self.has_written = True
            raise KeyboardInterrupt

    journal = Interrupted(tmp_path / "repo/.git/dryrun-bot", tmp_path / "repo")
    made = replace(made, opened=replace(made.opened, journal=journal))
    with pytest.raises(KeyboardInterrupt):
        made.run()
    assert "All changes were written." in capsys.readouterr().err
    assert not (tmp_path / "repo/old.txt").exists()


def test_a_model_that_fails_is_left_to_the_front_door(tmp_path: Path, model: ScriptedModel) -> None:
    made = session(tmp_path, model, mode=None)
    model.faults = [Raw(status=401, body=b'{"error": {"message": "no"}}')]
    with pytest.raises(ModelFailed):
        made.run()


def test_an_unknown_task_is_refused_before_anything_is_opened(
    tmp_path: Path, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "c.yml"
    config.write_text("ad_hoc_tasks: false\n")
    made = session(tmp_path, model, config_file=config)
    assert made.run() == made.estimate() == 3
    assert "Add a task to the configuration." in capsys.readouterr().err
    assert model.asked == []


def test_a_report_that_goes_into_a_file_leaves_stdout_to_the_plan(
    tmp_path: Path, model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deep/report.json"
    made = session(tmp_path, model, mode=None, report=Format.JSON, report_file=file)
    assert made.run() == 0
    assert json.loads(file.read_text())["dry_run"] is True
    assert capsys.readouterr().out.startswith("Action plan (dry-run): 2 planned actions\n")
