"""A file -> the one recorded dry run in it, whole; or why it is left out or refused."""

from collections.abc import Iterator
from typing import BinaryIO, Final

from bot.dataclass import dataclass
from bot.errors import BadTranscript
from bot.impact import Refused, Shard
from bot.replay.opened import opened
from bot.replay.result import Result
from bot.replay.source import File, shard_of
from bot.replay.whole_run import LeftOut, WholeRun, read_whole_run
from bot.transcript.recording import Recording

FOREIGN: Final = "runs of other programs, which can only be replayed under a policy"


@dataclass(frozen=True, slots=True)
class WholeFile:
    """`shard` is the part of all runs that is wanted."""

    file: File
    shard: Shard | None = None

    def runs(self) -> Iterator[WholeRun | Result]:
        run_id = ""
        try:
            with opened(self.file.path, name=self.file.name) as stream:
                run_id = self._run_id(stream)
                if not self._is_wanted(run_id or self.file.name):
                    return
                stream.seek(0)
                yield (
                    read_whole_run(stream, file=self.file.name)
                    if run_id
                    else Result(run="", left_out=FOREIGN)
                )
        except LeftOut as why:
            yield Result(run=run_id, left_out=str(why))
        except (BadTranscript, OSError) as error:
            if run_id or self._is_wanted(self.file.name):
                said = (
                    error.what if isinstance(error, BadTranscript) else f"{self.file.name}: {error.strerror}"
                )
                yield Result(run=run_id, refused=Refused(file=self.file.name, why=said))

    def run_id(self) -> str:
        """Empty for a file that is no transcript of ours, or no whole one."""
        try:
            with opened(self.file.path, name=self.file.name) as stream:
                return self._run_id(stream)
        except (BadTranscript, OSError):
            return ""

    def _run_id(self, stream: BinaryIO) -> str:
        """Empty for a file that is no transcript of ours."""
        start = stream.read(4096)
        stream.seek(0)
        if not start.startswith(b'{"_after":') and b'"dryrun-bot/transcript/' not in start:
            return ""
        first = Recording(stream, file=self.file.name)
        next(first.lines())
        return first.run_id

    def _is_wanted(self, run_id: str) -> bool:
        return self.shard is None or shard_of(run_id, self.shard.of) == self.shard.number
