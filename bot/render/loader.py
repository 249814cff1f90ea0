"""A template's name -> the template: as compiled beforehand, where that was of this text and by this Jinja2.

To compile a plan's layout takes a quarter of a whole `render`. A sandbox compiles something else, and takes
nothing from here.
"""

from collections.abc import MutableMapping
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, Final

import jinja2
from jinja2 import Environment, PackageLoader, Template

COMPILED: Final = Path(__file__).parent.parent / "templates" / "compiled"


class Loader(PackageLoader):
    """Where nothing was compiled of a text, it is now: one that has changed is never shown as it was."""

    def __init__(self) -> None:
        super().__init__("bot")

    def load(
        self,
        environment: Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - Jinja2's own
    ) -> Template:
        text, _, _ = self.get_source(environment, name)
        path = COMPILED / file_of(name, text)
        if not path.exists():
            return super().load(environment, name, globals)
        # Python keeps its bytecode, as a module's. The code is of no environment: each fills in itself.
        code = SourceFileLoader(name, str(path)).get_code(name)
        assert code is not None  # noqa: S101 - a loader of files has code
        return environment.template_class.from_code(environment, code, globals or {})


def file_of(name: str, text: str) -> str:
    """Its name says of which text it is, and of which Jinja2: one that doesn't tell its version made none."""
    version = vars(jinja2).get("__version__", "")
    made = sha256(f"{version}\n{text}".encode())
    return f"{name}.{made.hexdigest()[:16]}.py"
