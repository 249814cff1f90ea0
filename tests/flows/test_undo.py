"""Taking an applied plan back: the lines it changed, and nothing that others have done since."""

import pytest
from journey import Journey, call

from bot.demo.github import File
from bot.demo.model import Said


def _applied(journey: Journey) -> str:
    journey.model.script = [
        Said(
            calls=(
                call("edit_file", path="README.md", old="teh", new="the"),
                call("write_file", path="new.txt", content="new\n"),
                call("delete_file", path="crlf.txt"),
            )
        ),
        Said(text="Done."),
    ]
    journey.opened()
    assert journey.says(f"/apply {journey.plan().short_digest} --approve 3").reason == "applied"
    return journey.head


def _tree(journey: Journey, at: str) -> bytes:
    return journey.repository.bare.git("ls-tree", "-r", at)


def test_undo_gives_back_every_byte_in_one_more_commit(journey: Journey) -> None:
    before = journey.head
    applied = _applied(journey)
    ended = journey.says("/undo")
    assert (ended.exit_code, ended.reason) == (0, "undone")
    assert _tree(journey, journey.head) == _tree(journey, before)
    git = journey.repository.bare.git
    assert git("rev-parse", f"{journey.head}^").decode().strip() == applied
    assert f"This reverts commit {applied}." in git("log", "-1", "--format=%B", journey.head).decode()


def test_undo_keeps_what_others_changed_in_other_lines(journey: Journey) -> None:
    _applied(journey)
    more = "# A sample\n\nthe first line\n"
    journey.github.push(journey.repository, "topic", {"README.md": more}, message="More", by="mona")
    assert journey.says("/undo").reason == "undone"
    assert journey.file("README.md").decode() == more.replace("the first", "teh first")


def test_undo_is_refused_when_the_same_lines_were_changed_since(journey: Journey) -> None:
    _applied(journey)
    other = "# Sample\n\nthe very first line\n"
    journey.github.push(journey.repository, "topic", {"README.md": other}, message="Reword", by="mona")
    before = journey.head
    ended = journey.says("/undo")
    assert (ended.exit_code, ended.reason) == (3, "undo-conflict")
    assert journey.head == before


def test_undo_is_refused_when_a_made_file_was_changed_since(journey: Journey) -> None:
    _applied(journey)
    journey.github.push(journey.repository, "topic", {"new.txt": "newer\n"}, message="x", by="mona")
    assert journey.says("/undo").reason == "undo-conflict"


@pytest.mark.parametrize("mode", ["120000", "100755"])
def test_undo_is_refused_when_a_link_or_another_text_is_in_a_files_place(journey: Journey, mode: str) -> None:
    _applied(journey)
    other = File(content=b"notes.md", mode=mode)
    journey.github.push(journey.repository, "topic", {"README.md": other}, message="Link", by="mona")
    before = journey.head
    ended = journey.says("/undo")
    assert (ended.exit_code, ended.reason) == (3, "undo-conflict")
    assert journey.head == before


def test_there_is_nothing_to_undo_twice_or_before_an_apply(journey: Journey) -> None:
    journey.plan_it()
    assert journey.says("/undo").reason == "no-plan"
    journey.says(f"/apply {journey.plan().short_digest}")
    assert journey.says("/undo").reason == "undone"
    before = journey.head
    assert journey.says("/undo").reason == "no-plan"
    assert journey.head == before


def test_a_forged_trailer_is_not_taken_back(journey: Journey) -> None:
    journey.plan_it()
    forged = f"Innocent\n\nDryrun-Plan: {journey.plan().digest}"
    journey.github.push(journey.repository, "topic", {"README.md": "mine\n"}, message=forged, by="mona")
    before = journey.head
    assert journey.says("/undo").reason == "undo-conflict"
    assert journey.head == before


def test_an_undo_whose_run_was_killed_before_it_answered_is_only_answered(journey: Journey) -> None:
    _applied(journey)
    event = journey.commented("/undo")
    assert journey.run(event).reason == "undone"
    undone = journey.head
    journey.github.delete_comment(journey.repository, journey.bot_comments[-1], by="acme")
    ended = journey.run(event, attempt=2)
    assert (ended.reason, ended.outputs["commit-sha"]) == ("undone", undone)
    assert journey.head == undone


def test_a_commit_that_only_says_that_it_was_made_for_this_command_is_no_undo(journey: Journey) -> None:
    _applied(journey)
    event = journey.commented("/undo")
    message = f"Take it back\n\nDryrun-Command: {event.payload['comment']['id']}\n"
    journey.github.push(journey.repository, "topic", {"notes.md": "Mine.\n"}, message=message, by="mona")
    forged = journey.head
    ended = journey.run(event)
    assert (ended.reason, ended.outputs["commit-sha"]) == ("undone", journey.head)
    assert journey.head != forged
    assert b"teh first line" in journey.file("README.md")


def test_somebody_without_write_can_not_undo(journey: Journey) -> None:
    applied, said = _applied(journey), len(journey.comments)
    journey.github.account("stranger")
    assert journey.says("/undo", by="stranger").reason == "not-permitted"
    assert (journey.head, len(journey.comments)) == (applied, said + 1)
