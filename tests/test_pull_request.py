import pytest

from bot.pull_request import Account, Branch, Commit, PullRequest


def commit(message: str) -> Commit:
    return Commit(sha="a" * 40, tree="b" * 40, parents=(), message=message, url="", verified=False)


TRAILERS = {
    "one": ("Tidy\n\nDryrun-Plan: abc", ("abc",)),
    "another case": ("Tidy\n\ndryrun-plan:abc  ", ("abc",)),
    "beside others": ("Tidy\n\nDryrun-Plan: abc\nApproved-by: @maya\n", ("abc",)),
    "two": ("Tidy\n\nDryrun-Plan: abc\nDryrun-Plan: def", ("abc", "def")),
    "Windows line ends": ("Tidy\r\n\r\nDryrun-Plan: abc\r\n", ("abc",)),
    "in an earlier paragraph": ("Tidy\n\nDryrun-Plan: abc\n\nand more words", ()),
    "in the title": ("Dryrun-Plan", ()),
    "another name": ("Tidy\n\nX-Dryrun-Plan: abc", ()),
    "an empty message": ("", ()),
}


@pytest.mark.parametrize(("message", "expected"), TRAILERS.values(), ids=TRAILERS)
def test_trailers_are_read_from_the_last_paragraph(message: str, expected: tuple[str, ...]) -> None:
    assert commit(message).trailers("Dryrun-Plan") == expected


@pytest.mark.parametrize("head", ["acme/widgets", "maya/widgets", None])
def test_a_head_elsewhere_or_nowhere_is_a_forks(head: str | None) -> None:
    pull_request = PullRequest(
        number=1,
        title="",
        body="",
        author=Account(login="maya", id=7, is_person=True),
        is_open=True,
        is_draft=False,
        is_merged=False,
        head=Branch(repository=head, name="topic", sha="a" * 40),
        base=Branch(repository="acme/widgets", name="main", sha="b" * 40),
        maintainer_can_modify=False,
        url="",
    )
    assert pull_request.is_from_fork is (head != "acme/widgets")
