"""Somebody else's server, from event to apply: the reference filesystem server, from npm, over stdio.

`make setup` installs it, as tests/npm/package-lock.json names it; so these tests need no network.
"""

import os
import sys
from pathlib import Path

import pytest
from journey import FILES, Journey, call
from npm.install import DONE, NODE, PLACE

from bot.demo.model import Said


@pytest.fixture(scope="module")
def server() -> Path:
    if not DONE.exists():
        pytest.skip("the reference server is not installed: `make setup` could not reach npm's registry")
    return PLACE / "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """The folder that the server may look after: outside the repository."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "there.txt").write_text("what is there\n")
    return folder


def _prepared(journey: Journey, server: Path, shelf: Path, extra: str = "") -> None:
    config = str(FILES[".github/dryrun-bot.yml"]) + (
        "mcp:\n"
        "  files:\n"
        f"    command: [{NODE}, {server}, {shelf}]\n"
        "    tools:\n"
        "      read_text_file: {kind: read}\n"
        "      list_directory: {kind: read}\n"
        "      write_file: {kind: external, simulate: {from_output_schema: true}}\n"
        f"{extra}"
        "policy: {tools: {files.write_file: ask}}\n"
    )
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": config}, message="Files", by="acme"
    )
    journey.model.script = (
        Said(calls=(call("files_read_text_file", path=f"{shelf}/there.txt"),)),
        Said(
            calls=(
                call(
                    "files_write_file", path=f"{shelf}/new.txt", content="written\n", intent="For the shelf."
                ),
                call("files_list_directory", path=str(shelf)),
                call("edit_file", path="README.md", old="teh", new="the"),
            )
        ),
        Said(text="Done."),
    )


def _shelved(shelf: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(shelf.iterdir())}


def test_reads_are_real_a_write_is_rehearsed_and_then_performed_on_apply(
    journey: Journey, server: Path, shelf: Path
) -> None:
    _prepared(journey, server, shelf)
    before = _shelved(shelf)
    journey.opened()
    plan = journey.plan()
    told = [message["content"] for message in journey.model.asked[-1].messages if message["role"] == "tool"]
    assert "what is there" in told[0]
    assert '"simulated": true' in told[1] or '\\"simulated\\": true' in told[1]
    assert plan.steps[0].id in told[1]
    assert "new.txt" not in told[2]
    assert _shelved(shelf) == before
    assert [(step.tool, step.verdict.outcome.value) for step in plan.steps] == [
        ("files.write_file", "ask"),
        ("edit_file", "allow"),
    ]
    ended = journey.says(f"/apply {plan.short_digest} --approve 1")
    assert ended.reason == "applied"
    assert _shelved(shelf) == before | {"new.txt": "written\n"}
    assert journey.file("README.md") == b"# Sample\n\nthe first line\n"
    assert "✅&nbsp;done" in ended.summary


def test_without_approval_nothing_is_written(journey: Journey, server: Path, shelf: Path) -> None:
    _prepared(journey, server, shelf)
    before = _shelved(shelf)
    journey.opened()
    assert journey.says(f"/apply {journey.plan().short_digest}").reason == "steps-not-approved"
    assert _shelved(shelf) == before


def test_what_the_server_refuses_is_told_and_repeated_by_nobody(
    journey: Journey, server: Path, shelf: Path
) -> None:
    _prepared(journey, server, shelf)
    outside = shelf.parent / "outside.txt"
    journey.model.script = (
        Said(calls=(call("files_write_file", path=str(outside), content="x"),)),
        Said(text="Done."),
    )
    journey.opened()
    ended = journey.says(f"/apply {journey.plan().short_digest} --approve 1")
    assert ended.reason == "applied"
    assert "Access denied" in ended.summary
    assert not outside.exists()


def test_another_set_of_its_tools_makes_the_plan_stale(journey: Journey, server: Path, shelf: Path) -> None:
    _prepared(journey, server, shelf)
    journey.opened()
    digest = journey.plan().short_digest
    _prepared(journey, server, shelf, extra="      get_file_info: {kind: read}\n")
    assert journey.says(f"/apply {digest} --approve 1").reason == "stale-policy"
    assert "new.txt" not in _shelved(shelf)


def test_a_tool_that_the_server_does_not_have_is_told_on_the_pull_request(
    journey: Journey, server: Path, shelf: Path
) -> None:
    _prepared(journey, server, shelf, extra="      no_such_tool: {kind: read}\n")
    ended = journey.opened()
    assert (ended.exit_code, ended.reason) == (1, "bad-tool")
    assert "has no tool" in journey.bot_comments[-1].body
    assert "no_such_tool" in journey.bot_comments[-1].body


def test_the_servers_own_environment_holds_no_token_of_the_job(journey: Journey, shelf: Path) -> None:
    """Whatever program stands in its place."""
    program = shelf.parent / "tell.py"
    program.write_text(f"import os\nopen({str(shelf / 'env')!r}, 'w').write(repr(dict(os.environ)))\n")
    config = str(FILES[".github/dryrun-bot.yml"]) + (
        f"mcp:\n  files:\n    command: [{sys.executable}, {program}]\n    tools: {{}}\n"
    )
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": config}, message="Tell", by="acme"
    )
    assert journey.opened().reason == "bad-tool"
    told = (shelf / "env").read_text()
    assert "PATH" in told
    for kept in ("ghs_embedded", "GITHUB", "OPENAI", "RUNNER"):
        assert kept not in told
    assert os.environ.get("HOME", "/nowhere") not in told
