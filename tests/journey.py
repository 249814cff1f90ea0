"""One pull request on the embedded GitHub, a scripted model, and the real bot between them.

What people do is a method; what the bot made of it is an `Ended`. The bot runs in this process, as
`dryrun-bot event` would, so that a test can look at everything that it left behind.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from beginning import Beginnings

from bot import marker
from bot.cli.event import respond
from bot.demo.github import Comment, Event, File, GitHub, Issue, Repository
from bot.demo.model import NAME, Said, ScriptedModel, ToolCall
from bot.outside.patience import Patience
from bot.plan import Plan, read_plan
from bot.world import Clock

CONFIG = f"""\
version: 1
model: {{name: {NAME}, advisor: null}}
tasks:
  tidy:
    prompt: Tidy up.
    on: [opened, synchronize]
"""

FILES: dict[str, File | str] = {
    ".github/dryrun-bot.yml": CONFIG,
    "README.md": "# Sample\n\nteh first line\n",
    "crlf.txt": File(content=b"one\r\ntwo\r\n"),
    "bin/run.sh": File(content=b"#!/bin/sh\necho hi\n", mode="100755"),
    "src/app.py": "def main():\n    return 1\n",
    ".env": "TOKEN=abc\n",
}


def call(tool: str, **arguments: object) -> ToolCall:
    return ToolCall(tool=tool, arguments=arguments)


FIX = (Said(calls=(call("edit_file", path="README.md", old="teh", new="the"),)), Said(text="One typo."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    exit_code: int
    outputs: Mapping[str, str]
    summary: str
    out: Path

    @property
    def reason(self) -> str:
        return self.outputs["reason-code"]

    @property
    def left(self) -> Path:
        """What this phase has left for the next."""
        return self.out / "handover"


@dataclass(slots=True, kw_only=True)
class Journey:
    github: GitHub
    model: ScriptedModel
    folder: Path
    repository: Repository = field(init=False)
    issue: Issue = field(init=False)
    runs: int = 0
    patience: Patience | None = None
    beginnings: Beginnings | None = None

    def __post_init__(self) -> None:
        self.begin("a pull request", self._open_pull)

    def begin(self, name: str, prepare: Callable[[], object]) -> None:
        """As `prepare` leaves it: that is done once, and whoever names it later begins where it ended."""
        saved = self.beginnings
        if saved is not None and name in saved:
            saved.take_up(name)
            self.repository = self.github.state.repositories["acme/widgets"]
            self.issue = self.repository.issues[1]
            return
        prepare()
        if saved is not None:
            saved.save(name)

    def _open_pull(self) -> None:
        self.repository = self.github.repository("acme/widgets", FILES)
        self.github.allow(self.repository, "mona", "write")
        self.github.allow(self.repository, "lee", "write")
        self.github.push(
            self.repository, "topic", {"notes.md": "Some notes.\n"}, message="Add notes", by="mona"
        )
        self.issue = self.github.open_pull(self.repository, "topic", by="mona", title="Add notes")

    def plan_it(self) -> None:
        """`opened`, for a test that only goes on from there."""
        self.begin("a plan", self.opened)

    def opened(self, **how: object) -> Ended:
        return self.run(self.github.pull_request_event(self.repository, self.issue, "opened"), **how)

    def says(self, body: str, *, by: str = "lee", **how: object) -> Ended:
        return self.run(self.commented(body, by=by), **how)

    def commented(self, body: str, *, by: str = "lee") -> Event:
        comment = self.github.comment(self.repository, self.issue.number, by=by, body=body)
        return self.github.comment_event(self.repository, comment)

    def run(
        self,
        event: Event,
        *,
        token: str | None = None,
        attempt: int = 1,
        triggering: str | None = None,
        run_id: str | None = None,
        checkout: Path | None = None,
        clock: Clock | None = None,
        signing_key: str | None = None,
        more: Mapping[str, str] | None = None,
        phase: str = "all",
        left: Path | None = None,
    ) -> Ended:
        """`more` are further variables of the runner's, or others in the place of those it sets.

        `left` is what an earlier phase has left: the folder that an artifact carries to this one.
        """
        environ = self.environment(event, token=token, attempt=attempt, triggering=triggering)
        if signing_key is not None:
            environ["INPUT_SIGNING_KEY"] = signing_key
        if run_id is not None:
            environ["GITHUB_RUN_ID"] = run_id
        if checkout is not None:
            environ["GITHUB_WORKSPACE"] = str(checkout)
        else:
            self.check_out(event, Path(environ["GITHUB_WORKSPACE"]))
        environ |= more or {}
        if left is not None and left.exists():
            shutil.copytree(left, Path(environ["RUNNER_TEMP"]) / "dryrun-bot" / "handover", symlinks=True)
        exit_code = respond(environ, phase=phase, clock=clock, patience=self.patience)
        return Ended(
            exit_code=exit_code,
            outputs=outputs_in(Path(environ["GITHUB_OUTPUT"])),
            summary=Path(environ["GITHUB_STEP_SUMMARY"]).read_text(),
            out=Path(environ["RUNNER_TEMP"]) / "dryrun-bot",
        )

    def environment(
        self, event: Event, *, token: str | None = None, attempt: int = 1, triggering: str | None = None
    ) -> dict[str, str]:
        """What the runner would set for one more run; the workspace is empty."""
        self.runs += 1
        folder = self.folder / f"run-{self.runs}"
        folder.mkdir(parents=True)
        environ = self.github.environment(event, folder, attempt=attempt, triggering=triggering)
        return environ | {
            "GITHUB_TOKEN": token or self.github.workflow_token(self.repository),
            "OPENAI_BASE_URL": self.model.base_url,
        }

    def check_out(self, event: Event, workspace: Path) -> None:
        """Of a commit that was checked out before, for whichever test: a copy of that."""
        sha, saved = self.repository.bare.ref(event.ref), self.beginnings
        kept = saved.folder / f"checkout-{sha}" if sha and saved else None
        if kept is not None and kept.exists():
            shutil.copytree(kept, workspace, symlinks=True, dirs_exist_ok=True)
            return
        bare = self.repository.bare.folder.resolve().as_uri()
        for arguments in (
            ["init", "--quiet"],
            ["fetch", "--quiet", "--depth=1", bare, event.ref],
            ["checkout", "--quiet", "--detach", "FETCH_HEAD"],
        ):
            subprocess.run(["git", *arguments], cwd=workspace, check=True, capture_output=True, env=_GIT)
        if kept is not None:
            shutil.copytree(workspace, kept, symlinks=True)

    def check_out_commit(self, sha: str, folder: Path) -> None:
        folder.mkdir()
        self.git("init", "--quiet", folder=folder)
        self.git("fetch", "--quiet", self.repository.bare.folder.resolve().as_uri(), sha, folder=folder)
        self.git("checkout", "--quiet", "--detach", sha, folder=folder)

    def git(self, *arguments: str, folder: Path) -> None:
        subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env=_GIT)

    @property
    def head(self) -> str:
        return str(self.repository.branch("topic"))

    @property
    def comments(self) -> list[Comment]:
        return self.repository.comments_on(self.issue.number)

    @property
    def bot_comments(self) -> list[Comment]:
        return [comment for comment in self.comments if comment.author.type == "Bot"]

    def plan(self) -> Plan:
        """The newest that was posted."""
        posted = [comment for comment in self.bot_comments if "kind=plan" in comment.body]
        record = marker.embedded(posted[-1].body)
        assert record is not None
        return read_plan(record)

    def file(self, path: str, *, at: str | None = None) -> bytes:
        return self.repository.bare.git("cat-file", "blob", f"{at or self.head}:{path}")


_GIT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def outputs_in(file: Path) -> dict[str, str]:
    outputs: dict[str, str] = {}
    lines = iter(file.read_text().split("\n"))
    for line in lines:
        name, opened, delimiter = line.partition("<<")
        if opened:
            value = []
            while (part := next(lines)) != delimiter:
                value.append(part)
            outputs[name] = "\n".join(value)
    return outputs
