"""The whole story on one machine: a pull request, its plan, the apply, one refusal. No token, key or network.

GitHub and the model are embedded; the bot between them is the real one, run as the action runs it.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from bot import CONFIG_PATH, marker
from bot.dataclass import dataclass
from bot.demo import sample
from bot.demo.github import Event, GitHub, Issue, Repository
from bot.demo.model import NAME, ScriptedModel
from bot.demo.page import page
from bot.demo.script import script

_SCRIPTED: Final = (
    f"\n# In the demo a scripted model answers; its name says so.\nmodel: {{name: {NAME}, advisor: null}}\n"
)


def tell(out: Path, *, scratch: Path) -> int:
    """Tell it on stdout; the page of the pull request is left in `out`. Returns 1 if it went otherwise."""
    files = dict(sample.FILES)
    files[CONFIG_PATH] = str(files[CONFIG_PATH]) + _SCRIPTED
    with GitHub(scratch / "github") as github, ScriptedModel(script) as model:
        repository = github.repository(sample.REPOSITORY, files)
        github.allow(repository, sample.MAINTAINER, "maintain")
        github.allow(repository, sample.AUTHOR, "write")
        story = Story(github=github, model=model, repository=repository, folder=scratch)
        issue = story.opens()
        is_as_told = story.is_planned_and_applied(issue) and story.is_refused_when_stale(issue)
        out.mkdir(parents=True, exist_ok=True)
        file = out / "pull-request.html"
        file.write_text(page(github.state, repository, issue), encoding="utf-8")
    _chapter("The pull request, as a person would see it")
    _say(f"  {file.resolve().as_uri()}")
    return 0 if is_as_told else 1


@dataclass(slots=True, kw_only=True)
class Story:
    """`runs` numbers the workflow's runs."""

    github: GitHub
    model: ScriptedModel
    repository: Repository
    folder: Path
    runs: int = 0

    def opens(self) -> Issue:
        _chapter(f"{sample.AUTHOR} opens a pull request on {sample.REPOSITORY}: {sample.TITLE}")
        _say("  (GitHub is embedded, over real git, and the model is scripted. The bot is the real one.)")
        self.github.push(
            self.repository, sample.BRANCH, sample.CHANGES, message=sample.TITLE, by=sample.AUTHOR
        )
        return self.github.open_pull(
            self.repository, sample.BRANCH, by=sample.AUTHOR, title=sample.TITLE, body=sample.BODY
        )

    def is_planned_and_applied(self, issue: Issue) -> bool:
        """The agent rehearses; the maintainer types the line that the comment ends with."""
        if self._runs_on(self.github.pull_request_event(self.repository, issue, "opened")) != 0:
            return False
        body = self._newest(issue)
        digest = _digest(body)
        _chapter("The bot comments the plan")
        _say(_visible(body))
        _say(f"  Digest: {digest}")
        line = _line_to_apply(body)
        before = self.repository.branch(sample.BRANCH)
        applied = self._says(issue, sample.MAINTAINER, line)
        _say(_visible(self._newest(issue)))
        _chapter("What was pushed")
        _say(self.repository.bare.git("log", "-1", "--patch", "--format=fuller", sample.BRANCH).decode())
        return applied == 0 and self.repository.branch(sample.BRANCH) != before

    def is_refused_when_stale(self, issue: Issue) -> bool:
        """A second plan; somebody pushes; the plan holds no longer."""
        if self._says(issue, sample.MAINTAINER, "/plan make docs/install.md a little shorter") != 0:
            return False
        line = _line_to_apply(self._newest(issue))
        _chapter(f"{sample.AUTHOR} pushes another commit in the meantime")
        self.github.push(
            self.repository,
            sample.BRANCH,
            {"NOTES.md": "Ice, too?\n"},
            message="Take notes",
            by=sample.AUTHOR,
        )
        before = self.repository.branch(sample.BRANCH)
        refused = self._says(issue, sample.MAINTAINER, line)
        _say(_visible(self._newest(issue)))
        return refused == 3 and self.repository.branch(sample.BRANCH) == before

    def _says(self, issue: Issue, login: str, line: str) -> int:
        _chapter(f"{login} comments: {line}")
        comment = self.github.comment(self.repository, issue.number, by=login, body=line)
        return self._runs_on(self.github.comment_event(self.repository, comment))

    def _runs_on(self, event: Event) -> int:
        """Run the bot on an event, as the action does, and return its exit code."""
        self.runs += 1
        folder = self.folder / f"run-{self.runs}"
        folder.mkdir(parents=True)
        environment = self.github.environment(event, folder)
        self._check_out(event, Path(environment["GITHUB_WORKSPACE"]))
        environment |= {
            "PATH": os.environ.get("PATH", os.defpath),
            "GITHUB_TOKEN": self.github.workflow_token(self.repository),
            "OPENAI_BASE_URL": self.model.base_url,
        }
        ran = subprocess.run(
            [sys.executable, "-I", "-m", "bot", "event"],
            env=environment,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        _say("  $ dryrun-bot event")
        for said in ran.stderr.splitlines():
            _say(f"  {said}")
        _say(f"  (exit code {ran.returncode})")
        return ran.returncode

    def _check_out(self, event: Event, workspace: Path) -> None:
        """As actions/checkout leaves it: one commit, and no credentials."""
        bare = self.repository.bare.folder
        for arguments in (
            ["init", "--quiet"],
            ["fetch", "--quiet", "--depth=1", bare.resolve().as_uri(), event.ref],
            ["checkout", "--quiet", "--detach", "FETCH_HEAD"],
        ):
            subprocess.run(["git", *arguments], cwd=workspace, check=True, capture_output=True)

    def _newest(self, issue: Issue) -> str:
        return self.repository.comments_on(issue.number)[-1].body


def _digest(body: str) -> str:
    found = marker.read(body)
    return str(found.digest) if found else ""


def _line_to_apply(body: str) -> str:
    """The line that the comment says to reply with."""
    lines = re.findall(r"/apply [0-9a-f]{12}(?: --approve [0-9,]+)?", body)
    return max(lines, key=len, default="/apply")


def _visible(body: str) -> str:
    """The comment's Markdown without what only machines read."""
    shown = re.sub(r"<!--.*?-->\n?", "", body, flags=re.DOTALL).strip()
    return "\n" + "\n".join(f"  │ {line}" for line in shown.split("\n")) + "\n"


def _chapter(title: str) -> None:
    _say(f"\n━━ {title}\n")


def _say(text: str) -> None:
    print(text)
