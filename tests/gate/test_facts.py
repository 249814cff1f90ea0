from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.action import Action, Kind
from bot.gate.facts import Earlier, Facts, How, Size, Touch, facts_after, facts_of, runs_in
from bot.outside.plain_folder import PlainFolder
from bot.outside.search import Ripgrep
from bot.shell.invocation import Invocation
from bot.workspace import Change, Entry, Mode, Reader
from bot.workspace.empty_tree import EMPTY_TREE
from bot.workspace.overlay import Overlay

THERE = Entry(mode=Mode.FILE, blob="0" * 40)


def wrote(path: str, content: bytes | None = b"x\n") -> Change:
    return Change(
        path=path,
        before=None,
        after=None if content is None else THERE,
        content_before=None,
        content_after=content,
    )


def facts(
    *touches: tuple[str, How],
    kind: Kind = Kind.WRITE,
    command: str | None = None,
    tree: Reader = EMPTY_TREE,
    earlier: Earlier = Earlier(),  # noqa: B008 - frozen
    effects: tuple[Change, ...] = (),
) -> Facts:
    return facts_of(
        Action(tool="tool", kind=kind, arguments={}),
        touches=[Touch(path=path, how=how) for path, how in touches],
        command=command,
        tree=tree,
        earlier=earlier,
        effects=effects,
    )


def test_everything_that_an_action_touches_is_in_its_facts() -> None:
    found = facts(("a", How.READ), ("b/../c", How.DELETE), effects=(wrote("d"), wrote("e", None)))
    assert [(one.path.normal, one.how) for one in found.touched] == [
        ("a", How.READ),
        ("c", How.DELETE),
        ("d", How.WRITE),
        ("e", How.DELETE),
    ]


def test_the_words_of_a_command_are_touched_too() -> None:
    found = facts(kind=Kind.EXTERNAL, command="cat a; mine b")
    assert {(one.path.normal, one.how) for one in found.touched} == {
        ("cat", How.NAME),
        ("a", How.NAME),
        ("mine", How.HANDLE),
        ("b", How.HANDLE),
    }
    assert found.command
    assert found.command.commands == (("cat", "a"), ("mine", "b"))


def test_what_is_known_of_the_call_is_passed_on() -> None:
    action = Action(tool="t", kind=Kind.READ, arguments={})
    found = facts_of(
        action, touches=(), command=None, tree=EMPTY_TREE, earlier=Earlier(), known=False, problem="why"
    )
    assert (found.known, found.problem) == (False, "why")


def test_facts_of_nothing_are_nothing() -> None:
    assert facts(kind=Kind.READ) == Facts(kind=Kind.READ)


@pytest.fixture
def tree(tmp_path: Path) -> Overlay:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("x")
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "folder" / "inner").symlink_to("file")
    return Overlay(PlainFolder(tmp_path), Ripgrep())


LINKS = {
    ("link", How.READ): "the symbolic link link",
    ("link", How.WRITE): "the symbolic link link",
    ("link", How.NAME): "the symbolic link link",
    ("link", How.HANDLE): "the symbolic link link",
    ("link", How.LIST): None,
    ("link", How.DELETE): None,
    ("link/file", How.LIST): "the symbolic link link",
    ("link/file", How.DELETE): "the symbolic link link",
    ("link/x/y", How.READ): "the symbolic link link",
    ("./folder//inner", How.READ): "the symbolic link folder/inner",
    ("folder/inner/x", How.READ): "the symbolic link folder/inner",
    ("folder/inner/x/y/z", How.READ): "the symbolic link folder/inner",
    ("folder/file", How.READ): None,
    ("folder/new/file", How.WRITE): None,
    ("", How.LIST): None,
}


@pytest.mark.parametrize(("touch", "link"), LINKS.items(), ids=range(len(LINKS)))
def test_a_link_on_the_way_is_seen(touch: tuple[str, How], link: str | None, tree: Overlay) -> None:
    (one,) = facts(touch, tree=tree).touched
    assert one.link == link


def test_a_path_with_a_fault_is_looked_up_nowhere(tree: Overlay) -> None:
    (one,) = facts(("../link/file", How.READ), tree=tree).touched
    assert one.link is None
    assert one.path.fault


class _WithSubmodule:
    def entry(self, path: str) -> Entry | None:
        return Entry(mode=Mode.SUBMODULE, blob="1" * 40) if path == "vendor/x" else None

    def modes(self, paths: Sequence[str]) -> Mapping[str, Mode]:
        return {path: Mode.SUBMODULE for path in paths if path == "vendor/x"}

    def paths(self) -> list[str]:
        return ["vendor/x"]

    def read(self, path: str) -> bytes:
        raise AssertionError(path)


def test_a_submodule_stands_in_the_way_like_a_link() -> None:
    (one,) = facts(("vendor/x/setup.py", How.WRITE), tree=_WithSubmodule()).touched
    assert one.link == "the submodule vendor/x"


def test_a_plan_grows_with_each_step() -> None:
    earlier = Earlier()
    first = facts(("a", How.WRITE), effects=(wrote("a", b"1\n2\n"),))
    assert first.size == Size(actions=1, files=1, added_lines=2)
    earlier = earlier.after(1, Action(tool="t", kind=Kind.WRITE, arguments={}), first, [wrote("a")])
    second = facts(("./a", How.WRITE), ("b", How.DELETE), ("c", How.READ), earlier=earlier)
    assert second.size == Size(actions=2, files=2, added_lines=2)
    earlier = earlier.after(
        2, Action(tool="t", kind=Kind.WRITE, arguments={}), second, [wrote("b", None), wrote("a")]
    )
    assert earlier.wrote == {"a": (1, 2), "b": (2,)}
    third = facts(kind=Kind.EXTERNAL, command="cp x y", earlier=earlier)
    assert third.size == Size(actions=3, files=2, added_lines=2, commands=1)


