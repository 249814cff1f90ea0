import pytest

from bot.shell.argv_pattern import Word
from bot.shell.program import inner_commands, may_run, name_of, only_reads, scripts_in, why_ask

NAMES = {
    "python": "python",
    "python3": "python",
    "python3.11": "python",
    "pip-3.12": "pip",
    "/usr/bin/Env": "env",
    "cmd.exe": "cmd",
    "7z": "7z",
    "base64": "base64",
    "123": "123",
    "": "",
}


@pytest.mark.parametrize(("word", "name"), NAMES.items())
def test_a_program_has_one_name(word: str, name: str) -> None:
    assert name_of(word) == name


ASKS = [
    *(
        "sudo ls",
        "env",
        "xargs rm",
        "bash x.sh",
        "eval ls",
        "vim a",
        "awk 1",
        "source a",
        "make",
        "npm test",
        "pip list",
    ),
    *(
        "curl x",
        "tar tf a",
        "rm a",
        "tee a",
        "git",
        "git -c a=b log",
        "git push",
        "git log --output=a",
        "git branch a",
    ),
    *(
        "git diff -O a",
        "git grep --open-files-in-pager x",
        "git status --nope",
        "python",
        "python -c x",
        "python3 -m pdb",
    ),
    *(
        "python -m http.server",
        "python -",
        "python -x a",
        "node",
        "node -e x",
        "perl -pe x a",
        "printf -v a b",
        "cd",
        "cd -",
    ),
    *(
        "cd a b",
        "find . -exec ls",
        "find -fprint a",
        "sort -o a",
        "sort -bo a",
        "sort --output=a",
        "sort --outp=a",
    ),
    *(
        "sort -T a",
        "uniq a b",
        "date -s x",
        "date --set=x",
        "date a b",
        "rg --pre a",
        "rg -z a",
        "test -v a",
        "tree -o a",
        "xxd a b",
        "file -C",
        "base64 -o a",
        "hostname x",
        "python -m pytest -p a",
        "python -m tox",
    ),
    *(
        "pytest -p a",
        "pytest -qp a",
        "pytest --rootd=a",
        "pytest -o a=b",
        "go run .",
        "go test -exec a",
    ),
    *(
        "go test --exec=a",
        "cargo run",
        "cargo build --config a",
        "gcc -o a b",
        "gcc -fplugin=a b",
        "shuf -o a",
        "fd -x rm",
    ),
]


@pytest.mark.parametrize("line", ASKS)
def test_what_runs_or_writes_something_else_asks(line: str) -> None:
    assert why_ask(line.split())


FINE = [
    *(
        "ls -la",
        "cat a",
        "git --no-pager log -5",
        "git log --oneline -n 5",
        "git diff --stat HEAD~1",
        "git show HEAD:a",
    ),
    *(
        "git branch",
        "git branch --list",
        "git grep -n x",
        "git status -sb",
        "git blame -L 1,5 a",
        "git ls-files -z",
    ),
    *(
        "python -m pytest -q",
        "xxd a",
        "file -b a",
        "base64 -d a",
        "python3 -B -m json.tool a",
        "python a.py -c",
        "node a.js -e",
        "printf %s a",
        "cd a",
    ),
    *(
        "find . -name x -print0",
        "sort -k2,2n -t, a",
        "sort -nr -S 1k a",
        "sort -5",
        "uniq -c a",
        "date -u +%F",
        "rg -n x",
    ),
    *(
        "rg -A3 --hidden x",
        "test -f a",
        "pytest -q --maxfail=1 -k p -x",
        "pytest --verbose",
        "go test ./...",
        "cargo test",
    ),
    *(
        "ruff check .",
        "mypy a",
        "tool -o a",
        "head -5 a",
        "gcc -c a.c",
        "tree -L 2",
        "echo -n a",
        "sort -- a",
        "sort -",
    ),
]


@pytest.mark.parametrize("line", FINE)
def test_what_its_words_tell_does_not(line: str) -> None:
    assert why_ask(line.split()) is None


INNER: dict[str, tuple[tuple[Word, ...], tuple[Word, ...], bool]] = {
    "itself": (("git", "push"), ("git", "push"), True),
    "by its name": (("/bin/git", "push"), ("git", "push"), True),
    "by its version": (("python3.11", "a"), ("python", "a"), True),
    "behind another": (("env", "A=b", "git", "push"), ("git", "push"), True),
    "behind another, by its name": (("env", "/bin/git", "push"), ("git", "push"), True),
    "after find": (("find", ".", "-exec", "git", "push"), ("git", "push"), True),
    "not as words of a harmless one": (("echo", "git", "push"), ("git", "push"), False),
    "unknown among too many": (("env", *["a"] * 64), (None,), True),
    "known among as many as that": (("env", *["a"] * 63), (None,), False),
    "unknown": ((None, "push"), (None, "push"), True),
    "nothing": ((), (), True),
}


@pytest.mark.parametrize(("argv", "inner", "expected"), INNER.values(), ids=INNER)
def test_a_command_that_hands_on_another_is_both(
    argv: tuple[Word, ...], inner: tuple[Word, ...], *, expected: bool
) -> None:
    assert (inner in list(inner_commands(argv))) is expected


def test_a_shell_is_handed_scripts() -> None:
    assert list(scripts_in(("sh", "-c", "ls", None, "a"))) == ["ls", "a"]
    assert list(scripts_in(("echo", "ls"))) == []
    assert list(scripts_in((None, "ls"))) == []
    assert list(scripts_in(())) == []


STEERED = [
    ("cat", "a.sh", False),
    ("pytest", "conftest.py", True),
    ("pytest", "a/B.PY", True),
    ("python3.11", "a.toml", True),
    ("pytest", "a.md", False),
    ("ruff", "a.py", False),
    ("ruff", "pyproject.toml", True),
    ("git", ".gitattributes", True),
    ("git", "a.py", False),
    ("npm", "docs/a.md", True),
    ("./mine", "a", True),
]


@pytest.mark.parametrize(("word", "path", "expected"), STEERED)
def test_a_program_may_be_steered_by_some_files(word: str, path: str, *, expected: bool) -> None:
    assert may_run(word, path) is expected


def test_a_program_that_only_reads_does_so_with_harmless_words() -> None:
    lines = {
        "cat a": True,
        "git log": True,
        "git push": False,
        "sort a": True,
        "sort -o a": False,
        "mine": False,
    }
    assert {line: only_reads(line.split()) for line in lines} == lines
