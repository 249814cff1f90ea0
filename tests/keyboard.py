"""Somebody at a keyboard: the real program in a real repository, with a scripted model behind it."""

import os
import pty
import select
import signal
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from own_home import FILES
from real_git import Files, committed
from standby import Running, bot, started

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
        done = bot(*words, cwd=cwd or self.repo, env=self.environment(**environ), stdin=stdin)
        return Seen(exit_code=done.returncode, stdout=done.stdout, stderr=done.stderr)

    def begins(self, *words: str, log: Path | None = None) -> Running:
        """For who ends it early; it says nothing but to `log`."""
        with open(os.devnull, "r+b") as nothing, open(log or os.devnull, "wb") as said:  # noqa: PTH123
            streams = (nothing.fileno(), nothing.fileno(), said.fileno())
            return started(words, cwd=self.repo, env=self.environment(), streams=streams)

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
        ours, theirs = os.pipe()
        streams = (slave, theirs if is_piped else slave, slave)
        process = started(
            words, cwd=self.repo, env=self.environment(**sized), streams=streams, is_of_its_own_session=True
        )
        os.close(slave)
        os.close(theirs)
        with process, open(ours, encoding="utf-8") as piped, ThreadPoolExecutor(1) as reader:  # noqa: PTH123
            stdout = reader.submit(piped.read)
            screen = _typed(master, list(answers), process)
            code = process.wait(timeout=60)
            os.close(master)
            return Seen(exit_code=code, stdout=stdout.result(), screen=screen)


def _typed(master: int, answers: list[str], process: Running) -> str:
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
