"""A saved plan applied in a terminal, from the file to the exit code."""

import secrets
from dataclasses import replace
from pathlib import Path

from bot import authority, interrupt
from bot.authority import MayApply
from bot.command import Approval
from bot.flows.local_apply import Carried, carry_out
from bot.own_machine import Opened, open_home
from bot.own_machine.servers import with_servers
from bot.plan import Plan
from bot.plan.saved import plan_in
from bot.refusal import Refusal
from bot.terminal.pair import Pair
from bot.terminal.screen import line
from bot.terminal.surroundings import Surroundings
from bot.transcript import Transcript


def apply_here(
    file: Path,
    *,
    approval: Approval,
    folder: Path,
    config_file: Path | None,
    extended: Path | None,
    with_mcp: bool = False,
    language: str | None,
    surroundings: Surroundings,
) -> int:
    """Whatever ends it early, the files are as they were, and the person is told so.

    `with_mcp`: the MCP servers that the configuration names may be started.
    """
    plan = plan_in(file)
    opened = open_home(folder, config_file=config_file, surroundings=surroundings, extended=extended)
    pair = Pair.of_process(
        surroundings.language(language, opened.home.config.language), is_plain=surroundings.is_plain
    )
    if taken_back := opened.journal.take_back():
        pair.tell_taken_back(taken_back.restored, taken_back.left)
    leave = authority.on_own_machine(surroundings.login, digest=plan.digest, approval=approval)
    with with_servers(opened.home, is_wanted=with_mcp, environ=surroundings.environ) as home:
        opened = replace(opened, home=home)
        carried = _carried(leave, plan, opened=opened, pair=pair, state=surroundings.state)
    if isinstance(carried, Refusal):
        return pair.refuse(carried)
    _tell(carried, pair)
    return 0


def _carried(leave: MayApply, plan: Plan, *, opened: Opened, pair: Pair, state: Path) -> Carried | Refusal:
    """Written already."""
    home, journal, _ = opened.home, opened.journal, pair.speech.gettext
    name = f"apply-{plan.short_digest}-{home.clock.now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}.jsonl"
    with Transcript.begin(
        state / name,
        redact=home.redact,
        began_at=home.clock.now().isoformat(),
        repository=home.repository,
        applies=plan.digest,
        approved_by=leave.login,
    ) as transcript:
        try:
            with interrupt.heeded():
                carried = carry_out(leave, plan, home=home, transcript=transcript)
            if isinstance(carried, Refusal):
                return carried
            journal.commit(carried.changes)
        except BaseException:
            pair.say(_("All changes were written.") if journal.has_written else _("Nothing was changed."))
            raise
        transcript.note("applied", digest=plan.digest, paths=[change.path for change in carried.changes])
    return carried


def _tell(carried: Carried, pair: Pair) -> None:
    _ = pair.speech.gettext
    for change in carried.changes:
        what = (
            _("created") if change.before is None else _("deleted") if change.after is None else _("modified")
        )
        pair.data.print(line(f"{what}  {change.path}"), soft_wrap=True)
    if carried.left_over:
        left_over = ", ".join(carried.left_over)
        pair.say(
            _("Commands also made files that git ignores, and they are left out: %(paths)s")
            % {"paths": left_over}
        )
