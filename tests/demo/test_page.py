"""What a person sees on the page, in the order it happened; and nothing that could act."""

import re
from contextlib import redirect_stdout
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from chromium import Chromium, Page, needs_chromium

from bot.demo.github import GitHub, Issue, Repository
from bot.demo.page import page
from bot.demo.story import tell

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


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page that `make demo` leaves."""
    folder = tmp_path_factory.mktemp("demo")
    with redirect_stdout(StringIO()):
        assert tell(folder / "out", scratch=folder / "scratch") == 0
    return folder / "out/pull-request.html"


def unfolded(page: Page) -> Page:
    page.tell("for (const one of document.querySelectorAll('details')) one.open = true")
    return page


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1000])
def test_the_demos_page_fits_and_every_character_has_a_glyph(
    told: Path, browser: Chromium, tmp_path: Path, width: int, *, dark: bool
) -> None:
    seen = browser.open(told, width=width, dark=dark)
    folded = seen.picture(tmp_path / "folded.png")
    assert seen.runs_out() == []
    unfolded(seen)
    assert seen.tell("document.querySelectorAll('details[open]').length") >= 10
    assert seen.runs_out() == []
    assert seen.missing_glyphs() == []
    # The pictures themselves are of the whole page, and of what was just looked at.
    picture = seen.picture(tmp_path / "unfolded.png")
    height = seen.tell("document.documentElement.scrollHeight")
    assert int.from_bytes(picture[20:24], "big") == height
    assert int.from_bytes(folded[20:24], "big") < height
    assert seen.tell("getComputedStyle(document.body).backgroundColor") == (
        "rgb(13, 17, 23)" if dark else "rgb(255, 255, 255)"
    )


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(told: Path, browser: Chromium, *, dark: bool) -> None:
    """The contrast that WCAG 2.2 asks of text at level AA: 4.5, and 3 where letters are large."""
    assert unfolded(browser.open(told, width=1000, dark=dark)).faint_words() == []


BROKEN = {
    "a wide box": ('<div style="width:900px">x</div>', "right of the page"),
    "a long word": ("<p>" + "x" * 900 + "</p>", "words run out of"),
    "a long line": ('<pre class="message">' + "x " * 900 + "</pre>", "words run out of"),
    "words cut off": ('<div style="overflow:hidden;width:9px"><pre>xxxx xxxx</pre></div>', "cut off"),
}


@needs_chromium
@pytest.mark.parametrize(("body", "says"), BROKEN.values(), ids=BROKEN)
def test_what_runs_out_of_a_page_is_found(browser: Chromium, tmp_path: Path, body: str, says: str) -> None:
    file = tmp_path / "broken.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{body}", encoding="utf-8")
    found = browser.open(file, width=360).runs_out()
    assert any(one.startswith(says) for one in found)


@needs_chromium
def test_what_has_no_glyph_is_found(browser: Chromium, tmp_path: Path) -> None:
    """A character that is not assigned, one for private use, and one that draws nothing."""
    file = tmp_path / "tofu.html"
    file.write_text(
        "<!doctype html><meta charset=utf-8><p>ok ✅ \u0378 <b>\U000f1234</b> \u2800</p>", encoding="utf-8"
    )
    assert browser.open(file, width=360).missing_glyphs() == ["U+0378", "U+2800", "U+F1234"]


@needs_chromium
def test_faint_words_are_found(browser: Chromium, tmp_path: Path) -> None:
    file = tmp_path / "faint.html"
    file.write_text(
        '<!doctype html><body style="background:#fff"><p style="color:#aaa">faint</p><p>plain</p>'
        '<p style="color:#fff"><b style="background:#00000010">white</b></p>',
        encoding="utf-8",
    )
    assert [one.split(":")[0] for one in browser.open(file, width=360).faint_words()] == ["faint", "white"]
