"""A stream -> the beginning and the end of what came out of it, and no more than so much in memory."""

from dataclasses import field

from bot.dataclass import dataclass


@dataclass(slots=True, kw_only=True)
class CommandOutput:
    """`most` is in bytes; `seen` counts all that came."""

    most: int
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    seen: int = 0

    def add(self, chunk: bytes) -> None:
        self.seen += len(chunk)
        room = self.most // 2 - len(self.head)
        self.head += chunk[: max(0, room)]
        self.tail += chunk[max(0, room) :]
        del self.tail[: -(self.most - self.most // 2)]

    def text(self) -> str:
        left_out = self.seen - len(self.head) - len(self.tail)
        gap = f"\n[{left_out} bytes left out here]\n".encode() if left_out else b""
        return (bytes(self.head) + gap + bytes(self.tail)).decode("utf-8", "replace")
