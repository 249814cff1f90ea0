import json

import pytest

from bot.errors import BadUsage, GitHubFailed
from bot.outside.github import connect, repository
from bot.permission import Permission
from bot.settings import read_settings

API = "https://api.github.com:443"
ROOT = f"{API}/repos/acme/widgets"
GRAPHQL = f"{API}/graphql"
MAYA = {"login": "maya", "id": 7, "type": "User"}
SHA, BLOB = "a" * 40, "ce013625030ba8dba906f756967f9e9ca394464a"
VIEWER = {"data": {"viewer": {"login": "github-actions[bot]", "databaseId": 41898282}}}


def test_the_bot_asks_once_who_it_is(api, github) -> None:
    api.post(GRAPHQL, json=VIEWER)
    assert github.me().id == 41898282
    assert github.me().login == "github-actions[bot]"
    assert not github.me().is_person


def test_an_account_without_a_number_in_graphql_is_asked_for_it(api, github) -> None:
    api.post(GRAPHQL, json={"data": {"viewer": {"login": "helpful[bot]", "databaseId": None}}})
    api.get(f"{API}/users/helpful%5Bbot%5D", json={"login": "helpful[bot]", "id": 9, "type": "Bot"})
    assert github.me().id == 9


def test_a_standing_has_the_account_and_its_permission(api, github) -> None:
    answer = {"permission": "write", "role_name": "maintain", "user": MAYA}
    api.get(f"{ROOT}/collaborators/maya/permission", json=answer)
    standing = github.standing("maya")
    assert (standing.account.id, standing.permission) == (7, Permission.MAINTAIN)
    assert standing.teams == frozenset()


@pytest.mark.parametrize("login", ["mallory", "helpful[bot]", "a&b", "maya#"])
def test_an_account_that_github_does_not_know_may_nothing(login, api, github) -> None:
    quoted = {"helpful[bot]": "helpful%5Bbot%5D", "a&b": "a%26b", "maya#": "maya%23"}.get(login, login)
    api.get(f"{ROOT}/collaborators/{quoted}/permission", status=404, json={"message": "Not Found"})
    standing = github.standing(login)
    assert (standing.permission, standing.account.is_person) == (Permission.NONE, False)


def test_an_account_that_github_hides_may_nothing(api, github) -> None:
    api.get(f"{ROOT}/collaborators/maya/permission", json={"permission": "admin", "user": None})
    assert github.standing("maya").permission is Permission.NONE


@pytest.mark.parametrize("login", ["..", ".", "", "a/b/../../../user"])
def test_a_login_that_would_be_another_address_is_not_asked_for(login, api, github) -> None:
    with pytest.raises(GitHubFailed):
        github.standing(login)
    assert len(api.calls) == 0


def test_a_permission_that_can_not_be_read_is_a_failure_and_not_a_no(api, github) -> None:
    api.get(f"{ROOT}/collaborators/maya/permission", status=403, json={"message": "no"})
    with pytest.raises(GitHubFailed, match="permission of 'maya'"):
        github.standing("maya")


MEMBERSHIPS = {
    "an active member": ({"json": {"state": "active"}}, True),
    "somebody invited": ({"json": {"state": "pending"}}, False),
    "a stranger, or a team that the token can't see": (
        {"status": 404, "json": {"message": "Not Found"}},
        False,
    ),
}


@pytest.mark.parametrize(("answer", "expected"), MEMBERSHIPS.values(), ids=MEMBERSHIPS)
@pytest.mark.parametrize(
    ("team", "path"),
    [("releasers", "acme/teams/releasers"), ("other/x", "other/teams/x"), ("@other/x", "other/teams/x")],
)
def test_only_an_active_member_is_in_a_team(team, path, answer, expected, api, github) -> None:
    api.get(f"{ROOT}/collaborators/maya/permission", json={"permission": "write", "user": MAYA})
    api.get(f"{API}/orgs/{path}/memberships/maya", **answer)
    assert (team in github.standing("maya", teams=[team]).teams) is expected


