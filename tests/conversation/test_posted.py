"""From a digest to the plan that was posted under it, wherever its record is, and whoever tampers with it."""

import io
import random
import zipfile

import pytest
from journey import Ended, Journey, call

from bot import __version__, marker
from bot.demo.github import Comment
from bot.demo.model import Said
from bot.marker import Marker

BOT = "github-actions[bot]"


def _too_long_to_embed(journey: Journey) -> tuple[Comment, bytes]:
    """A plan whose record does not fit into its comment: the comment, and the record."""
    noise = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    text = "".join("".join(noise.choices(letters, k=300)) + "\n" for _ in range(700))
    journey.model.script = [
        Said(calls=(call("write_file", path="noise.txt", content=text),)),
        Said(text="Done."),
    ]
    ended = journey.opened()
    posted = journey.bot_comments[-1]
    assert marker.embedded(posted.body) is None
    (record,) = ended.out.glob("plan-*.json")
    return posted, record.read_bytes()


def _zipped(content: bytes, *, name: str = "plan.json") -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr(name, content)
    return archive.getvalue()


def _applied(journey: Journey, posted: Comment) -> Ended:
    found = marker.read(posted.body)
    assert found is not None
    return journey.says(f"/apply {str(found.digest)[:12]} --approve all")


def _upload(journey: Journey, posted: Comment, content: bytes) -> None:
    found = marker.read(posted.body)
    assert found is not None
    journey.github.upload_artifact(journey.repository, f"dryrun-plan-{found.digest}", content)


def test_a_record_that_is_too_long_for_its_comment_is_taken_from_the_artifact(journey: Journey) -> None:
    posted, record = _too_long_to_embed(journey)
    _upload(journey, posted, _zipped(record))
    assert _applied(journey, posted).reason == "applied"
    assert b"noise.txt" in journey.repository.bare.git("ls-tree", "-r", "--name-only", journey.head)


def test_without_its_artifact_such_a_plan_is_gone(journey: Journey) -> None:
    posted, _ = _too_long_to_embed(journey)
    ended = _applied(journey, posted)
    assert (ended.exit_code, ended.reason) == (3, "no-plan")
    assert "nor kept as an artifact" in journey.bot_comments[-1].body


JUNK = (
    b"junk",
    _zipped(b""),
    _zipped(b"{}"),
    _zipped(b'{"schema": "dryrun-bot/plan/9"}'),
    _zipped(b"\0" * (40 * 1024 * 1024)),
)


def test_artifacts_that_somebody_else_put_there_are_passed_over(journey: Journey) -> None:
    """The newest is looked at first, so all the junk comes before the record."""
    posted, record = _too_long_to_embed(journey)
    for content in (_zipped(record), *JUNK):
        _upload(journey, posted, content)
    assert _applied(journey, posted).reason == "applied"


def test_an_artifact_that_holds_another_good_plan_is_passed_over(journey: Journey) -> None:
    journey.plan_it()
    other = journey.plan().to_bytes()
    posted, record = _too_long_to_embed(journey)
    _upload(journey, posted, _zipped(other))
    assert _applied(journey, posted).reason == "no-plan"
    _upload(journey, posted, _zipped(record))
    _upload(journey, posted, _zipped(other))
    assert _applied(journey, posted).reason == "applied"


def test_where_junk_is_all_there_is_the_answer_says_what_is_wrong_with_it(journey: Journey) -> None:
    posted, _ = _too_long_to_embed(journey)
    _upload(journey, posted, _zipped(b'{"schema": "dryrun-bot/plan/9"}'))
    ended = _applied(journey, posted)
    assert (ended.exit_code, ended.reason) == (3, "plan-altered")
    assert "dryrun-bot/plan/9" in journey.bot_comments[-1].body.replace("`", "")


def _marked(journey: Journey, digest: str, *, by: str = BOT, state: str = "open") -> None:
    place = Marker(kind="plan", task="t", digest=digest, answers=1, state=state, version=__version__)
    body = marker.write(place) + "\nA plan.\n"
    journey.github.comment(journey.repository, journey.issue.number, by=by, body=body)


def test_digits_that_two_plans_begin_with_are_ambiguous(journey: Journey) -> None:
    same = "0123456789ab"
    _marked(journey, same + "c" * 52)
    _marked(journey, same + "d" * 52)
    ended = journey.says(f"/apply {same}")
    assert (ended.exit_code, ended.reason) == (3, "ambiguous-digest")
    assert journey.says(f"/apply {same}c").reason == "no-plan"


@pytest.mark.parametrize("line", ["/apply", "/apply 0123456789ab"])
def test_without_any_plan_there_is_none(journey: Journey, line: str) -> None:
    ended = journey.says(line)
    assert (ended.exit_code, ended.reason) == (3, "no-plan")
    assert "There is no plan on this pull request." in journey.bot_comments[-1].body


def test_an_unknown_digest_is_answered_with_those_that_would_work(journey: Journey) -> None:
    journey.plan_it()
    good = journey.plan().short_digest
    _marked(journey, "1" * 64, state="discarded")
    _marked(journey, "2" * 64, state="applied")
    _marked(journey, "3" * 64, by="mona")
    assert journey.says("/apply " + "0" * 12).reason == "no-plan"
    said = journey.bot_comments[-1].body
    assert f"/apply {good}" in said
    assert not any(f"/apply {digit * 12}" in said for digit in "123")


