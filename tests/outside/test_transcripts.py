"""Transcripts out of past runs' artifacts: ours, newest first, and nothing that somebody else slipped in."""

import io
import zipfile
from typing import Any

import pytest

from bot.errors import GitHubFailed
from bot.outside.transcripts import transcripts

ROOT = "https://api.github.com:443/repos/acme/widgets"


def zipped(*names: str) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for name in names:
            made.writestr(name, f"content of {name}")
    return archive.getvalue()


def artifact(number: int, name: str = "dryrun-plan-abc", **fields: Any) -> dict[str, Any]:
    return {"id": number, "name": name, "expired": False} | fields


def listed(api, *artifacts: dict[str, Any], page: int = 1) -> None:
    api.get(f"{ROOT}/actions/artifacts?page={page}&per_page=100", json={"artifacts": list(artifacts)})


def stored(api, number: int, content: bytes) -> None:
    location = f"https://storage.example/{number}"
    api.get(f"{ROOT}/actions/artifacts/{number}/zip", status=302, headers={"Location": location})
    api.get(location, body=content)


def names(door, most: int = 100) -> list[str]:
    return [name for name, _ in transcripts(door, "/repos/acme/widgets", most=most)]


def test_every_transcript_of_every_run_is_brought_newest_first(api, door) -> None:
    listed(api, artifact(9), artifact(8, "dryrun-transcript-def"), artifact(7))
    stored(api, 9, zipped("plan-abc.json", "transcript-12-1.jsonl", "transcript-12-2.jsonl", "x.patch"))
    stored(api, 8, zipped("dryrun-bot/transcript-11-apply.jsonl"))
    stored(api, 7, zipped("transcript-12-1.jsonl"))
    found = list(transcripts(door, "/repos/acme/widgets", most=100))
    assert [name for name, _ in found] == [
        "9-transcript-12-1.jsonl",
        "9-transcript-12-2.jsonl",
        "8-transcript-11-apply.jsonl",
        "7-transcript-12-1.jsonl",
    ]
    assert found[2][1] == b"content of dryrun-bot/transcript-11-apply.jsonl"


@pytest.mark.parametrize("most", [1, 2])
def test_no_more_is_fetched_than_is_wanted(api, door, most: int) -> None:
    listed(api, artifact(9), artifact(8))
    stored(api, 9, zipped("transcript-1.jsonl", "transcript-2.jsonl"))
    assert names(door, most) == ["9-transcript-1.jsonl", "9-transcript-2.jsonl"][:most]


def test_what_others_made_is_passed_over(api, door) -> None:
    own = {"repository_id": 1, "head_repository_id": 1}
    listed(
        api,
        artifact(9, "coverage"),
        artifact(8, "my-dryrun-plan-abc"),
        artifact(7, expired=True),
        artifact(6, workflow_run=own | {"head_repository_id": 666}),
        artifact(5, workflow_run=own),
    )
    stored(api, 5, zipped("transcript-1.jsonl"))
    assert names(door) == ["5-transcript-1.jsonl"]


BROKEN = {
    "no zip": b"words",
    "an empty one": b"",
    "a zip that is cut": zipped("transcript-1.jsonl")[:-30],
    "names that are none of ours": zipped(
        "transcript-.jsonl", "transcript-a b.jsonl", "transcript-1.json", "../transcript-\u202e.jsonl"
    ),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_what_can_not_be_unpacked_is_passed_over(api, door, content: bytes) -> None:
    listed(api, artifact(9), artifact(8))
    stored(api, 9, content)
    stored(api, 8, zipped("../../transcript-1.jsonl"))
    assert names(door) == ["8-transcript-1.jsonl"]


def test_a_transcript_that_unpacks_to_more_than_any_has_is_passed_over(api, door) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("transcript-1.jsonl", b"0" * (33 * 1024 * 1024))
        made.writestr("transcript-2.jsonl", b"0")
    listed(api, artifact(9))
    stored(api, 9, archive.getvalue())
    assert names(door) == ["9-transcript-2.jsonl"]


def test_the_listing_is_read_page_after_page(api, door) -> None:
    listed(api, *(artifact(1_000 - number, "coverage") for number in range(100)))
    listed(api, artifact(9), page=2)
    stored(api, 9, zipped("transcript-1.jsonl"))
    assert names(door) == ["9-transcript-1.jsonl"]


def test_one_that_is_gone_meanwhile_is_passed_over_and_a_fault_is_told(api, door) -> None:
    listed(api, artifact(9), artifact(8))
    api.get(f"{ROOT}/actions/artifacts/9/zip", status=410, json={"message": "gone"})
    api.get(f"{ROOT}/actions/artifacts/8/zip", status=403, json={"message": "no"})
    with pytest.raises(GitHubFailed, match="download the artifact"):
        names(door)
