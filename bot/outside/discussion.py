"""What is said on a pull request: comments, who edited them, reactions, and the check beside the commits.

A comment is never posted twice: where an answer was lost, it is looked for before another try.
A reaction, a fold or a check is a courtesy, and says whether it could be shown; a plan doesn't fail for one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, assert_never

from bot.action import Json
from bot.dataclass import dataclass
from bot.errors import CommentForbidden
from bot.outside.answers import CommentAnswer, NodeAnswer, Nothing
from bot.outside.fault import Fault, Kind
from bot.outside.mutation import Mutation, mutate
from bot.outside.rest import Request, Rest, github_failed, path_of
from bot.pull_request import Account, Comment
from bot.sentence import Sentence
from bot.world import Conclusion, Courtesy, Folded, Reacted, Reaction, Reworded

CHECK_NAME: Final = "dryrun-bot"

_WRITE = "pull-requests: write"

_EDITOR = """
query CommentEditor($id: ID!) {
  node(id: $id) {
    ... on IssueComment {
      editor { __typename login ... on User { databaseId } ... on Bot { databaseId } }
    }
  }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discussion:
    """`root` is the repository's path in the API; `me` tells the bot's own account, if need be."""

    rest: Rest
    root: str
    me: Callable[[], Account]

    def comments(self, number: int) -> Iterator[Comment]:
        """Oldest first, fetched page after page as far as they are taken."""
        request = Request(
            what=Sentence("list the comments on pull request %(number)s", number=number),
            permission="pull-requests: read",
            path=self.root + path_of("issues", number, "comments"),
        )
        for answer in self.rest.pages(request, CommentAnswer):
            yield answer.comment()

    def comment(self, number: int, body: str) -> Comment:
        """Raises CommentForbidden where the token may only read, or the conversation is locked.

        The bot's comments name in a hidden marker what they answer, so that no two have the same body.
        """
        request = Request(
            what=Sentence("comment on pull request %(number)s", number=number),
            permission=_WRITE,
            verb="POST",
            path=self.root + path_of("issues", number, "comments"),
            body={"body": body},
        )

        def look() -> Comment | None:
            me = self.me()
            mine = (comment for comment in self.comments(number) if comment.author.id == me.id)
            return next((comment for comment in mine if _said(comment.body) == _said(body)), None)

        return self._posted(request, self.rest.settle(request, CommentAnswer, look=look))

    def edit_comment(self, comment_id: int, body: str) -> Comment:
        request = Request(
            what=Sentence("edit the comment %(comment_id)s", comment_id=comment_id),
            permission=_WRITE,
            verb="PATCH",
            path=self.root + path_of("issues", "comments", comment_id),
            body={"body": body},
            is_new=True,
        )
        return self._posted(request, self.rest.settle(request, CommentAnswer))

    def _posted(self, request: Request, answer: CommentAnswer | Comment | Fault) -> Comment:
        match answer:
            case Comment():
                return answer
            case CommentAnswer():
                return answer.comment()
            case Fault(kind=Kind.FORBIDDEN):
                failed = github_failed(request, answer)
                raise CommentForbidden(failed.what, next_step=failed.next_step)
            case _:
                raise github_failed(request, answer)

    def editor(self, comment: Comment) -> Account | None:
        """Who edited it last, or None where nobody ever did."""
        if comment.is_editor_known:
            return comment.edited_by
        request = self.rest.graphql(
            Sentence("tell who edited the comment %(id)s", id=comment.id),
            _EDITOR,
            {"id": comment.node_id},
            permission="pull-requests: read",
        )
        node = self.rest.ask(request, NodeAnswer).node
        return node.editor.account() if node and node.editor else None

    def be_courteous(self, courtesies: Sequence[Courtesy]) -> Sequence[bool]:
        """All in one request, in this order; each by itself may fail. Each may be done twice without harm."""
        mutations = [_mutation(courtesy) for courtesy in courtesies]
        faults = mutate(
            self.rest, mutations, what=Sentence("mark, fold and react to comments"), permission=_WRITE
        )
        return [fault is None for fault in faults]

    def check(self, sha: str, conclusion: Conclusion, *, title: str, summary: str, url: str) -> bool:
        """A check run, or where only an app may make one, a commit status with the title alone."""
        check_run = Request(
            what=Sentence("add a check to the commit %(sha)s", sha=sha),
            permission="checks: write",
            verb="POST",
            path=self.root + path_of("check-runs"),
            body={
                "name": CHECK_NAME,
                "head_sha": sha,
                "status": "completed",
                "conclusion": conclusion,
                "details_url": url,
                "output": {"title": title, "summary": summary[:_MOST_SUMMARY]},
            },
        )
        answer = self.rest.settle(check_run, Nothing)
        if not isinstance(answer, Fault):
            return True
        if answer.kind not in {Kind.FORBIDDEN, Kind.MISSING}:
            return False
        status = Request(
            what=Sentence("add a status to the commit %(sha)s", sha=sha),
            permission="statuses: write",
            verb="POST",
            path=self.root + path_of("statuses", sha),
            body={
                "context": CHECK_NAME,
                "state": _STATES[conclusion],
                "description": title[:_MOST_DESCRIPTION],
                "target_url": url,
            },
        )
        return not isinstance(self.rest.settle(status, Nothing), Fault)


def _mutation(courtesy: Courtesy) -> Mutation:
    match courtesy:
        case Reacted():
            content = _CONTENTS[courtesy.reaction]
            return Mutation(field="addReaction", input={"subjectId": courtesy.comment, "content": content})
        case Folded():
            folded: Mapping[str, Json] = {"subjectId": courtesy.comment, "classifier": "OUTDATED"}
            return Mutation(field="minimizeComment", input=folded)
        case Reworded():
            reworded: Mapping[str, Json] = {"id": courtesy.comment, "body": courtesy.body}
            return Mutation(field="updateIssueComment", input=reworded)
        case _:
            assert_never(courtesy)


_CONTENTS: Final[Mapping[Reaction, str]] = {
    "+1": "THUMBS_UP",
    "-1": "THUMBS_DOWN",
    "eyes": "EYES",
    "rocket": "ROCKET",
    "confused": "CONFUSED",
}

# GitHub's own limits.
_MOST_SUMMARY = 65_535
_MOST_DESCRIPTION = 140

# A status has fewer words: what a maintainer has yet to decide is pending.
_STATES: Final[Mapping[Conclusion, str]] = {
    "success": "success",
    "neutral": "success",
    "failure": "failure",
    "action_required": "pending",
}


def _said(body: str) -> str:
    """GitHub may give line ends and outer white space back otherwise than they were sent."""
    return body.replace("\r\n", "\n").strip()
