from render.samples import command, denied, edit, step

from bot.action import Kind
from bot.plan.call import call_on_a_line, call_to_read, output_to_read
from bot.plan.tried import Tried


def test_a_command_is_shown_line_by_line() -> None:
    assert call_to_read(command(line="make \\\n  test")) == "$ make \\\n>   test"


def test_a_call_is_shown_with_every_argument() -> None:
    made = step(
        tool="create", arguments={"title": "x", "body": "a\nb", "n": [1, {"c": None}]}, kind=Kind.EXTERNAL
    )
    assert call_to_read(made) == 'create\n  title: "x"\n  body:\n  │ a\n  │ b\n  n: [1, {"c": null}]'


def test_diffs_tell_a_write_and_nothing_else() -> None:
    assert call_to_read(edit()) == ""
    assert call_to_read(denied()).startswith("write_file\n  path: ")
    assert call_to_read(command().model_copy(update={"effects": edit().effects})).startswith("$ pytest")


def test_a_call_stands_on_one_line_too() -> None:
    assert call_on_a_line(edit(path="a\nb")) == 'edit_file(path="a\\nb")'


def test_the_ends_of_what_a_command_said_are_read() -> None:
    long = Tried(exit_code=0, output="a" * 2_000 + "b" * 2_000)
    said = output_to_read(command().model_copy(update={"rehearsed": long}))
    assert len(said) <= 1_500
    assert (said[0], said[-1]) == ("a", "b")
    assert output_to_read(command()) == ""
