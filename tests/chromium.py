"""A page as a browser lays it out: a headless Chromium, driven over a pipe by its DevTools protocol.

The one that `make setup` installs, on Linux with an x86-64, with its fonts and no others, so that a page
looks the same on every machine; elsewhere the machine's own.
"""

import base64
import json
import os
import platform
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import pytest

OWN = Path(sys.prefix) / "share/dryrun-bot-npm"
_LOOKS = (Path(__file__).parent / "browser/looks.js").read_text("utf-8")
_RUNS_HERE = sys.platform == "linux" and platform.machine() == "x86_64"
BINARY = (
    str(OWN / "chromium")
    if _RUNS_HERE and (OWN / "chromium").exists()
    else shutil.which("chromium") or shutil.which("google-chrome")
)
needs_chromium = pytest.mark.skipif(
    BINARY is None, reason="no Chromium: `make setup` has none for this machine; install one"
)


class Chromium:
    """`with Chromium(folder) as browser`; the folder keeps its profile."""

    def __init__(self, folder: Path) -> None:
        assert BINARY is not None
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        # The browser reads its orders from descriptor 3 and answers on 4.
        handed_over = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        options = [
            "--headless",
            "--no-sandbox",
            "--no-zygote",
            "--disable-gpu",
            "--disable-software-rasterizer",
        ]
        options += [
            "--hide-scrollbars",
            "--remote-debugging-pipe",
            "--disable-quic",
            "--no-first-run",
            "--disable-sync",
        ]
        options += ["--disable-background-networking", "--disable-component-update"]
        self._process = subprocess.Popen(
            ["bash", "-c", handed_over, "bash", BINARY, *options, f"--user-data-dir={folder / 'profile'}"],
            pass_fds=(to_browser, from_browser),
            env={**os.environ, **_own_parts()},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._said = b""
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def open(self, page: Path, *, width: int, dark: bool = False) -> "Page":
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        opened = Page(self, session)
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        opened.ask("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        opened.ask("Emulation.setEmulatedMedia", features=[scheme])
        opened.ask("Page.navigate", url=page.resolve().as_uri())
        until = time.monotonic() + 30
        while opened.tell("document.URL + document.readyState") != page.resolve().as_uri() + "complete":
            assert time.monotonic() < until
        return opened

    def ask(self, method: str, session: str | None = None, **params: object) -> Any:
        self._asked += 1
        to_whom = {"sessionId": session} if session else {}
        asked = {"id": self._asked, "method": method, "params": params, **to_whom}
        left = memoryview(json.dumps(asked).encode() + b"\0")
        while left:
            left = left[os.write(self._to, left) :]
        while (answer := self._next()).get("id") != self._asked:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def _next(self) -> Mapping[str, Any]:
        while b"\0" not in self._said:
            assert select.select([self._from], [], [], 60)[0], "the browser says nothing"
            more = os.read(self._from, 1 << 20)
            assert more, "the browser has gone"
            self._said += more
        line, _, self._said = self._said.partition(b"\0")
        said: Mapping[str, Any] = json.loads(line)
        return said


class Page:
    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser = browser
        self._session = session

    def ask(self, method: str, **params: object) -> Any:
        return self._browser.ask(method, self._session, **params)

    def tell(self, expression: str) -> Any:
        """The value of some JavaScript, which the page's own content policy does not bind."""
        told = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def picture(self, file: Path) -> bytes:
        """The whole page as a PNG, written to `file` for whoever looks."""
        taken = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(taken["data"]))
        return file.read_bytes()

    def runs_out(self) -> list[str]:
        """What makes the page wider than the window, or is cut off in a box that can't be scrolled."""
        found: list[str] = self.tell(f"({_LOOKS}).runsOut()")
        return found

    def missing_glyphs(self) -> list[str]:
        """The visible characters that no font here can draw, as `U+` numbers.

        Each is drawn as the page's own font stack draws it. What comes out as a noncharacter does, which no
        font has, is the box for a missing glyph; and a character that leaves no mark is missing too.
        """
        found: list[str] = self.tell(f"({_LOOKS}).missingGlyphs()")
        return found

    def faint_words(self) -> list[str]:
        """What stands out too little from the colour behind it, with the contrast, by WCAG's formula."""
        found: list[str] = self.tell(f"({_LOOKS}).faintWords()")
        return found


def _own_parts() -> dict[str, str]:
    """Fonts and libraries that came with it, so that nothing of the machine shows in a picture."""
    if not str(BINARY).startswith(str(OWN)):
        return {}
    return {"FONTCONFIG_FILE": str(OWN / "fonts.conf"), "LD_LIBRARY_PATH": str(OWN / "lib")}
