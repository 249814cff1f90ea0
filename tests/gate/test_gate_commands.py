"""What the gate says of command lines: the collected cases, more of their classes, and harmless ones."""

from typing import Any

import pytest
from judging import COMMANDS, FILE, NO_PUSH, PYTEST, policy, verdict_on_command

from bot.verdict import Outcome


@pytest.mark.parametrize("case", COMMANDS["cases"], ids=lambda case: case["id"])
def test_a_command_never_gets_a_verdict_that_would_harm(case: dict[str, Any]) -> None:
    assert verdict_on_command(case["command"]).outcome.value not in case["never"]


ASK_AT_LEAST = {
    "a program after any joiner": "ls\nsh payload",
    "a program named by its path": "/usr/bin/ls",
    "a program that a quoted word hides": "'e'nv ls",
    "a version of a program": "python3.11 -c pass",
    "another case of a program": "SED -n p README.md",
    "an alias of one": "gawk 1 README.md",
    "abbreviated long options": "sort --compress-prog=./payload README.md",
    "an option in a cluster": "sort -uo victim README.md",
    "an option nobody listed": "git log --exec-path=x",
    "git's own options": "git --exec-path=. log",
    "another writing subcommand": "git diff --output=victim",
    "a subcommand that changes refs": "git branch new",
    "find's other writers": "find . -fls victim",
    "find deletes": "find . -name x -delete",
    "rg runs a preprocessor": "rg --pre ./payload x",
    "test evaluates a subscript": "test -v 'a[$(./payload)]'",
    "date sets the clock": "date --set=yesterday",
    "uniq writes its second file": "uniq a b",
    "python's own modules run others": "python3 -m timeit 'import os'",
    "python reads its input": "python3 -",
    "a module is the program of its name": "python3 -m pytest -p evil",
    "a module that installs": "python3 -m uv pip install x",
    "a prefix assignment with a sum": "A+=1 ls",
    "a subscript assignment": "a[0]=1 ls",
    "a nested substitution": 'echo "a $(echo `./payload`)"',
    "process substitution": "diff <(ls) a",
    "a coprocess": "coproc ls",
    "a loop": "for i in 1; do ls; done",
    "a group": "{ ls; }",
    "a subshell": "(ls)",
    "a negation": "! ls",
    "a timed command": "time ls",
    "a function": "ls() { ./payload; }; ls",
    "another home": "ls ~root",
    "a home after a colon": "ls a:~",
    "a glob": "ls *.py",
    "a set of characters": "ls [ab]",
    "braces": "ls a{b,c}",
    "a range of braces": "ls {1..3}",
    "an escape string": "ls $'a'",
    "a translated string": 'ls $"a"',
    "an append": "echo x >> README.md",
    "a duplicated descriptor that is a file": "ls >&victim",
    "a numbered descriptor": "ls 3>victim",
    "a here-string": "cat <<< x",
    "a path outside": "cat /etc/passwd",
    "a path outside after an equals sign": "ls --ignore=/etc/passwd",
    "a path outside by dots": "cat a/../../b",
    "a web address": "cat https://example.com/x",
    "going back": "cd - && ls",
    "going home": "cd && ls",
    "an empty line": "",
    "a word too long to look at": "ls " + "a/" * 2_100,
    "only a comment": "# ls",
    "an unclosed quote": "ls 'a",
    "a stray operator": "ls &&",
    "two semicolons": "ls;; ls",
    "a word that only looks allowed": "lsx",
    "nothing after the program of a longer rule": "npm",
}


@pytest.mark.parametrize("command", ASK_AT_LEAST.values(), ids=ASK_AT_LEAST)
def test_what_only_a_person_can_tell_asks(command: str) -> None:
    assert verdict_on_command(command).outcome >= Outcome.ASK


ALLOWED = {
    "a plain command": "ls -la docs",
    "a joined one": "ls && git status --short || git log -1",
    "a pipe": "cat README.md | grep -n x | sort -u | head -3",
    "lines": "ls\n\ngit status\n",
    "a comment": "# what is there\nls # all",
    "quotes": "grep -rn \"it's a 'b'\" src",
    "escapes": r"grep -n a\ b src\,c",
    "nothing is written": "ls >/dev/null 2>&1",
    "a folder": "cd docs && ls",
    "a module": "python3 -m mypkg.tool --check",
    "history": "git log --oneline -5 HEAD~3..HEAD -- src",
    "a tilde within": "git show HEAD~1",
    "a search": "rg -n --hidden 'a|b' src",
    "sorting": "sort -t, -k2,2n data.csv",
    "a find": "find src -name '*.py' -maxdepth 2",
    "a test": "test -f README.md",
    "other letters": "grep -n größe docs/naïve.md",
}


