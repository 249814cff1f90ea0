import shlex

import pytest

from bot.shell.invocation import invocation_of

CAUTIONS = {
    "ls": None,
    "ls $a": "the command has a variable",
    "ls && sed -n p a": "sed has a language of its own, in which programs can be run and files written",
    "cd a && cd b && cd c && cd d && ls": "the command changes folders too often to follow",
}


@pytest.mark.parametrize(("text", "caution"), CAUTIONS.items())
def test_what_an_allow_list_can_not_judge_is_said(text: str, caution: str | None) -> None:
    assert invocation_of(text).caution == caution


NAMED = {
    "cat a": {"cat", "a"},
    "cat -n a": {"cat", "a"},
    "cat -fa": {"cat", "a"},
    "cat --file=a": {"cat", "--file", "a"},
    "git show HEAD:a/b": {"git", "show", "HEAD:a/b", "HEAD", "a/b"},
    "cat a,b@c": {"cat", "a,b@c", "a", "b@c", "b", "c"},
    "cat /dev/null": {"cat"},
    "cd a && cat b": {"cd", "a", "cat", "b", "a/cd", "a/a", "a/cat", "a/b"},
    "make -C a b": {"make", "a", "b", "a/make", "a/a", "a/b"},
    "tool --directory=a b": {"tool", "--directory", "a", "b", "a/tool", "a/--directory", "a/a", "a/b"},
    "cd a && cat /b": {"cd", "a", "cat", "/b", "a/cd", "a/a", "a/cat"},
    "echo x > a": {"echo", "x", "a"},
    "sh -c 'cat a'": {"sh", "cat a", "cat", "a"},
}


@pytest.mark.parametrize(("text", "paths"), NAMED.items())
def test_every_word_may_be_a_path_from_every_folder(text: str, paths: set[str]) -> None:
    assert {named.path.written for named in invocation_of(text).named} == paths


READ_ONLY = {
    "cat a": True,
    "git log -- a": True,
    "sort a": True,
    "sort -o b a": False,
    "cp b a": False,
    "mine a": False,
    "cat a > b": False,
    "cat a; cp a b": False,
}


@pytest.mark.parametrize(("text", "expected"), READ_ONLY.items())
def test_it_is_known_whether_a_path_is_only_read(text: str, *, expected: bool) -> None:
    assert {named.is_only_read for named in invocation_of(text).named if named.path.written == "a"} == {
        expected
    }


def test_a_fault_leaves_nothing_to_judge_but_everything_to_deny() -> None:
    for text in ("ls\0", "ls " + "a " * 401):
        invocation = invocation_of(text)
        assert invocation.fault
        assert invocation.handed_on == ((None,),)
        assert invocation.named == ()


def test_scripts_in_scripts_are_followed_as_deep_as_anybody_would_write_them() -> None:
    text = "git push"
    for _ in range(4):
        text = f"sh -c {shlex.quote(text)}"
    assert ("git", "push") in invocation_of(text).handed_on
    assert (None,) not in invocation_of(text).handed_on
    deeper = invocation_of(f"sh -c {shlex.quote(text)}").handed_on
    assert (None,) in deeper
