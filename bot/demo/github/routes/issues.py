"""Issues and the conversation of pull requests: comments, reactions, labels."""

from collections.abc import Callable
from typing import Any

from bot.demo.github.call import Answer, Call, Refused, Route
from bot.demo.github.shapes import comment_shape, issue_shape, label_shape, reaction_shape
from bot.demo.github.state import Comment, Happening, Issue, Reaction, Repository

_MOST_LETTERS = 65_536
_REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


def get_issue(call: Call) -> Answer:
    return Answer(body=issue_shape(call.repository, call.issue, call.urls))


def list_issues(call: Call) -> Answer:
    wanted = call.query.get("state", "open")
    found = [issue for issue in call.repository.issues.values() if wanted in ("all", issue.state)]
    found.sort(key=lambda issue: issue.number, reverse=call.query.get("direction") != "asc")
    return call.paged([issue_shape(call.repository, issue, call.urls) for issue in found])


def create_issue(call: Call) -> Answer:
    if not call.repository.has_issues:
        raise Refused(410, "Issues are disabled for this repo")
    title, body = call.field("title", (str, int), needed=True), call.field("body")
    if len(body or "") > _MOST_LETTERS:
        raise _too_long("Issue")
    now, number = call.state.now(), len(call.repository.issues) + 1
    issue = Issue(
        id=call.state.new_id(),
        number=number,
        title=str(title),
        body=body,
        author=call.account,
        created_at=now,
        updated_at=now,
        labels=[str(name) for name in call.field("labels", list) or []],
    )
    call.repository.issues[number] = issue
    return Answer(status=201, body=issue_shape(call.repository, issue, call.urls))


def list_comments(call: Call) -> Answer:
    found = call.repository.comments_on(call.issue.number)
    since = call.query.get("since")
    if since:
        found = [comment for comment in found if comment.updated_at.isoformat() >= since.removesuffix("Z")]
    return call.paged([comment_shape(call.repository, comment, call.urls) for comment in found])


def create_comment(call: Call) -> Answer:
    body, issue = _body(call), call.issue
    if issue.locked and not call.repository.reaches(call.account, "write"):
        raise Refused(403, "Unable to create comment because issue is locked.")
    now = call.state.now()
    comment = Comment(
        id=call.state.new_id(),
        number=issue.number,
        body=body,
        author=call.account,
        created_at=now,
        updated_at=now,
    )
    call.repository.comments[comment.id] = comment
    issue.timeline.append(Happening(what="comment", name=str(comment.id), at=now))
    issue.updated_at = now
    return Answer(status=201, body=comment_shape(call.repository, comment, call.urls))


def get_comment(call: Call) -> Answer:
    return Answer(body=comment_shape(call.repository, _comment(call), call.urls))


def edit_comment(call: Call) -> Answer:
    comment = _comment(call)
    if not _may_change(call, comment):
        raise Refused(403, "Must have admin rights to Repository.")
    comment.body, comment.editor, comment.updated_at = _body(call), call.account, call.state.now()
    return Answer(body=comment_shape(call.repository, comment, call.urls))


def delete_comment(call: Call) -> Answer:
    comment = _comment(call)
    if not _may_change(call, comment):
        raise Refused(403, "Must have admin rights to Repository.")
    del call.repository.comments[comment.id]
    return Answer(status=204)


def _comment(call: Call) -> Comment:
    found = call.repository.comments.get(call.number("comment"))
    if found is None:
        raise Refused(404, "Not Found")
    return found


def _may_change(call: Call, comment: Comment) -> bool:
    """Its author, and whoever may write: GitHub lets both, which is why an edit has to be looked for."""
    is_author = comment.author.id == call.account.id
    return is_author or call.account.type == "Bot" or call.repository.reaches(call.account, "write")


def _body(call: Call) -> str:
    body: str = call.field("body", needed=True)
    if not body.strip():
        raise _invalid("IssueComment", "Body cannot be blank")
    if len(body) > _MOST_LETTERS:
        raise _too_long("IssueComment")
    return body


def _too_long(resource: str) -> Refused:
    return _invalid(resource, f"Body is too long (maximum is {_MOST_LETTERS} characters)")


def _invalid(resource: str, message: str) -> Refused:
    error = {"resource": resource, "code": "unprocessable", "field": "data", "message": message}
    return Refused(422, "Validation Failed", [error])


