"""Every command, path, link and configuration that the documents show is one that works."""

import json
import os
import re
import shlex
from functools import cache
from pathlib import Path

import pytest
import yaml
from documented import action_page, commands_page, parsers

from bot.cli.parser import parse
from bot.config import Config, read_config
from bot.own_machine.first_files import RECIPES

ROOT = Path(__file__).parent.parent
PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text("utf-8")
    for page in (
        *sorted(ROOT.glob("*.md")),
        *sorted(ROOT.glob("docs/**/*.md")),
        *sorted(ROOT.glob(".github/**/*.md")),
    )
    if page.name != "CHANGELOG.md"
}
FENCE = re.compile(r"^( *)(```+)(\w*)\n(.*?)^\1\2$", re.MULTILINE | re.DOTALL)
# Programs of others that a reader is told to type; what follows is theirs.
OTHERS = {"pipx", "git", "gh", "pybabel", "pytest", "docker", "cd"}


def blocks(*languages: str) -> list[tuple[str, str]]:
    return [
        (page, found[4])
        for page, text in PAGES.items()
        for found in FENCE.finditer(text)
        if found[3] in languages
    ]


def typed() -> list[tuple[str, str]]:
    lines = [
        (page, line[2:])
        for page, block in blocks("console", "bash", "shell")
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith("$ ")
    ]
    assert len(lines) > 20
    return lines


@pytest.mark.parametrize(("page", "line"), typed())
def test_every_command_line_is_one_that_can_be_typed(page: str, line: str) -> None:
    words = shlex.split(line.split(" | ", maxsplit=1)[0].split(" > ", maxsplit=1)[0], comments=True)
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words.pop(0)
    program, *rest = words
    if program in {"dryrun-bot", ".venv/bin/dryrun-bot"}:
        if rest == ["--version"]:
            return
        assert callable(parse(rest).run)
    elif program == "make":
        for target in rest or ["help"]:
            assert re.search(rf"^{target}:.*## \w", (ROOT / "Makefile").read_text(), re.MULTILINE), target
    elif program in {"python", ".venv/bin/python"}:
        assert (ROOT / rest[0]).is_file()
    else:
        assert program.removeprefix(".venv/bin/") in OTHERS, page


@cache
def options() -> dict[str, set[str]]:
    return {
        name: {word for one in parser._actions for word in one.option_strings}
        for name, _, parser in parsers()
    }


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_named_in_a_sentence_is_there_with_its_options(page: str) -> None:
    for named in re.findall(r"`(dryrun-bot [a-z][^`]*)`", FENCE.sub("", PAGES[page])):
        words = named.split()
        known = [name for name in options() if words[: len(name.split())] == name.split()]
        groups = [name for name in options() if name.startswith(" ".join(words[:2]) + " ")]
        assert known or groups, named
        for word in words:
            if word.startswith("--") and word != "--help":
                names = known or groups
                assert any(word.split("=")[0] in options()[name] for name in names), named


def headings(text: str) -> set[str]:
    """As GitHub makes anchors of them."""
    found = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", one).lower()).replace(" ", "-") for one in found}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", PAGES[page])):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        file = ((ROOT / page).parent / path) if path else ROOT / page
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in headings(file.read_text("utf-8")), target


OURS = r"`((?:bot|docs|tests|examples|benchmarks|\.ci|\.devcontainer)/[\w./-]*)`"


@pytest.mark.parametrize("page", PAGES)
def test_every_path_of_this_project_that_is_named_is_there(page: str) -> None:
    """But those that are examples of a reader's own."""
    text = FENCE.sub("", PAGES[page])
    for path in re.findall(OURS, text):
        if path.startswith(("docs/", "tests/")) and not (ROOT / path).exists():
            assert page in {"docs/cookbook.md", "docs/policy.md", "docs/terminal.md"}, path
            continue
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize(("page", "block"), blocks("yaml", "yml"))
def test_every_configuration_that_is_shown_is_valid(page: str, block: str) -> None:
    shown = yaml.load(block, yaml.BaseLoader)
    if isinstance(shown, list):
        # Steps of a workflow, of which the action's own name inputs that it has.
        inputs = set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
        for step in shown:
            assert {"uses", "run"} & set(step), page
            if "dryrun-bot" in step.get("uses", ""):
                assert set(step.get("with", {})) <= inputs, page
        return
    assert isinstance(shown, dict), page
    if set(shown) <= set(Config.model_fields):
        read_config(block.encode(), file=page)
    else:
        assert set(shown) & {"on", "jobs", "steps", "permissions"}, page


@pytest.mark.parametrize(("page", "block"), blocks("python"))
def test_every_program_that_is_shown_compiles(page: str, block: str) -> None:
    compile(block, page, "exec")


@pytest.mark.parametrize(("name", "made"), {"commands.md": commands_page, "action.md": action_page}.items())
def test_a_reference_says_what_the_code_says(name: str, made: "type[str]") -> None:
    """After a change on purpose: UPDATE_DOCS=1 pytest tests/test_docs.py"""
    page = ROOT / "docs" / name
    if os.environ.get("UPDATE_DOCS"):
        page.write_text(made(), encoding="utf-8")
    assert page.read_text("utf-8") == made()


def test_every_key_of_the_configuration_stands_in_its_reference() -> None:
    """At whatever depth."""

    def keys(schema: object) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(keys, schema))
        if not isinstance(schema, dict):
            return set()
        return set(schema.get("properties", ())) | set().union(*map(keys, schema.values()))

    named = keys(json.loads((ROOT / "bot/dryrun-bot.schema.json").read_text()))
    assert len(named) > 40
    assert {key for key in named if not re.search(rf"\b{key}\b", PAGES["docs/policy.md"])} == set()


COOKBOOK = PAGES["docs/cookbook.md"]
ROWS = [
    (part.split("`", 1)[0].strip(), *row)
    for part in re.split(r"^# --recipe ", COOKBOOK, flags=re.MULTILINE)[1:]
    for row in re.findall(r"^\| `(\w+)` \| `(\{.*\})` \| (\w+) \| `([\w-]+)` \|$", part, re.MULTILINE)
]


def test_the_cookbook_shows_what_init_writes() -> None:
    shown = {block.split()[2]: block for page, block in blocks("yaml") if page == "docs/cookbook.md"}
    assert set(shown) == set(RECIPES)
    for name, block in shown.items():
        written = (ROOT / f"bot/starter/recipes/{name}.yml").read_bytes()
        one, other = (read_config(text, file=name) for text in (block.encode(), written))
        for part in ("policy_digest", "tasks", "limits", "apply", "ad_hoc_tasks"):
            assert getattr(one, part) == getattr(other, part), name


@pytest.mark.parametrize(("recipe", "tool", "arguments", "outcome", "rule"), ROWS)
def test_the_cookbook_says_what_explain_answers(
    recipe: str, tool: str, arguments: str, outcome: str, rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = recipe.split(maxsplit=1)[0]
    config = ROOT / f"bot/starter/recipes/{name}.yml"
    words = ["policy", "explain", tool, arguments, "--config", str(config), "--repo", str(ROOT), "--json"]
    asked = parse(words)
    asked.run(asked)
    said = json.loads(capsys.readouterr().out)
    assert (said["outcome"], said["rule"]) == (outcome, rule)