@pytest.mark.parametrize("command", ALLOWED.values(), ids=ALLOWED)
def test_a_listed_command_of_plain_words_is_allowed(command: str) -> None:
    verdict = verdict_on_command(command)
    assert (verdict.outcome, verdict.rule) == (Outcome.ALLOW, "command-allowed")
    assert verdict.source.startswith(f"{FILE}:")


DENIED_COMMANDS = {
    "a secret as one word": "cat .env",
    "a secret after an equals sign": "grep --file=.env x",
    "a secret behind a short option": "grep -f.env x",
    "a secret in a revision": "git show HEAD:config/.env",
    "a secret in a folder gone to": "cd config && cat .env",
    "a secret by dots from there": "cd a && cat ../.env",
    "a secret in a variable": "F=.env; cat $F",
    "a secret for a shell": "sh -c 'cat .env'",
    "a folded secret": "cat \uff0eENV",
    "git's folder": "cat .git/config",
    "a workflow as a target": "cp a .github/workflows/ci.yml",
    "a folder of workflows": "cp -r a .github/workflows",
    "a redirect over a workflow": "echo x > .github/workflows/ci.yml",
    "a tab is fine, a bell is not": "ls\ta\ab",
    "a carriage return": "ls\r./payload",
    "zero width": "l\u200bs",
    "a tag character": "ls \U000e0041",
    "a command that is too long": "ls " + "a" * 20_000,
    "a command that names too many things": "cd x && ls "
    + " ".join(",".join(map(str, range(n, n + 700))) for n in (100, 900)),
    "a command with too many words": "ls " + "a " * 2_000,
}


@pytest.mark.parametrize("command", DENIED_COMMANDS.values(), ids=DENIED_COMMANDS)
def test_some_commands_nobody_can_approve(command: str) -> None:
    assert verdict_on_command(command).outcome is Outcome.DENY


def test_reading_what_may_not_be_written_is_no_fault_of_a_command() -> None:
    assert verdict_on_command("cat .github/workflows/ci.yml").outcome is Outcome.ALLOW
    assert verdict_on_command("git log -- package.json").outcome is Outcome.ALLOW


PUSHES = {
    "plainly": "git push origin",
    "by path": "/usr/bin/git push",
    "by another": "env A=1 git push",
    "by two": "timeout 5 nice git push",
    "by a shell": "sh -c 'git push'",
    "by a shell in a shell": "bash -c \"sh -c 'git push'\"",
    "by find": "find . -exec git push ;",
    "in a substitution": "echo $(git push)",
    "in a loop": "while true; do git push; done",
    "in a function": "f() { git push; }; f",
    "by a word nobody knows": "git $X",
    "by a program nobody knows": "$X push",
    "in what can't be parsed": "git 'push",
    "behind too many words": "env " + "A=1 " * 70 + "git push",
}


@pytest.mark.parametrize("command", PUSHES.values(), ids=PUSHES)
def test_a_denied_command_is_denied_however_it_is_called(command: str) -> None:
    verdict = verdict_on_command(command, NO_PUSH)
    assert (verdict.outcome, verdict.rule, verdict.source) == (Outcome.DENY, "command-denied", f"{FILE}:4")


@pytest.mark.parametrize("command", ["git status", "echo git push", "git pushy", "grep push git"])
def test_other_commands_are_not_denied_with_it(command: str) -> None:
    assert verdict_on_command(command, NO_PUSH).outcome < Outcome.DENY


def test_an_allowed_command_in_more_than_words_falls_back_to_the_default() -> None:
    own = policy(defaults={"command": "deny"}, commands={"allow": [{"argv": ["ls", "**"]}]})
    assert verdict_on_command("ls a", own).outcome is Outcome.ALLOW
    for command in ("ls > a", "ls $a", "ls; mine", ""):
        assert verdict_on_command(command, own).outcome is Outcome.DENY


RUN = {
    "conftest.py": ("pytest -q", "conftest.py", Outcome.ASK),
    "a test": ("pytest -q tests/test_a.py", "tests/test_a.py", Outcome.ASK),
    "what a test imports": ("pytest", "src/app.py", Outcome.ASK),
    "its settings": ("pytest", "pyproject.toml", Outcome.ASK),
    "a document": ("pytest", "docs/a.md", Outcome.ALLOW),
    "a script that is only shown": ("cat a.sh", "a.sh", Outcome.ALLOW),
    "anything, by a program that nobody knows": ("mine", "docs/a.md", Outcome.ASK),
}


@pytest.mark.parametrize(("command", "path", "outcome"), RUN.values(), ids=RUN)
def test_a_command_that_may_run_what_the_plan_changed_asks(command: str, path: str, outcome: Outcome) -> None:
    assert verdict_on_command(command, PYTEST).outcome is Outcome.ALLOW
    verdict = verdict_on_command(command, PYTEST, wrote=(path,))
    assert verdict.outcome is outcome
    if outcome is Outcome.ASK:
        assert verdict.rule == "command-runs-plan"
        assert f"{path}, which step 1" in verdict.reason
