"""Which configuration governs a pull request, and which policies judge it, over the embedded GitHub."""

import pytest
from journey import CONFIG, Journey, call

from bot.config import DEFAULT
from bot.demo.github import File, Repository
from bot.demo.model import Said
from bot.errors import BadConfig, GitHubFailed
from bot.outside.github import connect
from bot.outside.patience import Patience
from bot.settings import read_settings
from bot.situation.rules import Rules, read_rules

PATH = ".github/dryrun-bot.yml"
STRICT = CONFIG + "policy: {paths: {deny: [README.md]}}\n"


def _rules(journey: Journey, base: str | None = None) -> Rules:
    event = journey.github.pull_request_event(journey.repository, journey.issue, "opened")
    environ = journey.environment(event)
    repository = connect(read_settings(environ), patience=Patience(sleep=lambda _: None, tries=1))
    return read_rules(repository, default_branch="main", base=base)


def _push(journey: Journey, branch: str, files: dict[str, File | str | None]) -> str:
    return journey.github.push(journey.repository, branch, files, message="x", by="acme")


def _goes_onto(journey: Journey, base: str) -> None:
    journey.issue = journey.github.open_pull(journey.repository, "topic", by="mona", title="x", base=base)


def test_the_configuration_is_the_one_at_the_live_tip_of_the_default_branch(journey: Journey) -> None:
    tip = _push(journey, "main", {PATH: CONFIG + "language: es\n"})
    rules = _rules(journey, "main")
    assert (rules.config.language, rules.policy_sha, rules.base_sha) == ("es", tip, tip)
    assert rules.policies == (rules.config.policy,)
    assert rules.digest == rules.config.policy_digest


def test_what_the_pull_request_says_about_it_counts_for_nothing(journey: Journey) -> None:
    before = _rules(journey, "main")
    _push(journey, "topic", {PATH: "version: 1\npolicy: {defaults: {command: allow}}\n"})
    assert _rules(journey, "main") == before


def test_without_a_file_the_defaults_hold(journey: Journey) -> None:
    _push(journey, "main", {PATH: None})
    rules = _rules(journey, "main")
    assert rules.config == DEFAULT
    assert rules.digest == DEFAULT.policy_digest


def test_an_empty_file_is_the_defaults(journey: Journey) -> None:
    _push(journey, "main", {PATH: ""})
    assert _rules(journey).config == DEFAULT


def test_a_link_in_the_files_place_is_not_followed_and_not_passed_over(journey: Journey) -> None:
    """Taken for no file, it would put the defaults in the place of stricter rules."""
    _push(journey, "main", {"lax.yml": "version: 1\npolicy: {defaults: {command: allow}}\n"})
    _push(journey, "main", {PATH: File(content=b"../lax.yml", mode="120000")})
    with pytest.raises(BadConfig, match="link"):
        _rules(journey)


def test_another_base_with_a_file_of_its_own_is_judged_by_both(journey: Journey) -> None:
    tip = _push(journey, "release", {PATH: STRICT})
    rules = _rules(journey, "release")
    assert rules.base_sha == tip
    assert rules.policy_sha == str(journey.repository.branch("main"))
    assert len(rules.policies) == 2
    assert rules.config.tasks.keys() == {"tidy"}
    assert rules.digest != rules.config.policy_digest
    assert rules.digest != _rules(journey, "main").digest


def test_another_base_with_the_same_file_or_none_adds_nothing_weaker(journey: Journey) -> None:
    _push(journey, "release", {PATH: None})
    rules = _rules(journey, "release")
    assert rules.policies == (rules.config.policy,)


def test_a_lax_base_branch_loosens_nothing(journey: Journey) -> None:
    """Whoever opens a pull request picks its base, and may have made that branch."""
    _push(journey, "main", {PATH: STRICT})
    _push(journey, "lax", {PATH: "version: 1\npolicy: {defaults: {delete: allow, command: allow}}\n"})
    journey.model.script = [
        Said(
            calls=(
                call("edit_file", path="README.md", old="teh", new="the"),
                call("delete_file", path="crlf.txt"),
                call("run_command", command="ls"),
            )
        ),
        Said(text="Done."),
    ]
    _goes_onto(journey, "lax")
    assert journey.opened().reason == "planned"
    assert [step.verdict.outcome.value for step in journey.plan().steps] == ["deny", "ask", "ask"]


