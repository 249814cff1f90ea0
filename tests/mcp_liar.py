"""A server over stdio, written by hand, that breaks what the first argument names."""

import json
import sys
from typing import Any

HOW = sys.argv[1]
TOOL = {"name": "search", "inputSchema": {"type": "object"}}
LISTS: dict[str, dict[str, Any]] = {
    "a list that never ends": {"tools": [], "nextCursor": "on"},
    "two tools of one name": {"tools": [TOOL, TOOL | {"description": "another"}]},
}


def main() -> None:
    for line in sys.stdin:
        said = json.loads(line)
        match said.get("method"):
            case "initialize":
                version = said["params"]["protocolVersion"]
                about = {"name": "liar", "version": "1"}
                answer(said, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about})
            case "tools/list":
                answer(said, LISTS.get(HOW, {"tools": [TOOL]}))
            case "tools/call":
                called(said)
            case other if "id" in said:
                # A client that asks for something newer first would wait ten seconds for an answer.
                error = {"code": -32601, "message": f"there is no {other}"}
                send({"jsonrpc": "2.0", "id": said["id"], "error": error})


def called(said: dict[str, Any]) -> None:
    text = "fine"
    match HOW:
        case "questions back":
            text = asked("sampling/createMessage", {"messages": [], "maxTokens": 9})
            text += asked("elicitation/create", {"message": "?", "requestedSchema": {}})
            text += asked("roots/list", {})
        case "no JSON":
            print("##[error]::error::no JSON\n\0", flush=True)
        case "another's answer":
            send({"jsonrpc": "2.0", "id": 999, "result": {"content": []}})
        case "a result of another shape":
            answer(said, {"content": "no list"})
            return
        case "an endless answer":
            answer(said, {"content": [{"type": "text", "text": "x" * 5_000_000}]})
            return
    answer(said, {"content": [{"type": "text", "text": text}]})


def asked(method: str, params: dict[str, Any]) -> str:
    send({"jsonrpc": "2.0", "id": method, "method": method, "params": params})
    return str(json.loads(sys.stdin.readline()).get("error", {}).get("message"))


def answer(said: dict[str, Any], result: dict[str, Any]) -> None:
    send({"jsonrpc": "2.0", "id": said["id"], "result": result})


def send(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
