"""The configured MCP servers, started or reached, and asked for their tools; all of them end with the block.

A server gets the variables that the configuration names, a home of its own, and nothing else of this bot's.
"""

import ctypes
import json
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import field
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Final, TextIO

from bot.config import McpServer
from bot.dataclass import dataclass
from bot.errors import BadConfig, BadTool, OutcomeUnknown, ToolFailed
from bot.foreign.mcp_tool import Listed, mcp_tool
from bot.sentence import Sentence
from bot.tools.tool import Tool
from bot.words.redaction import redact

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client

# For one answer: some servers are downloaded before they start.
_CALL_S: Final = 120.0
_MOST_PAGES: Final = 100
_MOST_CHARACTERS: Final = 100_000
_LAUNCH: Final = Path(__file__).with_name("launch.py")
# What every program needs, and everybody may know.
_ALWAYS: Final = ("PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS")


@contextmanager
def mcp_tools(
    servers: Mapping[str, McpServer], environ: Mapping[str, str]
) -> Iterator[tuple[Tool[Any], ...]]:
    """Raises BadTool or BadConfig, by name, for whatever can't be used: then no run starts."""
    if not servers:
        yield ()
        return
    from anyio.from_thread import start_blocking_portal

    # The client logs what a server says as it came; what counts of it comes back as an error.
    talk = logging.getLogger("mcp")
    talk.propagate = False
    talk.addHandler(logging.NullHandler())
    with ExitStack() as stack:
        stack.enter_context(_unreadable())
        portal = stack.enter_context(start_blocking_portal())
        made: list[Tool[Any]] = []
        for name, server in servers.items():
            _check_variables(name, server)
            running = stack.enter_context(_started(name, server, portal, environ))
            made += running.tools()
        yield tuple(made)


@contextmanager
def _unreadable() -> Iterator[None]:
    """Nobody but a tracer may read this process's memory or environment, where its tokens may still be."""
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None)
    before = libc.prctl(_GET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_SET_DUMPABLE, before, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """One server, and the client that speaks with it in a thread of its own.

    `secrets` are the values that it was handed, and must not repeat.
    """

    name: str
    server: McpServer
    secrets: tuple[str, ...] = field(repr=False)
    portal: "BlockingPortal"
    client: "Client"

    def tools(self) -> Iterator[Tool[Any]]:
        listed = self._listed()
        for name, how in self.server.tools.items():
            if name not in listed:
                raise BadTool(
                    "The MCP server %(name)s has no tool %(name2)s",
                    name=repr(self.name),
                    name2=repr(name),
                    listed=", ".join(sorted(listed)[:20]) or Sentence("none, it has no tools"),
                    next_step="write one of: %(listed)s",
                )
            yield mcp_tool(self.name, listed[name], how, behind=self.server, call=self._call)

    def _listed(self) -> dict[str, Listed]:
        try:
            return self.portal.call(self._ask_for_tools)
        except Exception as error:
            raise _unusable(self.name, error, "") from error

    async def _ask_for_tools(self) -> dict[str, Listed]:
        found: dict[str, Listed] = {}
        cursor = None
        for _ in range(_MOST_PAGES):
            page = await self.client.list_tools(cursor=cursor)
            for one in page.tools:
                if one.name in found:
                    raise ValueError(f"it has two tools that are called {one.name[:100]!r}")
                found[one.name] = Listed(
                    name=one.name,
                    description=one.description or "",
                    input_schema=one.input_schema,
                    output_schema=one.output_schema,
                )
            cursor = page.next_cursor
            if cursor is None:
                return found
        raise ValueError(f"its list of tools does not end after {_MOST_PAGES} pages")

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        from mcp import MCPError

        try:
            answer = self.portal.call(self._ask, tool, arguments)
        except MCPError as error:
            said = redact(_short(error), self.secrets)
            if error.error.code in _LOST:
                raise OutcomeUnknown(f"{self.name} gave no answer: {said}") from error
            raise ToolFailed(f"{self.name}: {said}") from error
        except Exception as error:
            # Whatever it is, it came after the call was made.
            said = redact(_short(error), self.secrets)
            raise OutcomeUnknown(f"{self.name} gave no answer: {said}") from error
        text = redact(_text(answer), self.secrets)
        if answer.is_error:
            raise ToolFailed(f"{self.name}: {text[:2_000] or 'it failed, and gave no reason'}")
        return text

    async def _ask(self, tool: str, arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - the client's own type
        return await self.client.call_tool(tool, arguments)


@contextmanager
def _started(
    name: str, server: McpServer, portal: "BlockingPortal", environ: Mapping[str, str]
) -> Iterator[_Running]:
    with ExitStack() as stack:
        home = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="dryrun-mcp-", ignore_cleanup_errors=True))
        )
        log = stack.enter_context((home / "stderr").open("w+"))
        opened = portal.wrap_async_context_manager(_client(server, environ, home=home, log=log))
        try:
            client = opened.__enter__()
        except (Exception, BaseExceptionGroup) as error:
            raise _unusable(name, error, _last_words(log)) from error
        try:
            secrets = tuple(environ[variable] for variable in server.env if variable in environ)
            yield _Running(name=name, server=server, secrets=secrets, portal=portal, client=client)
        finally:
            # Without what ended the run: the client would wrap it, and nobody would know it again. That the
            # server ends badly changes nothing any more.
            with suppress(Exception, BaseExceptionGroup):
                opened.__exit__(None, None, None)


