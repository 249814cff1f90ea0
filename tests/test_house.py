"""The rules of the house that a machine can keep: sizes, mirrors, and what no file here may hold."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Bytecode, and what Jinja2 has written: see tests/render/test_loader.py.
NOT_OURS = {"__pycache__", "compiled"}
MODULES = sorted(path for path in (ROOT / "bot").rglob("*.py") if NOT_OURS.isdisjoint(path.parts))
# Protocols and values that carry no logic of their own; whatever uses them is their test.
UNMIRRORED = {
    "bot/world.py",
    "bot/kit.py",
    "bot/situation/__init__.py",
    "bot/answer/__init__.py",
    "bot/refusal.py",
    "bot/patch/file_edit.py",
}
# Told from beginning to end by tests/demo/test_story.py.
UNMIRRORED |= {"bot/cli/demo.py", "bot/demo/script.py"}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_module_is_one_idea_of_at_most_350_lines(module: Path) -> None:
    assert len(module.read_text("utf-8").splitlines()) <= 350


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_function_ends_within_40_lines(module: Path) -> None:
    """Counted from its first statement; signature and docstring are what the reader needs anyway."""
    long = {}
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
            lines = (node.end_lineno or 0) - first.lineno + 1
            if lines > 40:
                long[node.name] = lines
    assert not long


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_every_module_has_tests_where_one_looks_for_them(module: Path) -> None:
    name = _name(module)
    if name in UNMIRRORED or not module.read_text("utf-8").strip():
        return
    inside = module.relative_to(ROOT / "bot")
    if module.name == "__init__.py":
        # A package's own words are tested under its name, and what only re-exports through what it exports.
        defines = any(
            isinstance(node, ast.FunctionDef | ast.ClassDef)
            for node in ast.parse(module.read_text("utf-8")).body
        )
        candidates = [
            inside.parent / f"test_{inside.parent.name}.py",
            inside.parent.parent / f"test_{inside.parent.name}.py",
        ]
        assert not defines or any((ROOT / "tests" / one).exists() for one in candidates), name
        return
    stem = "main" if module.name == "__main__.py" else module.stem
    assert (ROOT / "tests" / inside.parent / f"test_{stem}.py").exists(), name


def test_every_room_of_the_house_is_on_its_map() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text[text.index("What is where in `bot/`") :].partition("\n\nTests share")[0]
    rooms = {path.relative_to(ROOT / "bot").parts[0].removesuffix(".py") for path in MODULES}
    assert rooms - set(re.findall(r"`(\w+)`", table)) == {"__init__", "__main__"}
    assert set(re.findall(r"`(\w+)`", table)) - rooms == set()


# One client, one door: who may import what, so that a heavy or dangerous thing has one place to be looked at.
DOORS = {
    "openai": r"bot/outside/llm\.py",
    "github": r"bot/outside/(fault|rest)\.py",
    "requests": r"bot/outside/(artifact|delivery|fault)\.py",
    "subprocess": r"bot/outside/(git|held|sandbox|search)\.py|bot/demo/(story|github/bare)\.py",
    "jinja2": r"bot/render/(environment|loader|own_template)\.py",
    "markdown_it": r"bot/words/visible_lines\.py",
    "tree_sitter": r"bot/(shell/)?command_line\.py",
    "cmarkgfm": r"bot/render/live\.py|bot/demo/markdown\.py",
    "ctypes": r"bot/outside/(cage/(confine|deputy|warden)|launch|mcp_servers)\.py"
    r"|bot/foreign/(restraint|walls)\.py",
    "rich": r"bot/terminal/.*\.py",
}


@pytest.mark.parametrize("package", DOORS)
def test_a_client_has_one_door(package: str) -> None:
    elsewhere = [
        _name(module)
        for module in MODULES
        if package in _imported(module) and not re.fullmatch(DOORS[package], _name(module))
    ]
    assert elsewhere == []


def _imported(module: Path) -> set[str]:
    tree = ast.parse(module.read_text("utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").partition(".")[0])
    return names


NEVER = {
    "a path of one machine": r"/work/|/farm/|/root/|/home/[a-z]+/\.",
    "a shell in between": r"shell=True|os\.system\(",
    "a promise instead of code": r"\b(TODO|FIXME|XXX)\b(?!-\d|\(#\d)",
    "a patched world": r"mock\.patch|MagicMock|unittest\.mock import",
}


@pytest.mark.parametrize("pattern", NEVER.values(), ids=NEVER)
def test_no_file_holds_what_none_may_hold(pattern: str) -> None:
    found = []
    for path in _tracked():
        if path.suffix in {".png", ".mo", ".lock", ".xz"} or path.name in {"test_house.py", "pyproject.toml"}:
            continue
        text = path.read_text("utf-8", "replace")
        found += [
            f"{_name(path)}:{number}"
            for number, line in enumerate(text.splitlines(), start=1)
            if re.search(pattern, line)
        ]
    assert found == []
