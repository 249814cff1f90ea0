"""How GitHub's runner reads a line of a log: what it would take for a workflow command."""

import unicodedata


def obeyed(line: str) -> str | None:
    """The name of the command that the runner takes a line for, as its ActionCommand.cs reads it.

    It compares by culture, which passes over what has no weight; and it knows names by a list, to which
    `::stop-commands::` adds any word: here every name counts.
    """
    line = "".join(char for char in line if unicodedata.category(char) not in {"Cc", "Cf", "Mn", "Me"})
    start = line.lstrip()
    if start.startswith("::") and (end := start.find("::", 2)) >= 0:
        return start[2:end].split(" ")[0] or None
    if (at := line.find("##[")) >= 0 and (end := line.find("]", at)) >= 0:
        return line[at + 3 : end].split(" ")[0] or None
    return None
