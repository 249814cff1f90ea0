import copy
import pickle

from bot.sentence import Sentence


def test_a_sentence_is_its_english_text() -> None:
    said = Sentence("%(file)s has %(count)s lines, 5 %% more", file="a.md", count=3)
    assert said == "a.md has 3 lines, 5 % more"
    assert f"{said}!" == "a.md has 3 lines, 5 % more!"
    assert said.parts == {"file": "a.md", "count": "3"}


def test_without_parts_it_is_the_text_as_it_stands() -> None:
    said = Sentence("5 % of %(x)s")
    assert said == "5 % of %(x)s"
    assert said.template % {} == said


def test_a_part_that_is_a_sentence_stays_one_and_what_is_not_named_is_not_kept() -> None:
    inner = Sentence("status %(status)s", status=403)
    said = Sentence("it could not (%(why)s)", why=inner, other="x")
    assert said == "it could not (status 403)"
    assert said.parts == {"why": inner}
    assert isinstance(said.parts["why"], Sentence)


def test_no_part_is_taken_for_a_template() -> None:
    assert Sentence("it is %(part)s", part="%(part)s %d 100%") == "it is %(part)s %d 100%"


def test_a_copy_is_whole() -> None:
    said = Sentence("it is %(part)s", part=Sentence("a %(thing)s", thing="b"))
    for other in (copy.deepcopy(said), pickle.loads(pickle.dumps(said))):
        assert (other, other.template, other.parts) == (said, said.template, said.parts)
