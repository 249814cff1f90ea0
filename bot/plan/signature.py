"""A plan's digest under a key -> a signature, for repositories where others may use the bot's own account."""

import hashlib
import hmac

from bot.settings import Secret


def sign(digest: str, key: Secret) -> str:
    """64 hex digits: HMAC-SHA256 over the digest, which is over everything else."""
    return hmac.new(key.reveal().encode(), digest.encode(), hashlib.sha256).hexdigest()


def is_signed(digest: str, signature: str | None, key: Secret) -> bool:
    return signature is not None and hmac.compare_digest(sign(digest, key), signature)
