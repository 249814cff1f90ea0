"""Every tool that a run may offer: ours, those of installed packages, those of the configured servers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bot.config import Config
from bot.foreign.plugins import known_tools
from bot.outside.mcp_servers import mcp_tools
from bot.tools import registry
from bot.tools.tool import Tool


@contextmanager
def toolbox(config: Config, *, environ: Mapping[str, str]) -> Iterator[Mapping[str, Tool[Any]]]:
    """Raises BadTool, by name, for a tool that can't be used: then no run starts.

    `environ` is where servers get those variables from that the configuration lets them have.
    """
    with mcp_tools(config.mcp, environ) as theirs:
        yield registry((*known_tools().values(), *theirs))
