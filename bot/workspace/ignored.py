"""(Files) -> whether git would leave a new one out: by the .gitignore files among them, and nothing else."""

from typing import Final, Protocol

from pathspec import GitIgnoreSpec

from bot.errors import ToolFailed


class Readable(Protocol):
    """Raises ToolFailed where there is no such file."""

    def read(self, path: str) -> bytes: ...


class Ignored:
    """As the files are now: made anew when they have changed."""

    def __init__(self, files: Readable) -> None:
        self._files: Final = files
        self._specs: Final[dict[str, GitIgnoreSpec | None]] = {}
        self._folders: Final[dict[str, bool]] = {}

    def hits(self, path: str) -> bool:
        """Of a file. What lies in an ignored folder is ignored, whatever else is said of it."""
        at = path.find("/")
        while at >= 0:
            folder = path[:at]
            if folder not in self._folders:
                self._folders[folder] = self._says(folder, is_folder=True)
            if self._folders[folder]:
                return True
            at = path.find("/", at + 1)
        return self._says(path, is_folder=False)

    def _says(self, path: str, *, is_folder: bool) -> bool:
        """The nearest file that has a rule for it."""
        parent, _, name = path.rpartition("/")
        below = f"{name}/" if is_folder else name
        while True:
            spec = self._spec(parent)
            if spec is not None:
                found = spec.check_file(below).include
                if found is not None:
                    return bool(found)
            if not parent:
                return False
            parent, _, name = parent.rpartition("/")
            below = f"{name}/{below}"

    def _spec(self, folder: str) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            try:
                text = self._files.read(f"{folder}/.gitignore" if folder else ".gitignore")
            except ToolFailed:
                self._specs[folder] = None
            else:
                lines = text.decode("utf-8", "replace").splitlines()
                self._specs[folder] = GitIgnoreSpec.from_lines(_usable(lines))
        return self._specs[folder]


def _usable(lines: list[str]) -> list[str]:
    """Without what no pattern is, which git leaves out as well."""
    usable = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        usable.append(line)
    return usable
