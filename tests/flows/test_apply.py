"""Apply: exactly what was approved, on exactly what it was planned on, or nothing at all."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from fakes import NOON, FixedClock, NoShell
from journey import CONFIG, Journey, call

from bot import app
from bot.answer import Decision
from bot.demo.github import Answer, Exchange, Fault, error
from bot.demo.model import Said, ToolCall
from bot.errors import NoSandbox, Reason
from bot.event import CommentEvent, read_event
from bot.outside import open_outside
from bot.settings import read_settings
from bot.world import Ran

EDIT = call("edit_file", path="README.md", old="teh", new="the")
DELETE = call("delete_file", path="crlf.txt")


def _planned(journey: Journey, *calls: ToolCall) -> str:
    """The short digest of the plan that the model makes with these calls."""
    journey.model.script = [Said(calls=calls), Said(text="Done.")]
    assert journey.opened().reason == "planned"
    return journey.plan().short_digest


def _command(line: str) -> ToolCall:
    return call("run_command", command=line)


def _said(journey: Journey) -> str:
    return journey.bot_comments[-1].body


# Approvals

APPROVALS = {
    "none of two": ("", "2,3"),
    "one of two": (" --approve 2", "3"),
    "others": (" --approve 1,4,5", "2,3"),
}


@pytest.mark.parametrize(("approve", "missing"), APPROVALS.values(), ids=APPROVALS)
def test_steps_that_ask_must_be_named_and_the_answer_says_how(
    journey: Journey, approve: str, missing: str
) -> None:
    digest = _planned(journey, EDIT, DELETE, call("delete_file", path="bin/run.sh"))
    before = journey.head
    ended = journey.says(f"/apply {digest}{approve}")
    assert (ended.exit_code, ended.reason) == (3, "steps-not-approved")
    assert journey.head == before
    assert f"approves them: {missing}." in _said(journey)
    assert f"/apply {digest} --approve 2,3" in _said(journey)


@pytest.mark.parametrize("approve", ["2,3", "all", "1,2,3", "3 , 2"])
def test_named_steps_are_carried_out(journey: Journey, approve: str) -> None:
    digest = _planned(journey, EDIT, DELETE, call("delete_file", path="bin/run.sh"))
    assert journey.says(f"/apply {digest} --approve {approve}").reason == "applied"
    changed = journey.repository.bare.git(
        "diff-tree", "-r", "--name-status", f"{journey.head}^", journey.head
    )
    assert changed == b"M\tREADME.md\nD\tbin/run.sh\nD\tcrlf.txt\n"


def test_the_line_in_the_plans_comment_works_as_it_stands(journey: Journey) -> None:
    digest = _planned(journey, EDIT, DELETE)
    line = f"/apply {digest} --approve 2"
    assert line in _said(journey)
    assert journey.says(line).reason == "applied"


def test_what_was_taken_for_a_secret_in_the_comment_must_be_named(journey: Journey) -> None:
    digest = _planned(journey, call("write_file", path="docs/a:_authToken=x.md", content="unseen\n"))
    assert "_authToken" not in _said(journey)
    assert journey.says(f"/apply {digest}").reason == "steps-not-approved"
    assert journey.says(f"/apply {digest} --approve 1").reason == "applied"
    assert journey.file("docs/a:_authToken=x.md") == b"unseen\n"


def test_a_denied_or_failed_step_is_left_out_whatever_is_approved(journey: Journey) -> None:
    workflow = call("write_file", path=".github/workflows/ci.yml", content="on: push\n")
    digest = _planned(journey, workflow, EDIT, call("edit_file", path="README.md", old="nowhere", new="x"))
    assert [step.is_performed for step in journey.plan().steps] == [False, True, False]
    assert journey.says(f"/apply {digest} --approve all").reason == "applied"
    changed = journey.repository.bare.git("diff-tree", "-r", "--name-only", f"{journey.head}^", journey.head)
    assert changed == b"README.md\n"
    assert "1 denied" in _said(journey)
    assert "1 failed" in _said(journey)


def test_a_plan_that_changes_nothing_is_nothing_to_apply(journey: Journey) -> None:
    digest = _planned(journey, call("write_file", path=".env", content="x"))
    ended = journey.says(f"/apply {digest}")
    assert (ended.exit_code, ended.reason) == (3, "nothing-to-apply")


def test_a_step_whose_diff_was_cut_must_be_named(journey: Journey) -> None:
    lines = "".join(f"line {number} {'x' * 90}\n" for number in range(790))
    digest = _planned(journey, call("write_file", path="long.txt", content=lines))
    assert journey.plan().steps[0].verdict.outcome == "allow"
    assert journey.says(f"/apply {digest}").reason == "steps-not-approved"
    assert journey.says(f"/apply {digest} --approve 1").reason == "applied"
    assert journey.file("long.txt").decode() == lines


# Which plan, and whether it holds


def test_a_bare_apply_works_while_there_was_one_plan_only(journey: Journey) -> None:
    _planned(journey, EDIT)
    assert journey.says("/apply").reason == "applied"


def test_once_there_were_two_plans_the_digest_must_be_named(journey: Journey) -> None:
    first = _planned(journey, EDIT)
    journey.model.script = [Said(calls=(EDIT,)), Said(text="Done once more.")]
    assert journey.says("/plan tidy").reason == "planned"
    second, before = journey.plan().short_digest, journey.head
    ended = journey.says("/apply")
    assert (ended.exit_code, ended.reason) == (3, "digest-needed")
    assert first in _said(journey)
    assert second in _said(journey)
    assert journey.head == before
    assert journey.says(f"/apply {second}").reason == "applied"


def test_an_expired_plan_is_refused_with_the_moment_it_expired(journey: Journey) -> None:
    journey.model.script = [Said(calls=(EDIT,)), Said(text="Done.")]
    journey.opened(clock=FixedClock(NOON))
    digest, before = journey.plan().short_digest, journey.head
    in_time = FixedClock(NOON + timedelta(hours=72) - timedelta(seconds=1))
    too_late = FixedClock(NOON + timedelta(hours=72))
    ended = journey.says(f"/apply {digest}", clock=too_late)
    assert (ended.exit_code, ended.reason) == (3, "expired")
    assert "The plan expired at `2026-12-03` `12:00` UTC." in _said(journey)
    assert journey.head == before
    assert journey.says(f"/apply {digest}", clock=in_time).reason == "applied"


def test_a_discarded_plan_is_refused(journey: Journey) -> None:
    digest, before = _planned(journey, EDIT), journey.head
    assert journey.says("/discard").reason == "discarded"
    ended = journey.says(f"/apply {digest}")
    assert (ended.exit_code, ended.reason) == (3, "plan-discarded")
    assert journey.head == before


def test_the_author_may_be_kept_from_applying(journey: Journey) -> None:
    config = CONFIG + "apply: {author_may_apply: false}\n"
    journey.github.push(
        journey.repository, "main", {".github/dryrun-bot.yml": config}, message="x", by="acme"
    )
    digest = _planned(journey, EDIT)
    ended = journey.says(f"/apply {digest}", by="mona")
    assert (ended.exit_code, ended.reason) == (3, "author-may-not-apply")
    assert journey.says(f"/apply {digest}", by="lee").reason == "applied"


# Commands


def test_an_approved_command_runs_confined_on_the_files_as_the_steps_before_left_them(
    journey: Journey,
) -> None:
    check = _command("grep 'the first' README.md && test ! -e ran && touch $HOME/ran && echo secret abc")
    digest = _planned(journey, EDIT, check)
    ended = journey.says(f"/apply {digest} --approve 2")
    assert ended.reason == "applied"
    assert "What step 2 said" in _said(journey)
    assert "[exit code 0]\nthe first line\nsecret abc" in _said(journey)
    assert journey.file("README.md") == b"# Sample\n\nthe first line\n"
    assert b"ran" not in journey.repository.bare.git("ls-tree", "-r", "--name-only", journey.head)


FAILING = {
    "an exit code": ("echo no such luck; exit 7", "exit code 7"),
    "an unknown program": ("no-such-program", "exit code 127"),
    "its time is over": ("sleep 30", "stopped after 1 seconds"),
    "a touch outside its folder": ("touch ../outside", "exit code 1"),
}


@pytest.mark.parametrize(("line", "said"), FAILING.values(), ids=FAILING)
def test_a_command_that_fails_stops_everything(journey: Journey, line: str, said: str) -> None:
    digest = _planned(journey, EDIT, call("run_command", command=line, timeout_s=1))
    before = journey.head
    ended = journey.says(f"/apply {digest} --approve 2")
    assert (ended.exit_code, ended.reason) == (3, "step-failed")
    assert said in _said(journey)
    assert journey.head == before


MEDDLING = {
    "a file that is planned": "echo more >> README.md",
    "a file that is tracked": "echo more >> src/app.py",
    "a mode": "chmod +x src/app.py",
    "a file away": "rm src/app.py",
    "a link in a file's place": "ln -sf /etc/passwd src/app.py",
    "a folder in a file's place": "rm src/app.py && mkdir src/app.py",
    "a folder's link": "mv src elsewhere && ln -s elsewhere src",
}


@pytest.mark.parametrize("line", MEDDLING.values(), ids=MEDDLING)
def test_a_command_that_changes_what_nobody_planned_is_refused_afterwards(
    journey: Journey, line: str
) -> None:
    digest, before = _planned(journey, EDIT, _command(line)), journey.head
    ended = journey.says(f"/apply {digest} --approve 2")
    assert (ended.exit_code, ended.reason) == (3, "prediction-missed")
    assert journey.head == before


def test_a_command_that_undoes_a_later_steps_ground_is_refused_there(journey: Journey) -> None:
    digest, before = _planned(journey, _command("echo x > README.md"), EDIT), journey.head
    assert journey.says(f"/apply {digest} --approve 1").reason == "prediction-missed"
    assert journey.head == before


NEW = {
    "a file": ("echo x > made.txt", "+x"),
    "a link out of the repository": ("ln -s /etc/passwd made.txt", "symbolic link"),
    "a folder of files": ("mkdir -p deep/er && echo x > deep/er/made.txt", "+x"),
    "a file whose folder nobody may enter": ("mkdir d && echo x > d/made.txt && chmod 0 d", "+x"),
}


@pytest.mark.parametrize(("line", "said"), NEW.values(), ids=NEW)
def test_a_file_that_a_command_makes_beside_the_plan_is_refused_and_shown(
    journey: Journey, line: str, said: str
) -> None:
    digest, before = _planned(journey, EDIT, _command(line)), journey.head
    assert journey.says(f"/apply {digest} --approve 2").reason == "prediction-missed"
    assert "made.txt" in _said(journey)
    assert said in _said(journey)
    assert journey.head == before


def test_what_git_ignores_is_left_behind_and_named(journey: Journey) -> None:
    ignore = call("write_file", path=".gitignore", content="build/\n*.log\n!kept.log\n")
    digest = _planned(journey, EDIT, ignore, _command("mkdir build && touch build/made x.log"))
    assert journey.says(f"/apply {digest} --approve 3").reason == "applied"
    assert "`build/made` `x.log`" in _said(journey)
    changed = journey.repository.bare.git("diff-tree", "-r", "--name-only", f"{journey.head}^", journey.head)
    assert changed == b".gitignore\nREADME.md\n"


def _configured(journey: Journey, lines: str) -> None:
    config = {".github/dryrun-bot.yml": CONFIG + lines}
    journey.github.push(journey.repository, "main", config, message="x", by="acme")


MAY_CHANGE = "sandbox: {may_change: ['src/**', '*.lock', '.env', 'docs/']}\n"
CHANGED = {
    "a tracked file": ("echo more >> src/app.py", {"src/app.py": b"def main():\n    return 1\nmore\n"}),
    "a new file": ("echo x > my.lock", {"my.lock": b"x\n"}),
    "a file away": ("rm src/app.py", {"src/app.py": None}),
    "a planned file, again": ("echo x > src/new.py", {"src/new.py": b"x\n"}),
    "a program": ("printf x > my.lock; chmod +x my.lock", {"my.lock": b"x"}),
}


@pytest.mark.parametrize(("line", "files"), CHANGED.values(), ids=CHANGED)
def test_what_may_be_changed_beyond_the_plan_is_in_the_commit(
    journey: Journey, line: str, files: dict[str, bytes | None]
) -> None:
    _configured(journey, MAY_CHANGE)
    new = call("write_file", path="src/new.py", content="y\n")
    digest = _planned(journey, EDIT, new, _command(line))
    assert journey.says(f"/apply {digest} --approve 3").reason == "applied"
    listed = journey.repository.bare.git("ls-tree", "-r", "--name-only", journey.head).decode().splitlines()
    for path, content in files.items():
        assert (path in listed) is (content is not None)
        assert content is None or journey.file(path) == content


@pytest.mark.parametrize(("line", "files"), CHANGED.values(), ids=CHANGED)
def test_such_a_commit_is_found_again_and_taken_back_whole(
    journey: Journey, line: str, files: dict[str, bytes | None]
) -> None:
    _configured(journey, MAY_CHANGE)
    before = journey.head
    new = call("write_file", path="src/new.py", content="y\n")
    digest = _planned(journey, EDIT, new, _command(line))
    posted = journey.bot_comments[-1]
    body = posted.body
    event = journey.commented(f"/apply {digest} --approve 3")
    assert journey.run(event).reason == "applied"
    applied = journey.head
    # As if the run had been killed when the branch had just moved, and was started again.
    posted.body = body
    del journey.repository.comments[journey.bot_comments[-1].id]
    assert journey.run(event, attempt=2).reason == "already-applied"
    assert journey.head == applied
    assert journey.says("/undo").reason == "undone"
    git = journey.repository.bare.git
    assert git("rev-parse", "topic^{tree}") == git("rev-parse", f"{before}^{{tree}}")
    assert files


FORGED: dict[str, dict[str, str | None]] = {
    "a file that no command may change": {"README.md": "# Sample\n\nthe first line\n", "new.md": "x\n"},
    "a planned file otherwise": {"README.md": "evil\n"},
    "without what was planned": {"my.lock": "x\n"},
}


@pytest.mark.parametrize("files", FORGED.values(), ids=FORGED)
def test_a_commit_that_only_says_that_it_holds_the_plan_does_not_count(
    journey: Journey, files: dict[str, str | None]
) -> None:
    _configured(journey, MAY_CHANGE)
    digest = _planned(journey, EDIT, _command("echo x > my.lock"))
    message = f"Mine\n\nDryrun-Plan: {journey.plan().digest}\n"
    journey.github.push(journey.repository, "topic", files, message=message, by="mona")
    head = journey.head
    assert journey.says(f"/apply {digest} --approve 2").reason == "stale-head"
    assert journey.says("/undo").reason == "undo-conflict"
    assert journey.head == head


BEYOND = {
    "beside what it may": ("echo x > my.lock; echo more >> README.md", "the plan doesn't say"),
    "what the policy denies": ("p=.en; echo x > ${p}v", "denied"),
}


@pytest.mark.parametrize(("line", "said"), BEYOND.values(), ids=BEYOND)
def test_what_may_be_changed_is_judged_all_the_same(journey: Journey, line: str, said: str) -> None:
    _configured(journey, MAY_CHANGE)
    digest, before = _planned(journey, EDIT, _command(line)), journey.head
    assert journey.says(f"/apply {digest} --approve 2").reason == "prediction-missed"
    assert said in _said(journey)
    assert journey.head == before


def test_commands_alone_run_where_they_may_change_something(journey: Journey) -> None:
    _configured(journey, MAY_CHANGE)
    digest = _planned(journey, _command("echo x > my.lock"))
    assert journey.says(f"/apply {digest} --approve 1").reason == "applied"
    assert journey.file("my.lock") == b"x\n"


def test_a_plan_of_commands_alone_has_nothing_to_commit_and_runs_nothing(journey: Journey) -> None:
    digest = _planned(journey, _command("exit 1"))
    assert journey.says(f"/apply {digest} --approve 1").reason == "nothing-to-apply"


# Pushes at the wrong moment


def _requests_until_moved(journey: Journey, digest: str, head: str) -> int:
    """How many an apply makes until the branch has moved; afterwards all is as if it had not been made."""
    posted = journey.bot_comments[-1]
    before = posted.body
    journey.github.log.clear()
    assert journey.says(f"/apply {digest}").reason == "applied"
    posted.body = before
    journey.github.move(journey.repository, "topic", head)
    return _nth_that_moves(journey.github.log)


def _nth_that_moves(log: list[Exchange]) -> int:
    return next(at for at, exchange in enumerate(log, 1) if "updateRefs" in str(exchange.body))


def test_of_two_applies_at_once_one_makes_the_commit_and_the_other_is_told(journey: Journey) -> None:
    digest = _planned(journey, EDIT)
    other = journey.commented(f"/apply {digest}", by="mona")
    ended_first: list[str] = []
    # The other one goes all its way while this one makes its commit.
    fault = Fault(method="POST", path="git/commits", do=lambda: ended_first.append(journey.run(other).reason))
    journey.github.misbehave(fault)
    ended = journey.says(f"/apply {digest}")
    assert ended_first == ["applied"]
    assert (ended.exit_code, ended.reason) == (0, "already-applied")
    assert ended.outputs["commit-sha"] == journey.head
    assert journey.repository.bare.git("rev-list", "--count", "main..topic") == b"2\n"


# What GitHub may refuse


@pytest.mark.parametrize("what", ["trees", "commits"])
def test_a_token_that_may_not_write_offers_the_patch(journey: Journey, what: str) -> None:
    digest, before = _planned(journey, EDIT), journey.head
    forbidden = error(403, "Resource not accessible by integration")
    journey.github.misbehave(Fault(method="POST", path=f"git/{what}", answer=forbidden))
    ended = journey.says(f"/apply {digest}")
    assert (ended.exit_code, ended.reason) == (3, "cannot-push")
    assert "+the first line" in _said(journey)
    assert journey.head == before


def test_a_protected_branch_stays_and_the_patch_is_offered(journey: Journey) -> None:
    digest, before = _planned(journey, EDIT), journey.head
    nth = _requests_until_moved(journey, digest, before)
    refused = {"data": {"updateRefs": None}, "errors": [{"type": "FORBIDDEN", "message": "Protected branch"}]}
    journey.github.misbehave(Fault(nth=nth, answer=Answer(body=refused)))
    ended = journey.says(f"/apply {digest}")
    assert (ended.exit_code, ended.reason) == (3, "cannot-push")
    assert "+the first line" in _said(journey)
    assert journey.head == before


def test_a_tree_that_github_made_otherwise_is_not_pushed(journey: Journey) -> None:
    digest, before = _planned(journey, EDIT), journey.head
    other = journey.repository.bare.git("rev-parse", "main^{tree}").decode().strip()
    made = {"sha": other, "url": f"{journey.github.url}/x", "tree": [], "truncated": False}
    journey.github.misbehave(Fault(method="POST", path="git/trees", answer=Answer(status=201, body=made)))
    ended = journey.says(f"/apply {digest}")
    assert (ended.exit_code, ended.reason) == (3, "prediction-missed")
    assert journey.head == before


class _NoCage(NoShell):
    """A machine on which commands can't be confined."""

    def run(self, command: str, *, folder: Path, timeout_s: float) -> Ran:
        raise NoSandbox("Commands can't be confined here", next_step="run on Linux 6.7 or newer")


