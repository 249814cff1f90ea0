"""(The runner's environment) -> why the event is surely not for us, found with next to nothing loaded.

Most events are no concern of the bot's: whatever a repository's people write to each other. All this imports
is json and re, and so it takes the time of a bare interpreter and little more.
"""

import json
import os
import re
from collections.abc import Mapping

PULL_REQUEST_ACTIONS = ("opened", "synchronize", "reopened", "ready_for_review")
PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target")

# What may stand before the slash is what `command` trims: white space, byte order marks and the like. Line
# ends are left out of it, for a body of nothing but line ends would be searched once for each of them.
_SLASH_LINE = re.compile(r"(?:^|[\r\n]|-->)(?:[^\S\r\n]|[\ufeff\u200b-\u200f\u2060])*/[A-Za-z]")


def passed_over(environ: Mapping[str, str]) -> str | None:
    """Why nothing is to be done, for the log; None where more must be known to tell."""
    try:
        with open(environ["GITHUB_EVENT_PATH"], "rb") as file:  # noqa: PTH123 - pathlib takes as long as all of it
            fields = json.loads(file.read())
    except (KeyError, OSError, ValueError, RecursionError):
        return None
    return why_not(fields, name=environ.get("GITHUB_EVENT_NAME", "")) if isinstance(fields, dict) else None


def why_not(fields: Mapping[str, object], *, name: str) -> str | None:
    """Of the payload of the event `name`: why no reader need look at the rest of it."""
    action = fields.get("action")
    if name == "issue_comment":
        if action != "created":
            return f"a comment was {action}, and only new ones count"
        comment = fields.get("comment")
        body = comment.get("body") if isinstance(comment, dict) else None
        if body is None or (isinstance(body, str) and not has_slash_line(body)):
            return "the comment has no line that starts with a command"
    if name in PULL_REQUEST_EVENTS and action not in PULL_REQUEST_ACTIONS:
        return f"the bot does nothing on {name} with the action {action!r}"
    return None


def has_slash_line(body: str) -> bool:
    """Whether any line starts like `/word`: without one there is no command, whatever the Markdown says."""
    return _SLASH_LINE.search(body) is not None


def write_outputs(file: str, outputs: Mapping[str, str]) -> None:
    """Append to the file that $GITHUB_OUTPUT names."""
    try:
        with open(file, "a", encoding="utf-8", errors="backslashreplace") as stream:  # noqa: PTH123
            for name, value in outputs.items():
                # A delimiter that no value can know: none can end itself and go on with another output.
                delimiter = f"end-{os.urandom(16).hex()}"
                stream.write(f"{name}<<{delimiter}\n{value}\n{delimiter}\n")
    except OSError as error:
        # As `errors.naming` does, which is not loaded here.
        error.filename = file
        raise
