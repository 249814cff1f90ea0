from collections.abc import Callable
from typing import Any

import pytest

from bot.demo.github import GitHub, Repository


def test_a_person_s_token_says_whose_it_is_and_a_workflow_s_may_not_ask(ask: Callable[..., Any]) -> None:
    assert ask("GET", "/user", by="maja").body["login"] == "maja"
    reply = ask("GET", "/user")
    assert (reply.status, reply.body["message"]) == (403, "Resource not accessible by integration")
    assert ask("GET", "/user", token=None).status == 401


def test_a_user_is_found_by_login(ask: Callable[..., Any]) -> None:
    assert ask("GET", "/users/Maja").body["type"] == "User"
    assert ask("GET", "/users/github-actions%5Bbot%5D").body["type"] == "Bot"
    assert ask("GET", "/users/nobody-at-all").status == 404


TEAMS = {"a member": ("Maja", 200), "not a member": ("tom", 404), "nobody": ("nobody-at-all", 404)}


@pytest.mark.parametrize(("login", "status"), TEAMS.values(), ids=TEAMS)
def test_a_team_knows_its_members_and_nobody_else(
    github: GitHub, repository: Repository, ask: Callable[..., Any], login: str, status: int
) -> None:
    github.team("Acme", "core", ["maja"])
    reply = ask("GET", f"/orgs/acme/teams/core/memberships/{login}", by="maja")
    assert reply.status == status
    assert status == 404 or reply.body["state"] == "active"


def test_a_workflow_s_token_cannot_read_teams(github: GitHub, repository: Repository, ask: Any) -> None:
    github.team("acme", "core", ["maja"])
    assert ask("GET", "/orgs/acme/teams/core/memberships/maja").status == 403
    token = github.workflow_token(repository, {"members": "read"})
    assert ask("GET", "/orgs/acme/teams/core/memberships/maja", token=token).status == 200


def test_the_rate_is_told(ask: Callable[..., Any]) -> None:
    assert ask("GET", "/rate_limit").body["resources"]["core"]["limit"] == 5000
