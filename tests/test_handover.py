"""What one job leaves for the next is read as anybody's bytes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans import plan

from bot.errors import BadHandover, Reason
from bot.handover import REFUSALS, Failed, Handover, Made, MadeFile, Refused, read_handover, said
from bot.plan import Content
from bot.render.sentence import translated
from bot.sentence import Sentence
from bot.workspace import Mode, blob_sha

ABOUT = {"repository": "acme/widgets", "pull_request": 7, "occasion": 11}
PLANNED = Handover(phase="plan", **ABOUT, plans=(plan(),))
MADE = Handover(
    phase="perform",
    **ABOUT,
    made=Made(
        plan="a" * 64,
        tree="b" * 40,
        changes=(
            MadeFile(path="a", mode=Mode.FILE, content=Content(encoding="utf-8", data="x\n")),
            MadeFile(path="b", mode=None, content=None),
            MadeFile(path="c", mode=Mode.EXECUTABLE, content=Content(encoding="base64", data="/w==")),
        ),
        left_over=("d",),
    ),
)
FAILED = Handover(phase="plan", **ABOUT, failed=Failed(reason=Reason.MODEL_FAILED, what="x", next_step="y"))
SENTENCE = Sentence(
    "GitHub could not %(what)s (%(fault)s)",
    what=Sentence("list the labels"),
    fault=Sentence("status %(status)s: %(message)s", status=403, message="100 %% of %(x)s"),
)
SAID = Handover(
    phase="plan",
    **ABOUT,
    failed=Failed(reason=Reason.GITHUB_FAILED, what=said(SENTENCE), next_step=said(Sentence("wait, 5 %"))),
)
REFUSED = Handover(phase="perform", **ABOUT, refused=Refused(reason=Reason.STEP_FAILED, detail="x"))


@pytest.mark.parametrize("handover", [PLANNED, MADE, FAILED, SAID, REFUSED], ids=str)
def test_what_was_left_is_found(handover: Handover) -> None:
    assert read_handover(handover.to_bytes(), phase=handover.phase, **ABOUT) == handover


def test_a_file_has_the_name_that_git_gives_its_bytes() -> None:
    assert MADE.made is not None
    text, gone, binary = (file.entry for file in MADE.made.changes)
    assert gone is None
    assert text is not None
    assert text.blob == blob_sha(b"x\n")
    assert binary is not None
    assert (binary.blob, binary.mode) == (blob_sha(b"\xff"), Mode.EXECUTABLE)


def _changed(handover: Handover, *path: str | int, to: object) -> bytes:
    fields: Any = json.loads(handover.to_bytes())
    place = fields
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return json.dumps(fields).encode()


BOMB: Any = "x" * 100
for _ in range(12):
    BOMB = {"template": "%(a)s %(b)s", "parts": {"a": BOMB, "b": BOMB}}
FORGED = {
    "an error's template that repeats a part": _changed(
        SAID, "failed", "what", to={"template": "%(a)s" * 50, "parts": {"a": "x"}}
    ),
    "an error's template with a width": _changed(
        SAID, "failed", "what", to={"template": "%(a)999999999s", "parts": {"a": "x"}}
    ),
    "an error's template without a part": _changed(
        SAID, "failed", "what", to={"template": "%(a)s %(b)s", "parts": {"a": "x"}}
    ),
    "an error's template that breaks off": _changed(
        SAID, "failed", "what", to={"template": "%", "parts": {}}
    ),
    "an error that says too much": _changed(SAID, "failed", "what", to=BOMB),
    "no JSON": b"{",
    "no UTF-8": b"\xff",
    "a list": b"[]",
    "a constant of Python's": _changed(PLANNED, "occasion", to=float("inf")),
    "nested without end": b'{"plans":' + b"[" * 100_000,
    "another schema": _changed(PLANNED, "schema", to="dryrun-bot/handover/2"),
    "a further field": _changed(PLANNED, "approved", to=True),
    "another repository": _changed(PLANNED, "repository", to="acme/other"),
    "another pull request": _changed(PLANNED, "pull_request", to=8),
    "another comment": _changed(PLANNED, "occasion", to=12),
    "a plan of other bytes": _changed(PLANNED, "plans", 0, "summary", to="Harmless."),
    "a plan from a phase that makes none": _changed(
        MADE, "plans", to=json.loads(PLANNED.to_bytes())["plans"]
    ),
    "files from a phase that makes none": _changed(PLANNED, "made", to=json.loads(MADE.to_bytes())["made"]),
    "a success for a failure": _changed(FAILED, "failed", "reason", to="applied"),
    "a failure for a refusal": _changed(REFUSED, "refused", "reason", to="internal"),
    "a next step of its own": _changed(REFUSED, "refused", "next_step", to="Comment /apply."),
    "words without end": _changed(REFUSED, "refused", "detail", to="x" * 5000),
    "content without a mode": _changed(MADE, "made", "changes", 0, "mode", to=None),
    "a mode of no file": _changed(MADE, "made", "changes", 0, "mode", to="040000"),
    "a name that is no digest": _changed(MADE, "made", "tree", to="main"),
    "base64 that is none": _changed(MADE, "made", "changes", 2, "content", "data", to="???"),
    "half a letter": _changed(MADE, "made", "changes", 0, "content", "data", to="\udc80"),
}


@pytest.mark.parametrize("record", FORGED.values(), ids=FORGED)
def test_what_is_not_a_handover_of_this_very_run_is_refused(record: bytes) -> None:
    for phase in ("plan", "perform"):
        with pytest.raises(BadHandover):
            read_handover(record, phase=phase, **ABOUT)


def test_what_another_phase_left_is_none_of_this_ones() -> None:
    with pytest.raises(BadHandover, match="about something else"):
        read_handover(FAILED.to_bytes(), phase="perform", **ABOUT)


@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*json.loads(MADE.to_bytes()), "x"]), inner, max_size=4)
        ),
    ).map(lambda value: json.dumps(value).encode())
)
def test_no_bytes_make_it_fail_otherwise(record: bytes) -> None:
    with pytest.raises(BadHandover):
        read_handover(record, phase="plan", **ABOUT)


def test_the_reasons_that_may_be_handed_over_are_those_of_an_apply_that_can_not_be() -> None:
    assert Reason.APPLIED not in REFUSALS
    assert Reason.NOT_PERMITTED not in REFUSALS


def test_what_an_error_says_can_be_said_in_the_readers_language_by_the_next_job() -> None:
    left = read_handover(SAID.to_bytes(), phase="plan", **ABOUT).why_nothing()
    assert (left.what, left.next_step) == (SENTENCE, "wait, 5 %")
    assert (left.what.template, left.what.parts) == (SENTENCE.template, SENTENCE.parts)
    assert translated(left.what, "es") == "GitHub no pudo listar las etiquetas (estado 403: 100 %% of %(x)s)"


def test_what_is_too_long_to_be_handed_over_is_cut() -> None:
    long = said(Sentence("GitHub could not %(what)s", what="x" * 5000))
    assert isinstance(long, str)
    assert len(long) == 4000


def test_where_nothing_was_left_the_failure_that_was_is_told() -> None:
    assert FAILED.why_nothing().reason is Reason.MODEL_FAILED
    assert PLANNED.why_nothing().reason is Reason.PHASE_FAILED
