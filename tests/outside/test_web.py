"""One request over real TLS to a server on this machine, which for once counts as public."""

import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bot.errors import OutcomeUnknown, ToolFailed
from bot.outside.web import PublicWeb, addresses_of, is_public

NAME = "api.example.com"


@dataclass
class Server:
    port: int
    trust: ssl.SSLContext
    seen: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    answer: Callable[[str], tuple[int, dict[str, str], bytes]] = lambda _: (200, {}, b"fine")

    def web(self, **how: Any) -> PublicWeb:
        return PublicWeb(
            **({"resolve": lambda *_: ["127.0.0.1"], "is_public": lambda _: True, "trust": self.trust} | how)
        )

    def url(self, path: str = "/") -> str:
        return f"https://{NAME}:{self.port}{path}"


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate, private


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    certificate, key = _certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    there = Server(port=0, trust=ssl.create_default_context(cafile=str(certificate)))

    class Handler(BaseHTTPRequestHandler):
        def handle_one_request(self) -> None:
            self.raw_requestline = self.rfile.readline(65_537)
            if not self.raw_requestline or not self.parse_request():
                self.close_connection = True
                return
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            there.seen.append((self.command, self.path, dict(self.headers), body))
            status, headers, text = there.answer(self.path)
            if status == 0:
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Silence."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.socket = context.wrap_socket(http.socket, server_side=True)
        there.port = http.server_address[1]
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield there
        http.shutdown()


def test_a_request_arrives_once_as_it_was_asked_for(server: Server) -> None:
    headers = {"Content-Type": "application/json"}
    assert server.web().send("POST", server.url("/v1?q=1"), headers, '{"a": 1}') == "status 200"
    [(method, path, got, body)] = server.seen
    assert (method, path, body) == ("POST", "/v1?q=1", b'{"a": 1}')
    assert got["Host"] == f"{NAME}:{server.port}"
    assert got["Content-Type"] == "application/json"


def test_the_name_is_looked_up_once_and_the_request_goes_to_that_address(server: Server) -> None:
    """A name server that answers otherwise the second time gains nothing."""
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    web = server.web(resolve=lambda *_: next(answers), is_public=lambda one: one == "127.0.0.1")
    assert web.send("GET", server.url(), {}, None) == "status 200"


def test_a_certificate_for_another_name_is_refused_and_nothing_was_sent(server: Server) -> None:
    with pytest.raises(ToolFailed, match="can't be reached"):
        server.web().send("POST", f"https://other.example:{server.port}/", {}, "x")
    assert server.seen == []


PRIVATE = (
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:1::",
    "2001:db8::1",
)


@pytest.mark.parametrize("spelled", PRIVATE)
def test_an_address_of_this_machine_or_its_network_is_not_public(spelled: str) -> None:
    assert not is_public(spelled)


@pytest.mark.parametrize("spelled", ["8.8.8.8", "140.82.121.4", "2606:4700:4700::1111"])
def test_an_address_of_the_whole_internet_is_public(spelled: str) -> None:
    assert is_public(spelled)


@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], []])
def test_a_name_that_leads_inside_is_refused_even_in_part(server: Server, found: list[str]) -> None:
    with pytest.raises(ToolFailed, match="not public"):
        server.web(resolve=lambda *_: found, is_public=is_public).send("GET", server.url(), {}, None)
    assert server.seen == []


def test_this_machines_own_name_is_not_public() -> None:
    assert not all(map(is_public, addresses_of("localhost", 443)))
    with pytest.raises(ToolFailed, match="not public"):
        PublicWeb().send("GET", "https://localhost/", {}, None)


def test_a_name_that_is_none_is_told(server: Server) -> None:
    def unknown(*_: object) -> list[str]:
        raise OSError("Name or service not known")

    with pytest.raises(ToolFailed, match="there is no host"):
        server.web(resolve=unknown).send("GET", server.url(), {}, None)


REDIRECTS: dict[str, tuple[str, int, str]] = {
    "to the same host": ("/there", 2, "status 200"),
    "to another host": (
        "https://evil.example/",
        1,
        "status 302; the redirect to another host was not followed",
    ),
    "to another port": (f"https://{NAME}:1/", 1, "status 302; the redirect to another host was not followed"),
}


@pytest.mark.parametrize(("to", "requests", "said"), REDIRECTS.values(), ids=REDIRECTS)
def test_a_redirect_is_followed_only_to_where_we_are(
    server: Server, to: str, requests: int, said: str
) -> None:
    server.answer = lambda path: (302, {"Location": to}, b"") if path == "/" else (200, {}, b"")
    assert server.web().send("GET", server.url(), {}, None) == said
    assert len(server.seen) == requests


def test_a_redirect_away_from_encryption_is_refused(server: Server) -> None:
    server.answer = lambda _: (302, {"Location": f"http://{NAME}:{server.port}/"}, b"")
    with pytest.raises(ToolFailed, match="https"):
        server.web().send("GET", server.url(), {}, None)


def test_an_endless_redirect_ends(server: Server) -> None:
    server.answer = lambda path: (307, {"Location": f"{path}x"}, b"")
    with pytest.raises(ToolFailed, match="more than 3"):
        server.web().send("GET", server.url(), {}, None)
    assert len(server.seen) == 4


def test_a_post_is_never_sent_on(server: Server) -> None:
    server.answer = lambda _: (307, {"Location": "/there"}, b"")
    assert server.web().send("POST", server.url(), {}, "x") == "status 307"
    assert len(server.seen) == 1


def test_a_no_is_a_no_and_a_failure_of_the_server_leaves_it_unknown(server: Server) -> None:
    server.answer = lambda _: (403, {}, b"secret words")
    with pytest.raises(ToolFailed, match="the server refused it: status 403"):
        server.web().send("POST", server.url(), {}, "x")
    server.answer = lambda _: (502, {}, b"")
    with pytest.raises(OutcomeUnknown, match="status 502"):
        server.web().send("POST", server.url(), {}, "x")


def test_a_lost_answer_leaves_it_unknown_and_is_not_asked_for_again(server: Server) -> None:
    server.answer = lambda _: (0, {}, b"")
    with pytest.raises(OutcomeUnknown, match="gave no whole answer"):
        server.web().send("POST", server.url(), {}, "x")
    assert len(server.seen) == 1


def test_a_slow_server_leaves_it_unknown(server: Server) -> None:
    gone = threading.Event()

    def slow(_: str) -> tuple[int, dict[str, str], bytes]:
        gone.wait(10)
        return 200, {}, b""

    server.answer = slow
    with pytest.raises(OutcomeUnknown):
        server.web(timeout_s=0.2).send("POST", server.url(), {}, "x")
    gone.set()


def test_nobody_there_is_a_plain_no(server: Server) -> None:
    with pytest.raises(ToolFailed, match="can't be reached") as raised:
        server.web().send("POST", f"https://{NAME}:1/", {}, "x")
    assert not isinstance(raised.value, OutcomeUnknown)


def test_an_endless_answer_is_not_read_to_its_end(server: Server) -> None:
    server.answer = lambda _: (200, {}, b"x" * 5_000_000)
    assert server.web().send("GET", server.url(), {}, None) == "status 200"
