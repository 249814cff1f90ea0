"""The comment for a plan of 10,000 actions, beside the one for ten of the same.

    python benchmarks/comment.py [--rounds 5]

A comment holds 60,000 characters, so most of a large plan has no room in it, and must cost nothing.
"""

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "render")]

from samples import command, create, plan  # noqa: E402 - their folder was only just named
from side_by_side import in_turns, rounds_wanted, told  # noqa: E402

from bot.plan import Plan  # noqa: E402
from bot.render import inert  # noqa: E402
from bot.render.plan import plan_comment  # noqa: E402

GOAL = 3.0


def main() -> int:
    rounds = rounds_wanted(__doc__).parse_args().rounds
    rows = [
        in_turns(
            f"a comment for {number:,} actions",
            rendered(made(number)),
            rendered(made(10)),
            goal=GOAL,
            rounds=rounds,
            is_warmed=True,
        )
        for number in (100, 1_000, 10_000)
    ]
    return told("comment", rows, peer="for 10 actions")


def made(number: int) -> Plan:
    """Nine new files of twelve lines and then a command, again and again."""
    steps = [
        command(at, f"pytest -q tests/test_{at}.py")
        if at % 10 == 0
        else create(at, path=f"src/module_{at}.py", content=f"value_{at} = {at}\n" * 12)
        for at in range(1, number + 1)
    ]
    return plan(*steps)


def rendered(whole: Plan) -> Callable[[], object]:
    """Without the record, which is compressed whatever its size, and without what the last round kept."""

    def once() -> object:
        for keeper in (inert.prose, inert.span):
            keeper.cache_clear()
        return plan_comment(whole, embed=False)

    return once


if __name__ == "__main__":
    sys.exit(main())
