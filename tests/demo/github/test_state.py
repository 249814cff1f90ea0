from datetime import UTC, datetime

import pytest

from bot.demo.github import GitHub, Issue, Repository
from bot.demo.github.state import ROLES, Token, node_id

ROLE_CASES = [(held, needed) for held in ROLES for needed in ROLES]


@pytest.mark.parametrize(("held", "needed"), ROLE_CASES)
def test_a_role_includes_the_lower_ones(
    github: GitHub, repository: Repository, held: str, needed: str
) -> None:
    repository.private = True
    eve = github.allow(repository, "Eve", held)
    assert repository.reaches(eve, needed) is (ROLES.index(held) >= ROLES.index(needed))


def test_an_outsider_reads_what_is_public_and_nothing_else(github: GitHub, repository: Repository) -> None:
    tom = github.account("tom")
    assert repository.role(tom) == "read"
    repository.private = True
    assert repository.role(tom) == "none"
    assert not Token(account=tom).sees(repository)
    assert Token(account=tom, permissions={}, repository="ACME/pocket").sees(repository)


def test_names_are_found_without_regard_to_case(github: GitHub, repository: Repository) -> None:
    assert github.account("MAJA") is github.account("maja")
    assert github.state.repository("Acme/Pocket") is repository


def test_ids_are_never_given_twice_and_node_ids_tell_kinds_apart(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    made = [github.comment(repository, 1, by="tom", body="x") for _ in range(3)]
    assert len({repository.id, pull.id, *(comment.id for comment in made)}) == 5
    assert node_id("IC", 7) != node_id("PR", 7) != node_id("PR", 8)
    assert github.state.comment(made[1].node_id) == (repository, made[1])
    assert github.state.comment("IC_nothing") is None


def test_the_clock_is_the_one_it_was_given(github: GitHub, repository: Repository, pull: Issue) -> None:
    comment = github.comment(repository, 1, by="tom", body="x")
    assert datetime(2026, 5, 4, 12, tzinfo=UTC) < comment.created_at < datetime(2026, 5, 4, 13, tzinfo=UTC)


def test_the_same_deeds_at_the_same_times_make_the_same_commits(tmp_path) -> None:
    def sha(name: str) -> str | None:
        with GitHub(tmp_path / name, now=lambda: datetime(2026, 5, 4, tzinfo=UTC)) as github:
            repository = github.repository("a/b", {"x": "1\n"})
            github.push(repository, "f", {"y": "2\n"}, message="m", by="a")
            github.open_pull(repository, "f", by="a", title="t")
            return repository.bare.ref("refs/pull/1/merge")

    assert sha("one") == sha("two") is not None
