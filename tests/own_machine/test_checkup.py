"""What works on a machine and what is missing."""

from pathlib import Path

import pytest
from own_home import FILES, opened, surroundings
from real_git import commit_all, committed, lay

from bot.own_machine.checkup import Check, checkup


def checks(folder: Path, **environ: str) -> dict[str, Check]:
    return {
        check.what: check
        for check in checkup(folder / "repo", surroundings(folder, **environ), is_offline=True)
    }


def test_here_everything_that_is_needed_works(tmp_path: Path) -> None:
    opened(tmp_path)
    found = checks(tmp_path, OPENAI_API_KEY="k")
    assert [check.what for check in found.values() if check.next_step and check.is_needed] == []
    assert found["Commands"].found == "run confined"
    assert "k" not in found["Model"].found.replace("OPENAI_API_KEY", "").split()


CONFIGURATIONS = {
    "none": (None, "defaults hold", "note"),
    "a good one": (b"tasks: {tidy: {prompt: Tidy.}}\n", "tasks: tidy", "well"),
    "a broken one": (b"nonsense: 1\n", "line 1", "missing"),
    "one that extends another": (
        b"extends: acme/.github:bot.yml@main\n",
        "extends acme/.github:bot.yml@main, and there is no token",
        "note",
    ),
    "a doubtful one": (b"policy: {tools: {nosuch: ask}}\n", "1 rules", "note"),
}


@pytest.mark.parametrize(("text", "said", "state"), CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_the_configuration_is_read_as_it_is_committed(
    tmp_path: Path, text: bytes | None, said: str, state: str
) -> None:
    committed(tmp_path / "repo", FILES if text is None else {**FILES, ".github/dryrun-bot.yml": text})
    check = checks(tmp_path)["Configuration"]
    assert said in check.found
    found = "well" if check.next_step is None else "missing" if check.is_needed else "note"
    assert found == state


def test_a_half_written_run_is_found(tmp_path: Path) -> None:
    opened(tmp_path)
    assert "Files" not in checks(tmp_path)
    lay(tmp_path / "repo", {".git/dryrun-bot/journal.json": b"{}"})
    assert "killed while it wrote" in checks(tmp_path)["Files"].found


WORKFLOWS = {"ci.yml": b"on: push\n", "bot.yaml": b"uses: dryrun-bot/dryrun-bot@v1\n"}


def test_the_workflow_is_found_by_what_it_uses(tmp_path: Path) -> None:
    opened(tmp_path)
    lay(tmp_path / "repo", {".github/workflows/ci.yml": WORKFLOWS["ci.yml"]})
    assert checks(tmp_path)["Workflow"].next_step == "run dryrun-bot init"
    lay(tmp_path / "repo", {".github/workflows/bot.yaml": WORKFLOWS["bot.yaml"]})
    assert checks(tmp_path)["Workflow"].found == ".github/workflows/bot.yaml is not committed"
    commit_all(tmp_path / "repo")
    assert checks(tmp_path)["Workflow"].next_step is None
    assert checks(tmp_path)["Rights"].next_step is not None


def test_without_git_nothing_more_is_looked_for(tmp_path: Path) -> None:
    (missing,) = [
        check
        for check in checkup(tmp_path, surroundings(tmp_path))
        if check.next_step is not None and check.is_needed
    ]
    assert missing.what == "Repository"
