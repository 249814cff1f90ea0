"""A sentence of ours and its parts: written once in English where it is known, said again where it is read.

To whatever takes text it is its English text: to logs, to records, to a model. `render.sentence` looks its
template up in the reader's language, where a finished text would have to be taken apart again.
"""

from collections.abc import Mapping
from typing import Self


class Sentence(str):
    """`template` has its parts as `%(name)s`, and a percent sign as `%%`; a part may be a Sentence itself.

    Without parts the template is the text as it stands.
    """

    __slots__ = ("parts", "template")

    template: str
    parts: Mapping[str, str]

    def __new__(cls, template: str, /, **parts: object) -> Self:
        named = {name: _said(part) for name, part in parts.items() if f"%({name})s" in template}
        made = super().__new__(cls, template % named if parts else template)
        made.template = template if parts else template.replace("%", "%%")
        made.parts = named
        return made


def _said(part: object) -> str:
    return part if isinstance(part, Sentence) else str(part)
