from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.demo.github import GitHub, Repository

AT = "/repos/acme/pocket/actions/artifacts"


def test_the_newest_of_a_name_comes_first_and_its_bytes_through_a_redirect(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    github.upload_artifact(repository, "plan", b"PK-old")
    newest = github.upload_artifact(repository, "plan", b"PK-new", run_id=2)
    github.upload_artifact(repository, "planned", b"PK-other")
    found = ask("GET", f"{AT}?name=plan").body
    assert (found["total_count"], found["artifacts"][0]["id"]) == (2, newest.id)
    assert ask("GET", f"{AT}/{newest.id}/zip").body == b"PK-new", "the client follows to the storage"
    assert [one.path.split("/")[1] for one in github.log[-2:]] == ["repos", "storage"]


def test_what_is_expired_elsewhere_or_not_a_zip_is_not_to_be_had(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    artifact = github.upload_artifact(repository, "plan", b"PK")
    assert ask("GET", f"{AT}/{artifact.id}/tar").status == 404
    assert ask("GET", f"{AT}/1/zip").status == 404
    assert ask("GET", f"/storage/acme/none/artifacts/{artifact.id}.zip").status == 404
    repository.artifacts[artifact.id] = replace(artifact, expired=True)
    assert ask("GET", f"{AT}/{artifact.id}/zip").status == 410


def test_it_takes_the_permission_for_actions(
    github: GitHub, repository: Repository, ask: Callable[..., Any]
) -> None:
    assert ask("GET", AT, token=github.workflow_token(repository, {"contents": "write"})).status == 403
    assert ask("GET", AT, token=github.workflow_token(repository, {"actions": "read"})).status == 200
