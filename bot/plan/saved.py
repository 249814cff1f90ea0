"""A plan that somebody saved -> Plan, or what to do instead."""

from pathlib import Path

from bot.errors import BadPlan, BadUsage
from bot.plan import Plan, read_plan


def plan_in(file: Path) -> Plan:
    """Raises BadUsage where there is no such file, BadPlan for one that holds no whole record."""
    try:
        return read_plan(file.read_bytes())
    except BadPlan as bad:
        raise BadPlan(
            "%(where)s: %(what)s",
            where=file,
            what=bad.what,
            next_step="make a fresh plan: dryrun-bot run TASK --dry-run --plan-out FILE",
        ) from bad
    except OSError as error:
        raise BadUsage(
            "%(file)s can't be read: %(why)s",
            file=file,
            why=error.strerror,
            next_step="name the file that --plan-out wrote",
        ) from error
