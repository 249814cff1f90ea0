import pytest

from bot.config import read_config
from bot.config.policy_lint import Finding, findings_in

TOOLS = ("read_file", "write_file", "run_command")


def findings(text: str) -> list[Finding]:
    return list(findings_in(read_config(text.encode(), file="f.yml"), tools=TOOLS))


GOOD = {
    "the defaults": "version: 1",
    "a list that adds": "policy: {paths: {deny: ['infra/**'], ask: ['db/*.sql'], secret: [vault/**]}}",
    "a default written out": "policy: {paths: {deny: ['.github/workflows/**', '**/.git']}}",
    "a negation that takes back": "policy: {paths: {deny: ['docs/**', '!docs/a/**'], ask: ['!Makefile']}}",
    "an allow list": "policy: {paths: {allow: ['src/**', 'docs/*.md']}}",
    "a command with its examples": (
        "policy: {commands: {allow: [{argv: [pytest, '-q'], match: [pytest -q], not_match: [pytest]}]}}"
    ),
    "a program with harmless options": (
        "policy: {commands: {allow: [{argv: [sort, '**'], match: [sort a], not_match: [sort -o a]}]}}"
    ),
    "known tools": "policy: {tools: {write_file: ask, tickets.search: allow}}\n"
    "mcp: {tickets: {command: [x], tools: {search: {kind: read}}}}",
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_nothing_is_said_of_what_works(text: str) -> None:
    assert findings(text) == []


EXAMPLES = "match: [{0}], not_match: [x]"
BAD = {
    "a pattern twice": (
        "policy:\n  paths:\n    deny:\n    - a\n    - a\n",
        4,
        "'a' never decides: 'a' (line 5)",
    ),
    "a pattern that a later one covers": (
        "policy:\n  paths:\n    ask:\n    - docs/a\n    - docs/**\n",
        4,
        "'docs/a' never decides: 'docs/**' (line 5)",
    ),
    "a negation that a later one undoes": (
        "policy:\n  paths:\n    deny:\n    - d*/**\n    - '!docs/a/**'\n    - docs/**\n",
        5,
        "'!docs/a/**' never decides: 'docs/**' (line 6)",
    ),
    "a negation of nothing": (
        "policy:\n  paths:\n    allow:\n    - '!docs/a'\n    - lib/**\n",
        4,
        "'!docs/a' takes nothing back",
    ),
    "a negation of the floor": (
        "policy:\n  paths:\n    deny: ['!.github/dryrun-bot.yml']\n",
        3,
        "'!.github/dryrun-bot.yml' has no effect",
    ),
    "an allowed path that is denied": (
        "policy:\n  paths:\n    deny: ['docs/**']\n    allow: ['docs/a/**', src/**]\n",
        4,
        "'docs/a/**' can never matter: all of it is denied by 'docs/**' (line 3)",
    ),
    "an asked path that is a secret": (
        "policy:\n  paths:\n    ask: [config/.env]\n",
        3,
        "'config/.env' can never matter: all of it is denied by '**/*.env' (a default)",
    ),
    "a command without examples": (
        "policy:\n  commands:\n    allow:\n    - argv: [ls]\n",
        4,
        "'ls' has no examples in match and not_match",
    ),
    "a command without counterexamples": (
        "policy:\n  commands:\n    allow:\n    - {argv: [ls], match: [ls]}\n",
        4,
        "'ls' has no examples in not_match",
    ),
    "an allowed command that is denied": (
        "policy:\n  commands:\n    allow:\n    - argv: [git, log]\n    deny:\n    - argv: [git, '**']\n",
        4,
        "'git log' allows nothing: 'git **' denies all of it",
    ),
    "a program that always asks": (
        "policy:\n  commands:\n    allow:\n    - argv: [sed, '**']\n",
        4,
        "'sed **' allows nothing: sed has a language of its own",
    ),
    "words that always ask": (
        "policy:\n  commands:\n    allow:\n    - argv: [git, push, origin]\n",
        4,
        "'git push origin' allows nothing: git push changes the repository",
    ),
    "a program by its path": (
        "policy:\n  commands:\n    allow:\n    - argv: [./run, '*']\n",
        4,
        "'./run *' allows nothing: a program is named by its bare name",
    ),
    "a command that another covers": (
        "policy:\n  commands:\n    deny:\n    - argv: [a, '**']\n    - argv: [a, b]\n",
        5,
        "'a b' adds nothing: 'a **' covers it",
    ),
    "a command twice": (
        "policy:\n  commands:\n    deny:\n    - argv: [a]\n    - argv: [a]\n",
        5,
        "'a' adds nothing: 'a' covers it",
    ),
    "an unknown tool": ("policy:\n  tools:\n    wirte_file: ask\n", 3, "there is no tool 'wirte_file'"),
}


@pytest.mark.parametrize(("text", "line", "what"), BAD.values(), ids=BAD)
def test_a_rule_that_does_nothing_is_found(text: str, line: int, what: str) -> None:
    (finding,) = findings(text)
    assert finding.source == f"f.yml:{line}"
    assert finding.what.startswith(what)
    assert finding.next_step


def test_findings_come_in_the_order_of_the_file() -> None:
    found = findings(
        "policy:\n  tools: {a: ask}\n  commands: {allow: [{argv: [ls]}]}\n  paths: {deny: [x, x]}\n"
    )
    assert [finding.source for finding in found] == ["f.yml:2", "f.yml:3", "f.yml:4"]
