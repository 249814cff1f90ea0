"""git objects -> one pack, as git's own protocol carries them: each whole, none as another's difference."""

import hashlib
import zlib
from collections.abc import Iterable
from typing import Final, Literal

from bot.dataclass import dataclass
from bot.workspace import object_sha

# https://git-scm.com/docs/gitformat-pack
_KINDS: Final = {"commit": 1, "tree": 2, "blob": 3}
_VERSION: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    kind: Literal["commit", "tree", "blob"]
    content: bytes

    @property
    def sha(self) -> str:
        return object_sha(self.kind, self.content)


def packed(objects: Iterable[Object]) -> bytes:
    """One of each, however often it comes."""
    distinct = {(one.kind, one.content): one for one in objects}.values()
    head = b"PACK" + _VERSION.to_bytes(4, "big") + len(distinct).to_bytes(4, "big")
    body = b"".join([head, *(_head(one) + zlib.compress(one.content) for one in distinct)])
    return body + hashlib.sha1(body, usedforsecurity=False).digest()


def _head(one: Object) -> bytes:
    """Kind and size: four bits of the size in the first byte, seven in each that follows."""
    size = len(one.content)
    head, size = [_KINDS[one.kind] << 4 | size & 0b1111], size >> 4
    while size:
        head[-1] |= 0b1000_0000
        head.append(size & 0b111_1111)
        size >>= 7
    return bytes(head)
