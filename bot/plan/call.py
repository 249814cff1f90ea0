"""Step -> its call as text, and what it said: all there is to read of a step that no diff tells."""

import json
from typing import Final

from bot.action import Kind
from bot.plan.step import Step
from bot.plan.tried import ends_of


def call_to_read(step: Step) -> str:
    """The whole call; "" where diffs tell all of it, which they do of a write and of nothing else."""
    if step.effects and step.kind is Kind.WRITE:
        return ""
    command = step.arguments.get("command")
    if isinstance(command, str) and set(step.arguments) == {"command"}:
        # A command line alone stands as it is.
        return "\n".join(f"{'>' if at else '$'} {line}" for at, line in enumerate(command.split("\n")))
    lines = [step.tool]
    for name, value in step.arguments.items():
        if isinstance(value, str) and "\n" in value:
            lines += [f"  {name}:", *(f"  │ {line}" for line in value.split("\n"))]
        else:
            lines.append(f"  {name}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines)


def output_to_read(step: Step) -> str:
    """The ends of what a command said that was rehearsed. All of what is kept is in the record."""
    return "" if step.rehearsed is None else ends_of(step.rehearsed.output, most=_MOST_OUTPUT)


def call_on_a_line(step: Step) -> str:
    named = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in step.arguments.items())
    return f"{step.tool}({', '.join(named)})"


_MOST_OUTPUT: Final = 1_500
