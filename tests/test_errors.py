import errno
import re
from pathlib import Path

import pytest

from bot import errors
from bot.errors import BotError, Reason, own_fault

DOCUMENT = Path(__file__).parent.parent / "docs" / "reason-codes.md"
ROWS = re.findall(r"^\| `([a-z-]+)` \| ([a-z ]+) \| (.+) \| (.+) \|$", DOCUMENT.read_text(), re.MULTILINE)
EVERY_ERROR = [
    error for error in vars(errors).values() if isinstance(error, type) and issubclass(error, BotError)
]


def test_every_reason_code_is_documented_once_and_no_other() -> None:
    assert sorted(code for code, *_ in ROWS) == sorted(reason.value for reason in Reason)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_documented_code_says_when_it_comes_and_what_to_do(row: tuple[str, ...]) -> None:
    _, decision, when, what_to_do = row
    assert set(decision.split(" or ")) <= {"planned", "performed", "applied", "refused", "ignored", "failed"}
    assert when.endswith(".")
    assert what_to_do.endswith(".")


def test_no_error_has_the_reason_of_another() -> None:
    """One that has none of its own is told as its kind is."""
    reasons = [error.reason for error in EVERY_ERROR if "reason" in vars(error)]
    assert len(reasons) > 8
    assert len(set(reasons)) == len(reasons)


@pytest.mark.parametrize("error", EVERY_ERROR, ids=lambda error: error.__name__)
def test_an_error_says_what_happened_and_what_to_do_next(error: type[BotError]) -> None:
    raised = error("It broke", next_step="mend it")
    assert (str(raised), raised.what, raised.next_step) == ("It broke", "It broke", "mend it")
    assert raised.exit_code in {1, 2}


def test_what_could_not_be_done_is_no_answer_but_where_a_patch_is_offered_instead() -> None:
    """A reason that is missing here would make a run that is started again believe that it has answered."""
    unanswered = {error.reason for error in EVERY_ERROR} - {Reason.CANNOT_PUSH}
    assert unanswered == errors.FAILURES


def test_what_it_says_are_templates_of_the_same_parts() -> None:
    raised = BotError("%(file)s broke", file="a%.md", next_step="mend %(file)s")
    assert (raised.what, raised.next_step) == ("a%.md broke", "mend a%.md")
    assert raised.what.template == "%(file)s broke"
    again = BotError(raised.what, next_step=raised.next_step)
    assert again.what.template == raised.what.template


def test_a_reader_that_it_knows_is_not_taken_for_another() -> None:
    raised = BotError("It broke", next_step="mend it")
    assert raised.told_in("es").told_in("en").language == "es"


def test_a_log_has_it_on_one_line() -> None:
    assert BotError("It broke.", next_step="mend it").detail == "It broke. Next: mend it"


def test_of_a_mistake_of_our_own_only_its_name_is_told() -> None:
    told = own_fault(KeyError("anybody's words"))
    assert "KeyError" in told.detail
    assert "anybody" not in told.detail
    assert told.reason is Reason.INTERNAL


def _full(file: Path) -> OSError:
    with pytest.raises(OSError) as raised, errors.naming(file), Path("/dev/full").open("wb") as stream:  # noqa: PT011
        stream.write(b"x")
    return raised.value


OF_THE_MACHINE = {
    "a full disk, of which no file is told": (
        OSError(errno.ENOSPC, "No space left on device"),
        "The machine failed: No space left on device",
    ),
    "a full disk, of which it is": (
        _full(Path("plan.json")),
        "plan.json can't be used: No space left on device",
    ),
    "a missing right": (
        PermissionError(errno.EACCES, "Permission denied", "a.txt"),
        "a.txt can't be used: Permission denied",
    ),
    "a file that is not there": (FileNotFoundError(errno.ENOENT, "No such file", "a.txt"), None),
    "a fault of ours": (ValueError("x"), None),
}


@pytest.mark.parametrize(("error", "what"), OF_THE_MACHINE.values(), ids=OF_THE_MACHINE)
def test_what_the_machine_lacks_is_told_apart_from_faults_of_ours(error: Exception, what: str | None) -> None:
    told = errors.foreseen(error)
    assert (told and str(told)) == what


def test_an_error_that_is_told_already_is_told_as_it_is() -> None:
    error = BotError("It broke.", next_step="mend it")
    assert errors.foreseen(error) is error
