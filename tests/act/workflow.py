"""A workflow of examples/ under `act`, in host mode: the real file, the real action, real processes.

What is not to be had here is replaced by a few lines that do the same with files: checkout, and the
artifacts. One line of the workflow is left out: act 0.2.89 refuses `queue`, which GitHub has since May 2026.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from act.github import REPOSITORY, TOKENS, GitHub
from act.model import Model

ROOT = Path(__file__).parent.parent.parent
KEY = "sk-the-key-of-the-model-and-of-plan-alone"
UPLOAD = """\
name: stands in for actions/upload-artifact
inputs: {name: {}, path: {}, if-no-files-found: {}, retention-days: {}, overwrite: {}}
runs:
  using: composite
  steps:
    - shell: bash
      env: {NAME: "${{ inputs.name }}", PATHS: "${{ inputs.path }}"}
      run: |
        shopt -s nullglob
        while read -r pattern; do
          for file in $pattern; do
            [ -e "$file" ] || continue
            mkdir -p "STORE/$NAME"
            if [ -d "$file" ]; then cp -RP "$file." "STORE/$NAME/"; else cp -P "$file" "STORE/$NAME/"; fi
          done
        done <<< "$PATHS"
        echo "uploaded $NAME from beside $(echo .[a-z]* *)"
        cat .git/config
"""
DOWNLOAD = """\
name: stands in for actions/download-artifact
inputs: {name: {}, path: {}}
runs:
  using: composite
  steps:
    - shell: bash
      env: {NAME: "${{ inputs.name }}", FOLDER: "${{ inputs.path }}"}
      run: |
        mkdir -p "$FOLDER"
        cp -RP "STORE/$NAME/." "$FOLDER"
        echo "downloaded $NAME"
"""
CHECKOUT = """\
name: stands in for actions/checkout, which act itself does by copying the folder that it runs in
inputs: {persist-credentials: {}}
runs: {using: composite, steps: [{shell: bash, run: "true"}]}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """`jobs` are those that did something, with how they ended."""

    exit_code: int
    log: str

    @property
    def jobs(self) -> dict[str, str]:
        ended = re.findall(r"^\[dryrun-bot/([a-z-]+) *\].*Job (succeeded|failed)", self.log, re.MULTILINE)
        return dict(ended)


@dataclass(slots=True, kw_only=True)
class Act:
    """`checkout` is what a job finds in its workspace; `tmp` is for all that act writes."""

    github: GitHub
    model: Model
    tmp: Path
    checkout: Path
    workflow: str = "dryrun-bot.yml"
    runs: int = 0

    def run(self, name: str, payload: dict[str, Any], **more: str) -> Ran:
        """The workflow run that GitHub would start for this event. `more` are variables of its jobs."""
        self.runs += 1
        folder = self.tmp / f"run-{self.runs}"
        folder.mkdir(parents=True)
        (folder / "event.json").write_text(json.dumps(payload))
        given = {
            "GITHUB_API_URL": self.github.url,
            "GITHUB_GRAPHQL_URL": f"{self.github.url}/graphql",
            "GITHUB_SERVER_URL": self.github.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_RUN_ID": str(1000 + self.runs),
            "OPENAI_BASE_URL": f"{self.model.url}/v1",
            "UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR") or str(Path.home() / ".cache/uv"),
        }
        # How packages are found here, or that there is no network.
        given |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_"))}
        command = [str(Path(sys.executable).with_name("act")), name]
        command += ["--eventpath", str(folder / "event.json")]
        (folder / self.workflow).write_text(self._text.replace("      queue: max\n", ""))
        command += ["--workflows", str(folder / self.workflow)]
        command += ["--platform", "ubuntu-latest=-self-hosted", "--pull=false", "--no-cache-server"]
        command += ["--action-cache-path", str(self.tmp / "act"), "--actor", payload["sender"]["login"]]
        # act would take these from the checkout, which GitHub doesn't.
        command += [f"--{kind}-file={os.devnull}" for kind in ("env", "secret", "var")]
        secrets = {"GITHUB_TOKEN": TOKENS["dryrun-bot"], "OPENAI_API_KEY": KEY}
        for option, values in (("--secret", secrets), ("--env", given | more)):
            command += [word for it in values.items() for word in (option, "=".join(it))]
        for action, where in self._replaced(folder).items():
            command += ["--local-repository", f"{action}={where}"]
        ran = subprocess.run(
            command,
            cwd=self.checkout,
            env=dict(os.environ)
            | {"XDG_CACHE_HOME": str(self.tmp / "cache"), "XDG_CONFIG_HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        (folder / "log").write_text(ran.stdout)
        return Ran(exit_code=ran.returncode, log=ran.stdout)

    @property
    def _text(self) -> str:
        return (ROOT / "examples" / self.workflow).read_text()

    def _replaced(self, folder: Path) -> dict[str, Path]:
        """Every action that is used -> a folder with one."""
        texts = [self._text, (ROOT / "action.yml").read_text()]
        used = {name for text in texts for name in re.findall(r"uses: (\S+)", text)}
        stubs = {"upload-artifact": UPLOAD, "download-artifact": DOWNLOAD, "checkout": CHECKOUT}
        return {name: self._action(name, folder, stubs) for name in used}

    def _action(self, name: str, folder: Path, stubs: Mapping[str, str]) -> Path:
        kind = name.partition("/")[2].partition("@")[0]
        if kind not in stubs:
            return self._ours()
        where = folder / kind
        where.mkdir(exist_ok=True)
        (where / "action.yml").write_text(stubs[kind].replace("STORE", str(folder / "artifacts")))
        return where

    def _ours(self) -> Path:
        """The action as `uses:` would bring it: what git has, as it stands now."""
        where = self.tmp / "action"
        if not where.exists():
            listed = subprocess.run(
                ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                cwd=ROOT,
                capture_output=True,
                check=True,
            )
            for name in filter(None, listed.stdout.decode().split("\0")):
                if (ROOT / name).is_file() and not name.startswith("tests/"):
                    (where / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / name, where / name)
        return where


def checked_out(files: Mapping[str, bytes], folder: Path) -> Path:
    """A work tree with these files, committed, as actions/checkout leaves one."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    identity = ["-c", "user.name=x", "-c", "user.email=x@localhost"]
    for command in (
        ["init", "--quiet"],
        ["add", "--force", "."],
        [*identity, "commit", "--quiet", "-m", "x"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder
