"""Between the bot and GitHub: signatures, forks, checks, branches that may not move, files fetched."""

import pytest
from journey import CONFIG, Journey, call

from bot.demo.github import File
from bot.demo.model import Said


def test_with_a_key_the_plan_is_signed_and_an_unsigned_one_is_refused(journey: Journey) -> None:
    journey.opened(signing_key="k1")
    before, plan = journey.head, journey.plan()
    assert journey.says(f"/apply {plan.short_digest}", signing_key="k2").reason == "plan-unsigned"
    assert journey.head == before
    assert journey.says(f"/apply {plan.short_digest}", signing_key="k1").reason == "applied"


def test_a_plan_made_without_a_key_is_not_taken_once_there_is_one(journey: Journey) -> None:
    journey.plan_it()
    before = journey.head
    ended = journey.says(f"/apply {journey.plan().short_digest}", signing_key="k1")
    assert (ended.exit_code, ended.reason) == (3, "plan-unsigned")
    assert journey.head == before


def test_the_planned_head_bears_a_check_with_the_plan_s_headline(journey: Journey) -> None:
    journey.plan_it()
    (check,) = journey.repository.checks.values()
    assert (check.name, check.head_sha, check.conclusion) == ("dryrun-bot", journey.head, "neutral")
    assert check.output["title"] == "Action plan (dry-run): 1 planned action"


def test_a_token_that_may_make_no_checks_sets_a_status(journey: Journey) -> None:
    permissions = {"contents": "write", "issues": "write", "pull_requests": "write", "statuses": "write"}
    journey.opened(token=journey.github.workflow_token(journey.repository, permissions))
    assert [status.context for status in journey.repository.statuses] == ["dryrun-bot"]


def _from_a_fork(journey: Journey) -> None:
    journey.github.account("fred")
    fork = journey.github.fork(journey.repository, "fred")
    journey.github.push(fork, "topic", {"docs/forked.md": "teh fork\n"}, message="Fork", by="fred")
    journey.issue = journey.github.open_pull(journey.repository, "fred:topic", by="fred", title="From a fork")
    journey.model.script = [
        Said(calls=(call("edit_file", path="docs/forked.md", old="teh", new="the"),)),
        Said(text="Done."),
    ]


def test_a_fork_is_planned_only_when_a_maintainer_asks(journey: Journey) -> None:
    _from_a_fork(journey)
    assert journey.opened().reason == "fork"
    assert journey.model.asked == []
    assert journey.says("/plan tidy", by="fred").reason == "not-permitted"
    assert journey.model.asked == []
    assert journey.says("/plan tidy").reason == "planned"
    assert "+the fork" in journey.plan().steps[0].effects[0].diff


def test_what_can_not_be_pushed_to_a_fork_is_offered_as_a_patch_that_git_applies(journey: Journey) -> None:
    _from_a_fork(journey)
    journey.says("/plan tidy")
    ended = journey.says(f"/apply {journey.plan().short_digest}")
    assert (ended.exit_code, ended.reason) == (3, "cannot-push")
    assert "```diff" in journey.bot_comments[-1].body
    (patch,) = ended.out.glob("plan-*.patch")
    assert ended.outputs["plan-digest"] in patch.name
    checkout = journey.folder / "fork"
    journey.check_out_commit(str(journey.issue.pull and journey.issue.pull.head_sha), checkout)
    journey.git("apply", str(patch), folder=checkout)
    assert (checkout / "docs/forked.md").read_text() == "the fork\n"


def test_a_person_s_token_pushes_to_a_fork_that_maintainers_may_edit(journey: Journey) -> None:
    _from_a_fork(journey)
    token = journey.github.token("lee")
    assert journey.says("/plan tidy", token=token, by="acme").reason == "planned"
    posted = [comment for comment in journey.comments if "kind=plan" in comment.body][-1]
    digest = posted.body.partition("digest=")[2][:12]
    ended = journey.says(f"/apply {digest}", token=token, by="acme")
    assert ended.reason == "applied"
    fork = journey.github.state.repository("fred/widgets")
    assert fork is not None
    assert fork.bare.git("cat-file", "blob", "topic:docs/forked.md") == b"the fork\n"


