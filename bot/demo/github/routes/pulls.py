"""Pull requests: opened, read, changed, closed; their files and commits."""

from typing import Any

from bot.demo.github.bare import Bare
from bot.demo.github.call import Answer, Call, Refused, Route, Urls
from bot.demo.github.difference import changed_files, unified_diff
from bot.demo.github.git_shapes import changed_file_shape, listed_commit_shape
from bot.demo.github.push import refresh
from bot.demo.github.shapes import account_shape, pull_shape
from bot.demo.github.state import Issue, Pull, Repository


def fork_point(bare: Bare, pull: Pull) -> str:
    """Where the pull request's own commits begin."""
    return bare.merge_base(pull.base_sha, pull.head_sha) or pull.base_sha


def commits_of(bare: Bare, pull: Pull) -> list[str]:
    """Oldest first, without those of the base branch."""
    listed = bare.known("rev-list", "--reverse", "--topo-order", pull.head_sha, f"^{pull.base_sha}")
    return listed.decode().split()


def get_pull(call: Call) -> Answer:
    issue, pull = _pull(call)
    if "diff" in call.headers.get("accept", ""):
        bare = call.repository.bare
        text = unified_diff(bare, before=fork_point(bare, pull), after=pull.head_sha)
        return Answer(
            body=text.encode(), headers={"Content-Type": "application/vnd.github.diff; charset=utf-8"}
        )
    return Answer(body=details(call.repository, issue, pull, call.urls))


def details(repository: Repository, issue: Issue, pull: Pull, urls: Urls) -> dict[str, Any]:
    """A pull request as the single GET and the webhooks give it."""
    bare = repository.bare
    files = changed_files(bare, before=fork_point(bare, pull), after=pull.head_sha)
    return pull_shape(repository, issue, pull, urls) | {
        "merged": pull.merged_at is not None,
        "mergeable": pull.mergeable,
        "rebaseable": pull.mergeable,
        "mergeable_state": {None: "unknown", True: "clean", False: "dirty"}[pull.mergeable],
        "merged_by": account_shape(pull.merged_by, urls) if pull.merged_by else None,
        "comments": len(repository.comments_on(issue.number)),
        "review_comments": 0,
        "maintainer_can_modify": pull.maintainer_can_modify and pull.head_repository is not repository,
        "commits": len(commits_of(bare, pull)),
        "additions": sum(file.additions for file in files),
        "deletions": sum(file.deletions for file in files),
        "changed_files": len(files),
    }


def list_pulls(call: Call) -> Answer:
    wanted, head, base = call.query.get("state", "open"), call.query.get("head"), call.query.get("base")
    found = [
        pull_shape(call.repository, issue, issue.pull, call.urls)
        for issue in sorted(call.repository.issues.values(), key=lambda one: one.number, reverse=True)
        if issue.pull and wanted in ("all", issue.state) and base in (None, issue.pull.base_ref)
    ]
    return call.paged([pull for pull in found if head in (None, pull["head"]["label"])])


def create_pull(call: Call) -> Answer:
    title, base, head = (call.field(name, needed=True) for name in ("title", "base", "head"))
    source, ref = _head(call, head)
    head_sha, base_sha = source.branch(ref), call.repository.branch(base)
    for name, sha in (("head", head_sha), ("base", base_sha)):
        if sha is None:
            raise _invalid(field=name, code="invalid")
    if any(_is_open(issue, source, ref, base) for issue in call.repository.issues.values()):
        raise _invalid(
            code="custom", message=f"A pull request already exists for {source.owner.login}:{ref}."
        )
    now, number = call.state.now(), len(call.repository.issues) + 1
    modify = call.field("maintainer_can_modify", bool)
    pull = Pull(
        head_repository=source,
        head_owner=source.owner,
        head_ref=ref,
        head_sha="",
        base_ref=base,
        base_sha=str(base_sha),
        draft=call.field("draft", bool) or False,
        maintainer_can_modify=True if modify is None else modify,
    )
    issue = Issue(
        id=call.state.new_id(),
        number=number,
        title=title,
        body=call.field("body"),
        author=call.account,
        created_at=now,
        updated_at=now,
        pull=pull,
    )
    call.repository.issues[number] = issue
    refresh(call.state, call.repository, issue, pull)
    return Answer(status=201, body=details(call.repository, issue, pull, call.urls))


