"""A person's home -> the same with the tools of the configured MCP servers, and with what can't be used here.

A configuration comes with whatever branch is checked out, and a server is a program that it names: so none
is started that the person did not ask for.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from bot.foreign.plugins import known_tools
from bot.local_run.home import Home
from bot.outside.mcp_servers import mcp_tools
from bot.tools import offered, registry


@contextmanager
def with_servers(home: Home, *, is_wanted: bool, environ: Mapping[str, str]) -> Iterator[Home]:
    """`environ` is where servers get those variables from that the configuration lets them have.

    Raises BadTool or BadConfig, by name, for a server that can't be used.
    """
    servers = home.config.mcp if is_wanted else {}
    with mcp_tools(servers, environ) as theirs:
        every = registry((*known_tools().values(), *theirs))
        left_out = [name for name, tool in offered(every, home.config.policies).items() if tool.after_commit]
        here = registry((*home.tools.values(), *(tool for tool in theirs if not tool.after_commit)))
        findings = (*home.findings, *_findings(left_out, () if is_wanted else tuple(home.config.mcp)))
        yield replace(home, tools=here, findings=findings)


def _findings(left_out: list[str], not_started: tuple[str, ...]) -> Iterator[str]:
    if left_out:
        names = ", ".join(left_out)
        yield f"tools for after the commit on a pull request, so not to be had in a terminal: {names}"
    if not_started:
        names = ", ".join(not_started)
        yield f"MCP servers that were not started, for nobody asked for them with --mcp: {names}"