@asynccontextmanager
async def _client(
    server: McpServer, environ: Mapping[str, str], *, home: Path, log: TextIO
) -> "AsyncIterator[Client]":
    import httpx2
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    async with AsyncExitStack() as stack:
        if server.url is None:
            handed = _environment(server, environ, home=home)
            launched = ["-I", "-S", str(_LAUNCH), json.dumps(sorted(handed)), *server.command]
            transport = stdio_client(
                StdioServerParameters(command=sys.executable, args=launched, env=handed, cwd=home),
                errlog=log,
            )
        else:
            headers = {name: _filled(value, server, environ) for name, value in server.headers.items()}
            http = httpx2.AsyncClient(headers=headers, trust_env=False, timeout=_CALL_S)
            transport = streamable_http_client(server.url, http_client=await stack.enter_async_context(http))
        # Without a cache: what was read once must be read again.
        client = Client(transport, cache=None, read_timeout_seconds=_CALL_S)
        yield await stack.enter_async_context(client)


def _environment(server: McpServer, environ: Mapping[str, str], *, home: Path) -> dict[str, str]:
    wanted = {name: environ[name] for name in (*_ALWAYS, *server.env) if name in environ}
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", **wanted, "HOME": wanted.get("HOME", str(home))}


def _filled(value: str, server: McpServer, environ: Mapping[str, str]) -> str:
    """With `${NAME}` for each variable that the server may have."""
    return Template(value).safe_substitute({name: environ.get(name, "") for name in server.env})


def _check_variables(name: str, server: McpServer) -> None:
    for variable in server.env:
        if variable in _OURS or variable.startswith(_OUR_FAMILIES):
            raise BadConfig(
                "mcp.%(name)s.env: %(variable)s is this bot's own, and no server gets it",
                name=name,
                variable=variable,
                next_step="give the server a secret of its own, under another name",
            )


def _text(answer: Any) -> str:  # noqa: ANN401 - the client's own type
    parts = [
        part.text if part.type == "text" else f"[{part.type}, which is not shown]" for part in answer.content
    ]
    if not parts and answer.structured_content is not None:
        parts = [json.dumps(answer.structured_content, ensure_ascii=False)]
    text = "\n".join(parts)
    if len(text) > _MOST_CHARACTERS:
        return f"{text[:_MOST_CHARACTERS]}\n(and {len(text) - _MOST_CHARACTERS:,} characters more)"
    return text


def _unusable(name: str, error: BaseException, said: str) -> BadTool:
    what = _short(error)
    if said:
        what = Sentence("%(error)s; it said: %(said)s", error=what, said=said)
    return BadTool(
        "The MCP server %(name)s can't be used: %(what)s",
        name=repr(name),
        what=what,
        next_step="start its command by hand, with the variables that `env` names and no others",
    )


def _last_words(log: TextIO) -> str:
    log.seek(0)
    return " ".join(log.read().split())[-300:]


def _short(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    message = getattr(error, "message", None)
    error = Exception(message) if isinstance(message, str) else error
    words = " ".join(str(error).split())[:300]
    return words or type(error).__name__


# linux/prctl.h
_GET_DUMPABLE: Final = 3
_SET_DUMPABLE: Final = 4
# JSON-RPC's codes for a request that timed out, and for a connection that closed.
_LOST: Final = frozenset({-32001, -32000})
_OURS: Final = frozenset({"GITHUB_TOKEN", "GH_TOKEN", "OPENAI_API_KEY"})
_OUR_FAMILIES: Final = ("ACTIONS_", "INPUT_", "GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_PATH")