def test_a_plan_that_was_used_stays_used_when_its_commit_is_forced_away(journey: Journey) -> None:
    journey.plan_it()
    before, digest = journey.head, journey.plan().short_digest
    assert journey.says(f"/apply {digest}").reason == "applied"
    journey.github.move(journey.repository, "topic", before)
    assert journey.says(f"/apply {digest}").reason == "plan-used"
    assert journey.head == before


def test_a_plan_that_was_taken_back_is_used(journey: Journey) -> None:
    journey.plan_it()
    digest = journey.plan().short_digest
    journey.says(f"/apply {digest}")
    journey.says("/undo")
    assert journey.says(f"/apply {digest}").reason == "plan-used"


def test_many_files_that_the_checkout_lacks_are_brought_in_one_exchange(journey: Journey) -> None:
    files: dict[str, File | str | None] = {f"many/{number}.txt": f"{number}\n" for number in range(120)}
    journey.github.push(journey.repository, "topic", files, message="Many", by="mona")
    journey.opened()
    journey.github.log.clear()
    assert journey.says(f"/apply {journey.plan().short_digest}").reason == "applied"
    assert len(journey.github.log) <= 24


def test_a_denied_step_is_noticed_on_its_file_in_the_workflow(
    journey: Journey, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = "x\n::error::owned\n"
    journey.model.script = [
        Said(calls=(call("write_file", path=".github/workflows/ci.yml", content=hostile, intent=hostile),)),
        Said(text=hostile),
    ]
    journey.opened()
    told = capsys.readouterr()
    assert told.out.startswith("::notice file=.github/workflows/ci.yml,title=Step 1 denied")
    assert len(told.out.splitlines()) == 1
    assert "::error" not in told.err


def test_a_layout_of_the_repository_s_own_that_can_not_be_used_is_told_in_the_log(
    journey: Journey, capsys: pytest.CaptureFixture[str]
) -> None:
    template = ".github/dryrun-bot/plan.md.j2"
    files = {".github/dryrun-bot.yml": CONFIG + f"template: {template}\n", template: "{{ nothing.there }}"}
    journey.github.push(journey.repository, "main", files, message="x", by="acme")
    journey.opened()
    assert "nothing" in capsys.readouterr().err
    assert "Action plan (dry-run): 1 planned action" in journey.bot_comments[-1].body
    assert journey.says(f"/apply {journey.plan().short_digest}").reason == "applied"


def test_a_secret_that_is_planned_is_denied_and_nowhere_to_be_seen(journey: Journey) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    journey.model.script = [
        Said(calls=(call("write_file", path="config.py", content=f'TOKEN = "{secret}"\n', intent=secret),)),
        Said(text=f"I wrote {secret}."),
    ]
    ended = journey.opened()
    (step,) = journey.plan().steps
    assert step.verdict.outcome == "deny"
    assert "GitHub Token" in step.verdict.reason
    for file in ended.out.iterdir():
        assert secret not in file.read_text()
    assert secret not in journey.bot_comments[-1].body + ended.summary + str(ended.outputs)


def test_a_pull_request_that_changes_the_policy_is_judged_by_the_old_one_and_told_so(
    journey: Journey,
) -> None:
    loose = CONFIG + "policy: {defaults: {delete: allow}}\n"
    journey.github.push(
        journey.repository, "topic", {".github/dryrun-bot.yml": loose}, message="Loosen", by="mona"
    )
    journey.model.script = [Said(calls=(call("delete_file", path="crlf.txt"),)), Said(text="Done.")]
    journey.opened()
    assert journey.plan().steps[0].verdict.outcome == "ask"
    assert (
        "changes .github/dryrun-bot.yml: it is judged by the file on the default branch"
        in (journey.plan().findings[0])
    )
    assert "judged by the file on the default branch" in journey.bot_comments[-1].body


def test_a_command_finds_no_secret_file_where_it_runs(journey: Journey) -> None:
    """No rule can see into a command that reads all there is."""
    journey.model.script = [
        Said(
            calls=(
                call("edit_file", path="README.md", old="teh", new="the"),
                call("run_command", command="test -e README.md && test ! -e .env"),
            )
        ),
        Said(text="Done."),
    ]
    journey.opened()
    ended = journey.says(f"/apply {journey.plan().short_digest} --approve 2")
    assert ended.reason == "applied"
    assert journey.file(".env") == b"TOKEN=abc\n"
    assert all("TOKEN=abc" not in file.read_text() for file in ended.out.iterdir())
