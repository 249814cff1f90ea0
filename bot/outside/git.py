"""git, read-only: nothing in its environment, configuration or repository makes it run or fetch anything."""

import os
import shutil
import subprocess
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bot.errors import CheckoutFailed

_OPTIONS: Final = (
    # The folder may belong to another user, as in a container; it is only read
    "safe.directory=*",
    "safe.bareRepository=explicit",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.alternateRefsCommand=",
    "protocol.allow=never",
    "gc.auto=0",
)
_ENVIRONMENT: Final[Mapping[str, str]] = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    # Replaced objects would show other bytes than the commit's
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
_MOST_SECONDS: Final = 120
_AT_ONCE: Final = 500


class Git:
    """With `home` git sees a person's own ignore rules; without, no configuration but the repository's."""

    def __init__(self, folder: Path, *, home: Mapping[str, str] | None = None) -> None:
        program = shutil.which("git")
        if program is None:
            raise CheckoutFailed("git is not installed", next_step="install git 2.30 or newer")
        options = [word for option in _OPTIONS for word in ("-c", option)]
        self.folder: Final = folder
        self._command: Final = (program, *options, "-C", str(folder))
        alone = {"HOME": os.devnull, "GIT_CONFIG_GLOBAL": os.devnull}
        self._environment: Final = {**_ENVIRONMENT, **(home or alone)}

    def says(self, *arguments: str, given: bytes = b"") -> bytes | None:
        """What it writes, having read what it is `given`; None if it fails."""
        done = self._done(arguments, given=given)
        return done.stdout if done.returncode == 0 else None

    def complaint(self, *arguments: str) -> str:
        """What it says of why it fails, on one line; empty where it does not."""
        done = self._done(arguments)
        return " ".join(done.stderr.decode("utf-8", "replace").split()) if done.returncode else ""

    def _done(self, arguments: Sequence[str], *, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        try:
            return subprocess.run(
                [*self._command, *arguments],
                env=self._environment,
                input=given,
                capture_output=True,
                check=False,
                timeout=_MOST_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise CheckoutFailed(
                "git %(arguments)s took more than %(most)s seconds in %(folder)s",
                arguments=arguments[0],
                most=_MOST_SECONDS,
                folder=self.folder,
                next_step="check the disk of this machine, and try again",
            ) from error

    def objects(self) -> "Objects":
        return Objects([*self._command, "cat-file", "--batch"], self._environment)


class Objects:
    """Objects of the repository by name, through one long-lived process, started when first needed."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self._command: Final = command
        self._environment: Final = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[..., Objects] | None = None

    def blob(self, name: str) -> bytes | None:
        """The bytes of a blob; None if it is not there."""
        process = self._started()
        assert process.stdin is not None  # noqa: S101 - it was asked for
        try:
            process.stdin.write(name.encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            self.close()
            return None
        return self._answer(process, name)

    def _answer(self, process: subprocess.Popen[bytes], name: str) -> bytes | None:
        assert process.stdout is not None  # noqa: S101 - it was asked for
        head = process.stdout.readline().split()
        if len(head) != 3 or head[0].decode() != name:
            # "missing", or nothing at all: in a partial clone git gives up when it may not fetch
            if not head:
                self.close()
            return None
        content = process.stdout.read(int(head[2]))
        process.stdout.read(1)
        return content if head[1] == b"blob" else None

    def blobs(self, names: Sequence[str]) -> Iterator[bytes | None]:
        """The same of many, in order: more are asked for before the last answers are read."""
        process = self._started()
        assert process.stdin is not None  # noqa: S101 - it was asked for
        parts = [names[at : at + _AT_ONCE] for at in range(0, len(names), _AT_ONCE)]
        asked = 0
        for number, part in enumerate(parts):
            for further in parts[asked : number + 2]:
                # Two parts never fill a pipe, so nobody waits for the other.
                process.stdin.write("".join(f"{name}\n" for name in further).encode())
                asked += 1
            process.stdin.flush()
            for name in part:
                yield self._answer(process, name)

    def close(self) -> None:
        if self._end is not None:
            self._end()
        self._process = self._end = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._end = weakref.finalize(self, _stop, self._process)
        return self._process


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()
