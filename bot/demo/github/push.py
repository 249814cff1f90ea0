"""Branches move, and what follows: pull requests get their new head, their merge commit, or are closed."""

from collections.abc import Mapping, Sequence

from bot.dataclass import dataclass
from bot.demo.github.bare import NO_SHA, Bare, Leaf, RefUpdate
from bot.demo.github.commit_object import Signature, commit_bytes, read_commit
from bot.demo.github.difference import merged_tree
from bot.demo.github.state import Account, Happening, Issue, Pull, Repository, State


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file's bytes and git's mode for it."""

    content: bytes
    mode: str = "100644"


Files = Mapping[str, "File | bytes | str | None"]


def push(state: State, repository: Repository, updates: Sequence[RefUpdate]) -> bool:
    """All the refs move, or none: False when one was not where its update says it is."""
    if not repository.bare.update(updates):
        return False
    repository.pushed_at = state.now()
    follow(state, repository)
    return True


def may_move(state: State, repository: Repository, account: Account, ref: str) -> bool:
    """A person's right to move one ref."""
    lent = state.lent_branches(account, repository)
    return repository.reaches(account, "write") or ref.removeprefix("refs/heads/") in lent


def touches_workflows(repository: Repository, *, before: str | None, after: str) -> bool:
    """Whether a ref that moves so changes a workflow, which takes a permission of its own."""
    bare = repository.bare
    old = before or repository.branch(repository.default_branch)
    found = bare.object(after)
    if old is None or found is None or found.kind != "commit":
        return False
    return bool(bare.known("diff-tree", "-r", "--name-only", old, after, "--", ".github/workflows"))


def follow(state: State, repository: Repository) -> None:
    """What GitHub does by itself after a push, however it came."""
    for base in state.repositories.values():
        for issue in base.issues.values():
            pull = issue.pull
            if pull and issue.state == "open" and repository in (base, pull.head_repository):
                refresh(state, base, issue, pull)


def refresh(state: State, base: Repository, issue: Issue, pull: Pull) -> None:
    """Head, `refs/pull/N/head` and `refs/pull/N/merge` of an open pull request."""
    tip = pull.head_repository.branch(pull.head_ref) if pull.head_repository else None
    if tip is None:
        issue.closed_at = issue.updated_at = state.now()
        return
    ref = f"refs/pull/{issue.number}/head"
    if pull.head_sha != tip or base.bare.ref(ref) != tip:
        # Looked up only now: the base in a pull request's fields lags behind its branch.
        pull.base_sha = base.branch(pull.base_ref) or pull.base_sha
        before, pull.head_sha, issue.updated_at = pull.head_sha, tip, state.now()
        if pull.head_repository and pull.head_repository is not base:
            base.bare.fetch(pull.head_repository.bare, sha=tip, ref=ref)
        else:
            base.bare.update([RefUpdate(ref=ref, before=None, after=tip)])
        _tell(state, base, issue, pull, before=before)
    _merge(state, base, issue, pull)


def _tell(state: State, base: Repository, issue: Issue, pull: Pull, *, before: str) -> None:
    bare = base.bare
    if before and not bare.is_ancestor(before, pull.head_sha):
        issue.timeline.append(Happening(what="forced", name=before, at=state.now()))
    known = [f"^{sha}" for sha in (before, pull.base_sha) if sha]
    for sha in bare.known("rev-list", "--reverse", "--topo-order", pull.head_sha, *known).decode().split():
        issue.timeline.append(Happening(what="commit", name=sha, at=state.now()))


def _merge(state: State, base: Repository, issue: Issue, pull: Pull) -> None:
    ours, ref = base.branch(pull.base_ref), f"refs/pull/{issue.number}/merge"
    sha = merge_commit(state, base, ours=ours, theirs=pull.head_sha) if ours else None
    pull.mergeable, pull.merge_commit_sha = sha is not None, sha
    base.bare.update([RefUpdate(ref=ref, before=None, after=sha or NO_SHA)])


def merge_commit(state: State, repository: Repository, *, ours: str, theirs: str) -> str | None:
    """A commit that merges two others, None where they conflict."""
    bare = repository.bare
    fork_point = bare.merge_base(ours, theirs)
    if fork_point is None:
        return None
    if fork_point == ours:
        found = bare.object(theirs)
        tree = read_commit(found.content).tree if found else None
    else:
        tree = merged_tree(bare, base=fork_point, ours=ours, theirs=theirs)
    if tree is None:
        return None
    by = Signature(name="GitHub", email="noreply@github.com", at=state.now())
    message = f"Merge {theirs} into {ours}"
    return bare.write(
        "commit",
        commit_bytes(tree=tree, parents=(ours, theirs), author=by, committer=by, message=message),
    )


def commit_files(
    state: State, repository: Repository, changes: Files, *, parent: str | None, message: str, by: Account
) -> str:
    """A commit with these files set, or deleted where None. No branch moves."""
    bare = repository.bare
    above = bare.object(parent) if parent else None
    leaves = [_leaf(bare, path, content) for path, content in changes.items()]
    who = Signature(name=by.login, email=by.email, at=state.now())
    content = commit_bytes(
        tree=bare.make_tree(read_commit(above.content).tree if above else None, leaves),
        parents=[parent] if parent else [],
        author=who,
        committer=who,
        message=message,
    )
    return bare.write("commit", content)


def _leaf(bare: Bare, path: str, content: File | bytes | str | None) -> Leaf:
    if content is None:
        return Leaf(path=path, mode="100644", sha=NO_SHA)
    if isinstance(content, str):
        content = content.encode()
    file = content if isinstance(content, File) else File(content=content)
    return Leaf(path=path, mode=file.mode, sha=bare.write("blob", file.content))
