"""Trees, blobs, commits and branches over GitHub's Git Data API; nothing is cloned or checked out.

Objects are named by their content, so making one twice is harmless. A branch moves by compare-and-swap only.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from bot.action import Json
from bot.dataclass import dataclass
from bot.errors import CannotPush, GitHubFailed
from bot.outside.answers import (
    BlobAnswer,
    CommitAnswer,
    ComparisonAnswer,
    Nothing,
    ObjectAnswer,
    RefAnswer,
    RepositoryAnswer,
    TreeAnswer,
    TreeEntryAnswer,
)
from bot.outside.delivery import Delivery
from bot.outside.fault import Fault, Kind
from bot.outside.rest import Request, Rest, github_failed, path_of
from bot.outside.staging import Staged, stage
from bot.outside.tree_entry import batches, made_entry, uploaded
from bot.pull_request import Commit
from bot.sentence import Sentence
from bot.workspace import Change, Entry, Mode, blob_sha

T = TypeVar("T")

READ = "contents: read"
WRITE = "contents: write"

# What needs more requests than this is brought over git's own protocol, in two.
_MOST_REQUESTS = 2


_UPDATE_REFS = """
mutation UpdateRefs($input: UpdateRefsInput!) {
  updateRefs(input: $input) { clientMutationId }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitData:
    """One repository's objects. `root` is its path in the API, as in `/repos/owner/name`.

    `commits` and `trees` remember what was read, for a commit never changes; `made` what was only just made.
    `node_ids` are the names that GraphQL has for repositories, by owner/name. `delivery` is the way over
    git's own protocol, where there is one, and `staged` what was brought on it, by its tree.
    """

    rest: Rest
    root: str
    name: str
    node_ids: dict[str, str] = field(default_factory=dict)
    commits: dict[str, Commit] = field(default_factory=dict)
    trees: dict[str, str] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    delivery: Delivery | None = None
    staged: dict[str, Staged] = field(default_factory=dict)

    def tip(self, branch: str) -> str | None:
        """The commit that the branch is at, or None where there is no such branch."""
        request = Request(
            what=Sentence("read the branch %(branch)s", branch=repr(branch)),
            permission=READ,
            path=self.root + path_of("git", "ref", "heads", branch),
        )
        answer = self.rest.settle(request, RefAnswer)
        if isinstance(answer, Fault):
            if answer.kind is Kind.MISSING:
                return None
            raise github_failed(request, answer)
        return answer.object.sha if answer.ref == f"refs/heads/{branch}" else None

    def commit(self, sha: str) -> Commit:
        if sha not in self.commits:
            request = Request(
                what=Sentence("read the commit %(sha)s", sha=sha),
                permission=READ,
                path=self.root + path_of("git", "commits", sha),
                is_new=sha in self.made,
            )
            self.commits[sha] = self.rest.ask(request, CommitAnswer).commit()
        return self.commits[sha]

    def tree(self, commit: str) -> dict[str, Entry]:
        """Every file under a commit or a tree, by path."""
        return dict(self._files(commit, folder=""))

    def _files(self, sha: str, *, folder: str) -> Iterator[tuple[str, Entry]]:
        """Whole where GitHub lists it whole, else by folders: it cuts off at 100,000 entries or 7 MB."""
        answer = self._tree(sha, recursive=True)
        if answer.truncated:
            answer = self._tree(sha, recursive=False)
            if answer.truncated:
                raise GitHubFailed(
                    "GitHub could not list the folder %(folder)s of %(name)s whole",
                    folder=repr(folder or "/"),
                    name=self.name,
                    next_step="split the folder up: it has more files than GitHub lists",
                )
            for entry in answer.tree:
                if entry.type == "tree":
                    yield from self._files(entry.sha, folder=f"{folder}{entry.path}/")
        yield from ((folder + entry.path, _entry(entry)) for entry in answer.tree if entry.type != "tree")

    def _tree(self, sha: str, *, recursive: bool) -> TreeAnswer:
        request = Request(
            what=Sentence("list the files of %(sha)s", sha=sha),
            permission=READ,
            path=self.root + path_of("git", "trees", sha),
            query={"recursive": 1} if recursive else {},
            is_new=sha in self.made,
        )
        return self.rest.ask(request, TreeAnswer)

    def blob(self, sha: str) -> bytes:
        """A file's bytes, proven to be those that `sha` names."""
        request = Request(
            what=Sentence("read the file contents %(sha)s", sha=sha),
            permission=READ,
            path=self.root + path_of("git", "blobs", sha),
        )
        answer = self.rest.ask(request, BlobAnswer)
        try:
            content = (
                base64.b64decode(answer.content) if answer.encoding == "base64" else answer.content.encode()
            )
        except ValueError:
            content = b""
        if blob_sha(content) != sha:
            raise _not_what_was_asked_for(Sentence("the file contents %(sha)s", sha=sha))
        return content

    def make_tree(self, *, base_commit: str, changes: Sequence[Change], before: Mapping[str, Entry]) -> str:
        """The name of the tree that `base_commit`, whose files are `before`, becomes by `changes`.

        No branch points to it yet.
        """
        tree = self.trees.get(base_commit) or self.commit(base_commit).tree
        uploads = [(change.path, content) for change in changes if (content := uploaded(change)) is not None]
        # What goes makes room first: a file that takes a folder's place ends what is deleted in it later.
        in_order = sorted(changes, key=lambda change: change.after is not None)
        parts = list(batches([made_entry(change) for change in in_order]))
        if self.delivery is not None and len(uploads) + len(parts) > _MOST_REQUESTS:
            staged = stage(self.delivery, changes, before=before, base_tree=tree, parent=base_commit)
            if staged is not None:
                self.staged[staged.tree] = staged
                return staged.tree
        for path, content in uploads:
            self._upload(content, path=path)
        for batch in parts:
            request = Request(
                what=Sentence("store a tree of %(count)s changed files", count=len(batch)),
                permission=WRITE,
                verb="POST",
                path=self.root + path_of("git", "trees"),
                body={"base_tree": tree, "tree": batch},
                is_new=True,
            )
            tree = self._stored(request, ObjectAnswer).sha
            self.made.add(tree)
        return tree

    def _upload(self, content: bytes, *, path: str) -> None:
        request = Request(
            what=Sentence("store the contents of %(path)s", path=repr(path)),
            permission=WRITE,
            verb="POST",
            path=self.root + path_of("git", "blobs"),
            body={"content": base64.b64encode(content).decode("ascii"), "encoding": "base64"},
        )
        sha = self._stored(request, ObjectAnswer).sha
        if sha != blob_sha(content):
            raise _not_what_was_asked_for(Sentence("the contents of %(path)s", path=repr(path)))

    def make_commit(self, *, tree: str, parent: str, message: str) -> Commit:
        """A commit that nothing points to yet.

        No author is given: then it is the token's own account, and GitHub signs where that is a bot's.
        """
        try:
            return self._commit_made(tree=tree, parent=parent, message=message)
        except GitHubFailed:
            self._drop(self.staged.pop(tree, None))
            raise

    def _commit_made(self, *, tree: str, parent: str, message: str) -> Commit:
        request = Request(
            what=Sentence("store the commit"),
            permission=WRITE,
            verb="POST",
            path=self.root + path_of("git", "commits"),
            body={"message": message, "tree": tree, "parents": [parent]},
            is_new=True,
        )
        commit = self._stored(request, CommitAnswer).commit()
        if commit.tree != tree or commit.parents != (parent,):
            raise _not_what_was_asked_for(Sentence("the commit"))
        self.commits[commit.sha] = commit
        self.made.add(commit.sha)
        return commit

    def _stored(self, request: Request, shape: type[T]) -> T:
        """GitHub says 403, or 404 of a fork that the token may not see: either way nothing can be pushed."""
        answer = self.rest.settle(request, shape)
        if not isinstance(answer, Fault):
            return answer
        failed = github_failed(request, answer)
        if answer.kind in {Kind.FORBIDDEN, Kind.MISSING}:
            raise CannotPush(failed.what, next_step=failed.next_step)
        raise failed

    def move_branch(self, branch: str, *, before: str, after: str) -> bool:
        """Compare-and-swap: False where the branch was not at `before`; CannotPush where it may not move.

        REST can't do it: without force it still fast-forwards a branch that was forced back to an ancestor of
        `before`, and so brings removed commits back.
        """
        staged = self.staged.pop(self.commits[after].tree, None) if after in self.commits else None
        if staged is None:
            return self._move(branch, before=before, after=after)
        try:
            # What held the files goes in the same moment: all of these updates are done, or none is.
            is_moved = self._move(branch, before=before, after=after, also=[staged.removal])
        except CannotPush:
            # It may be the other update that GitHub didn't like.
            self._drop(staged)
            return self._move(branch, before=before, after=after)
        if not is_moved:
            self._drop(staged)
        return is_moved

    def _drop(self, staged: Staged | None) -> None:
        """A courtesy: nobody sees what stays, and the next apply of these files finds it."""
        if staged is not None:
            path = self.root + path_of("git", staged.ref)
            self.rest.settle(
                Request(what=Sentence("tidy up"), permission=WRITE, verb="DELETE", path=path), object
            )

    def _move(self, branch: str, *, before: str, after: str, also: Sequence[Mapping[str, Json]] = ()) -> bool:
        update: Mapping[str, Json] = {
            "name": f"refs/heads/{branch}",
            "beforeOid": before,
            "afterOid": after,
            "force": False,
        }
        request = self.rest.graphql(
            Sentence("move the branch %(branch)s", branch=repr(branch)),
            _UPDATE_REFS,
            {"input": {"repositoryId": self._node_id(), "refUpdates": [update, *also]}},
            permission=WRITE,
        )

        def look() -> bool | None:
            return self._was_moved(branch, before=before, after=after)

        answer = self.rest.settle(request, Nothing, look=look)
        if isinstance(answer, bool):
            return answer
        if not isinstance(answer, Fault):
            return True
        was_moved = look()
        if was_moved is not None:
            return was_moved
        failed = github_failed(request, answer)
        if answer.kind in {Kind.FORBIDDEN, Kind.REFUSED, Kind.MISSING}:
            raise CannotPush(
                failed.what,
                branch=repr(branch),
                then=failed.next_step,
                next_step="let the token push to %(branch)s; %(then)s",
            )
        raise failed

    def _was_moved(self, branch: str, *, before: str, after: str) -> bool | None:
        """Whether the branch has `after`; None while it is still at `before`, so nothing has happened yet."""
        tip = self.tip(branch)
        if tip == before:
            return None
        if tip is None or tip == after:
            return tip is not None
        # Somebody may have pushed on top before this look.
        request = Request(
            what=Sentence("compare %(after)s with the branch %(branch)s", after=after, branch=repr(branch)),
            permission=READ,
            path=self.root + path_of("compare", f"{after}...{tip}"),
            query={"per_page": 1},
        )
        answer = self.rest.settle(request, ComparisonAnswer)
        if isinstance(answer, Fault) and answer.kind is not Kind.MISSING:
            raise github_failed(request, answer)
        return isinstance(answer, ComparisonAnswer) and answer.status == "ahead"

    def _node_id(self) -> str:
        if self.name not in self.node_ids:
            request = Request(
                what=Sentence("read the repository %(name)s", name=self.name),
                permission="metadata: read",
                path=self.root,
            )
            self.node_ids[self.name] = self.rest.ask(request, RepositoryAnswer).node_id
        return self.node_ids[self.name]


def _entry(answer: TreeEntryAnswer) -> Entry:
    # 100664 is in trees that very old versions of git wrote, and reads as a plain file.
    mode = Mode.FILE if answer.mode == "100664" else Mode(answer.mode)
    return Entry(mode=mode, blob=answer.sha)


def _not_what_was_asked_for(what: Sentence) -> GitHubFailed:
    return GitHubFailed(
        "GitHub answered with something else than %(what)s",
        what=what,
        next_step="run the job again, nothing was changed",
    )
