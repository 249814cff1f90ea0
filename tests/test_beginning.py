"""What one journey does to where it began, no other sees."""

from journey import Journey


def test_who_begins_there_again_finds_it_as_it_was(journey: Journey) -> None:
    journey.plan_it()
    head, digest, said = journey.head, journey.plan().digest, len(journey.comments)
    old = journey.repository
    assert journey.says(f"/apply {digest[:12]}").reason == "applied"
    journey.github.close(old, journey.issue, by="mona")
    assert journey.head != head
    journey.plan_it()
    assert (journey.head, journey.plan().digest, len(journey.comments)) == (head, digest, said)
    assert (journey.issue.state, journey.issue.pull.head_sha) == ("open", head)  # type: ignore[union-attr]
    assert journey.repository is not old
    assert journey.says(f"/apply {digest[:12]}").reason == "applied"


def test_a_fault_a_token_and_a_log_are_of_one_beginning(journey: Journey) -> None:
    tokens = len(journey.github.state.tokens)
    journey.github.token("zoe")
    journey.begin("a pull request", lambda: None)
    assert len(journey.github.state.tokens) == tokens
    assert journey.github.log == []
    assert journey.github.state.account("zoe") is None
    assert journey.github.account("mona") is journey.issue.author