def test_where_commands_can_not_be_confined_none_is_run(journey: Journey) -> None:
    _planned(journey, EDIT, _command("touch ran"))
    before = journey.head
    event = journey.commented("/apply --approve 2")
    environ = journey.environment(event)
    journey.check_out(event, Path(environ["GITHUB_WORKSPACE"]))
    settings = read_settings(environ)
    said = read_event(settings.event_path.read_bytes(), name=settings.event_name)
    assert isinstance(said, CommentEvent)
    outside = replace(open_outside(settings, occasion=said.comment_id), shell=_NoCage())
    answer = app.answer(said, outside)
    assert (answer.decision, answer.reason, answer.exit_code) == (Decision.FAILED, Reason.NO_SANDBOX, 1)
    assert "Run on Linux" in _said(journey)
    assert journey.head == before


def test_a_head_that_no_disk_can_hold_is_told_and_nothing_is_pushed(journey: Journey) -> None:
    """Git can hold a name of 300 letters, and a pull request can bring one."""
    journey.github.push(journey.repository, "topic", {"x" * 300: "x\n"}, message="Long", by="mona")
    before = journey.head
    assert journey.says("/plan tidy").reason == "planned"
    ended = journey.says("/apply")
    assert (ended.exit_code, ended.reason) == (1, "checkout-failed")
    assert journey.head == before
