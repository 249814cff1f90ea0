"""What `init` writes is sound, by every linter that people hold it to, whatever was chosen."""

import subprocess
import sys
from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest

from bot import CONFIG_PATH
from bot.config import read_config
from bot.config.policy_lint import findings_in
from bot.errors import BadUsage
from bot.foreign.plugins import known_tools
from bot.own_machine.first_files import RECIPES, WORKFLOW_PATH, WORKFLOWS, Wanted, first_files

BIN = Path(sys.executable).parent
LINTERS = {
    "check-jsonschema": ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"],
    "actionlint": ["actionlint"],
    "zizmor": ["zizmor", "--offline", "--no-progress", "--quiet"],
}
SERVERS = (None, "https://models.example.com:8443/v1")


@pytest.mark.parametrize("linter", LINTERS)
@pytest.mark.parametrize(("workflow", "server"), list(product(WORKFLOWS, SERVERS)))
def test_a_workflow_that_init_writes_has_nothing_that_a_linter_finds(
    tmp_path: Path, linter: str, workflow: str, server: str | None
) -> None:
    text = first_files(Wanted(workflow=workflow, base_url=server))[WORKFLOW_PATH]
    assert (server is None) is ("openai-base-url" not in text)
    file = tmp_path / WORKFLOW_PATH
    file.parent.mkdir(parents=True)
    file.write_text(text)
    program, *options = LINTERS[linter]
    ran = subprocess.run([BIN / program, *options, file], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("recipe", [None, *RECIPES])
def test_a_configuration_that_init_writes_is_what_it_says(recipe: str | None) -> None:
    text = first_files(Wanted(recipe=recipe, model="qwen3:8b"))[CONFIG_PATH]
    config = read_config(text.encode(), file=CONFIG_PATH)
    assert (config.model.name, config.model.advisor) == ("qwen3:8b", "qwen3:8b")
    assert len(config.tasks) == (recipe is not None)
    assert findings_in(config, tools=known_tools()) == []


def test_an_editor_finds_the_schema_by_the_first_line(tmp_path: Path) -> None:
    for recipe in (None, *RECIPES):
        text = first_files(Wanted(recipe=recipe))[CONFIG_PATH]
        schema, _, name = text.splitlines()[0].partition("=")[2].rpartition("/bot/")
        assert schema.startswith("https://")
        file = tmp_path / "dryrun-bot.yml"
        file.write_text(text)
        command = [BIN / "check-jsonschema", "--schemafile", str(files("bot") / name), file]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout


UNUSABLE = {
    "a name that is YAML": {"model": "a, advisor: b}"},
    "a name of two lines": {"model": "a\nb"},
    "no name": {"model": ""},
    "an address with an expression": {"base_url": "https://x/${{ secrets.A }}"},
    "an address with a password": {"base_url": "https://a:b@x/v1"},
    "an address of two lines": {"base_url": "https://x/v1\nrun: y"},
    "an address with a comment": {"base_url": "https://x/v1 # y"},
    "no address": {"base_url": "x"},
    "another protocol": {"base_url": "file:///etc/passwd"},
}


@pytest.mark.parametrize("chosen", UNUSABLE.values(), ids=UNUSABLE)
def test_what_would_be_read_as_something_else_is_not_written(chosen: dict[str, str]) -> None:
    with pytest.raises(BadUsage):
        Wanted(**chosen)
