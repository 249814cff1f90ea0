"""(Plan, approver) -> the commit's message.

The model's words in it are one clean line; the trailers are ours.
"""

from bot.plan import Plan
from bot.words.sanitise import for_commit

PLAN_TRAILER = "Dryrun-Plan"
APPROVER_TRAILER = "Approved-by"
UNDO_TRAILER = "Dryrun-Undo"
COMMAND_TRAILER = "Dryrun-Command"


def write_message(plan: Plan, login: str) -> str:
    """`login` is the approver's. What the plan changes is in the diff; why, in the plan."""
    paths = {effect.path for step in plan.steps if step.is_performed for effect in step.effects}
    files = "1 file" if len(paths) == 1 else f"{len(paths)} files"
    lines = [f"dryrun-bot: {for_commit(plan.task.name, most=40)} ({files})", ""]
    if plan.summary:
        lines += [for_commit(plan.summary), ""]
    lines += [f"{PLAN_TRAILER}: {plan.digest}", f"{APPROVER_TRAILER}: @{login}"]
    return "\n".join(lines) + "\n"


def write_undo_message(plan: Plan, undone: str, login: str, *, command: int) -> str:
    """`undone` is the name of the commit that is taken back, `command` the comment that asked for it."""
    lines = [
        f"dryrun-bot: take back {for_commit(plan.task.name, most=40)}",
        "",
        f"This reverts commit {undone}.",
        "",
        f"{UNDO_TRAILER}: {plan.digest}",
        f"{COMMAND_TRAILER}: {command}",
        f"{APPROVER_TRAILER}: @{login}",
    ]
    return "\n".join(lines) + "\n"
