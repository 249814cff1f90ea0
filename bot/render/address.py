"""An address that may be a link in a comment: so plain that it can't end the link and go on."""

import re
from typing import Final

from markupsafe import Markup


def safe_address(url: str | None) -> Markup | None:
    """`url` itself, or None where it is no plain http(s) address: a parenthesis would end the link."""
    return Markup(url) if url is not None and _PLAIN.fullmatch(url) else None  # noqa: S704


_PLAIN: Final = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::\d+)?(?:/[A-Za-z0-9._~%+=:@-]*)*(?:\#[A-Za-z0-9_-]*)?"
)