def _head(call: Call, head: str) -> tuple[Repository, str]:
    """`branch`, or `owner:branch` for one in a fork."""
    owner, colon, ref = head.partition(":")
    if not colon:
        return call.repository, head
    if owner.lower() == call.repository.owner.login.lower():
        return call.repository, ref
    for repository in call.state.repositories.values():
        if repository.parent is call.repository and repository.owner.login.lower() == owner.lower():
            return repository, ref
    raise _invalid(field="head", code="invalid")


def _is_open(issue: Issue, source: Repository, ref: str, base: str) -> bool:
    pull = issue.pull
    return (
        pull is not None
        and issue.state == "open"
        and (pull.head_repository, pull.head_ref, pull.base_ref) == (source, ref, base)
    )


def update_pull(call: Call) -> Answer:
    issue, pull = _pull(call)
    is_author = call.account.id == issue.author.id
    if not (is_author or call.account.type == "Bot" or call.repository.reaches(call.account, "write")):
        raise Refused(403, "Must have admin rights to Repository.")
    state = call.field("state")
    issue.title = call.field("title") or issue.title
    issue.body = issue.body if call.field("body") is None else call.field("body")
    issue.updated_at = call.state.now()
    if state == "closed" and issue.state == "open":
        issue.closed_at, issue.closed_by = call.state.now(), call.account
    if state == "open" and issue.state == "closed":
        if pull.merged_at or not pull.head_repository or not pull.head_repository.branch(pull.head_ref):
            raise _invalid(field="state", code="invalid")
        issue.closed_at = issue.closed_by = None
        refresh(call.state, call.repository, issue, pull)
    return Answer(body=details(call.repository, issue, pull, call.urls))


def list_files(call: Call) -> Answer:
    _, pull = _pull(call)
    bare = call.repository.bare
    files = changed_files(bare, before=fork_point(bare, pull), after=pull.head_sha)
    return call.paged([changed_file_shape(call.repository, file, pull.head_sha, call.urls) for file in files])


def list_commits(call: Call) -> Answer:
    _, pull = _pull(call)
    shas = commits_of(call.repository.bare, pull)
    return call.paged([listed_commit_shape(call.state, call.repository, sha, call.urls) for sha in shas])


def request_reviewers(call: Call) -> Answer:
    issue, pull = _pull(call)
    for login in call.field("reviewers", list) or []:
        account = call.state.account(str(login))
        if account is None or not call.repository.reaches(account, "read"):
            raise Refused(422, "Reviews may only be requested from collaborators.")
        if account not in pull.reviewers:
            pull.reviewers.append(account)
    return Answer(status=201, body=pull_shape(call.repository, issue, pull, call.urls))


def _pull(call: Call) -> tuple[Issue, Pull]:
    if call.issue.pull is None:
        raise Refused(404, "Not Found")
    return call.issue, call.issue.pull


def _invalid(**error: str) -> Refused:
    return Refused(422, "Validation Failed", [{"resource": "PullRequest", **error}])


_AT = "/repos/{owner}/{repo}/pulls"
_READ, _WRITE = ("pull_requests:read",), ("pull_requests:write",)

ROUTES = (
    Route("GET", _AT, list_pulls, needs=_READ),
    Route("POST", _AT, create_pull, needs=_WRITE),
    Route("GET", f"{_AT}/{{number}}", get_pull, needs=_READ),
    Route("PATCH", f"{_AT}/{{number}}", update_pull, needs=_WRITE),
    Route("GET", f"{_AT}/{{number}}/files", list_files, needs=_READ),
    Route("GET", f"{_AT}/{{number}}/commits", list_commits, needs=_READ),
    Route("POST", f"{_AT}/{{number}}/requested_reviewers", request_reviewers, needs=_WRITE, role="write"),
)
