"""A key of this machine -> proof that an index was made here, of the very bytes it stands beside."""

import hmac
import secrets
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Final, Self

from bot.dataclass import dataclass

MARK_BYTES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Voucher:
    """Can be sent to another process of the same person's, and nowhere else."""

    key: bytes = field(repr=False)

    @classmethod
    def kept_in(cls, folder: Path) -> Self | None:
        """The key is made when first asked for. None where it can't be kept: then nothing is vouched for."""
        file = folder / "index.key"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Another process may be about to make one: whoever comes first does, and both read that.
            with suppress(FileExistsError):
                new = folder / f".index.key-{secrets.token_hex(8)}"
                new.touch(mode=0o600)
                new.write_bytes(secrets.token_bytes(MARK_BYTES))
                try:
                    file.hardlink_to(new)
                finally:
                    new.unlink()
            key = file.read_bytes()
        except OSError:
            return None
        return cls(key=key) if len(key) == MARK_BYTES else None

    def mark(self, content: bytes) -> bytes:
        return hmac.digest(self.key, content, "sha256")

    def made(self, mark: bytes, content: bytes) -> bool:
        """Whether `mark` is this machine's, of exactly these bytes."""
        return hmac.compare_digest(mark, self.mark(content))
