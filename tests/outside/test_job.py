"""What a step writes for the runner, read as the runner reads it, with values that try to get out."""

import re
from pathlib import Path

import pytest

from bot.outside.job import Job


def _as_the_runner_reads(file: Path) -> dict[str, str]:
    """`name<<delimiter`, lines, delimiter; or `name=value`. From the runner's own FileCommandManager."""
    outputs: dict[str, str] = {}
    lines = iter(re.split(r"\r\n|\n|\r", file.read_text(encoding="utf-8")))
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if heredoc >= 0 and (equals < 0 or heredoc < equals):
            name, delimiter = line[:heredoc], line[heredoc + 2 :]
            value = []
            while (part := next(lines)) != delimiter:
                value.append(part)
            outputs[name] = "\n".join(value)
        else:
            name, _, outputs[name] = line.partition("=")
    return outputs


def _job(folder: Path) -> Job:
    return Job(output_file=folder / "output", summary_file=folder / "summary.md")


VALUES = {
    "a word": "planned",
    "nothing": "",
    "lines": "a\nb\n\nc",
    "an output of its own": "x\ndecision=applied",
    "one in the long form": "x\ndecision<<EOF\napplied\nEOF",
    "a delimiter of ours": f"x\nend-{'0' * 32}\ndecision=applied",
    "a workflow command": "::set-output name=decision::applied",
    "words of another alphabet": "äöü 😀",
    "an equals sign": "a=b<<c",
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_value_is_read_back_as_it_was_and_makes_no_other_output(tmp_path: Path, value: str) -> None:
    job = _job(tmp_path)
    job.set_outputs({"decision": "refused", "comment-url": value, "reason-code": "expired"})
    assert _as_the_runner_reads(tmp_path / "output") == {
        "decision": "refused",
        "comment-url": value,
        "reason-code": "expired",
    }


@pytest.mark.parametrize("value", ["x\rdecision=applied", "x\r\ndecision=applied", "half \ud800 a letter"])
def test_odd_line_ends_and_half_letters_make_no_other_output(tmp_path: Path, value: str) -> None:
    _job(tmp_path).set_outputs({"comment-url": value, "decision": "refused"})
    read = _as_the_runner_reads(tmp_path / "output")
    assert read.keys() == {"comment-url", "decision"}
    assert read["decision"] == "refused"


def test_outputs_are_added_to_those_that_are_there_and_a_delimiter_is_used_once(tmp_path: Path) -> None:
    (tmp_path / "output").write_text("earlier=1\n")
    job = _job(tmp_path)
    job.set_outputs({"a": "1"})
    job.set_outputs({"b": "2"})
    assert _as_the_runner_reads(tmp_path / "output") == {"earlier": "1", "a": "1", "b": "2"}
    delimiters = re.findall(r"<<(end-[0-9a-f]{32})", (tmp_path / "output").read_text())
    assert len(set(delimiters)) == 2


def test_a_summary_is_added_to_what_other_steps_wrote(tmp_path: Path) -> None:
    (tmp_path / "summary.md").write_text("# Tests\n")
    _job(tmp_path).summarise("### Plan ä")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == "# Tests\n### Plan ä\n"


@pytest.mark.parametrize("before", [0, 1_000_000, 1024 * 1024, 1024 * 1024 + 5])
def test_a_summary_stays_within_what_github_shows_and_ends_with_a_line(tmp_path: Path, before: int) -> None:
    (tmp_path / "summary.md").write_bytes(b"x" * before)
    _job(tmp_path).summarise("ä line of words\n" * 100_000)
    written = (tmp_path / "summary.md").read_bytes()
    assert len(written) <= max(before, 1024 * 1024)
    assert not written[before:] or written.endswith(b"\n")
    assert set(written[before:].split(b"\n")) <= {"ä line of words".encode(), b""}


def test_where_nobody_listens_nothing_is_said() -> None:
    job = Job.around({})
    assert job == Job(output_file=None, summary_file=None)
    job.set_outputs({"a": "1"})
    job.summarise("x")


def test_the_runner_names_the_files(tmp_path: Path) -> None:
    named = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    assert Job.around(named) == _job(tmp_path)
