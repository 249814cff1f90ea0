import io
import json
import zipfile

import pytest
import responses

from bot.errors import GitHubFailed
from bot.outside import artifact

ROOT = "https://api.github.com:443/repos/acme/widgets"
LISTING = f"{ROOT}/actions/artifacts?name=dryrun-plan-abc&per_page=20"
STORAGE = "https://storage.example/signed"


def zipped(*files: tuple[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files:
            made.writestr(name, content)
    return archive.getvalue()


def listed(*ids: int, name: str = "dryrun-plan-abc", expired: bool = False) -> dict[str, object]:
    return {"artifacts": [{"id": number, "name": name, "expired": expired} for number in ids]}


def all_of(door) -> list[bytes]:
    return list(artifact.artifacts(door, "/repos/acme/widgets", "dryrun-plan-abc"))


def stored(api, number: int, content: bytes, *, location: str = STORAGE) -> None:
    zip_url = f"{ROOT}/actions/artifacts/{number}/zip"
    api.get(zip_url, status=302, headers={"Location": location})
    api.get(location, body=content)


def test_the_newest_comes_first_and_each_is_the_first_file_of_its_zip(api, door) -> None:
    api.get(LISTING, json=listed(3, 9))
    stored(api, 9, zipped(("plan.json", b"newer"), ("other", b"x")))
    stored(api, 3, zipped(("folder/", b""), ("folder/plan.json", b"older")))
    assert all_of(door) == [b"newer", b"older"]


def test_the_storage_is_not_shown_the_token(api, door) -> None:
    api.get(LISTING, json=listed(9))
    stored(api, 9, zipped(("plan.json", b"x")))
    all_of(door)
    assert "Authorization" in api.calls[1].request.headers
    assert "Authorization" not in api.calls[2].request.headers
    assert "correcthorse" not in str(api.calls[2].request.headers)


def test_what_is_expired_or_called_otherwise_is_not_fetched(api, door) -> None:
    api.get(
        LISTING,
        json={"artifacts": [*listed(9, expired=True)["artifacts"], *listed(8, name="x")["artifacts"]]},
    )
    assert all_of(door) == []


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_gone_is_passed_over(status, api, door) -> None:
    api.get(LISTING, json=listed(9, 3))
    api.get(f"{ROOT}/actions/artifacts/9/zip", status=status, json={"message": "gone"})
    stored(api, 3, zipped(("plan.json", b"older")))
    assert all_of(door) == [b"older"]


def broken_zip() -> bytes:
    whole = bytearray(zipped(("plan.json", b"a" * 5000)))
    whole[40:48] = b"\xff" * 8
    return bytes(whole)


ENCRYPTED = bytearray(zipped(("plan.json", b"x")))
ENCRYPTED[6] |= 1
ENCRYPTED[ENCRYPTED.index(b"PK\x01\x02") + 8] |= 1

USELESS = {
    "no zip": b"<html>",
    "nothing": b"",
    "an empty zip": zipped(),
    "folders only": zipped(("folder/", b"")),
    "a cut zip": zipped(("plan.json", b"a" * 5000))[:-30],
    "a broken zip": broken_zip(),
    "an encrypted zip": bytes(ENCRYPTED),
    "a bomb": zipped(("plan.json", b"\0" * (33 * 1024 * 1024))),
}


@pytest.mark.parametrize("content", USELESS.values(), ids=USELESS)
def test_what_unpacks_to_nothing_useful_is_passed_over(content, api, door) -> None:
    api.get(LISTING, json=listed(9, 3))
    stored(api, 9, content)
    stored(api, 3, zipped(("plan.json", b"older")))
    assert all_of(door) == [b"older"]


def test_a_bomb_that_lies_about_its_size_is_not_unpacked_whole(api, door) -> None:
    bomb = bytearray(zipped(("plan.json", b"\0" * (33 * 1024 * 1024))))
    for mark, size_at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = bomb.index(mark) + size_at
        bomb[at : at + 4] = (1000).to_bytes(4, "little")
    api.get(LISTING, json=listed(9))
    stored(api, 9, bytes(bomb))
    assert [content for content in all_of(door) if len(content) > 1000] == []


@pytest.mark.parametrize(
    "location", ["http://storage.example/x", "file:///etc/passwd", "ftp://storage.example/x", "/x"]
)
def test_a_redirect_to_anything_but_https_is_not_followed(location, api, door) -> None:
    api.get(LISTING, json=listed(9))
    api.get(f"{ROOT}/actions/artifacts/9/zip", status=302, headers={"Location": location})
    with pytest.raises(GitHubFailed, match="without https"):
        all_of(door)


def test_a_storage_that_does_not_answer_is_told(api, door) -> None:
    api.get(LISTING, json=listed(9))
    api.get(f"{ROOT}/actions/artifacts/9/zip", status=302, headers={"Location": STORAGE})
    api.get(STORAGE, status=503)
    with pytest.raises(GitHubFailed, match="download the artifact"):
        all_of(door)


def test_a_second_redirect_is_not_followed(api, door) -> None:
    api.get(LISTING, json=listed(9))
    api.get(f"{ROOT}/actions/artifacts/9/zip", status=302, headers={"Location": STORAGE})
    api.add(responses.Response("GET", STORAGE, status=302, headers={"Location": "http://127.0.0.1/admin"}))
    assert all_of(door) == []


def test_a_name_is_quoted(api, door) -> None:
    api.get(f"{ROOT}/actions/artifacts?name=a%26b%3D%23&per_page=20", body=json.dumps(listed()))
    assert list(artifact.artifacts(door, "/repos/acme/widgets", "a&b=#")) == []
