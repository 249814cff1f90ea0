"""Plans and answers for the tests of this folder: real records, made as the dispatcher makes them."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Literal

from bot.action import Action, Kind
from bot.cost import Usage
from bot.plan import Content, Draft, Effect, Plan, Step, TaskName, seal
from bot.plan.tried import Tried
from bot.pull_request import Commit
from bot.verdict import Outcome, Verdict
from bot.workspace import Change, Entry, Mode
from bot.workspace.diff import file_diff

AT = datetime(2026, 1, 4, 12, 0, tzinfo=UTC)
GUIDE = b"# Guide\n\nInstal the package and run teh tests.\n\nThen recieve your badge.\n\nEnd.\n"
BETTER = GUIDE.replace(b"Instal ", b"Install ").replace(b"teh", b"the").replace(b"recieve", b"receive")
COMMIT = Commit(
    sha="a" * 40,
    tree="b" * 40,
    parents=("c" * 40,),
    message="Apply",
    url="https://github.com/acme/site/commit/" + "a" * 40,
    verified=True,
)
RUN = "https://github.com/acme/site/actions/runs/1"


def effect(
    path: str,
    before: bytes | None,
    after: bytes | None,
    mode: Mode = Mode.FILE,
    mode_after: Mode | None = None,
) -> Effect:
    change = Change(
        path=path,
        before=None if before is None else Entry(mode=mode, blob=_blob(before)),
        after=None if after is None else Entry(mode=mode_after or mode, blob=_blob(after)),
        content_before=before,
        content_after=after,
    )
    return Effect(
        path=path,
        mode_before=change.before and change.before.mode,
        mode_after=change.after and change.after.mode,
        blob_before=change.before and change.before.blob,
        blob_after=change.after and change.after.blob,
        content=None if after is None else Content(encoding="utf-8", data=after.decode()),
        diff=file_diff(change),
    )


def step(
    number: int = 1,
    tool: str = "edit_file",
    arguments: Mapping[str, object] | None = None,
    *,
    kind: Kind = Kind.WRITE,
    outcome: str = "allow",
    rule: str = "default-write",
    reason: str = "It changes files, and no rule speaks against it.",
    source: str = "default",
    effects: tuple[Effect, ...] = (),
    intent: str | None = None,
    error: str | None = None,
    depends_on: tuple[int, ...] = (),
    conditional_on: tuple[int, ...] = (),
    advice: dict[str, object] | None = None,
) -> Step:
    arguments = dict(arguments or {})
    return Step(
        number=number,
        id=Action(tool=tool, kind=kind, arguments=arguments).id,
        tool=tool,
        kind=kind,
        arguments=arguments,
        intent=intent,
        description=tool,
        verdict=Verdict(outcome=Outcome(outcome), rule=rule, reason=reason, source=source),
        advice=advice,
        effects=effects,
        depends_on=depends_on,
        conditional_on=conditional_on,
        error=error,
    )


def edit(number: int = 1, path: str = "docs/guide.md", **more: object) -> Step:
    return step(number, "edit_file", {"path": path}, effects=(effect(path, GUIDE, BETTER),), **more)


def create(
    number: int = 1, path: str = "docs/releases.md", content: str = "# Releases\n", **more: object
) -> Step:
    made = (effect(path, None, content.encode()),)
    return step(number, "write_file", {"path": path, "content": content}, effects=made, **more)


def command(number: int = 1, line: str = "pytest -q tests | tee out.txt", **more: object) -> Step:
    program = next(iter(line.split()), "This")
    reason = f"{program} is not among the commands that the policy allows."
    told = {"outcome": "ask", "rule": "default-command", "reason": reason} | more
    return step(number, "run_command", {"command": line}, kind=Kind.EXTERNAL, **told)


def tried(
    number: int = 1,
    line: str = "make docs",
    *,
    exit_code: int | None = 0,
    output: str = "",
    unsteady: tuple[str, ...] = (),
    effects: tuple[Effect, ...] = (),
    stopped_by: Literal["time"] | None = None,
    **more: object,
) -> Step:
    """A command that was rehearsed in the sandbox."""
    told = Tried(exit_code=exit_code, output=output, unsteady=unsteady, stopped_by=stopped_by)
    return command(number, line, **more).model_copy(update={"rehearsed": told, "effects": effects})


def denied(number: int = 1, path: str = ".github/workflows/ci.yml") -> Step:
    return step(
        number,
        "write_file",
        {"path": path, "content": "on: push\njobs: {}\n"},
        outcome="deny",
        rule="path-denied",
        reason=f"{path} is denied (.github/workflows/**).",
        source="default",
    )


def failed(number: int = 1) -> Step:
    return step(
        number,
        "edit_file",
        {"path": "docs/old.md", "old": "x", "new": "y"},
        error="docs/old.md does not hold this text; nothing was changed",
    )


def plan(*steps: Step, **more: object) -> Plan:
    facts: dict[str, object] = {
        "repository": "acme/site",
        "head_repository": "acme/site",
        "pull_request": 7,
        "head_sha": "3f2a9c1" + "0" * 33,
        "base_sha": "b" * 40,
        "policy_sha": "c" * 40,
        "policy_digest": "d" * 64,
        "tools_digest": "e" * 64,
        "task": TaskName(name="tidy-docs", prompt_digest="f" * 64),
        "model": "scripted-model",
        "bot_version": "0.1.0",
        "created_at": AT,
        "expires_at": AT + timedelta(hours=72),
        "summary": SUMMARY,
        "steps": steps,
        "usage": Usage(calls=6, input_tokens=12_000, output_tokens=900),
        "cost": Decimal("0.004210"),
        "stopped_by": None,
    }
    return seal(Draft(**(facts | more)))  # type: ignore[arg-type]


def mixed() -> Plan:
    """A step of every verdict."""
    return plan(
        edit(1, intent="Three typos in the guide."),
        create(2, intent="People ask how releases are made.", source=".github/dryrun-bot.yml:12"),
        command(3, intent="To see that the examples in the guide still run.", depends_on=(1,)),
        denied(4),
        failed(5),
    )


def _blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


SUMMARY = (
    "I corrected three typos in `docs/guide.md`, added a note on releases, and asked for one test run.\n\n"
    "The workflow file was left alone: the policy protects it."
)
