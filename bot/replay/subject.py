"""What runs are replayed with: policy files, as a process can hand them to another."""

from collections.abc import Mapping
from pathlib import Path

from bot.config import DEFAULT, Config, read_config
from bot.dataclass import dataclass
from bot.errors import BadUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFile:
    """`text` is None for the bot's own defaults."""

    file: str
    text: bytes | None

    @classmethod
    def read(cls, file: Path) -> "PolicyFile":
        try:
            return cls(file=str(file), text=file.read_bytes())
        except OSError as error:
            raise BadUsage(
                "%(file)s can't be read: %(why)s",
                file=file,
                why=error.strerror,
                next_step="name the policy file",
            ) from error

    def config(self) -> Config:
        """Raises BadConfig with the line."""
        return DEFAULT if self.text is None else read_config(self.text, file=self.file)


DEFAULTS = PolicyFile(file="the defaults", text=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """`before` is None where the recorded verdicts are compared with; runs without any get `fallback`'s."""

    after: PolicyFile
    before: PolicyFile | None = None
    fallback: PolicyFile = DEFAULTS

    def named(self) -> Mapping[str, str]:
        """By digest, which says the same on every machine, whatever the files are called."""
        before = "the recorded verdicts" if self.before is None else f"policy {_short(self.before)}"
        return {
            "after": f"policy {_short(self.after)}",
            "before": before,
            "before, where none is recorded": f"policy {_short(self.before or self.fallback)}",
        }


def _short(policy: PolicyFile) -> str:
    return policy.config().policy_digest[:12]
