"""The turn that ended a run -> why it is no summary of a plan, or None where it is one."""

import re
from collections.abc import Iterable
from typing import Final

from bot.world import Turn


def why_no_summary(turn: Turn, tools: Iterable[str]) -> str | None:
    """What people must know before they trust that the plan is whole. `tools` are names."""
    if why := _FINISHES.get(turn.finish):
        return why
    if not turn.text.strip():
        return "the model ended with neither words nor calls"
    if _MARKUP.search(turn.text) or _call_of(tools).search(turn.text):
        return "the model wrote a call as text instead of making it; nothing was done for it"
    return None


def _call_of(tools: Iterable[str]) -> re.Pattern[str]:
    """`{"name": "write_file", ...}` and the like, as models write that were not given their own markup."""
    names = "|".join(re.escape(name) for name in tools)
    return re.compile(rf'"(?:name|tool|function|tool_name)"\s*:\s*"(?:functions\.)?(?:{names})"')


_FINISHES: Final = {
    "length": "the model's last answer was cut off at the length that its server allows",
    "content_filter": "the model's last answer was held back by its provider's content filter",
    "refusal": "the model refused the task",
}
# The calls of Hermes and Qwen, Mistral, Llama, DeepSeek and Claude, where a server doesn't take them out.
_MARKUP: Final = re.compile(
    r"<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>|<function=|<\uff5ctool.calls?.begin\uff5c>|<function_calls>"
)
