"""A commit's own bytes, whatever the work tree looks like, from wherever they can be had and proven."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from real_git import Executable, Files, Link, commit_all, committed, git, lay

from bot.errors import CheckoutFailed, ToolFailed
from bot.outside.checkout import Blobs, CommitTree, materialise
from bot.outside.search import Ripgrep
from bot.workspace import Entry, Mode, blob_sha, tree_sha
from bot.workspace.overlay import Overlay

FILES: Files = {
    "a.txt": b"one\r\n",
    "dir/b.txt": b"\xef\xbb\xbftwo",
    "run.sh": Executable(b"#!/bin/sh\n"),
    "link": Link("../outside"),
    "é/ü.txt": b"three\n",
    ".gitattributes": b"*.txt text eol=crlf\n",
}


@dataclass
class Served:
    """What a server has, and what it was asked for."""

    entries: Mapping[str, Entry]
    blobs: Mapping[str, bytes]
    asked: list[str] = field(default_factory=list)

    def tree(self, commit: str) -> Mapping[str, Entry]:
        self.asked.append(commit)
        return self.entries

    def blob(self, sha: str) -> bytes:
        self.asked.append(sha)
        return self.blobs[sha]

    def texts(self, shas: Sequence[str]) -> Mapping[str, bytes]:
        self.asked.append(" ".join(shas))
        return {sha: self.blobs[sha] for sha in shas if b"\0" not in self.blobs[sha]}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "core.autocrlf", "false")
    lay(folder, {path: file for path, file in FILES.items() if path != ".gitattributes"})
    git(folder, "add", "-A")
    lay(folder, {".gitattributes": FILES[".gitattributes"]})
    git(folder, "add", ".gitattributes")
    git(folder, "commit", "-q", "-m", "all")
    return folder


def head(folder: Path) -> str:
    return git(folder, "rev-parse", "HEAD").decode().strip()


def served(folder: Path) -> Served:
    with CommitTree(head(folder), folder=folder, remote=None) as tree:
        blobs = {entry.blob: tree.read(path) for path, entry in tree.entries.items()}
        return Served(entries=dict(reversed(tree.entries.items())), blobs=blobs)


def test_the_entries_are_the_commits(repository: Path) -> None:
    with CommitTree(head(repository), folder=repository, remote=None) as tree:
        assert tree_sha(tree.entries) == git(repository, "rev-parse", "HEAD^{tree}").decode().strip()
        assert list(tree.entries) == sorted(tree.entries)
        assert tree.entries["run.sh"].mode is Mode.EXECUTABLE
        assert tree.read("link") == b"../outside"


def test_a_work_tree_in_any_state_is_not_believed(repository: Path, tmp_path: Path) -> None:
    commit = head(repository)
    git(repository, "config", "filter.shout.smudge", "tr a-z A-Z")
    lay(tmp_path, {"outside": b"one\n"})
    for path in ("a.txt", "run.sh"):
        (repository / path).unlink()
    (repository / "a.txt").write_bytes(b"dirty one\n")
    (repository / "run.sh").symlink_to(tmp_path / "outside")
    (repository / "dir").rename(repository / "moved")
    (repository / "dir").symlink_to(repository / "moved")
    (repository / "untracked.txt").write_bytes(b"one\n")
    with CommitTree(commit, folder=repository, remote=None) as tree:
        assert tree.read("a.txt") == b"one\r\n"
        assert tree.read("run.sh") == b"#!/bin/sh\n"
        assert tree.read("dir/b.txt") == b"\xef\xbb\xbftwo"
        assert "untracked.txt" not in tree.entries
        overlay = Overlay(tree, Ripgrep())
        found = overlay.search("one", fixed=True, ignore_case=False, paths=overlay.paths(), most=9)
        assert [(match.path, match.text) for match in found] == [("a.txt", "one")]


def test_an_untouched_checkout_serves_searches_where_it_lies(repository: Path) -> None:
    (repository / "a.txt").write_bytes(b"one\n")
    with CommitTree(head(repository), folder=repository, remote=None) as tree:
        places = tree.lay_out(["a.txt", "é/ü.txt", "run.sh"])
        where = {path: place.folder for place in places for path in place.names.values()}
        assert where["é/ü.txt"] == where["run.sh"] == str(repository)
        assert where["a.txt"] != str(repository)


def test_a_commit_that_is_not_here_is_served_by_the_server(repository: Path, tmp_path: Path) -> None:
    server = served(repository)
    elsewhere = tmp_path / "elsewhere"
    committed(elsewhere, {"a.txt": b"one\r\n", "other": b"x"})
    with CommitTree(head(repository), folder=elsewhere, remote=server) as tree:
        assert list(tree.entries) == sorted(FILES)
        assert tree.read("a.txt") == b"one\r\n"
        assert server.asked == [head(repository)]
        assert tree.read("run.sh") == b"#!/bin/sh\n"
        assert server.asked == [head(repository), blob_sha(b"#!/bin/sh\n")]


def test_without_any_folder_everything_comes_from_the_server(repository: Path, tmp_path: Path) -> None:
    with CommitTree(head(repository), folder=None, remote=served(repository)) as tree:
        materialise(tree, tmp_path / "made")
        overlay = Overlay(tree, Ripgrep())
        found = overlay.search("one", fixed=True, ignore_case=False, paths=overlay.paths(), most=9)
        assert [match.path for match in found] == ["a.txt"]
    assert (tmp_path / "made" / "é" / "ü.txt").read_bytes() == b"three\n"


def test_a_search_does_not_fetch_a_whole_repository_file_by_file() -> None:
    contents = {f"{number:03}": str(number).encode() for number in range(400)}
    entries = {path: Entry(mode=Mode.FILE, blob=blob_sha(content)) for path, content in contents.items()}
    server = Served(entries=entries, blobs={blob_sha(content): content for content in contents.values()})
    with CommitTree("1" * 40, folder=None, remote=server) as tree:
        with pytest.raises(ToolFailed, match="more than 200 of these files are not here"):
            tree.lay_out(list(entries))
        assert len(tree.lay_out(list(entries)[:150])[0].names) == 150
    assert len(server.asked) == 201


def test_other_bytes_than_the_name_stands_for_are_refused(repository: Path, tmp_path: Path) -> None:
    server = served(repository)
    lying = Served(entries=server.entries, blobs=dict.fromkeys(server.blobs, b"evil\n"))
    with (
        CommitTree(head(repository), folder=None, remote=lying) as tree,
        pytest.raises(CheckoutFailed, match="other bytes"),
    ):
        tree.read("a.txt")


def test_a_damaged_object_store_is_not_believed(repository: Path) -> None:
    server = served(repository)
    name = blob_sha(b"#!/bin/sh\n")
    evil = git(repository, "hash-object", "-w", "--stdin", stdin=b"evil\n").decode().strip()
    objects = repository / ".git" / "objects"
    place = objects / name[:2] / name[2:]
    place.chmod(0o644)
    place.write_bytes((objects / evil[:2] / evil[2:]).read_bytes())
    with CommitTree(head(repository), folder=repository, remote=server) as tree:
        assert tree.read("run.sh") == b"#!/bin/sh\n"
    assert server.asked == [name]


CANNOT = {
    "a commit that nobody has": ("1" * 40, "commit 1+ is not in this repository"),
    "a short name": ("abc123", "not a full commit name"),
    "an option": ("--output=/tmp/x", "not a full commit name"),
    "a branch": ("main", "not a full commit name"),
}


@pytest.mark.parametrize(("commit", "reason"), CANNOT.values(), ids=CANNOT)
def test_a_commit_that_cannot_be_had_is_said_with_the_next_step(
    repository: Path, commit: str, reason: str
) -> None:
    with pytest.raises(CheckoutFailed, match=reason) as failed:
        _ = CommitTree(commit, folder=repository, remote=None).entries
    assert failed.value.next_step


def test_what_is_no_file_has_no_bytes(repository: Path) -> None:
    with CommitTree(head(repository), folder=repository, remote=None) as tree:
        for path in ("nothing", "dir"):
            with pytest.raises(ToolFailed, match="there is no file"):
                tree.read(path)


def test_files_are_laid_out_exactly(repository: Path, tmp_path: Path) -> None:
    inner = committed(tmp_path / "inner", {"x": b"1"})
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{inner},sub/module")
    git(repository, "commit", "-q", "-m", "with a submodule")
    with CommitTree(head(repository), folder=repository, remote=None) as tree:
        materialise(tree, tmp_path / "made")
        assert tree.entries["sub/module"] == Entry(mode=Mode.SUBMODULE, blob=inner)
        with pytest.raises(ToolFailed):
            tree.read("sub/module")
    made = tmp_path / "made"
    assert (made / "a.txt").read_bytes() == b"one\r\n"
    assert (made / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (made / "a.txt").stat().st_mode & 0o777 == 0o644
    assert (made / "link").readlink() == Path("../outside")
    assert list((made / "sub" / "module").iterdir()) == []
    assert not (made / ".git").exists()
    (made / "sub" / "module").rmdir()
    (made / "sub").rmdir()
    git(made, "init", "-q")
    git(made, "config", "core.autocrlf", "false")
    (made / ".gitattributes").unlink()
    assert commit_all(made)


@pytest.mark.parametrize("path", ["../evil", "a/../../evil", "/tmp/evil"])
def test_a_tree_that_leads_outside_is_not_laid_out(tmp_path: Path, path: str) -> None:
    blob = blob_sha(b"evil")
    server = Served(entries={path: Entry(mode=Mode.FILE, blob=blob)}, blobs={blob: b"evil"})
    with CommitTree("1" * 40, folder=None, remote=server) as tree, pytest.raises(CheckoutFailed):
        materialise(tree, tmp_path / "made" / "here")
    assert not list(tmp_path.rglob("evil"))


def test_files_that_come_through_a_link_are_not_laid_out(tmp_path: Path) -> None:
    blob, link = blob_sha(b"evil"), blob_sha(b"..")
    entries = {"d": Entry(mode=Mode.LINK, blob=link), "d/evil": Entry(mode=Mode.FILE, blob=blob)}
    server = Served(entries=entries, blobs={blob: b"evil", link: b".."})
    with (
        CommitTree("1" * 40, folder=None, remote=server) as tree,
        pytest.raises(CheckoutFailed, match="d/evil"),
    ):
        materialise(tree, tmp_path / "made")
    assert not list(tmp_path.rglob("evil"))


def few(folder: Path, files: Files) -> tuple[Served, str, list[str]]:
    """A checkout of the commit before, and the names of the blobs that the next one has beside it."""
    before = committed(folder, {"a.txt": b"one\r\n"})
    lay(folder, files)
    after = commit_all(folder)
    server = served(folder)
    git(folder, "reset", "-q", "--hard", before)
    git(folder, "reflog", "expire", "--expire=now", "--all")
    git(folder, "gc", "-q", "--prune=now")
    return server, after, [blob_sha(content) for content in files.values() if isinstance(content, bytes)]


def texts(count: int) -> dict[str, bytes]:
    return {f"new/{number:02}.txt": f"{number}\n".encode() for number in range(count)}


def test_what_is_not_here_of_many_files_is_asked_for_in_one_request(tmp_path: Path) -> None:
    server, after, absent = few(tmp_path, texts(5))
    with CommitTree(after, folder=tmp_path, remote=server) as tree:
        paths = list(tree.entries)
        assert [blob_sha(content) for content in tree.read_all(paths)] == [
            tree.entries[path].blob for path in paths
        ]
    assert server.asked == [after, " ".join(absent)]


def test_what_is_no_text_is_asked_for_together_once_and_then_each_alone(tmp_path: Path) -> None:
    bins = {f"{number}.bin": b"\0%d" % number for number in range(3)}
    server, after, absent = few(tmp_path, bins | texts(3))
    with CommitTree(after, folder=tmp_path, remote=server, bring=lambda _: pytest.fail("too few")) as tree:
        assert len(list(tree.read_all(list(tree.entries)))) == len(tree.entries)
    assert server.asked == [after, " ".join(absent), *absent[:3]]


def test_one_that_is_not_here_is_asked_for_as_it_is(tmp_path: Path) -> None:
    server, after, absent = few(tmp_path, {"nul": b"a\0b"})
    with CommitTree(after, folder=tmp_path, remote=server) as tree:
        assert list(tree.read_all(["a.txt", "nul"])) == [b"one\r\n", b"a\0b"]
    assert server.asked == [after, *absent]


def test_more_than_a_request_is_good_for_are_brought_with_all_of_the_commit(tmp_path: Path) -> None:
    server, after, _ = few(tmp_path, texts(60))
    brought: list[str] = []

    def bring(commit: str) -> Blobs:
        brought.append(commit)
        return server.blobs.get

    with CommitTree(after, folder=tmp_path, remote=server, bring=bring) as tree:
        assert len(list(tree.read_all(list(tree.entries)))) == len(tree.entries)
    assert (server.asked, brought) == ([after], [after])
