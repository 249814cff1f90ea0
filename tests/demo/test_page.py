"""What a person sees on the page, in the order it happened; and nothing that could act."""

import re
from html.parser import HTMLParser

import pytest

from bot.demo.github import GitHub, Issue, Repository
from bot.demo.page import page

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


def words(document: str) -> str:
    text = re.sub(r"<style>.*?</style>", "", document, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_the_conversation_is_in_the_order_it_happened(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    github.comment(repository, 1, by="github-actions[bot]", body="The **plan**")
    github.comment(repository, 1, by="maja", body="/apply 0123456789ab")
    changes = {"docs/a.md": "the cat\nteh dog\n"}
    message = "Tidy\n\nDryrun-Plan: abc"
    sha = github.push(repository, "feature", changes, message=message, by="acme")
    github.comment(repository, 1, by="github-actions[bot]", body="Applied.")
    shown = words(page(github.state, repository, pull))
    in_order = ["Woof.", "Add a dog", "The plan", "/apply 0123456789ab", "Tidy"]
    in_order += [sha[:7], "Applied.", "Files changed"]
    places = [shown.index(one) for one in in_order]
    assert places == sorted(places)
    assert "acme wants to merge 2 commits into main from feature" in shown
    assert "Dryrun-Plan: abc" in shown


def test_a_bot_is_marked_its_commit_verified_and_its_diff_open(
    github: GitHub, repository: Repository, pull: Issue
) -> None:
    sha = github.push(repository, "feature", {"x.md": "x\n"}, message="Tidy", by="github-actions[bot]")
    repository.verified.add(sha)
    document = page(github.state, repository, pull)
    assert '<span class="verified">Verified</span>' in document
    assert document.count("<details open>") == 1
    assert '<span class="added">+x\n</span>' in document


def test_folded_edited_deleted_comments_reactions_and_checks_show(
    github: GitHub, repository: Repository, pull: Issue, ask
) -> None:
    old = github.comment(repository, 1, by="tom", body="old words")
    old.minimized = "OUTDATED"
    edited = github.comment(repository, 1, by="tom", body="first words")
    github.edit_comment(repository, edited, by="maja", body="second words")
    gone = github.comment(repository, 1, by="tom", body="gone words")
    github.delete_comment(repository, gone, by="tom")
    ask("POST", f"/repos/acme/pocket/issues/comments/{edited.id}/reactions", {"content": "rocket"})
    sha = repository.branch("feature")
    output = {"title": "2 steps, 1 asks", "summary": "s"}
    check = {"name": "dryrun-bot", "head_sha": sha, "conclusion": "success", "output": output}
    ask("POST", "/repos/acme/pocket/check-runs", check)
    ask("POST", f"/repos/acme/pocket/statuses/{sha}", {"state": "failure", "context": "ci"})
    shown = words(page(github.state, repository, pull))
    assert "this comment was marked as outdated" in shown
    assert "commented · edited" in shown
    assert "second words" in shown
    assert "gone words" not in shown
    assert "🚀 1" in shown
    assert "✓ dryrun-bot success — 2 steps, 1 asks" in shown
    assert "✕ ci failure" in shown


@pytest.mark.parametrize("state", ["Open", "Closed", "Merged", "Draft"])
def test_the_state_is_told(github: GitHub, repository: Repository, pull: Issue, state: str) -> None:
    if state == "Closed":
        github.close(repository, pull, by="maja")
    if state == "Merged":
        github.merge(repository, pull, by="maja")
    if state == "Draft":
        assert pull.pull is not None
        pull.pull.draft = True
    assert f'state-{state.lower()}">{state}</span>' in page(github.state, repository, pull)


class Acting(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "iframe", "link", "object", "form"):
            self.found.append(tag)
        self.found += [name for name, _ in attrs if name.startswith("on") or name == "src"]


def test_nothing_anybody_wrote_acts_and_the_page_forbids_it_too(github: GitHub) -> None:
    repository = github.repository("acme/evil", {"a": "1\n"})
    branch = "x<script>&\"'"
    github.push(repository, branch, {f"{EVIL[:20]}.md": EVIL + "\n"}, message=EVIL + "\n\n" + EVIL, by="acme")
    pull = github.open_pull(repository, branch, by="acme", title=EVIL, body=EVIL)
    github.comment(repository, 1, by="acme", body=EVIL)
    sha = repository.branch(branch)
    repository.description = EVIL
    github.allow(repository, "github-actions[bot]", "write")
    check = {
        "name": EVIL,
        "head_sha": sha,
        "conclusion": "success",
        "output": {"title": EVIL, "summary": "s"},
    }
    github._as("github-actions[bot]", "POST", "/repos/acme/evil/check-runs", check)
    document = page(github.state, repository, pull)
    acting = Acting()
    acting.feed(document)
    assert acting.found == []
    assert "Content-Security-Policy\" content=\"default-src 'none'" in document
    assert "http://" not in re.sub(r"127\.0\.0\.1:\d+", "", document).replace("http://127", "")


def test_it_is_one_file_with_both_colour_schemes(github: GitHub, repository: Repository, pull: Issue) -> None:
    document = page(github.state, repository, pull)
    assert "prefers-color-scheme: dark" in document
    assert not re.search(r"@import|url\(", document)
    assert "nothing here is on github.com" in document


def test_a_force_push_shows(github: GitHub, repository: Repository, pull: Issue) -> None:
    github.push(
        repository, "feature", {"b": "b\n"}, message="Other", by="acme", onto=repository.branch("main")
    )
    assert "force-pushed away from" in words(page(github.state, repository, pull))


def test_an_issue_has_no_such_page(github: GitHub, repository: Repository) -> None:
    issue = github.open_issue(repository, by="tom", title="Why?")
    with pytest.raises(ValueError, match="is an issue"):
        page(github.state, repository, issue)
