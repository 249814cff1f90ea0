"""The rules of docs/style that a machine can keep: names, sizes, mirrors, and what nothing here may say."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    path
    for path in (ROOT / "bot").rglob("*.py")
    if "__pycache__" not in path.parts and "sample" not in path.parts
)
# Without logic of their own: Protocols only, or tested through what they start.
UNMIRRORED = {"world.py", "__main__.py", "kit.py", "situation.py"}


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_module_is_one_idea_of_at_most_350_lines(module: Path) -> None:
    assert len(module.read_text().splitlines()) <= 350


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_function_ends_within_40_lines_of_code(module: Path) -> None:
    tree = ast.parse(module.read_text())
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    too_long = {
        function.name: function.end_lineno - function.body[0].lineno + 1
        for function in functions
        if (function.end_lineno or 0) - function.body[0].lineno + 1 > 50
    }
    assert not too_long
