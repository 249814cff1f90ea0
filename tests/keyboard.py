"""Somebody at a keyboard: the real program in a real repository, with a scripted model behind it."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from child import child
from own_home import FILES
from real_git import Files, committed

from bot.demo.model import ScriptedModel

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """`screen` is what a terminal got, stderr and stdout where both were one."""

    exit_code: int
    stdout: str
    stderr: str = ""
    screen: str = ""


@dataclass(slots=True, kw_only=True)
class Keyboard:
    """`repo` is where the person stands; nothing of this machine's own environment is seen by the program."""

    folder: Path
    model: ScriptedModel
    files: Files = field(default_factory=lambda: FILES)
    repo: Path = field(init=False)

    def __post_init__(self) -> None:
        self.repo = self.folder / "repo"
        committed(self.repo, self.files)

    def environment(self, **more: str) -> Mapping[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "HOME": str(self.folder / "home"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "TMPDIR": str(self.folder),
            "OPENAI_BASE_URL": self.model.base_url,
            "LANG": "C.UTF-8",
            **more,
        }

    def types(self, *words: str, stdin: str = "", cwd: Path | None = None, **environ: str) -> Seen:
        """With pipes in all three places."""
        done = subprocess.run(
            [sys.executable, "-m", "bot", *words],
            cwd=cwd or self.repo,
            env=self.environment(**environ),
            input=stdin.encode(),
            capture_output=True,
            check=False,
            timeout=100,
        )
        return Seen(exit_code=done.returncode, stdout=done.stdout.decode(), stderr=done.stderr.decode())

    def sits_at(
        self,
        *words: str,
        answers: Sequence[str] = (),
        columns: int = 100,
        is_piped: bool = False,
        **environ: str,
    ) -> Seen:
        """At a real terminal; each answer is typed when a question stands there. `is_piped`: not stdout."""
        master, slave = pty.openpty()
        sized = {"COLUMNS": str(columns), "LINES": "50", "TERM": "xterm-256color", **environ}
        with child(
            [sys.executable, "-m", "bot", *words],
            cwd=self.repo,
            env=self.environment(**sized),
            stdin=slave,
            stdout=subprocess.PIPE if is_piped else slave,
            stderr=slave,
            start_new_session=True,
        ) as process:
            os.close(slave)
            screen = _typed(master, list(answers), process)
            stdout, _ = process.communicate(timeout=60)
            os.close(master)
            return Seen(exit_code=process.returncode, stdout=(stdout or b"").decode(), screen=screen)


def _typed(master: int, answers: list[str], process: subprocess.Popen[bytes]) -> str:
    seen, answered, ends = b"", 0, time.monotonic() + 90
    while time.monotonic() < ends:
        if select.select([master], [], [], 0.1)[0]:
            try:
                chunk = os.read(master, 65536)
            except OSError:
                break
            if not chunk:
                break
            seen += chunk
        elif process.poll() is not None:
            break
        if answers and seen.count(b"[q]") > answered:
            answered += 1
            answer = answers.pop(0)
            if answer == "^C":
                os.killpg(process.pid, signal.SIGINT)
            else:
                # The program throws away what was typed before it asked.
                time.sleep(0.2)
                os.write(master, answer.encode() + b"\n")
    return seen.decode("utf-8", "replace")
