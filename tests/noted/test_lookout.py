"""What a rehearsal asked of a pull request is in its transcript, and answers the same again."""

import io
from pathlib import Path

import pytest

from bot.errors import ToolFailed
from bot.noted.lookout import Looked, NotedLookout, RecordedLookout
from bot.transcript import Transcript
from bot.transcript.recording import Recording
from bot.world import Workflow

FILE = b"on: workflow_dispatch\n\xff"


class GitHub:
    """Answers by what is asked."""

    author = "mona"

    def has_label(self, name: str) -> bool:
        return name == "bug"

    def is_collaborator(self, login: str) -> bool:
        return login == "lee"

    def has_issues(self) -> bool:
        return True

    def workflow(self, file: str) -> Workflow | None:
        known = {"release.yml": FILE, "odd.yml": None}
        return Workflow(is_active=file == "release.yml", file=known[file]) if file in known else None


def _looked(folder: Path) -> list[Looked]:
    with Transcript.begin(folder / "t.jsonl") as transcript:
        asked = NotedLookout(lookout=GitHub(), transcript=transcript)
        assert asked.author == "mona"
        assert (asked.has_label("bug"), asked.has_label("x")) == (True, False)
        assert (asked.is_collaborator("lee"), asked.is_collaborator("eve")) == (True, False)
        assert asked.has_issues()
        for file in ("release.yml", "odd.yml", "none.yml"):
            assert asked.workflow(file) == GitHub().workflow(file)
    events = Recording(io.BytesIO(transcript.file.read_bytes()), file="t").events()
    return [Looked.model_validate(event) for _, event in events if event["event"] == "looked"]


def test_every_answer_is_given_again(tmp_path: Path) -> None:
    again = RecordedLookout(_looked(tmp_path))
    assert again.author == "mona"
    assert (again.has_label("bug"), again.has_label("x")) == (True, False)
    assert (again.is_collaborator("lee"), again.is_collaborator("eve")) == (True, False)
    assert again.has_issues()
    for file in ("release.yml", "odd.yml", "none.yml"):
        assert again.workflow(file) == GitHub().workflow(file)


def test_what_nobody_asked_then_is_not_known_now(tmp_path: Path) -> None:
    again = RecordedLookout(_looked(tmp_path))
    with pytest.raises(ToolFailed, match="has_label unheard"):
        again.has_label("unheard")
    with pytest.raises(ToolFailed):
        _ = RecordedLookout([]).author
