"""`dryrun-bot transcripts`: bring recorded runs from GitHub, list them, look at one, pack them."""

import argparse
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.parser import number_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.replay.outline import Outline
    from bot.replay.source import File
    from bot.replay.voucher import Voucher
    from bot.world import Repository


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("transcripts")
    choices = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    fetch = choices.add_parser(
        "fetch",
        help="bring them from the artifacts of past workflow runs",
        description="With the token in $GITHUB_TOKEN or $GH_TOKEN, which needs to read actions.",
    )
    fetch.add_argument("--repo", required=True, metavar="OWNER/NAME")
    fetch.add_argument(
        "--limit", type=number_from(1), default=300, metavar="N", help="the newest N (default: 300)"
    )
    fetch.add_argument(
        "--out", type=Path, default=Path("transcripts"), metavar="DIR", help="default: transcripts"
    )
    fetch.set_defaults(run=_fetch)

    listing = choices.add_parser("list", help="one line for each", description="Files, or folders of them.")
    listing.add_argument("paths", nargs="*", type=Path, default=[Path("transcripts")], metavar="PATH")
    listing.add_argument("--json", action="store_true", help="JSON lines")
    listing.set_defaults(run=_list)

    show = choices.add_parser("show", help="what was said and done in one")
    show.add_argument("file", type=Path, metavar="FILE")
    show.add_argument("--whole", action="store_true", help="cut nothing")
    show.set_defaults(run=_show)

    pack = choices.add_parser(
        "pack",
        help="make them small, and replays of a policy quick",
        description="Each whole transcript is replaced by its zstd, NAME.jsonl.zst, with an index in it that "
        "only this machine believes. `fetch` does the same.",
    )
    pack.add_argument("paths", nargs="*", type=Path, default=[Path("transcripts")], metavar="PATH")
    pack.set_defaults(run=_pack)

    unpack = choices.add_parser("unpack", help="make plain JSONL of them again")
    unpack.add_argument("paths", nargs="*", type=Path, default=[Path("transcripts")], metavar="PATH")
    unpack.set_defaults(run=_unpack)


def _fetch(arguments: argparse.Namespace) -> int:
    from bot.replay.shelf import kept
    from bot.terminal.bar import bar

    repository, voucher = _repository(arguments.repo), _voucher()
    new = known = 0
    with bar(
        sys.stderr, total=arguments.limit, what="Fetching", is_plain=bool(os.environ.get("NO_COLOR"))
    ) as one_done:
        for name, content in repository.transcripts(most=arguments.limit):
            if kept(arguments.out / name, content, voucher=voucher):
                new += 1
            else:
                known += 1
            one_done()
    print(f"{new} new and {known} known transcripts are in {arguments.out}")
    return 0


def _voucher() -> "Voucher | None":
    from bot.replay.voucher import Voucher
    from bot.terminal.surroundings import read_surroundings

    return Voucher.kept_in(read_surroundings(os.environ).state / "replay")


def _pack(arguments: argparse.Namespace) -> int:
    from bot.replay.shelf import pack

    voucher = _voucher()
    if voucher is None:
        _say("There is no folder to keep a key in, so there will be no index.")
    return _each(arguments.paths, "packed", lambda file: pack(file.path, name=file.name, voucher=voucher))


def _unpack(arguments: argparse.Namespace) -> int:
    from bot.replay.shelf import unpack

    return _each(arguments.paths, "unpacked", lambda file: unpack(file.path, name=file.name))


def _each(paths: list[Path], what: str, make: "Callable[[File], bool]") -> int:
    from bot.errors import BadTranscript
    from bot.replay.source import files_in

    changed = left = failed = 0
    # All of them first: what is made must not be met again.
    for file in list(files_in(paths)):
        try:
            is_changed = make(file)
        except (BadTranscript, OSError) as error:
            failed += 1
            why = error.what if isinstance(error, BadTranscript) else f"{file.name}: {error.strerror}"
            _say(f"Not {what}: {why}")
            continue
        changed += is_changed
        left += not is_changed
    print(f"{changed} {what}, {left} left as they are")
    return 1 if failed else 0


def _repository(name: str) -> "Repository":
    from bot.errors import BadUsage
    from bot.outside.github import repository
    from bot.outside.rest import rest
    from bot.settings import Secret

    token = os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN")
    if not token:
        raise BadUsage(
            "There is no token: GITHUB_TOKEN and GH_TOKEN are not set",
            next_step="set one that may read the repository's actions, for instance with `gh auth token`",
        )
    api_url = os.environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    door = rest(Secret(token.strip()), api_url=api_url)
    return repository(name, door=door, org_door=door)


def _list(arguments: argparse.Namespace) -> int:
    from bot.cli.replay import NO_RUNS
    from bot.errors import BadTranscript
    from bot.replay.opened import opened
    from bot.replay.outline import outline
    from bot.replay.source import files_in

    is_whole, file = True, None
    for file in files_in(arguments.paths):
        try:
            with opened(file.path, name=file.name) as stream:
                found = outline(stream, file=file.name)
        except (BadTranscript, OSError) as error:
            is_whole = False
            why = error.what if isinstance(error, BadTranscript) else f"{file.name}: {error.strerror}"
            _say(f"Not read: {why}")
            continue
        print(_json(found, file.name) if arguments.json else _line(found, file.name))
    if file is None:
        _say(NO_RUNS)
    return 0 if is_whole else 1


def _line(found: "Outline", file: str) -> str:
    from bot.words.sanitise import for_log

    verdicts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(found.outcomes.items()))
    cost = f"${found.cost}" if found.cost else "-"
    fields = (
        found.run_id,
        found.began_at[:16] or "-",
        found.ended,
        found.name or "-",
        found.model or "-",
        verdicts or "no action",
        cost,
        file,
    )
    return "  ".join(for_log(field) for field in fields)


def _json(found: "Outline", file: str) -> str:
    import json

    return json.dumps(
        {
            "run": found.run_id,
            "name": found.name,
            "began_at": found.began_at,
            "ended": found.ended,
            "model": found.model,
            "actions": found.actions,
            "outcomes": dict(sorted(found.outcomes.items())),
            "cost": found.cost or None,
            "file": file,
        },
        ensure_ascii=False,
    )


def _show(arguments: argparse.Namespace) -> int:
    from bot.errors import BadUsage
    from bot.render.transcript_text import transcript_text
    from bot.replay.opened import opened
    from bot.transcript.recording import Recording

    with ExitStack() as stack:
        try:
            stream = stack.enter_context(opened(arguments.file, name=arguments.file.name))
        except OSError as error:
            raise BadUsage(
                "%(file)s can't be read: %(why)s",
                file=arguments.file,
                why=error.strerror,
                next_step="name a transcript",
            ) from error
        recording = Recording(stream, file=arguments.file.name, unfinished=True)
        for number, event in recording.events():
            shown = transcript_text(number, event, whole=arguments.whole)
            sys.stdout.buffer.write(shown.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()
    if not recording.is_whole:
        _say("The run was killed: there is no more.")
    return 0


def _say(line: str) -> None:
    from bot.words.sanitise import for_log

    print(for_log(line), file=sys.stderr)