def test_a_plan_can_be_named_by_all_its_digits_in_capitals(journey: Journey) -> None:
    journey.plan_it()
    assert journey.says(f"/APPLY {journey.plan().digest.upper()}").reason == "applied"


def test_a_comment_that_was_deleted_takes_its_plan_with_it(journey: Journey) -> None:
    journey.plan_it()
    digest = journey.plan().short_digest
    journey.github.delete_comment(journey.repository, journey.bot_comments[-1], by="acme")
    assert journey.says(f"/apply {digest}").reason == "no-plan"


def test_line_ends_that_github_changed_are_no_edit(journey: Journey) -> None:
    journey.plan_it()
    posted = journey.bot_comments[-1]
    posted.body = posted.body.replace("\n", "\r\n")
    assert journey.says("/apply").reason == "applied"


def test_a_line_that_blanks_have_hidden_is_an_edit_whoever_edited_last(journey: Journey) -> None:
    """What stands behind the three backticks that open a block is not shown."""
    journey.plan_it()
    posted, before, digest = journey.bot_comments[-1], journey.head, journey.plan().short_digest
    forged = posted.body.replace("```diff\n", "```diff ")
    assert forged != posted.body
    journey.github.edit_comment(journey.repository, posted, by="mona", body=forged)
    journey.model.script = [Said(text="Nothing to do.")]
    assert journey.says("/plan tidy").reason == "nothing-planned"
    assert "state=superseded" in posted.body
    assert journey.says(f"/apply {digest}").reason == "plan-altered"
    assert journey.head == before


def test_a_plan_of_another_version_holds_by_its_digest_and_is_judged_again(journey: Journey) -> None:
    """It may have been laid out otherwise, so its comment is not compared."""
    journey.plan_it()
    posted = journey.bot_comments[-1]
    record = marker.embedded(posted.body)
    assert record is not None
    older, digest = _resealed(record, bot_version="0.0.9")
    place = Marker(kind="plan", task="tidy", digest=digest, answers=1, state="open", version="0.0.9")
    body = f"{marker.write(place)}\nAn older layout.\n{marker.embed(older)}\n"
    journey.github.comment(journey.repository, journey.issue.number, by=BOT, body=body)
    assert journey.says(f"/apply {digest[:12]}").reason == "applied"


def test_a_comment_of_another_version_must_never_have_been_edited(journey: Journey) -> None:
    """Somebody edits it, and then has the bot edit it, which is all that GitHub tells afterwards."""
    journey.plan_it()
    posted, before = journey.bot_comments[-1], journey.head
    record = marker.embedded(posted.body)
    assert record is not None
    older, digest = _resealed(record, bot_version="0.0.9")
    place = Marker(kind="plan", task="tidy", digest=digest, answers=1, state="open", version="0.0.9")
    forged = f"{marker.write(place)}\nHarmless words.\n{marker.embed(older)}\n"
    journey.github.edit_comment(journey.repository, posted, by="mona", body=forged)
    assert journey.says(f"/apply {digest[:12]}").reason == "plan-altered"
    journey.model.script = [Said(text="Nothing to do.")]
    assert journey.says("/plan tidy").reason == "nothing-planned"
    assert "state=superseded" in posted.body
    assert "Harmless words." in posted.body
    assert journey.says(f"/apply {digest[:12]}").reason == "plan-altered"
    assert journey.head == before


def _resealed(record: bytes, **changes: object) -> tuple[bytes, str]:
    import hashlib
    import json

    from bot.action import canonical

    fields = json.loads(record) | changes
    del fields["digest"]
    fields["digest"] = hashlib.sha256(canonical(fields)).hexdigest()
    return canonical(fields) + b"\n", fields["digest"]


STALE = {
    "another repository": ({"repository": "acme/other"}, "plan-altered"),
    "another pull request": ({"pull_request": 99}, "plan-altered"),
    "failures made on purpose": ({"chaos": "0.2/7"}, "chaos-plan"),
    "another fork": ({"head_repository": "mallory/widgets"}, "stale-head"),
    "another commit": ({"head_sha": "0" * 40}, "stale-head"),
    "another policy": ({"policy_digest": "0" * 64}, "stale-policy"),
    "other tools": ({"tools_digest": "0" * 64}, "stale-tools"),
    "a time that is over": ({"expires_at": "2020-01-01T00:00:00Z"}, "expired"),
}


@pytest.mark.parametrize(("changes", "reason"), STALE.values(), ids=STALE)
def test_a_plan_for_another_state_of_the_world_is_refused(
    journey: Journey, changes: dict[str, object], reason: str
) -> None:
    journey.plan_it()
    before = journey.head
    record = marker.embedded(journey.bot_comments[-1].body)
    assert record is not None
    other, digest = _resealed(record, bot_version="0.0.9", **changes)
    place = Marker(kind="plan", task="tidy", digest=digest, answers=1, state="open", version="0.0.9")
    body = f"{marker.write(place)}\nAnother plan.\n{marker.embed(other)}\n"
    journey.github.comment(journey.repository, journey.issue.number, by=BOT, body=body)
    ended = journey.says(f"/apply {digest[:12]}")
    assert (ended.exit_code, ended.reason) == (3, reason)
    assert journey.head == before
