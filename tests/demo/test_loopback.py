import socket
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler

import pytest

from bot.demo.loopback import Loopback


class Hello(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/bug":
            raise RuntimeError("a bug in a handler")
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"hi")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def test_it_is_on_loopback_only_and_ends_with_the_connections_left_open() -> None:
    server = Loopback(Hello)
    threads = threading.active_count()
    server.start()
    assert server.url.startswith("http://127.0.0.1:")
    with socket.create_connection(server.server_address[:2], timeout=10) as kept:
        kept.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert kept.recv(1000).startswith(b"HTTP/1.1 200")
        server.stop()
        assert kept.recv(1000) in (b"", b"hi")
    for thread in threading.enumerate():
        if "serve_forever" in thread.name:
            thread.join(timeout=10)
    assert threading.active_count() == threads
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(server.url, timeout=5)


@pytest.mark.timeout(30)
def test_a_server_that_stops_waits_for_no_slow_answer() -> None:
    class Slow(Hello):
        def do_GET(self) -> None:
            self.server.pause(600)  # type: ignore[attr-defined]
            super().do_GET()

    server = Loopback(Slow)
    server.start()
    with socket.create_connection(server.server_address[:2], timeout=10) as asking:
        asking.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        server.stop()


def test_a_bug_in_a_handler_is_told_and_the_server_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    server = Loopback(Hello)
    server.start()
    try:
        with pytest.raises(OSError, match="closed"):
            urllib.request.urlopen(f"{server.url}/bug", timeout=5)
        with urllib.request.urlopen(server.url, timeout=5) as response:
            assert response.read() == b"hi"
    finally:
        server.stop()
    assert "a bug in a handler" in capsys.readouterr().err


def test_a_client_that_goes_away_is_no_news(capsys: pytest.CaptureFixture[str]) -> None:
    import struct

    server = Loopback(Hello)
    server.start()
    try:
        for _ in range(5):
            rude = socket.create_connection(server.server_address[:2], timeout=5)
            rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            rude.sendall(b"GET / HTTP/1.1\r\n")
            rude.close()
        with urllib.request.urlopen(server.url, timeout=5) as response:
            assert response.read() == b"hi"
    finally:
        server.stop()
    assert capsys.readouterr().err == ""
