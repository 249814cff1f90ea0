"""A model's server by npm `@copilotkit/aimock`, which was not written here: it answers by a script."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from act.github import _free_port, request, wait_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    url: str

    def asked(self) -> list[dict[str, Any]]:
        """Every request so far."""
        found = request(f"{self.url}/__aimock/journal", "GET", None, {}).fields
        entries: list[dict[str, Any]] = found if isinstance(found, list) else found["entries"]
        return [entry for entry in entries if "completions" in json.dumps(entry)]


@contextmanager
def running(node: Path, modules: Path, folder: Path, turns: Sequence[dict[str, Any]]) -> Iterator[Model]:
    """`turns` are aimock's responses, the first to the first request of a conversation and so on."""
    fixtures = [
        {"match": {"userMessage": "Your task", "turnIndex": number}, "response": turn}
        for number, turn in enumerate(turns)
    ]
    (folder / "fixtures").mkdir(exist_ok=True)
    (folder / "fixtures/agent.json").write_text(json.dumps({"fixtures": fixtures}))
    port = _free_port()
    model = Model(url=f"http://127.0.0.1:{port}")
    command = [str(node), str(modules / "@copilotkit/aimock/dist/cli.js"), "-p", str(port)]
    with (folder / "aimock.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "-f", str(folder / "fixtures")], stdout=log, stderr=log, cwd=folder
        )
    try:
        wait_for(f"{model.url}/__aimock/journal", folder / "aimock.log")
        yield model
    finally:
        process.terminate()
        process.wait()
