"""Which runs are found in which files, and what is told of those that can't be read."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import call
from recorded import record

from bot.errors import BadUsage
from bot.impact import Shard
from bot.replay.foreign_run import Strangers
from bot.replay.index import IndexedRun
from bot.replay.own_run import OwnRun
from bot.replay.packing import packed
from bot.replay.policy_replay import Past
from bot.replay.result import Result
from bot.replay.shelf import kept
from bot.replay.sight import Sights
from bot.replay.source import Source, files_in, shard_of
from bot.replay.voucher import Voucher

CALLED = {
    "role": "assistant",
    "tool_calls": [{"function": {"name": "bash", "arguments": '{"command": "ls"}'}}],
}
ASKED = {"role": "user", "content": "Go."}
TAU = {"task_id": 1, "trial": 0, "traj": [ASKED, CALLED, CALLED]}


def source(*, shard: Shard | None = None, unfinished: bool = False, voucher: Voucher | None = None) -> Source:
    return Source(shard=shard, unfinished=unfinished, sights=Sights(), strangers=Strangers(), voucher=voucher)


def found(folder: Path, **how: Any) -> list[Past | Result]:
    return [past for file in files_in([folder]) for past in source(**how).pasts(file)]


def test_a_folder_is_looked_through_in_the_order_of_its_names(tmp_path: Path) -> None:
    for name in ("b/2.jsonl", "b/1.jsonl", "a.traj", "c.traj.json", "notes.md", "b/plan-0.json", ".hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.traj")
    assert [file.name for file in files_in([tmp_path])] == ["a.traj", "c.traj.json", "b/1.jsonl", "b/2.jsonl"]
    assert [file.name for file in files_in([tmp_path / "notes.md", tmp_path / "b"])] == [
        "notes.md",
        "1.jsonl",
        "2.jsonl",
    ]
    with pytest.raises(BadUsage, match="There is no file or folder"):
        list(files_in([tmp_path / "nowhere"]))


SHAPES: dict[str, tuple[str, list[tuple[str, int]]]] = {
    "tau.json": (json.dumps([TAU, TAU]), [("tau.json task 1 trial 0", 2)] * 2),
    "swe.traj": (json.dumps({"trajectory": [{"action": "ls"}], "environment": "x"}), [("swe.traj x", 1)]),
    "mini.traj.json": (
        json.dumps({"messages": [CALLED], "info": {"exit_status": "Submitted"}}),
        [("mini.traj.json run 1", 1)],
    ),
    "log.json": (json.dumps({"messages": [ASKED, CALLED]}), [("log.json run 1", 1)]),
    "log.jsonl": (
        "".join(json.dumps({"id": name, "messages": [CALLED]}) + "\n" for name in "ab"),
        [("log.jsonl a", 1), ("log.jsonl b", 1)],
    ),
    "messages.json": (json.dumps([ASKED, CALLED, ASKED, CALLED], indent=1), [("messages.json run 1", 2)]),
    "messages.jsonl": (
        "".join(json.dumps(it) + "\n" for it in (ASKED, CALLED)),
        [("messages.jsonl run 1", 1)],
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_of_a_file_is_told_by_what_is_in_it(tmp_path: Path, name: str) -> None:
    text, runs = SHAPES[name]
    (tmp_path / name).write_text(text)
    read = found(tmp_path)
    assert [(past.name, len(past.sights)) for past in read if not isinstance(past, Result)] == runs
    assert not [past for past in read if isinstance(past, Result)]
    ids = [past.run_id for past in read if not isinstance(past, Result)]
    assert len(set(ids)) == len(runs)


REFUSED: dict[str, tuple[str, str]] = {
    "an empty file": ("", "x.json line 1: the file is empty"),
    "words": ("notes\n", "x.json line 1: no JSON"),
    "an unknown shape": (
        '\n{"steps": [], "agent": 1}',
        "line 2: no known shape of a run: an object with the names",
    ),
    "a list of numbers": ("[1,\n2]", "x.json line 1: no known shape of a run: a int"),
    "messages, and then something else": (
        json.dumps(ASKED) + "\n" + json.dumps({"x": 1}),
        "x.json line 2: no known shape",
    ),
    "a run that is broken": (
        f'[{json.dumps(TAU)},\n{{"task_id": 2, "traj": [{{"role": 7}}]}}]',
        "x.json line 2: tau-bench trajectory 2: message 1 is no chat message",
    ),
    "a transcript that is cut": ('{"_after":"00', "x.json line 1: the line breaks off"),
    "a newer transcript": (
        '{"schema":"dryrun-bot/transcript/9"}\n',
        "x.json line 1: the transcript says dryrun-bot/transcript/9",
    ),
}


@pytest.mark.parametrize(("text", "told"), REFUSED.values(), ids=REFUSED)
def test_what_can_not_be_read_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "x.json").write_text(text)
    refused = [past.refused for past in found(tmp_path) if isinstance(past, Result)]
    assert [told in one.why for one in refused if one] == [True]


def test_what_was_read_before_a_mistake_counts(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[" + json.dumps(TAU) + ",\n" + json.dumps(TAU) + ",\noops]")
    kinds = [type(past).__name__ for past in found(tmp_path)]
    assert kinds == ["ForeignRun", "ForeignRun", "Result"]


def test_runs_that_were_killed_are_read_only_where_that_is_asked_for(tmp_path: Path) -> None:
    record(tmp_path, 1)
    file = tmp_path / "transcript-1.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    (refused,) = found(tmp_path)
    assert isinstance(refused, Result)
    assert refused.refused is not None
    assert "the transcript ends here, before the run does" in refused.refused.why
    (read,) = found(tmp_path, unfinished=True)
    assert not isinstance(read, Result)


@pytest.mark.parametrize("of", [1, 2, 5, 8])
def test_every_run_is_in_one_part_and_in_the_same_one_on_every_machine(tmp_path: Path, of: int) -> None:
    for seed in range(12):
        record(tmp_path, seed, planted=[call("read_file", path="README.md")])
    (tmp_path / "tau.json").write_text(json.dumps([TAU] * 12))
    (tmp_path / "broken.jsonl").write_text("oops")
    ids = [
        sorted(_id(past) for past in found(tmp_path, shard=Shard(number=it, of=of)))
        for it in range(1, of + 1)
    ]
    assert sorted(run_id for part in ids for run_id in part) == sorted(_id(past) for past in found(tmp_path))
    for number, part in enumerate(ids, 1):
        assert all(shard_of(run_id, of) == number for run_id in part if run_id)


def _id(past: Past | Result) -> str:
    return past.run if isinstance(past, Result) else past.run_id


MINE, THEIRS = Voucher(key=b"m" * 32), Voucher(key=b"t" * 32)


def _transcript(folder: Path) -> bytes:
    record(folder, 1)
    return (folder / "transcript-1.jsonl").read_bytes()


def test_an_index_spares_the_reading_of_what_it_vouches_for(tmp_path: Path) -> None:
    content = _transcript(tmp_path / "plain")
    kept(tmp_path / "packed" / "a.jsonl", content, voucher=MINE)
    (run,) = found(tmp_path / "packed", voucher=MINE)
    assert isinstance(run, IndexedRun)
    (read,) = found(tmp_path / "packed")
    assert isinstance(read, OwnRun)
    assert [one.look for one in run.sights] == [one.look for one in read.sights]


LIES: dict[str, Callable[[bytes, bytes], bytes]] = {
    "another machine's": lambda content, lie: packed(content, index=lie, voucher=THEIRS),
    "nobody's": lambda content, lie: packed(content, index=lie, voucher=Voucher(key=bytes(32))),
    "one of another run": lambda content, _: (
        packed(b"x", index=b"the other", voucher=MINE)[: -len(packed(b"x"))] + packed(content)
    ),
    "one of another version": lambda content, _: packed(content, index=b"odd words", voucher=MINE),
    "an empty one": lambda content, _: packed(content, index=b"", voucher=MINE),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_doubtful_index_is_not_believed_and_the_transcript_read(
    tmp_path: Path, lie: Callable[[bytes, bytes], bytes]
) -> None:
    content = _transcript(tmp_path / "plain")
    (tmp_path / "packed").mkdir()
    calm = b'{"index":"dryrun-bot/index/1","run":"run-1","link":null,"began":{}}'
    (tmp_path / "packed" / "a.jsonl.zst").write_bytes(lie(content, calm))
    (run,) = found(tmp_path / "packed", voucher=MINE)
    assert isinstance(run, OwnRun)
    assert run.sights


@pytest.mark.parametrize("voucher", [None, MINE])
def test_a_packed_transcript_that_was_edited_is_refused_with_the_line(
    tmp_path: Path, voucher: Voucher | None
) -> None:
    content = _transcript(tmp_path / "plain")
    edited = content.replace(b"acme", b"evil", 1)
    (tmp_path / "packed").mkdir()
    (tmp_path / "packed" / "a.jsonl.zst").write_bytes(packed(edited))
    (tmp_path / "packed" / "b.jsonl.zst").write_bytes(packed(content)[:-40])
    results = found(tmp_path / "packed", voucher=voucher)
    told = [one.refused.why for one in results if isinstance(one, Result) and one.refused]
    assert len(told) == 2
    assert "a.jsonl.zst line 2: it doesn't follow on line 1" in told[0]
    assert "b.jsonl.zst line " in told[1]
    assert "from here on it can't be unpacked" in told[1]


def test_logs_of_other_programs_are_read_packed_too(tmp_path: Path) -> None:
    (tmp_path / "tau.json.zst").write_bytes(packed(json.dumps([TAU, TAU]).encode()))
    assert [past.name for past in found(tmp_path, voucher=MINE)] == ["tau.json.zst task 1 trial 0"] * 2
