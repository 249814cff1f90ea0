"""git objects brought to GitHub over git's own protocol: two requests, however many there are.

They go under a ref of the bot's own, which no branch and no tag is, so nobody sees it and no workflow starts.
It is done in this process, with no git: a subprocess would have to be told the token.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from bot import __version__
from bot.dataclass import dataclass
from bot.outside.fault import Fault, Kind, broken_requests, fault_of
from bot.outside.pack import Object, packed
from bot.outside.patience import Patience
from bot.settings import Secret

_NO_SHA: Final = "0" * 40
# A repository's refs are listed before anything is taken; some have a hundred thousand.
_MOST_LISTED_BYTES: Final = 64 * 1024 * 1024
_MOST_ANSWERED_BYTES: Final = 1024 * 1024
_TIMEOUT_S: Final = 60


class _Refused(Exception):
    """GitHub's own words, which are nobody's to believe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """To the repository at `url`, over http or https."""

    url: str
    token: Secret
    patience: Patience

    def bring(self, objects: Sequence[Object], *, ref: str, tip: str) -> bool:
        """Whether all of them are there now, and `ref` at `tip`; where not, nothing has changed.

        Found there already, nothing is sent: so it may be tried again after a lost answer.
        """
        tries, waited_s = 0, 0.0
        while True:
            fault = self._once(objects, ref=ref, tip=tip)
            if fault is None:
                return True
            tries += 1
            pause_s = self.patience.pause_s(fault, tries=tries, waited_s=waited_s, is_new=False)
            if pause_s is None:
                return False
            self.patience.sleep(pause_s)
            waited_s += pause_s

    def _once(self, objects: Sequence[Object], *, ref: str, tip: str) -> Fault | None:
        broken = broken_requests()
        try:
            before = self._listed().get(ref, _NO_SHA)
            if before != tip:
                self._send(packed(objects), ref=ref, before=before, after=tip)
        except _Refused as refused:
            return Fault(kind=Kind.REFUSED, status=None, message=str(refused))
        except broken as error:
            return fault_of(error, now=self.patience.now())
        return None

    def _listed(self) -> dict[str, str]:
        """Every ref of the repository, with what it points to."""
        told = self._asked("GET", "info/refs?service=git-receive-pack", b"", most=_MOST_LISTED_BYTES)
        lines = [line.rstrip(b"\n") for line in _lines(told)]
        if lines[:1] != [b"# service=git-receive-pack"]:
            raise _Refused("no service that takes objects")
        refs = (line.partition(b"\0")[0].split(b" ", 1) for line in lines[1:] if line)
        return {row[1].decode("utf-8", "replace"): row[0].decode("ascii") for row in refs if len(row) == 2}

    def _send(self, pack: bytes, *, ref: str, before: str, after: str) -> None:
        wanted = f"{before} {after} {ref}\0 report-status agent=dryrun-bot/{__version__}"
        told = self._asked(
            "POST", "git-receive-pack", _line(wanted) + b"0000" + pack, most=_MOST_ANSWERED_BYTES
        )
        said = [line.rstrip(b"\n").decode("utf-8", "replace") for line in _lines(told)]
        if said[:2] != ["unpack ok", f"ok {ref}"]:
            raise _Refused("; ".join(said)[:300])

    def _asked(self, verb: str, path: str, body: bytes, *, most: int) -> bytes:
        import requests

        with requests.request(
            verb,
            f"{self.url}/{path}",
            data=body,
            auth=("x-access-token", self.token.reveal()),
            headers={
                "User-Agent": f"git/dryrun-bot-{__version__}",
                "Content-Type": "application/x-git-receive-pack-request",
            },
            timeout=_TIMEOUT_S,
            stream=True,
            # Another address must not be shown the token.
            allow_redirects=False,
        ) as answer:
            if 400 <= answer.status_code < 500 and answer.status_code not in {408, 429}:
                raise _Refused(f"status {answer.status_code}")
            answer.raise_for_status()
            if answer.status_code != requests.codes.ok:
                raise _Refused(f"status {answer.status_code}")
            told: bytes = answer.raw.read(most + 1, decode_content=True)
        if len(told) > most:
            raise _Refused("more than anybody could mean")
        return told


def _line(text: str) -> bytes:
    """Git's pkt-line: four hex digits of its length, themselves counted, and the text."""
    line = text.encode()
    return b"%04x%s" % (len(line) + 4, line)


def _lines(told: bytes) -> Iterator[bytes]:
    """What `_line` made; the marks between groups of them are passed over. Raises ValueError."""
    at = 0
    while at < len(told):
        size = int(told[at : at + 4], 16)
        if size >= 4:
            if at + size > len(told):
                raise ValueError("a line of git's protocol ends too soon")
            yield told[at + 4 : at + size]
        at += max(size, 4)
