import json
from pathlib import Path

import pytest

from bot.config import DEFAULT
from bot.explanation import Explanation, explain
from bot.outside.plain_folder import PlainFolder
from bot.outside.search import Ripgrep
from bot.verdict import Outcome
from bot.workspace import Tree
from bot.workspace.empty_tree import EMPTY_TREE


def explained(tool: str, arguments: object, tree: Tree = EMPTY_TREE) -> Explanation:
    return explain(tool, json.dumps(arguments), tree=tree, searcher=Ripgrep(), policies=DEFAULT.policies)


KEY = "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n"
VERDICTS = {
    "a path alone": ("write_file", {"path": "x"}, Outcome.ALLOW, "default-write"),
    "a denied path alone": ("write_file", {"path": ".env"}, Outcome.DENY, "path-secret"),
    "a whole call": ("write_file", {"path": "x", "content": "y\n"}, Outcome.ALLOW, "default-write"),
    "what a rehearsal shows": ("write_file", {"path": "x", "content": KEY}, Outcome.DENY, "content-secret"),
    "a command": ("run_command", {"command": "ls"}, Outcome.ASK, "default-command"),
    "a read": ("read_file", {"path": "x"}, Outcome.ALLOW, "default-read"),
    "a search": ("search_code", {"pattern": "x"}, Outcome.ALLOW, "default-read"),
    "an unknown tool": ("nothing", {}, Outcome.DENY, "unknown-tool"),
    "an unknown argument": ("write_file", {"path": "x", "mode": 1}, Outcome.DENY, "invalid-arguments"),
    "no object": ("write_file", [1], Outcome.DENY, "invalid-arguments"),
}


@pytest.mark.parametrize(("tool", "arguments", "outcome", "rule"), VERDICTS.values(), ids=VERDICTS)
def test_an_action_gets_the_verdict_that_a_run_would_give_it(
    tool: str, arguments: object, outcome: Outcome, rule: str
) -> None:
    verdict = explained(tool, arguments).verdict
    assert (verdict.outcome, verdict.rule) == (outcome, rule)


def test_what_was_left_out_is_said() -> None:
    assert explained("write_file", {"path": "x"}).left_out == ("content",)
    assert explained("edit_file", {"path": "x"}).left_out == ("old", "new")
    assert explained("write_file", {"path": "x", "content": ""}).left_out == ()


def test_explaining_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\n")
    tree = PlainFolder(tmp_path)
    assert explained("write_file", {"path": "b", "content": "x"}, tree).verdict.outcome is Outcome.ALLOW
    assert explained("delete_file", {"path": "a"}, tree).verdict.rule == "default-delete"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert explained("delete_file", {"path": "nothing"}, tree).error


def test_the_facts_are_json() -> None:
    told = explained("run_command", {"command": "cat a; sed b"}).to_json()
    assert json.loads(json.dumps(told)) == told
    facts = told["facts"]
    assert isinstance(facts, dict)
    assert facts["command"] == {
        "commands": [["cat", "a"], ["sed", "b"]],
        "caution": "sed has a language of its own, in which programs can be run and files written",
        "fault": None,
    }
    assert {"written": "a", "normal": "a", "keys": ["a"], "how": "name"} in facts["paths"]
    assert facts["plan"] == {"actions": 1, "files": 0, "added_lines": 0, "commands": 1}
    assert explained("write_file", {"path": "x"}).to_json()["left_out"] == ["content"]


def test_a_fault_and_a_link_are_among_them(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("x")
    for path, key in (("../x", "fault"), ("link/y", "link")):
        facts = explained("write_file", {"path": path}, PlainFolder(tmp_path)).to_json()["facts"]
        assert isinstance(facts, dict)
        assert key in facts["paths"][0]
