"""`dryrun-bot event`: what the action runs. The GITHUB_* environment in; a comment, a commit, outputs out."""

import argparse
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.outside.job import Job
    from bot.outside.patience import Patience
    from bot.settings import Settings
    from bot.world import Clock


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "event",
        help="answer the GitHub event of this workflow run",
        description="Answer the event in $GITHUB_EVENT_PATH: plan, apply, or leave it alone.",
    )
    # The program's own: see bot/outside/keys.py.
    parser.add_argument("--environment-from", type=int, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from bot.outside.keys import begin_again, handed_over

    if arguments.environment_from is None:
        begin_again(os.environ, ["event"])
    # Kept for the front door, which takes the keys out of what it tells.
    arguments.environ = handed_over(arguments.environment_from)
    return respond(arguments.environ)


def respond(
    environ: Mapping[str, str], *, clock: "Clock | None" = None, patience: "Patience | None" = None
) -> int:
    """Answer the event that `environ` names, as the runner would.

    `clock` is the machine's and `patience` the usual one, unless given.
    """
    from bot.errors import BotError, Reason
    from bot.outside.job import Job

    job = Job.around(environ)
    try:
        return _respond(environ, job, clock=clock, patience=patience)
    except Exception as error:
        # Left to the front door, which tells of it; but a workflow that looks at the outputs must find some.
        reason = error.reason if isinstance(error, BotError) else Reason.INTERNAL
        job.set_outputs({"decision": "failed", "reason-code": reason})
        raise


def _respond(
    environ: Mapping[str, str], job: "Job", *, clock: "Clock | None", patience: "Patience | None"
) -> int:
    from bot.command import could_be_command
    from bot.errors import Reason
    from bot.event import CommentEvent, Ignored, read_event
    from bot.settings import read_settings

    settings = read_settings(environ)
    event = read_event(
        _payload(settings),
        name=settings.event_name,
        number=settings.inputs.pull_request,
        task=settings.inputs.task,
    )
    # Most comments are not for us: this is before any client is imported, since they must cost nothing.
    if isinstance(event, CommentEvent) and not could_be_command(event.body):
        event = Ignored(reason=Reason.NOT_FOR_US, detail="the comment is not a command")
    if isinstance(event, Ignored):
        print(f"Nothing to do: {event.detail}", file=sys.stderr)
        job.set_outputs({"decision": "ignored", "reason-code": event.reason})
        return 0

    from bot import app
    from bot.outside import open_outside

    occasion = event.comment_id if isinstance(event, CommentEvent) else settings.run_id
    outside = open_outside(settings, occasion=occasion, environ=environ, clock=clock, patience=patience)
    answer = app.answer(event, outside)
    return _ended(answer, settings, job)


def _payload(settings: "Settings") -> bytes:
    try:
        return settings.event_path.read_bytes()
    except OSError as error:
        from bot.errors import BadUsage

        raise BadUsage(
            f"The event in $GITHUB_EVENT_PATH can't be read: {error.strerror}",
            next_step="run this as a GitHub Action, where GitHub writes that file",
        ) from error


def _ended(answer: "Answer", settings: "Settings", job: "Job") -> int:
    """Everything that a workflow can see of the answer: log, outputs, summary, exit code."""
    from bot.answer import Decision
    from bot.answer.outputs import outputs_of
    from bot.render import annotations
    from bot.words.redaction import Redactor
    from bot.words.sanitise import for_log

    redact = Redactor(settings.secrets)
    print(f"{answer.decision}: {redact(for_log(answer.detail))} ({answer.reason})", file=sys.stderr)
    job.set_outputs(outputs_of(answer))
    if answer.decision is Decision.PLANNED:
        # The runner reads these on stdout, and puts a notice on each denied step's file.
        print(redact("".join(map(annotations, answer.plans))), end="")
    if answer.summary:
        job.summarise(redact(answer.summary))
    return answer.exit_code