def test_a_read_leaves_the_plan_as_it_is() -> None:
    earlier = Earlier(size=Size(actions=3), wrote={"a": (1,)})
    found = facts(("a", How.READ), kind=Kind.READ, earlier=earlier)
    assert found.size == earlier.size
    read = Action(tool="t", kind=Kind.READ, arguments={})
    assert earlier.after(None, read, found, []) is earlier
    assert earlier.after(4, read, found, [wrote("b")]) is earlier
    assert earlier.after(None, Action(tool="t", kind=Kind.WRITE, arguments={}), found, []) is earlier


WROTE = {"src/a.py": (1, 3), "docs/b.md": (2,)}
DEPENDS = {
    "the same file": ((("src/a.py", How.READ),), None, (1, 3)),
    "a folder around it": ((("docs", How.LIST),), None, (2,)),
    "the root": (((".", How.LIST),), None, (1, 2, 3)),
    "another file": ((("src/a", How.READ),), None, ()),
    "a file that begins the same": ((("src/a.pyc", How.WRITE),), None, ()),
    "a command that reads it": ((), "cat docs/b.md", (2,)),
    "a command that runs it": ((), "pytest", (1, 3)),
    "a command that nobody knows": ((), "mine", (1, 2, 3)),
    "a word that nobody knows": ((), "cat $x", ()),
    "a program that nobody knows": ((), "$x", (1, 2, 3)),
    "nothing to do with it": ((), "echo x", ()),
}


@pytest.mark.parametrize(("touches", "command", "steps"), DEPENDS.values(), ids=DEPENDS)
def test_an_action_depends_on_the_steps_whose_files_it_reads_or_runs(
    touches: tuple[tuple[str, How], ...], command: str | None, steps: tuple[int, ...]
) -> None:
    found = facts(*touches, command=command, earlier=Earlier(wrote=WROTE))
    assert found.depends_on == steps


def test_what_a_command_runs_is_named_with_its_step() -> None:
    found = facts(command="pytest src", earlier=Earlier(wrote=WROTE))
    assert found.runs == (("src/a.py", 1), ("src/a.py", 3))
    assert facts(command="cat src/a.py", earlier=Earlier(wrote=WROTE)).runs == ()


def test_what_was_seen_once_is_judged_in_any_plan() -> None:
    action = Action(tool="http_request", kind=Kind.EXTERNAL, arguments={"url": "https://example.com"})
    whole = facts_of(
        action,
        touches=[Touch(path="src/a.py", how=How.WRITE)],
        command="pytest",
        tree=EMPTY_TREE,
        earlier=Earlier(),
        effects=[wrote("src/b.py")],
        known=False,
        problem="why",
    )
    earlier = Earlier(size=Size(actions=4, added_lines=2), wrote=WROTE)
    again = facts_after(earlier, whole)
    assert again == replace(
        whole,
        size=Size(actions=5, files=3, added_lines=3, commands=1),
        runs=(("src/a.py", 1), ("src/a.py", 3)),
        depends_on=(1, 3),
    )
    assert facts_after(Earlier(), again) == whole


def test_a_step_of_which_only_paths_are_known_counts_as_much() -> None:
    earlier = Earlier().with_step(1, Size(actions=1), ["a", "b"]).with_step(2, Size(actions=2), ["b"])
    assert earlier == Earlier(size=Size(actions=2), wrote={"a": (1,), "b": (1, 2)})


HOSTS = {
    "https://Example.com:8443/x": "example.com",
    "http://user@example.com.": "example.com",
    "example.com": "",
    "https://[::1]/": "::1",
    "https://[": "",
}


@pytest.mark.parametrize(("url", "host"), HOSTS.items(), ids=range(len(HOSTS)))
def test_the_host_of_a_web_request_is_a_fact(url: str, host: str) -> None:
    for tool, expected in (("http_request", host), ("write_file", None)):
        action = Action(tool=tool, kind=Kind.EXTERNAL, arguments={"url": url})
        found = facts_of(action, touches=(), command=None, tree=EMPTY_TREE, earlier=Earlier())
        assert found.host == expected
    action = Action(tool="http_request", kind=Kind.EXTERNAL, arguments={"url": 1})
    assert facts_of(action, touches=(), command=None, tree=EMPTY_TREE, earlier=Earlier()).host is None


@given(st.text(max_size=20), st.sampled_from(list(How)), st.text(max_size=20), st.binary(max_size=9))
def test_a_second_look_only_adds(path: str, how: How, command: str, content: bytes) -> None:
    first = facts((path, how), command=command)
    second = facts((path, how), command=command, effects=(wrote("x", content),))
    assert set(first.touched) <= set(second.touched)
    assert first.command == second.command
    assert first.size.files <= second.size.files
    assert first.size.added_lines <= second.size.added_lines


def test_a_command_that_names_no_program_may_run_whatever_was_written() -> None:
    nameless = Invocation(commands=(), handed_on=((),), named=(), fault=None, caution=None)
    assert runs_in(nameless, {"a.sh": (2,), "b/c.txt": (1, 3)}) == (
        ("a.sh", 2),
        ("b/c.txt", 1),
        ("b/c.txt", 3),
    )
