"""`dryrun-bot replay PATH...`: past runs through a new policy, today's tools, or another prompt or model."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot import CONFIG_PATH
from bot.cli.parser import number_from, words

if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal

    from bot.flows.replay import Manner
    from bot.impact import Impact, Shard
    from bot.replay.subject import Policies

NO_RUNS: Final = (
    "There are no runs in there: what ends in .jsonl, .json or .traj is looked at, packed or not."
)
CHANGED: Final = 3
INCOMPLETE: Final = 1


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "replay",
        description=(
            "PATH is a transcript, a log of another program, or a folder of them: see docs/replay.md. "
            f"Exit code 0: no more runs changed than allowed; {CHANGED}: more did; {INCOMPLETE}: some could "
            "not be read."
        ),
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument(
        "--kind",
        choices=("policy", "tools", "decisions"),
        help="policy: recorded actions under another policy (default); tools: the model's recorded words "
        "through today's tools, on the recorded files; decisions: a new prompt or model on recorded tasks, "
        "which costs money (default with --prompt or --model)",
    )
    parser.add_argument(
        "--repo",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="tools: a clone that has the recorded commits",
    )
    parser.add_argument("--policy", type=Path, metavar="FILE", help=f"default: {CONFIG_PATH}, if any")
    parser.add_argument(
        "--before",
        type=Path,
        metavar="FILE",
        help="compare with this policy instead of the verdicts that were recorded",
    )
    _add_decisions(parser)
    _add_manners(parser)
    parser.set_defaults(run=run)


def _add_decisions(parser: argparse.ArgumentParser) -> None:
    decisions = parser.add_argument_group("decisions")
    decisions.add_argument("--prompt", type=Path, metavar="FILE", help="the task's words of now")
    decisions.add_argument(
        "--model", type=words, metavar="NAME", help="default: that of --policy, or the recorded one"
    )
    decisions.add_argument("--base-url", metavar="URL", help="default: $OPENAI_BASE_URL, or OpenAI itself")
    decisions.add_argument("--task", metavar="NAME", help="only runs of this task")
    decisions.add_argument(
        "--sample", type=number_from(1), metavar="N", help="only so many runs, always the same ones"
    )
    decisions.add_argument("--estimate", action="store_true", help="tell what it would cost, and end")
    decisions.add_argument("--budget", metavar="USD", help="the most that it may cost")
    decisions.add_argument("--yes", action="store_true", help="don't ask before a model is asked")


def _add_manners(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--shard", metavar="I/N", help="only part I of N; the parts of one run never change")
    parser.add_argument("--merge", action="store_true", help="PATHs are the JSON reports of all shards")
    parser.add_argument("--unfinished", action="store_true", help="read runs that were killed, too")
    parser.add_argument("--allow-changes", type=number_from(0), default=0, metavar="N", help="default: 0")
    parser.add_argument("--report", choices=("text", "json", "markdown", "html"), default="text")
    parser.add_argument("--language", choices=("en", "es"), default="en", help="of markdown and html")
    parser.add_argument("--report-file", type=Path, metavar="FILE", help="default: stdout")
    parser.add_argument("--processes", type=number_from(1), metavar="N", help="default: one a core")


def run(arguments: argparse.Namespace) -> int:
    if arguments.report_file is not None:
        from bot.outside.archive import check_asked

        check_asked(arguments.report_file)
    if arguments.merge:
        impact = _merged(arguments.paths)
    else:
        replay = _replay(arguments)
        if replay is None:
            return 0
        impact = _watched(arguments, replay)
    shown = _shown(impact, arguments.report, arguments.language).encode("utf-8", "backslashreplace")
    if arguments.report_file is None:
        sys.stdout.buffer.write(shown)
        sys.stdout.buffer.flush()
    else:
        from bot.outside.archive import write_asked

        write_asked(arguments.report_file, shown)
    for refused in impact.refused:
        _say(f"Not read: {refused.why}")
    if not (impact.runs or impact.refused or impact.left_out or impact.shard):
        _say(NO_RUNS)
    if impact.refused:
        return INCOMPLETE
    return CHANGED if impact.changed > arguments.allow_changes else 0


def _merged(files: list[Path]) -> "Impact":
    from bot.errors import BadUsage
    from bot.impact import merged, read_impact

    parts = []
    for file in files:
        try:
            record = file.read_bytes()
        except OSError as error:
            raise BadUsage(
                "%(file)s can't be read: %(why)s",
                file=file,
                why=error.strerror,
                next_step="name the shards' reports",
            ) from error
        parts.append((str(file), read_impact(record, file=str(file))))
    return merged(parts)


def _watched(arguments: argparse.Namespace, replay: "Callable[[Manner], Impact]") -> "Impact":
    from bot.flows.replay import Manner
    from bot.replay.source import files_in
    from bot.replay.voucher import Voucher
    from bot.terminal.bar import bar
    from bot.terminal.surroundings import read_surroundings

    surroundings = read_surroundings(os.environ)
    total = sum(1 for _ in files_in(arguments.paths))
    with bar(sys.stderr, total=total, what="Replaying", is_plain=surroundings.is_plain) as advance:
        state = surroundings.state / "replay"
        manner = Manner(
            processes=arguments.processes,
            state=state,
            watch=lambda _: advance(),
            voucher=Voucher.kept_in(state),
        )
        try:
            return replay(manner)
        except KeyboardInterrupt:
            _say("Interrupted. The same command goes on where this one was.")
            raise


def _replay(arguments: argparse.Namespace) -> "Callable[[Manner], Impact] | None":
    """What is to be done, checked before it is begun; None where nobody wants it done."""
    from bot.flows.replay import replay_policy, replay_tools

    shard = _shard(arguments.shard)
    is_decisions = arguments.prompt is not None or arguments.model is not None
    kind = arguments.kind or ("decisions" if is_decisions else "policy")
    if kind == "decisions":
        return _decisions(arguments, shard)
    _check_is_free(arguments, kind)
    if arguments.estimate:
        print(f"A {kind} replay asks no model and costs nothing.")
        return None
    if kind == "tools":
        from bot.outside.past_ground import PastGround

        ground = PastGround(folder=arguments.repo.resolve())
        return lambda manner: replay_tools(arguments.paths, ground, shard=shard, manner=manner)
    policies, unfinished = _policies(arguments), arguments.unfinished
    return lambda manner: replay_policy(
        arguments.paths, policies, shard=shard, unfinished=unfinished, manner=manner
    )


def _decisions(arguments: argparse.Namespace, shard: "Shard | None") -> "Callable[[Manner], Impact] | None":
    from bot.own_machine.decision_session import DecisionSession, agreed
    from bot.replay.subject import PolicyFile
    from bot.terminal.surroundings import read_surroundings

    session = DecisionSession(
        paths=arguments.paths,
        repo=arguments.repo,
        prompt=arguments.prompt,
        model=arguments.model,
        policy=None if arguments.policy is None else PolicyFile.read(arguments.policy),
        base_url=arguments.base_url,
        task=arguments.task,
        sample=arguments.sample,
        shard=shard,
        budget=_usd(arguments.budget),
        surroundings=read_surroundings(os.environ),
    )
    estimated = session.estimate()
    if arguments.estimate:
        print(estimated.told())
        return None
    session.check(estimated)
    if not agreed(estimated, is_yes=arguments.yes, budget=session.budget):
        return None
    return session.replay


def _check_is_free(arguments: argparse.Namespace, kind: str) -> None:
    from bot.errors import BadUsage

    for name in ("prompt", "model", "task", "sample", "budget"):
        if getattr(arguments, name) is not None:
            raise BadUsage(
                "--%(name)s is for decisions, and a %(kind)s replay asks no model",
                name=name,
                kind=kind,
                next_step="leave --%(name)s out, or add --kind decisions",
            )


def _usd(text: str | None) -> "Decimal | None":
    from decimal import Decimal, InvalidOperation

    from bot.errors import BadUsage

    if text is None:
        return None
    try:
        usd = Decimal(text)
    except InvalidOperation:
        usd = Decimal(-1)
    if not usd.is_finite() or usd <= 0:
        raise BadUsage(
            "--budget %(text)s is no amount of dollars",
            text=text,
            next_step="write, for instance, --budget 2.50",
        )
    return usd


def _policies(arguments: argparse.Namespace) -> "Policies":
    from bot.replay.subject import DEFAULTS, Policies, PolicyFile

    own = Path(CONFIG_PATH)
    here = PolicyFile.read(own) if own.is_file() else DEFAULTS
    policies = Policies(
        after=here if arguments.policy is None else PolicyFile.read(arguments.policy),
        before=None if arguments.before is None else PolicyFile.read(arguments.before),
        fallback=here,
    )
    for policy in (policies.after, policies.before):
        if policy is not None and (extends := policy.config().extends):
            _say(f"{policy.file} extends {extends}, which is not read here: it could make verdicts stricter.")
    return policies


def _shard(text: str | None) -> "Shard | None":
    from pydantic import ValidationError

    from bot.errors import BadUsage
    from bot.impact import Shard

    if text is None:
        return None
    number, _, of = text.partition("/")
    try:
        return Shard(number=int(number), of=int(of))
    except (ValueError, ValidationError) as error:
        raise BadUsage(
            "--shard %(text)s is no part of a whole", text=text, next_step="write, for instance, --shard 2/8"
        ) from error


def _shown(impact: "Impact", report: str, language: str) -> str:
    match report:
        case "json":
            return impact.to_json()
        case "markdown":
            from bot.render.impact import impact_summary

            return impact_summary(impact, language=language).body
        case "html":
            from bot.render.impact_page import impact_page

            return impact_page(impact, language=language)
        case _:
            from bot.render.impact_text import impact_text

            return impact_text(impact)


def _say(line: str) -> None:
    from bot.words.sanitise import for_log

    print(for_log(line), file=sys.stderr)
