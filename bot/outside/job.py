"""The workflow job around a run: its outputs and its summary, in the files that the runner names.

Source: docs.github.com, "Workflow commands for GitHub Actions", sections on GITHUB_OUTPUT and job summaries.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from bot.dataclass import dataclass
from bot.errors import naming
from bot.glance import write_outputs

_MOST_SUMMARY_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """None stands for a file that the runner did not name: then there is nobody to tell."""

    output_file: Path | None
    summary_file: Path | None

    @classmethod
    def around(cls, environ: Mapping[str, str]) -> Self:
        """Also where the rest of the environment is not fit for a run: somebody waits for outputs even so."""
        output, summary = environ.get("GITHUB_OUTPUT"), environ.get("GITHUB_STEP_SUMMARY")
        return cls(
            output_file=Path(output) if output else None, summary_file=Path(summary) if summary else None
        )

    def set_outputs(self, outputs: Mapping[str, str]) -> None:
        if self.output_file is None:
            return
        write_outputs(str(self.output_file), outputs)

    def summarise(self, markdown: str) -> None:
        """Appended; GitHub drops a summary of more than 1 MiB, so what is beyond is cut at a line's end."""
        if self.summary_file is None:
            return
        before = self.summary_file.stat().st_size if self.summary_file.exists() else 0
        text = markdown.encode("utf-8", "backslashreplace") + b"\n"
        room = _MOST_SUMMARY_BYTES - before
        if len(text) > room:
            text = text[: max(room, 0)]
            text = text[: text.rfind(b"\n") + 1]
        with naming(self.summary_file), self.summary_file.open("ab") as stream:
            stream.write(text)
