"""`dryrun-bot event`: what the action runs. The GITHUB_* environment in; a comment, a commit, outputs out."""

import argparse
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.command import could_be_command
from bot.errors import Reason
from bot.event import CommentEvent, Ignored, read_event
from bot.settings import Settings, read_settings

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.world import Clock


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "event",
        help="answer the GitHub event of this workflow run",
        description="Answer the event in $GITHUB_EVENT_PATH: plan, apply, or leave it alone.",
    )
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    return respond(os.environ)


def respond(environ: Mapping[str, str], *, clock: "Clock | None" = None) -> int:
    """Answer the event that `environ` names, as the runner would; `clock` is the machine's unless given."""
    settings = read_settings(environ)
    event = read_event(
        settings.event_path.read_bytes(),
        name=settings.event_name,
        number=settings.inputs.pull_request,
        task=settings.inputs.task,
    )
    # Most comments are not for us: this is before any client is imported, since they must cost nothing.
    if isinstance(event, CommentEvent) and not could_be_command(event.body):
        event = Ignored(reason=Reason.NOT_FOR_US, detail="the comment is not a command")
    if isinstance(event, Ignored):
        return _ignored(event, settings)

    from bot import app
    from bot.outside import open_outside

    occasion = event.comment_id if isinstance(event, CommentEvent) else settings.run_id
    answer = app.answer(event, open_outside(settings, occasion=occasion, clock=clock))
    return _ended(answer, settings)


def _ignored(event: Ignored, settings: Settings) -> int:
    from bot.outside.job import Job

    print(f"Nothing to do: {event.detail}", file=sys.stderr)
    job = Job(output_file=settings.output_file, summary_file=None)
    job.set_outputs({"decision": "ignored", "reason-code": event.reason})
    return 0


def _ended(answer: "Answer", settings: Settings) -> int:
    """Everything that a workflow can see of the answer: log, outputs, summary, exit code."""
    from bot.outputs import outputs_of, summary_of
    from bot.outside.job import Job
    from bot.sanitise import for_log

    print(f"{answer.decision}: {for_log(answer.detail)} ({answer.reason})", file=sys.stderr)
    job = Job(output_file=settings.output_file, summary_file=settings.summary_file)
    job.set_outputs(outputs_of(answer))
    if summary := summary_of(answer):
        job.summarise(summary)
    return answer.exit_code
