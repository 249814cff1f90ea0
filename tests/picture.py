"""The picture of a plan's comment: the demo's own page, photographed by a real browser.

python tests/picture.py docs/plan-comment.png
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# CSS pixels; the height ends below the line to reply with.
WIDTH, HEIGHT = 960, 1766
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars")
QUIET += ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic")


def main(picture: Path) -> int:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"None of {', '.join(BROWSERS)} is installed", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="picture-") as scratch:
        folder = Path(scratch)
        demo = [sys.executable, "-m", "bot", "demo", "--out", str(folder / "out")]
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
        page = (folder / "out" / "pull-request.html").as_uri()
        seen = [f"--user-data-dir={folder / 'profile'}", f"--window-size={WIDTH},{HEIGHT}"]
        taken = [browser, *QUIET, *seen, f"--screenshot={folder / 'picture.png'}", page]
        subprocess.run(taken, check=True, capture_output=True, timeout=120)
        shutil.copyfile(folder / "picture.png", picture)
    print(f"{picture}: {picture.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