def test_a_team_that_may_not_be_read_names_the_token_that_can(api, github) -> None:
    api.get(f"{ROOT}/collaborators/maya/permission", json={"permission": "write", "user": MAYA})
    api.get(f"{API}/orgs/acme/teams/x/memberships/maya", status=403, json={"message": "no"})
    with pytest.raises(GitHubFailed) as caught:
        github.standing("maya", teams=["x"])
    assert "org-token" in caught.value.next_step


def test_a_pull_request_may_be_known_to_the_event_before_it_is_to_the_api(api, github, naps) -> None:
    side = {"ref": "topic", "sha": SHA, "repo": {"full_name": "maya/widgets", "node_id": "R_2"}}
    api.get(f"{ROOT}/pulls/12", status=404, json={"message": "Not Found"})
    api.get(
        f"{ROOT}/pulls/12",
        json={"number": 12, "title": "T", "body": "", "user": MAYA, "state": "open", "html_url": "u"}
        | {"head": side, "base": side | {"repo": {"full_name": "acme/widgets", "node_id": "R_1"}}},
    )
    assert github.pull_request(12).head.repository == "maya/widgets"
    assert naps.taken == [1]
    assert github.git.node_ids == {"maya/widgets": "R_2", "acme/widgets": "R_1"}


def test_old_and_new_names_of_changed_files_are_told(api, github) -> None:
    files = [{"filename": "b.md", "previous_filename": "a.md"}, {"filename": "c.md"}]
    api.get(f"{ROOT}/pulls/12/files?page=1&per_page=100", json=files)
    assert list(github.changed_paths(12)) == ["a.md", "b.md", "c.md"]


def test_a_branch_that_is_not_there_is_a_failure(api, github) -> None:
    api.get(f"{ROOT}/git/ref/heads/main", status=404, json={"message": "Not Found"})
    with pytest.raises(GitHubFailed, match="no branch 'main'"):
        github.tip("main")


def listing(kind: str = "file") -> list[dict[str, str]]:
    return [{"name": "dryrun-bot.yml", "type": kind, "sha": BLOB}, {"name": "x", "type": "dir", "sha": SHA}]


def test_a_file_is_looked_up_in_its_folder_and_read_by_name(api, github) -> None:
    api.get(f"{ROOT}/contents/.github?ref={SHA}", json=listing())
    blob = {"sha": BLOB, "encoding": "base64", "content": "aGVsbG8K\n"}
    api.get(f"{ROOT}/git/blobs/{BLOB}", json=blob)
    assert github.file(".github/dryrun-bot.yml", at=SHA) == b"hello\n"


def test_a_link_in_a_files_place_is_not_followed(api, github) -> None:
    api.get(f"{ROOT}/contents/.github?ref={SHA}", json=listing("symlink"))
    assert github.file(".github/dryrun-bot.yml", at=SHA) is None


def test_a_file_without_its_folder_is_none(api, github) -> None:
    api.get(f"{ROOT}/contents/.github?ref={SHA}", status=404, json={"message": "Not Found"})
    assert github.file(".github/dryrun-bot.yml", at=SHA) is None


def test_a_file_that_can_not_be_read_is_a_failure_and_not_none(api, github) -> None:
    api.get(f"{ROOT}/contents/.github?ref={SHA}", status=403, json={"message": "no"})
    with pytest.raises(GitHubFailed, match=r"dryrun-bot\.yml"):
        github.file(".github/dryrun-bot.yml", at=SHA)


@pytest.mark.parametrize("path", ["../../other/contents/x", "a/../../b/c", "a//b", "./a/b"])
def test_a_path_out_of_the_repository_is_not_asked_for(path, api, github) -> None:
    with pytest.raises(GitHubFailed):
        github.file(path, at=SHA)
    assert len(api.calls) == 0


def test_commits_are_listed_from_a_branch(api, github) -> None:
    commit = {"message": "m", "tree": {"sha": BLOB}, "verification": {"verified": False}}
    listed = {"sha": SHA, "html_url": "u", "commit": commit, "parents": [{"sha": BLOB}]}
    api.get(f"{ROOT}/commits?sha=a%23b&page=1&per_page=5", json=[listed])
    (found,) = github.commits("a#b", most=5)
    assert (found.sha, found.tree, found.parents, found.verified) == (SHA, BLOB, (BLOB,), False)


