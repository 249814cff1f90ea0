"""`dryrun-bot replay PATH...`: past runs through a new policy, today's tools, or another prompt or model."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.flows.replay import Manner
    from bot.impact import Impact, Shard
    from bot.replay.subject import Policies

_CONFIG_PATH: Final = Path(".github/dryrun-bot.yml")
CHANGED: Final = 3
INCOMPLETE: Final = 1


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "replay",
        help="what a new policy, prompt or model would have done to past runs",
        description=(
            "PATH is a transcript, a log of another program, or a folder of them: see docs/replay.md. "
            f"Exit code 0: no more runs changed than allowed; {CHANGED}: more did; {INCOMPLETE}: some could "
            "not be read."
        ),
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument(
        "--kind",
        choices=("policy", "tools"),
        default="policy",
        help="policy: recorded actions under another policy (default); tools: the model's recorded words "
        "through today's tools, on the recorded files",
    )
    parser.add_argument(
        "--repo",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="tools: a clone that has the recorded commits",
    )
    parser.add_argument("--policy", type=Path, metavar="FILE", help=f"default: {_CONFIG_PATH}, if any")
    parser.add_argument(
        "--before",
        type=Path,
        metavar="FILE",
        help="compare with this policy instead of the verdicts that were recorded",
    )
    parser.add_argument("--shard", metavar="I/N", help="only part I of N; the parts of one run never change")
    parser.add_argument("--merge", action="store_true", help="PATHs are the JSON reports of all shards")
    parser.add_argument("--unfinished", action="store_true", help="read runs that were killed, too")
    parser.add_argument("--allow-changes", type=int, default=0, metavar="N", help="default: 0")
    parser.add_argument("--report", choices=("text", "json"), default="text")
    parser.add_argument("--report-file", type=Path, metavar="FILE", help="default: stdout")
    parser.add_argument("--processes", type=int, metavar="N", help="default: one a core")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    impact = _merged(arguments.paths) if arguments.merge else _replayed(arguments)
    shown = _shown(impact, arguments.report).encode("utf-8", "backslashreplace")
    if arguments.report_file is None:
        sys.stdout.buffer.write(shown)
        sys.stdout.buffer.flush()
    else:
        from bot.outside.archive import write_whole

        write_whole(arguments.report_file, shown)
    for refused in impact.refused:
        _say(f"Not read: {refused.why}")
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
                f"{file} can't be read: {error.strerror}", next_step="name the shards' reports"
            ) from error
        parts.append((str(file), read_impact(record, file=str(file))))
    return merged(parts)


def _replayed(arguments: argparse.Namespace) -> "Impact":
    from bot.flows.replay import Manner
    from bot.replay.source import files_in
    from bot.terminal.bar import bar
    from bot.terminal.surroundings import read_surroundings

    replay = _replay(arguments)
    surroundings = read_surroundings(os.environ)
    total = sum(1 for _ in files_in(arguments.paths))
    with bar(sys.stderr, total=total, what="Replaying", is_plain=surroundings.is_plain) as advance:
        manner = Manner(
            processes=arguments.processes, state=surroundings.state / "replay", watch=lambda _: advance()
        )
        try:
            return replay(manner)
        except KeyboardInterrupt:
            _say("Interrupted. The same command goes on where this one was.")
            raise


def _replay(arguments: argparse.Namespace) -> "Callable[[Manner], Impact]":
    """What is to be done, checked before it is begun."""
    from bot.flows.replay import replay_policy, replay_tools

    shard = _shard(arguments.shard)
    if arguments.kind == "tools":
        from bot.outside.past_ground import PastGround

        ground = PastGround(folder=arguments.repo.resolve())
        return lambda manner: replay_tools(arguments.paths, ground, shard=shard, manner=manner)
    policies, unfinished = _policies(arguments), arguments.unfinished
    return lambda manner: replay_policy(
        arguments.paths, policies, shard=shard, unfinished=unfinished, manner=manner
    )


def _policies(arguments: argparse.Namespace) -> "Policies":
    from bot.replay.subject import DEFAULTS, Policies, PolicyFile

    here = PolicyFile.read(_CONFIG_PATH) if _CONFIG_PATH.is_file() else DEFAULTS
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
            f"--shard {text} is no part of a whole", next_step="write, for instance, --shard 2/8"
        ) from error


def _shown(impact: "Impact", report: str) -> str:
    if report == "json":
        return impact.to_json()
    from bot.render.impact_text import impact_text

    return impact_text(impact)


def _say(line: str) -> None:
    from bot.sanitise import for_log

    print(for_log(line), file=sys.stderr)
