"""Change one thing at a time in what decides, and see whether a test notices: mutation testing with mutmut.

    python benchmarks/mutation.py [--keep FOLDER] [--children 2]

Works on a copy. Every mutant that survives is printed, with its change; those listed below change no verdict
and no word of one, for the reason given, and don't count. Fails if any other survives.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
MUTATED = ("bot/gate/__init__.py", "bot/gate/facts.py", "bot/gate/content.py", "bot/advice.py")
TESTS = (
    "judging.py",
    "gate/test_gate.py",
    "gate/test_gate_commands.py",
    "gate/test_gate_properties.py",
    "gate/test_facts.py",
    "gate/test_content.py",
    "test_advice.py",
)
CONFIG = f"""\
[tool.mutmut]
source_paths = {list(MUTATED)!r}
only_mutate = {list(MUTATED)!r}
also_copy = ["bot", "tests", "docs"]
pytest_add_cli_args_test_selection = ["tests/"]

[tool.pytest.ini_options]
addopts = "--import-mode=importlib"
pythonpath = ["tests"]
"""
# Few examples: each test runs once for every mutant.
PROFILE = """\
from hypothesis import HealthCheck, settings

settings.register_profile(
    "mutation", max_examples=15, derandomize=True, deadline=None, database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("mutation")
"""
# What the changed line is like, and why the change can't be seen.
NOTHING_CHANGES = {
    r'decode\("UTF-8"': "Python takes either name for the codec",
    r"\(earlier\.wrote\) or True": "nothing was written, so nothing is found: it only takes longer",
    r"\(seen\.known and seen\.problem is None\) and False": "no call was misunderstood, so nothing is said",
    r"\(seen\.content is NOTHING\) and False": "no line was added, so nothing is found in them",
    r"_link\(named\.path, None, tree\)": "a word of a command is neither listed nor deleted",
    r'rstrip\("XX\.XX"\)': "a host's letters are folded, so it has no X at its end",
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--keep", type=Path, help="work in this folder, and leave it")
    options.add_argument("--children", type=int, default=os.cpu_count() or 1)
    chosen = options.parse_args()
    if chosen.keep:
        return mutated(chosen.keep, chosen.children)
    with tempfile.TemporaryDirectory(prefix="dryrun-mutation-") as folder:
        return mutated(Path(folder), chosen.children)


def mutated(folder: Path, children: int) -> int:
    shutil.copytree(ROOT / "bot", folder / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests" / "cases", folder / "tests" / "cases")
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "policy.md", folder / "docs")
    (folder / "tests" / "gate").mkdir()
    for name in TESTS:
        shutil.copy(ROOT / "tests" / name, folder / "tests" / name)
    (folder / "tests" / "conftest.py").write_text(PROFILE)
    (folder / "pyproject.toml").write_text(CONFIG)
    subprocess.run(
        [sys.executable, "-m", "mutmut", "run", "--max-children", str(children)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    said = mutmut(folder, "results", "--all", "true").split("\n")
    results = dict(line.strip().split(": ", 1) for line in said if ": " in line)
    return told(folder, results)


def told(folder: Path, results: dict[str, str]) -> int:
    alive = [name for name, result in results.items() if result not in {"killed", "timeout"}]
    unexplained = 0
    for name in alive:
        change = "\n".join(re.findall(r"^[-+][^-+].*", mutmut(folder, "show", name), re.MULTILINE))
        why = next((why for line, why in NOTHING_CHANGES.items() if re.search(line, change)), None)
        print(f"{name}: {results[name]}, {why or 'UNEXPLAINED'}\n{change}\n")
        unexplained += why is None
    harmless = len(alive) - unexplained
    noticed = len(results) - len(alive)
    print(f"{len(results)} mutants: {noticed} noticed, {harmless} change nothing, {unexplained} unexplained")
    if not harmless:
        print("a mutant that changes nothing was noticed, so the tests fail for another reason")
    return 0 if harmless and not unexplained else 1


def mutmut(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return ran.stdout


if __name__ == "__main__":
    sys.exit(main())