@pytest.mark.parametrize("name", ["acme", "acme/widgets/x", "../..", "acme/..", "acme/w?x", ""])
def test_another_repository_needs_a_repositorys_name(name, github) -> None:
    with pytest.raises(BadUsage):
        github.other(name)
    with pytest.raises(BadUsage):
        github.organisations(name)


ENVIRON = {
    "GITHUB_REPOSITORY": "acme/widgets",
    "GITHUB_EVENT_NAME": "issue_comment",
    "GITHUB_EVENT_PATH": "/e",
    "GITHUB_WORKSPACE": "/w",
    "RUNNER_TEMP": "/t",
    "GITHUB_TOKEN": "ghs_correcthorse",
    "GITHUB_ACTOR": "maya",
}


def test_the_organisations_token_is_for_its_teams_and_its_policy_alone(api, naps) -> None:
    github = connect(read_settings(ENVIRON | {"INPUT_ORG-TOKEN": "ghp_staple"}), patience=naps.patience)
    api.get(f"{ROOT}/collaborators/maya/permission", json={"permission": "write", "user": MAYA})
    api.get(f"{API}/orgs/acme/teams/x/memberships/maya", json={"state": "active"})
    api.get(
        f"{API}/repos/acme/.github",
        json={"full_name": "acme/.github", "node_id": "R", "default_branch": "main"},
    )
    api.get(
        f"{API}/repos/maya/widgets",
        json={"full_name": "maya/widgets", "node_id": "R", "default_branch": "dev"},
    )
    github.standing("maya", teams=["x"])
    assert github.organisations("acme/.github").default_branch() == "main"
    assert github.other("maya/widgets").default_branch() == "dev"
    tokens = [call.request.headers["Authorization"] for call in api.calls]
    assert tokens == [
        "token ghs_correcthorse",
        "token ghp_staple",
        "token ghp_staple",
        "token ghs_correcthorse",
    ]


def test_connecting_asks_nothing_and_shows_no_token(api, naps) -> None:
    github = connect(read_settings(ENVIRON), patience=naps.patience)
    assert len(api.calls) == 0
    assert "correcthorse" not in repr(github)


def test_an_enterprise_server_has_its_own_addresses(api, naps) -> None:
    github = connect(
        read_settings(ENVIRON | {"GITHUB_API_URL": "https://ghe.example/api/v3"}), patience=naps.patience
    )
    api.post("https://ghe.example:443/api/graphql", json=VIEWER)
    api.get(
        "https://ghe.example:443/api/v3/repos/acme/widgets/git/ref/heads/main",
        json={"ref": "refs/heads/main", "object": {"sha": SHA}},
    )
    assert github.me().id == 41898282
    assert github.tip("main") == SHA
    assert json.loads(api.calls[0].request.body)["variables"] == {}


def test_repository_is_the_door_to_one_name(door) -> None:
    github = repository("acme/widgets", door=door, org_door=door)
    assert (github.name, github.root) == ("acme/widgets", "/repos/acme/widgets")


def test_asking_for_branches_tells_who_the_bot_is_as_well(api, github) -> None:
    repository = {"b0": {"target": {"oid": SHA, "file": None}}}
    api.post(GRAPHQL, json={"data": VIEWER["data"] | {"repository": repository}})
    assert github.tips(["main"], path="x")["main"].sha == SHA
    assert (github.me().id, github.me().is_person) == (41898282, False)


def test_an_account_without_a_number_is_still_asked_for_it(api, github) -> None:
    viewer = {"login": "helpful[bot]", "databaseId": None}
    repository = {"b0": {"target": {"oid": SHA, "file": None}}}
    api.post(GRAPHQL, json={"data": {"viewer": viewer, "repository": repository}})
    api.post(GRAPHQL, json={"data": {"viewer": viewer}})
    api.get(f"{API}/users/helpful%5Bbot%5D", json={"login": "helpful[bot]", "id": 9, "type": "Bot"})
    github.tips(["main"], path="x")
    assert github.me().id == 9