def _reactions_of(find: Callable[[Call], Comment | Issue]) -> tuple[Callable[[Call], Answer], ...]:
    """List, add and take back, for whatever carries reactions."""

    def listed(call: Call) -> Answer:
        wanted = call.query.get("content")
        found = [one for one in find(call).reactions if wanted in (None, one.content)]
        return call.paged([reaction_shape(reaction, call.urls) for reaction in found])

    def created(call: Call) -> Answer:
        content, subject = call.field("content", needed=True), find(call)
        if content not in _REACTIONS:
            raise Refused(422, "Validation Failed", [_unknown_reaction(content)])
        for reaction in subject.reactions:
            if (reaction.author.id, reaction.content) == (call.account.id, content):
                return Answer(body=reaction_shape(reaction, call.urls))
        reaction = Reaction(id=call.state.new_id(), content=content, author=call.account, at=call.state.now())
        subject.reactions.append(reaction)
        return Answer(status=201, body=reaction_shape(reaction, call.urls))

    def deleted(call: Call) -> Answer:
        subject, number = find(call), call.number("reaction")
        for reaction in subject.reactions:
            if reaction.id == number and reaction.author.id == call.account.id:
                subject.reactions.remove(reaction)
                return Answer(status=204)
        raise Refused(404, "Not Found")

    return listed, created, deleted


def _unknown_reaction(content: str) -> dict[str, Any]:
    return {
        "resource": "Reaction",
        "code": "custom",
        "field": "content",
        "message": f"{content} is not known",
    }


def add_labels(call: Call) -> Answer:
    names = call.body if isinstance(call.body, list) else call.field("labels", list, needed=True)
    for name in names:
        text = name.get("name") if isinstance(name, dict) else name
        if not isinstance(text, str) or not text:
            raise Refused(422, "Validation Failed")
        call.repository.labels.setdefault(text, "ededed")
        if text not in call.issue.labels:
            call.issue.labels.append(text)
    return Answer(body=_labels(call.repository, call))


def list_repository_labels(call: Call) -> Answer:
    shapes = [label_shape(call.repository, name, call.urls) for name in sorted(call.repository.labels)]
    return call.paged(shapes)


def list_labels(call: Call) -> Answer:
    return call.paged(_labels(call.repository, call))


def remove_label(call: Call) -> Answer:
    if call.parts["name"] not in call.issue.labels:
        raise Refused(404, "Label does not exist")
    call.issue.labels.remove(call.parts["name"])
    return Answer(body=_labels(call.repository, call))


def _labels(repository: Repository, call: Call) -> list[dict[str, Any]]:
    return [label_shape(repository, name, call.urls) for name in call.issue.labels]


_AT = "/repos/{owner}/{repo}/issues"
_READ = ("issues:read", "pull_requests:read")
_WRITE = ("issues:write", "pull_requests:write")
_ON_COMMENT = _reactions_of(_comment)
_ON_ISSUE = _reactions_of(lambda call: call.issue)

ROUTES = (
    Route("GET", _AT, list_issues, needs=_READ),
    Route("POST", _AT, create_issue, needs=("issues:write",)),
    # Before the routes with a number: `comments` is none.
    Route("GET", f"{_AT}/comments/{{comment}}", get_comment, needs=_READ),
    Route("PATCH", f"{_AT}/comments/{{comment}}", edit_comment, needs=_WRITE),
    Route("DELETE", f"{_AT}/comments/{{comment}}", delete_comment, needs=_WRITE),
    Route("GET", f"{_AT}/comments/{{comment}}/reactions", _ON_COMMENT[0], needs=_READ),
    Route("POST", f"{_AT}/comments/{{comment}}/reactions", _ON_COMMENT[1], needs=_WRITE),
    Route("DELETE", f"{_AT}/comments/{{comment}}/reactions/{{reaction}}", _ON_COMMENT[2], needs=_WRITE),
    Route("GET", f"{_AT}/{{number}}", get_issue, needs=_READ),
    Route("GET", f"{_AT}/{{number}}/comments", list_comments, needs=_READ),
    Route("POST", f"{_AT}/{{number}}/comments", create_comment, needs=_WRITE),
    Route("GET", f"{_AT}/{{number}}/reactions", _ON_ISSUE[0], needs=_READ),
    Route("POST", f"{_AT}/{{number}}/reactions", _ON_ISSUE[1], needs=_WRITE),
    Route("DELETE", f"{_AT}/{{number}}/reactions/{{reaction}}", _ON_ISSUE[2], needs=_WRITE),
    Route("GET", "/repos/{owner}/{repo}/labels", list_repository_labels, needs=_READ),
    Route("GET", f"{_AT}/{{number}}/labels", list_labels, needs=_READ),
    Route("POST", f"{_AT}/{{number}}/labels", add_labels, needs=_WRITE, role="triage"),
    Route("DELETE", f"{_AT}/{{number}}/labels/{{name}}", remove_label, needs=_WRITE, role="triage"),
)
