"""HTTP on 127.0.0.1: starts without asking a resolver, stops without leaving a thread behind."""

import contextlib
import socket
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from weakref import WeakSet


class Loopback(ThreadingMixIn, TCPServer):
    """Not `http.server.HTTPServer`, which looks up this machine's name when it starts."""

    allow_reuse_address = True
    # Joined when the server closes, so that nothing answers any more once `stop` has returned.
    daemon_threads = False

    def __init__(self, handler: type[BaseHTTPRequestHandler], *, port: int = 0) -> None:
        self._open: WeakSet[socket.socket] = WeakSet()
        self._stopping = threading.Event()
        super().__init__(("127.0.0.1", port), handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def get_request(self) -> tuple[socket.socket, object]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - the base class's
        """A client that went away is no news; anything else is a bug in a handler, and told on stderr."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            traceback.print_exc()

    def pause(self, seconds: float) -> None:
        """Before an answer that is to be slow; a server that stops waits for none."""
        self._stopping.wait(seconds)

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        """Ends the connections that clients keep open, so that their threads end too."""
        self._stopping.set()
        self.shutdown()
        self.hang_up()
        self.server_close()

    def hang_up(self) -> None:
        """On every client that is connected."""
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
