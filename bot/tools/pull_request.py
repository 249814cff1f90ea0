"""What a pull request needs beyond its files: a comment, labels, reviewers, an issue, a workflow run.

A rehearsal asks GitHub all that GitHub itself would check, by reading alone. It is made again, by the same
code, right before the real thing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from pydantic import Field

from bot.action import Kind
from bot.errors import GitHubForbade, ToolFailed
from bot.tools.dispatchable import why_not_dispatchable
from bot.tools.tool import Arguments, Stage, Tool

if TYPE_CHECKING:
    from bot.world import Desk, Lookout

# GitHub takes 65,536; made inert, what an agent writes can become five times as long.
_MOST_BODY: Final = 12_000
# GitHub's own limits.
_MOST_TITLE: Final = 256
_MOST_LABELS: Final = 100
_MOST_REVIEWERS: Final = 15
_MOST_INPUTS: Final = 25

Body = Annotated[str, Field(min_length=1, max_length=_MOST_BODY)]
Label = Annotated[str, Field(min_length=1, max_length=50)]
Login = Annotated[str, Field(pattern=r"^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$")]


class CommentOnPr(Arguments):
    body: Body = Field(description="The comment. It is posted as text: mentions and links stay dead.")


class AddLabels(Arguments):
    labels: Annotated[tuple[Label, ...], Field(min_length=1, max_length=_MOST_LABELS)] = Field(
        description="Names of labels that the repository has."
    )


class RequestReviewers(Arguments):
    reviewers: Annotated[tuple[Login, ...], Field(min_length=1, max_length=_MOST_REVIEWERS)] = Field(
        description="Logins of collaborators, without @; not the pull request's author."
    )


class CreateIssue(Arguments):
    title: Annotated[str, Field(min_length=1, max_length=_MOST_TITLE)]
    body: Annotated[str, Field(max_length=_MOST_BODY)] = ""
    labels: Annotated[tuple[Label, ...], Field(max_length=_MOST_LABELS)] = ()


class DispatchWorkflow(Arguments):
    workflow: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\.ya?ml$")] = Field(
        description="The name of a file in .github/workflows of the default branch, such as release.yml."
    )
    inputs: Annotated[dict[str, str], Field(max_length=_MOST_INPUTS)] = Field(default_factory=dict)


A = TypeVar("A", bound=Arguments)


def _check_comment(arguments: CommentOnPr, _: Lookout) -> str:
    if not arguments.body.strip():
        raise ToolFailed("the comment is blank")
    return f"A comment of {len(arguments.body):,} characters."


def _check_labels(arguments: AddLabels, lookout: Lookout) -> str:
    _check_each_label(arguments.labels, lookout)
    return f"Labels: {', '.join(arguments.labels)}."


def _check_reviewers(arguments: RequestReviewers, lookout: Lookout) -> str:
    for login in arguments.reviewers:
        if login.casefold() == lookout.author.casefold():
            raise ToolFailed(f"{login} is the author: nobody reviews their own pull request")
        if not lookout.is_collaborator(login):
            raise ToolFailed(f"{login} is no collaborator of this repository, so can't be asked")
    return f"Reviewers: {', '.join(arguments.reviewers)}."


def _check_issue(arguments: CreateIssue, lookout: Lookout) -> str:
    if not arguments.title.strip():
        raise ToolFailed("the title is blank")
    if not lookout.has_issues():
        raise ToolFailed("issues are turned off in this repository")
    _check_each_label(arguments.labels, lookout)
    return f"An issue: {arguments.title}"


def _check_dispatch(arguments: DispatchWorkflow, lookout: Lookout) -> str:
    workflow = lookout.workflow(arguments.workflow)
    if workflow is None or workflow.file is None:
        raise ToolFailed(f"there is no workflow {arguments.workflow} on the default branch")
    if not workflow.is_active:
        raise ToolFailed(f"the workflow {arguments.workflow} is turned off")
    if why := why_not_dispatchable(workflow.file, arguments.inputs):
        raise ToolFailed(f"{arguments.workflow} {why}")
    return f"A run of {arguments.workflow} on the default branch."


def _check_each_label(labels: tuple[str, ...], lookout: Lookout) -> None:
    for name in labels:
        if not lookout.has_label(name):
            raise ToolFailed(f"there is no label {name!r} in this repository; only a person makes new ones")


def _rehearsed(check: Callable[[A, Lookout], str]) -> Callable[[A, Stage], str]:
    def simulate(arguments: A, stage: Stage) -> str:
        if stage.lookout is None:
            raise ToolFailed("there is no pull request here")
        try:
            return check(arguments, stage.lookout)
        except GitHubForbade as failed:
            # Any other fault may pass, and is no answer.
            raise ToolFailed(failed.what) from failed

    return simulate


def _done(act: Callable[[A, Desk], str]) -> Callable[[A, Stage], str]:
    """What a dispatcher executes, it has rehearsed a moment before: there is nothing to ask twice."""

    def execute(arguments: A, stage: Stage) -> str:
        if stage.desk is None:
            raise ToolFailed("nothing can be done on the pull request here")
        return act(arguments, stage.desk)

    return execute


def _tool(
    name: str,
    description: str,
    arguments: type[A],
    check: Callable[[A, Lookout], str],
    act: Callable[[A, Desk], str],
) -> Tool[A]:
    return Tool(
        name=name,
        kind=Kind.EXTERNAL,
        description=description,
        arguments=arguments,
        execute=_done(act),
        simulate=_rehearsed(check),
        after_commit=True,
    )


PULL_REQUEST_TOOLS: Final[tuple[Tool[Any], ...]] = (
    _tool(
        "comment_on_pr",
        "Post a comment on the pull request.",
        CommentOnPr,
        _check_comment,
        lambda it, desk: desk.comment(it.body),
    ),
    _tool(
        "add_labels",
        "Add labels to the pull request.",
        AddLabels,
        _check_labels,
        lambda it, desk: desk.add_labels(it.labels),
    ),
    _tool(
        "request_reviewers",
        "Ask people to review the pull request.",
        RequestReviewers,
        _check_reviewers,
        lambda it, desk: desk.request_reviewers(it.reviewers),
    ),
    _tool(
        "create_issue",
        "Open an issue in the repository.",
        CreateIssue,
        _check_issue,
        lambda it, desk: desk.create_issue(it.title, it.body, it.labels),
    ),
    _tool(
        "dispatch_workflow",
        "Start a workflow of the default branch by hand, with workflow_dispatch.",
        DispatchWorkflow,
        _check_dispatch,
        lambda it, desk: desk.dispatch_workflow(it.workflow, it.inputs),
    ),
)
