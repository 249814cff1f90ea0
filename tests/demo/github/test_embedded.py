"""The whole of it, through the real client: PyGithub against real HTTP over real git."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from github import Auth, Github, GithubException, InputGitTreeElement, UnknownObjectException

from bot.demo.github import GitHub, Issue, Repository


def client(github: GitHub, token: str, *, api: str = "") -> Github:
    return Github(
        auth=Auth.Token(token),
        base_url=github.url + api,
        retry=None,
        seconds_between_requests=0,
        seconds_between_writes=0,
    )


@pytest.fixture
def bot(github: GitHub, repository: Repository) -> Iterator[Github]:
    with client(github, github.workflow_token(repository)) as bot:
        yield bot


@pytest.mark.parametrize("api", ["", "/api/v3"], ids=["at the root", "as on an enterprise server"])
def test_a_pull_request_is_read_with_its_files_and_commits(
    github: GitHub, repository: Repository, pull: Issue, api: str
) -> None:
    with client(github, github.workflow_token(repository), api=api) as bot:
        found = bot.get_repo("acme/pocket").get_pull(1)
        assert (found.head.sha, found.base.ref, found.user.login) == (
            repository.branch("feature"),
            "main",
            "acme",
        )
        assert (found.mergeable, found.changed_files, found.commits, found.additions) == (True, 1, 1, 1)
        assert [(file.filename, file.status, file.patch) for file in found.get_files()] == [
            ("docs/a.md", "modified", "@@ -1 +1,2 @@\n teh cat\n+teh dog")
        ]
        assert [commit.commit.message for commit in found.get_commits()] == ["Add a dog"]
        assert found.as_issue().pull_request is not None


def test_comments_are_made_edited_read_back_on_any_page_and_deleted(bot: Github, pull: Issue) -> None:
    found = bot.get_repo("acme/pocket").get_pull(1)
    made = [found.create_issue_comment(f"number {number}") for number in range(33)]
    made[2].edit("number two")
    made[3].delete()
    bodies = [comment.body for comment in found.get_issue_comments()]
    assert len(bodies) == 32
    assert (bodies[2], bodies[3], bodies[-1]) == ("number two", "number 4", "number 32")
    assert made[0].user.login == "github-actions[bot]"


def test_reactions_are_added_once_listed_and_taken_back(bot: Github, pull: Issue) -> None:
    found = bot.get_repo("acme/pocket").get_pull(1)
    comment = found.create_issue_comment("hi")
    first, again = comment.create_reaction("eyes"), comment.create_reaction("eyes")
    assert first.id == again.id
    assert [one.content for one in comment.get_reactions()] == ["eyes"]
    comment.delete_reaction(first.id)
    assert list(comment.get_reactions()) == []
    assert found.as_issue().create_reaction("rocket").content == "rocket"


def test_a_commit_is_made_of_inline_text_blobs_modes_and_deletions(
    bot: Github, repository: Repository, pull: Issue
) -> None:
    there = bot.get_repo("acme/pocket")
    above = there.get_git_commit(there.get_git_ref("heads/feature").object.sha)
    blob = there.create_git_blob("AP8A", "base64")
    tree = there.create_git_tree(
        [
            InputGitTreeElement("docs/a.md", "100644", "blob", content="the cat\n"),
            InputGitTreeElement("data.bin", "100755", "blob", sha=blob.sha),
            InputGitTreeElement("run.sh", "100755", "blob", sha=None),
        ],
        above.tree,
    )
    made = there.create_git_commit("Tidy", tree, [above])
    assert repository.branch("feature") == above.sha, "a commit alone moves no branch"
    listed = repository.bare.git("ls-tree", "-r", made.sha).decode().splitlines()
    assert {(line.split()[0], line.split("\t")[1]) for line in listed} == {
        ("100644", "README.md"),
        ("100644", "bin.dat"),
        ("100755", "data.bin"),
        ("100644", "docs/a.md"),
        ("100644", "docs/dos.txt"),
        ("120000", "link"),
    }
    assert repository.bare.git("cat-file", "blob", f"{made.sha}:data.bin") == b"\x00\xff\x00"
    assert made.raw_data["verification"]["verified"] is True, "made by an app, and no author named"
    there.get_git_ref("heads/feature").edit(made.sha, force=False)
    assert there.get_pull(1).head.sha == made.sha


def test_reads_see_files_trees_branches_commits_and_comparisons(bot: Github, pull: Issue) -> None:
    there = bot.get_repo("acme/pocket")
    assert there.get_contents("docs/dos.txt", ref="feature").decoded_content == b"one\r\ntwo\r\n"
    assert [file.name for file in there.get_contents("docs")] == ["a.md", "dos.txt"]
    tree = there.get_git_tree("feature", recursive=True).tree
    assert {leaf.path: leaf.mode for leaf in tree}["run.sh"] == "100755"
    assert there.get_branch("feature").commit.sha == pull.pull.head_sha
    assert [commit.commit.message for commit in there.get_commits(sha="feature")] == ["Add a dog", "Start"]
    assert there.get_commit("feature").files[0].filename == "docs/a.md"
    assert there.compare("main", "feature").ahead_by == 1
    with pytest.raises(UnknownObjectException):
        there.get_contents("docs/b.md", ref="feature")


def test_checks_statuses_labels_reviewers_and_issues_are_made_and_read_back(
    bot: Github, github: GitHub, pull: Issue
) -> None:
    there = bot.get_repo("acme/pocket")
    check = there.create_check_run("dryrun-bot", pull.pull.head_sha, status="in_progress")
    check.edit(conclusion="success", output={"title": "Planned", "summary": "2 steps"})
    assert [one.conclusion for one in there.get_commit(pull.pull.head_sha).get_check_runs()] == ["success"]
    there.get_commit(pull.pull.head_sha).create_status("pending", context="dryrun-bot", description="soon")
    assert there.get_commit(pull.pull.head_sha).get_combined_status().state == "pending"
    there.get_pull(1).add_to_labels("planned")
    assert [label.name for label in there.get_pull(1).labels] == ["planned"]
    there.get_pull(1).create_review_request(reviewers=["maja"])
    assert [one.login for one in there.get_pull(1).requested_reviewers] == ["maja"]
    assert there.create_issue("A thing", body="to do").number == 2
    assert bot.get_rate_limit().rate.limit == 5000


def test_an_artifact_is_found_by_name_and_downloaded_through_a_redirect(
    bot: Github, github: GitHub, repository: Repository
) -> None:
    github.upload_artifact(repository, "dryrun-plan-abc", b"PK-not-really")
    github.upload_artifact(repository, "other", b"PK")
    artifacts = list(bot.get_repo("acme/pocket").get_artifacts(name="dryrun-plan-abc"))
    assert [artifact.name for artifact in artifacts] == ["dryrun-plan-abc"]
    status, headers, _ = bot.requester.requestBlob("GET", artifacts[0].archive_download_url)
    assert status == 302
    _, _, content = bot.requester.requestBlob("GET", headers["location"])
    assert content == "PK-not-really"


def test_a_pull_request_from_a_fork_keeps_its_commits_when_the_fork_is_gone(
    bot: Github, github: GitHub, repository: Repository
) -> None:
    fork = github.fork(repository, "tom")
    github.push(fork, "idea", {"idea.md": "hm\n"}, message="Have an idea", by="tom")
    issue = github.open_pull(repository, "tom:idea", by="tom", title="An idea")
    found = bot.get_repo("acme/pocket").get_pull(issue.number)
    assert (found.head.repo.full_name, found.head.label) == ("tom/pocket", "tom:idea")
    assert repository.bare.ref(f"refs/pull/{issue.number}/head") == fork.branch("idea")
    with pytest.raises(GithubException) as refused:
        bot.get_repo("tom/pocket").create_git_ref("refs/heads/x", found.head.sha)
    assert refused.value.status == 403, "a workflow's token writes to its own repository only"
    github.remove(fork)
    gone = bot.get_repo("acme/pocket").get_pull(issue.number)
    assert (gone.head.repo, gone.state) == (None, "closed")
    assert bot.get_repo("acme/pocket").get_git_commit(gone.head.sha).message == "Have an idea"


def test_the_two_servers_of_two_tests_share_nothing(tmp_path: Path) -> None:
    with GitHub(tmp_path / "one") as one, GitHub(tmp_path / "two") as two:
        one.repository("a/b", {"x": "1\n"})
        assert two.state.repositories == {}
        assert one.url != two.url


def test_nothing_answers_any_more_once_it_is_closed(tmp_path: Path) -> None:
    with GitHub(tmp_path / "one") as github:
        token = github.token("maja")
    with client(github, token) as bot, pytest.raises(OSError, match="refused"):
        bot.get_user().login  # noqa: B018 - the attribute asks


def test_people_do_things_and_cannot_do_what_they_may_not(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    comment = github.comment(repository, 1, by="tom", body="nice")
    github.edit_comment(repository, comment, by="maja", body="edited by a maintainer")
    assert (comment.body, comment.editor) == ("edited by a maintainer", github.account("maja"))
    with pytest.raises(ValueError, match="tom may not PATCH"):
        github.close(repository, pull, by="tom")
    github.close(repository, pull, by="maja")
    github.reopen(repository, pull, by="maja")
    merged = github.merge(repository, pull, by="maja")
    assert (repository.branch("main"), pull.state) == (merged, "closed")
    assert repository.bare.git("show", "main:docs/a.md") == b"teh cat\nteh dog\n"


def test_importing_it_imports_no_heavy_client() -> None:
    import subprocess
    import sys

    code = "import sys, bot.demo.github, bot.demo.model, bot.demo.page; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"github", "openai", "cmarkgfm", "nh3", "jinja2"} & set(ran.stdout.split())
