"""Where the kernel asks about modes and times, a command's own files get them; others' are in the escapes."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from ordinary_user import WHO, being, cage_for_all

from bot.outside.sandbox import LandlockShell

pytestmark = pytest.mark.skipif(
    LandlockShell().why_not() is not None, reason="this machine can't confine commands; see test_confine.py"
)


@pytest.fixture(scope="module")
def tmp_for_all() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def py(program: str) -> str:
    return f"python3 - <<'END'\n{program}\nEND"


ALLOWED = {
    "modes": ("touch f; chmod 640 f; chmod +x f; stat -c %a f", "751"),
    "modes through a folder": ("mkdir -p a/b; touch a/b/f; cd a; chmod 600 b/f; stat -c %a b/f", "600"),
    "modes of many": ("mkdir d; touch d/1 d/2; chmod -R 700 d; stat -c %a d/1 d/2 | uniq", "700"),
    "modes by a descriptor": (
        py("import os\nf = open('f', 'w'); os.fchmod(f.fileno(), 0o640)\nprint(oct(os.stat('f').st_mode))"),
        "0o100640",
    ),
    "times": ("touch -d 2001-01-01 f; stat -c %y f", "2001-01-01 00:00:00.000000000 +0000"),
    "times of a link": (
        "ln -s x l; touch -h -d 2001-01-01 l; stat -c %y l",
        "2001-01-01 00:00:00.000000000 +0000",
    ),
    "the time now": (
        py(
            "import os, time\nopen('f', 'w'); os.utime('f', (1, 1)); os.utime('f')\n"
            "print(time.time() - os.stat('f').st_mtime < 9)"
        ),
        "True",
    ),
    "a copy with all that it has": (
        "touch -d 2001-01-01 a; chmod 750 a; cp -a a b; stat -c '%a %y' b",
        "750 2001-01-01 00:00:00.000000000 +0000",
    ),
    "an archive": (
        "mkdir d; echo 1 > d/f; chmod 600 d/f; tar cf t d; rm -r d; tar xf t; stat -c %a d/f",
        "600",
    ),
    "a temporary file": ("f=$(mktemp); chmod 644 $f; stat -c %a $f", "644"),
}


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("command", "said"), ALLOWED.values(), ids=ALLOWED)
def test_modes_and_times_of_its_own_files_are_its_to_set(
    tmp_for_all: Path, who: str, command: str, said: str
) -> None:
    shell = cage_for_all(tmp_for_all)
    with being(who), shell.folder() as folder:
        assert shell.run(command, folder=folder, timeout_s=60).output.strip() == said
