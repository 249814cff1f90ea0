"""`dryrun-bot event`: what the action runs. The GITHUB_* environment in; a comment, a commit, outputs out."""

import argparse
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.event import Event
    from bot.outside.job import Job
    from bot.outside.patience import Patience
    from bot.phase import Phase
    from bot.settings import Settings
    from bot.visit.hearing import Workable
    from bot.world import Clock


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "event",
        description="Answer the event in $GITHUB_EVENT_PATH: plan, apply, or leave it alone.",
    )
    parser.add_argument(
        "--phase",
        choices=("all", "plan", "report", "perform", "commit"),
        default="all",
        help="what this job does of the whole (default: all)",
    )
    # The program's own: see bot/outside/keys.py.
    parser.add_argument("--environment-from", type=int, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from bot.outside.keys import begin_again, handed_over

    if arguments.environment_from is None:
        begin_again(os.environ, ["event", "--phase", arguments.phase])
    # Kept for the front door, which takes the keys out of what it tells.
    arguments.environ = handed_over(arguments.environment_from)
    return respond(arguments.environ, phase=arguments.phase)


def respond(
    environ: Mapping[str, str],
    *,
    phase: str = "all",
    clock: "Clock | None" = None,
    patience: "Patience | None" = None,
) -> int:
    """Do this phase's part of answering the event that `environ` names, as the runner would.

    `clock` is the machine's and `patience` the usual one, unless given.
    """
    from bot.errors import Reason, foreseen
    from bot.outside.job import Job

    job = Job.around(environ)
    try:
        return _respond(environ, job, phase=phase, clock=clock, patience=patience)
    except Exception as error:
        # Left to the front door, which tells of it; but a workflow that looks at the outputs must find some.
        told = foreseen(error)
        reason = Reason.INTERNAL if told is None else told.reason
        with suppress(OSError):
            # Where there is no room for them either, what came first is still what is told.
            job.set_outputs({"decision": "failed", "reason-code": reason})
        raise


def _respond(
    environ: Mapping[str, str],
    job: "Job",
    *,
    phase: str,
    clock: "Clock | None",
    patience: "Patience | None",
) -> int:
    from bot.errors import Reason
    from bot.event import CommentEvent, Ignored, read_event
    from bot.phase import Phase
    from bot.settings import read_settings

    settings, part = read_settings(environ), Phase(phase)
    event = read_event(
        _payload(settings),
        name=settings.event_name,
        number=settings.inputs.pull_request,
        task=settings.inputs.task,
    )
    # Most comments are not for us: this is before any client is imported, since they must cost nothing.
    event = _unless_left_alone(event, part)
    if isinstance(event, Ignored):
        print(f"Nothing to do: {event.detail}", file=sys.stderr)
        job.set_outputs({"decision": "ignored", "reason-code": event.reason})
        _name_next(part.after if event.reason is Reason.OTHER_PHASE else None, part, job)
        return 0

    from bot import app
    from bot.outside import open_outside

    outside = open_outside(
        settings,
        occasion=event.comment_id if isinstance(event, CommentEvent) else settings.run_id,
        environ=environ,
        clock=clock,
        patience=patience,
        phase=part,
    )
    if part.asks_model and _is_to_plan(event):
        from bot.outside.llm import load_ahead

        load_ahead()
    answer = app.answer(event, outside)
    _name_next(answer.next_phase, part, job)
    return _ended(answer, settings, job)


def _unless_left_alone(event: "Event", phase: "Phase") -> "Event":
    """What is no command, or not this phase's to answer, is ignored."""
    from bot.command import could_be_command
    from bot.errors import Reason
    from bot.event import CommentEvent, Ignored
    from bot.phase import Turn, turn_of

    if isinstance(event, Ignored):
        return event
    comment = event.body if isinstance(event, CommentEvent) else None
    if comment is not None and not could_be_command(comment):
        return Ignored(reason=Reason.NOT_FOR_US, detail="the comment is not a command")
    match turn_of(phase, comment):
        case Turn.MINE:
            return event
        case Turn.LATER:
            return Ignored(reason=Reason.OTHER_PHASE, detail="there is nothing to make; the next job answers")
        case Turn.OTHERS:
            return Ignored(reason=Reason.NOT_FOR_US, detail="other jobs of this workflow answer that")


def _is_to_plan(event: "Workable") -> bool:
    """Whether a model will be asked if whoever asks for it may. Of a change only its rules can tell."""
    from bot.command import Plan, Replay, read_as_written
    from bot.event import CommentEvent, DispatchEvent

    match event:
        case CommentEvent(body=body):
            return isinstance(read_as_written(body), Plan | Replay)
        case DispatchEvent():
            return True
        case _:
            return False


def _name_next(following: "Phase | None", phase: "Phase", job: "Job") -> None:
    """Said of a phase that has one after it. A job that failed before says nothing, and so is followed."""
    if phase.after is not None:
        job.set_outputs({"next-phase": following or "none"})


def _payload(settings: "Settings") -> bytes:
    try:
        return settings.event_path.read_bytes()
    except OSError as error:
        from bot.errors import BadUsage

        raise BadUsage(
            "The event in $GITHUB_EVENT_PATH can't be read: %(why)s",
            why=error.strerror,
            next_step="run this as a GitHub Action, where GitHub writes that file",
        ) from error


def _ended(answer: "Answer", settings: "Settings", job: "Job") -> int:
    """Everything that a workflow can see of the answer: log, outputs, summary, exit code."""
    from bot.answer import Decision
    from bot.answer.outputs import outputs_of
    from bot.render.annotations import annotations
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
