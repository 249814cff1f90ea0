"""The tools of MCP servers at a keyboard: started when asked for, and only what can be used there."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from own_home import opened

from bot.errors import BadTool
from bot.local_run.home import Home
from bot.own_machine.servers import with_servers

SAMPLE = Path(__file__).parent.parent / "mcp_sample.py"
CONFIG = f"""\
mcp:
  tickets:
    command: [{sys.executable}, {SAMPLE}]
    env: [STORE]
    tools:
      search: {{kind: read}}
      create: {{kind: external, simulate: {{from_output_schema: true}}}}
policy: {{tools: {{tickets.create: ask}}}}
"""


def _home(folder: Path, config: str = CONFIG) -> Home:
    return opened(folder, config=config).home


def test_what_reads_is_there_and_works_and_what_waits_for_a_commit_is_said_not_to_be(tmp_path: Path) -> None:
    store, home = tmp_path / "store", _home(tmp_path)
    store.write_text("First\nSecond\n")
    with with_servers(home, is_wanted=True, environ={"STORE": str(store)}) as here:
        assert set(here.tools) - set(home.tools) == {"tickets.search"}
        search = here.tools["tickets.search"]
        said = search.execute(search.arguments.model_validate_json('{"word": "Fir"}'), None)  # type: ignore[arg-type]
        assert said == "First"
    assert here.findings == (
        "tools for after the commit on a pull request, so not to be had in a terminal: tickets.create",
    )


def test_nothing_is_started_that_nobody_asked_for_and_that_is_said(tmp_path: Path) -> None:
    marked = tmp_path / "started"
    home = _home(tmp_path, CONFIG.replace(f"[{sys.executable}, {SAMPLE}]", f"[touch, {marked}]"))
    with with_servers(home, is_wanted=False, environ={}) as here:
        assert here.tools == home.tools
    assert not marked.exists()
    (finding,) = here.findings
    assert finding.endswith("not started, for nobody asked for them with --mcp: tickets")


def test_where_nothing_is_configured_there_is_nothing_to_say(tmp_path: Path) -> None:
    home = replace(_home(tmp_path, "language: en\n"), findings=("One.",))
    for is_wanted in (True, False):
        with with_servers(home, is_wanted=is_wanted, environ={}) as here:
            assert (here.tools, here.findings) == (home.tools, ("One.",))


def test_errands_that_the_policy_would_let_through_are_named(tmp_path: Path) -> None:
    home = _home(tmp_path, "policy: {tools: {add_labels: ask}}\n")
    with with_servers(home, is_wanted=False, environ={}) as here:
        assert here.findings[0].endswith("not to be had in a terminal: add_labels")


def test_a_server_that_can_not_be_used_stops_the_run(tmp_path: Path) -> None:
    home = _home(tmp_path, CONFIG.replace(str(SAMPLE), "/no/such/file.py"))
    with pytest.raises(BadTool, match="'tickets'"), with_servers(home, is_wanted=True, environ={}):
        pass