def test_a_strict_base_branch_tightens(journey: Journey) -> None:
    _push(journey, "release", {PATH: STRICT})
    journey.issue = journey.github.open_pull(
        journey.repository, "topic", by="mona", title="x", base="release"
    )
    journey.opened()
    (step,) = journey.plan().steps
    assert step.verdict.outcome == "deny"
    assert step.verdict.source == f"{PATH}:7"


def test_a_base_whose_policy_changed_after_the_plan_makes_it_stale(journey: Journey) -> None:
    _push(journey, "release", {PATH: CONFIG})
    journey.issue = journey.github.open_pull(
        journey.repository, "topic", by="mona", title="x", base="release"
    )
    journey.opened()
    before = journey.head
    _push(journey, "release", {PATH: STRICT})
    assert journey.says("/apply").reason == "stale-policy"
    assert journey.head == before


@pytest.mark.parametrize("branch", ["main", "release"])
def test_a_file_that_can_not_be_read_stops_everything(journey: Journey, branch: str) -> None:
    _push(journey, branch, {PATH: "version: 1\nnonsense: 1\n"})
    with pytest.raises(BadConfig, match=r"dryrun-bot\.yml line 2 column 1"):
        _rules(journey, "release" if branch == "release" else "main")


def test_a_base_that_is_gone_is_said_to_be(journey: Journey) -> None:
    with pytest.raises(GitHubFailed, match="gone"):
        _rules(journey, "gone")


def test_the_text_of_a_layout_is_taken_from_the_same_commit(journey: Journey) -> None:
    template = ".github/dryrun-bot/plan.md.j2"
    _push(journey, "main", {PATH: CONFIG + f"template: {template}\n", template: "A layout.\n"})
    assert _rules(journey).template == "A layout.\n"
    _push(journey, "main", {template: None})
    with pytest.raises(BadConfig, match="there is no file"):
        _rules(journey)


def _organisation(journey: Journey, text: str) -> Repository:
    shared = journey.github.repository("acme/.github", {"dryrun-bot.yml": text})
    extending = CONFIG + "extends: acme/.github:dryrun-bot.yml@main\n"
    _push(journey, "main", {PATH: extending})
    return shared


def test_what_a_file_extends_judges_as_well_and_is_part_of_the_digest(journey: Journey) -> None:
    shared = _organisation(journey, "version: 1\npolicy: {paths: {deny: [README.md]}}\n")
    before = _rules(journey)
    journey.opened()
    (step,) = journey.plan().steps
    assert (step.verdict.outcome, step.verdict.source) == ("deny", "acme/.github:dryrun-bot.yml@main:2")
    journey.github.push(
        shared,
        "main",
        {"dryrun-bot.yml": "version: 1\npolicy: {paths: {deny: [docs/**]}}\n"},
        message="x",
        by="acme",
    )
    assert _rules(journey).digest != before.digest


def test_a_file_that_loosens_what_it_extends_is_an_error_that_names_the_key(journey: Journey) -> None:
    _organisation(journey, "version: 1\napply: {permission: admin}\n")
    loose = CONFIG + "extends: acme/.github:dryrun-bot.yml@main\napply: {permission: write}\n"
    _push(journey, "main", {PATH: loose})
    with pytest.raises(BadConfig, match=r"apply\.permission"):
        _rules(journey)


@pytest.mark.parametrize("what", ["acme/.github:gone.yml@main", "acme/nowhere:dryrun-bot.yml@main"])
def test_an_organisation_s_file_that_is_not_there_stops_everything(journey: Journey, what: str) -> None:
    _push(journey, "main", {PATH: CONFIG + f"extends: {what}\n"})
    with pytest.raises(BadConfig, match="extends"):
        _rules(journey)
