"""What a change would have done to past runs: none for no change, and exactly those that were planted."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import FixedClock, MemoryTree, ScriptedLlm, call, turn
from real_git import committed
from recorded import FILES as RECORDED_ON
from recorded import POLICY, record
from tau_bench.airline import airline_runs

from bot.errors import BadConfig
from bot.flows.replay import Manner, replay_decisions, replay_policy, replay_tools
from bot.impact import Impact, Shard, merged, read_impact
from bot.outside.checkout import CommitTree
from bot.outside.past_ground import PastGround
from bot.outside.search import Ripgrep
from bot.replay.batch import Done
from bot.replay.decision_work import DecisionWork
from bot.replay.purse import Purse
from bot.replay.shelf import kept
from bot.replay.subject import Policies, PolicyFile
from bot.replay.voucher import Voucher
from bot.replay.whole_run import WholeRun
from bot.tools import TOOLS
from bot.tools.tool import Tool
from bot.words.redaction import Redactor
from bot.workspace import Tree
from bot.world import Llm

RUNS = 300
MINE = Voucher(key=b"m" * 32)
PLANTED = frozenset(range(21, 301, 21))
LEGAL = call("write_file", path="docs/legal/terms.md", content="Terms.\n")

NOW = PolicyFile(file=".github/dryrun-bot.yml", text=POLICY)
# One line more for what was planted, and one less for what no run does.
NEXT = PolicyFile(
    file=".github/dryrun-bot.yml",
    text=POLICY.replace(b'"docs/policies/**"', b'"docs/policies/**", "docs/legal/**"').replace(
        b"version: 1\n", b"version: 1\n# Terms are for lawyers.\n"
    ),
)
_AIRLINE = """\
version: 1
policy:
  tools:
    {get_reservation_details: allow, search_direct_flight: allow, get_user_details: allow, calculate: allow,
     think: allow, search_onestop_flight: allow, list_all_airports: allow, transfer_to_human_agents: allow,
     book_reservation: ask, update_reservation_flights: ask, cancel_reservation: ask, send_certificate: ask,
     update_reservation_baggages: ask, update_reservation_passengers: ask}
"""
AIRLINE = PolicyFile(file="airline.yml", text=_AIRLINE.encode())
STRICTER = PolicyFile(
    file="airline.yml", text=_AIRLINE.replace("send_certificate: ask", "send_certificate: deny").encode()
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for seed in range(1, RUNS + 1):
        record(folder, seed, planted=[LEGAL] if seed in PLANTED else ())
    return folder


def test_300_recorded_runs_come_out_as_they_did_under_the_policy_of_then(runs: Path) -> None:
    impact = replay_policy([runs], Policies(after=NOW))
    assert (impact.headline, impact.refused, dict(impact.left_out)) == ("changed 0 of 300", (), {})


def test_exactly_the_14_planted_changes_are_found_of_300(runs: Path) -> None:
    impact = replay_policy([runs], Policies(after=NEXT))
    assert impact.headline == "changed 14 of 300"
    assert [(group.what, group.runs) for group in impact.groups] == [("allow→ask", 14)]
    assert {change.link for change in impact.changes} == {
        f"https://github.com/acme/widgets/pull/{seed}" for seed in PLANTED
    }
    assert {change.about for change in impact.changes} == {"write_file → docs/legal/terms.md"}
    assert all("path-asked, .github/dryrun-bot.yml:5" in change.after for change in impact.changes)
    assert {change.more for change in impact.changes} == {0}


def test_a_policy_is_compared_with_another_one_as_well_as_with_the_record(runs: Path) -> None:
    assert replay_policy([runs], Policies(after=NEXT, before=NOW)).changed == 14
    assert replay_policy([runs], Policies(after=NOW, before=NEXT)).groups[0].what == "ask→allow"
    assert replay_policy([runs], Policies(after=NEXT, before=NEXT)).changed == 0


def test_200_runs_of_others_under_two_policies(tmp_path: Path) -> None:
    airline = airline_runs(tmp_path)
    same = replay_policy([airline], Policies(after=AIRLINE, before=AIRLINE))
    assert same.headline == "changed 0 of 200"
    stricter = replay_policy([airline], Policies(after=STRICTER, before=AIRLINE))
    # Counted in the file itself: the runs in which the tool was called.
    planted = sum(
        any(
            call["function"]["name"] == "send_certificate"
            for message in run["traj"]
            for call in message.get("tool_calls") or []
        )
        for run in json.loads(airline.read_bytes())
    )
    assert stricter.headline == f"changed {planted} of 200"
    assert [(group.what, group.runs) for group in stricter.groups] == [("ask→deny", planted)]


def test_runs_of_others_have_no_verdicts_and_so_are_compared_with_the_policy_of_now(tmp_path: Path) -> None:
    called = {
        "role": "assistant",
        "tool_calls": [{"function": {"name": "send_certificate", "arguments": "{}"}}],
    }
    (tmp_path / "log.jsonl").write_text(json.dumps({"messages": [called]}))
    assert replay_policy([tmp_path], Policies(after=STRICTER, fallback=AIRLINE)).changed == 1
    assert replay_policy([tmp_path], Policies(after=STRICTER)).changed == 0


def _in_parts(folder: Path, of: int) -> Iterator[tuple[str, Impact]]:
    for number in range(1, of + 1):
        part = replay_policy([folder], Policies(after=NEXT), shard=Shard(number=number, of=of))
        yield f"{number}.json", read_impact(part.to_json().encode(), file=f"{number}.json")


@pytest.mark.parametrize("of", [1, 2, 3, 8])
def test_parts_that_are_merged_are_the_whole_byte_for_byte(runs: Path, tmp_path: Path, of: int) -> None:
    (tmp_path / "runs").symlink_to(runs)
    whole = replay_policy([runs], Policies(after=NEXT)).to_json()
    parts = list(_in_parts(runs, of))
    assert all(part.runs for _, part in parts)
    assert merged(parts).to_json() == whole
    assert merged(parts[::-1]).to_json() == whole


@pytest.fixture(scope="module")
def packed_runs(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    for file in runs.glob("transcript-*.jsonl"):
        kept(folder / file.name, file.read_bytes(), voucher=MINE)
    return folder


@pytest.mark.parametrize("voucher", [MINE, Voucher(key=b"t" * 32), None], ids=["index", "doubtful", "none"])
def test_packed_runs_come_out_as_plain_ones_do_whoever_made_the_index(
    runs: Path, packed_runs: Path, voucher: Voucher | None
) -> None:
    manner = Manner(voucher=voucher)
    for policies in (Policies(after=NOW), Policies(after=NEXT), Policies(after=NOW, before=NEXT)):
        whole = replay_policy([packed_runs], policies, manner=manner)
        assert whole.to_json() == replay_policy([runs], policies).to_json()
    parts = [
        (
            f"{n}.json",
            replay_policy([packed_runs], Policies(after=NEXT), shard=Shard(number=n, of=3), manner=manner),
        )
        for n in (2, 3, 1)
    ]
    assert merged(parts).to_json() == replay_policy([runs], Policies(after=NEXT)).to_json()


def test_packed_and_plain_are_the_same_run(runs: Path, packed_runs: Path) -> None:
    both = replay_policy([runs, packed_runs], Policies(after=NEXT), manner=Manner(voucher=MINE))
    assert (both.headline, dict(both.left_out)) == ("changed 14 of 300", {"recorded twice": 300})


def test_what_can_not_be_read_is_in_every_whole_once(runs: Path, tmp_path: Path) -> None:
    for name in ("transcript-1.jsonl", "transcript-2.jsonl", "transcript-3.jsonl"):
        (tmp_path / name).write_bytes((runs / name).read_bytes())
    (tmp_path / "cut.jsonl").write_bytes((runs / "transcript-4.jsonl").read_bytes()[:-10])
    (tmp_path / "twice.jsonl").write_bytes((runs / "transcript-1.jsonl").read_bytes())
    (tmp_path / "words.json").write_text("words")
    whole = replay_policy([tmp_path], Policies(after=NEXT))
    assert (whole.runs, [one.file for one in whole.refused]) == (3, ["cut.jsonl", "words.json"])
    assert dict(whole.left_out) == {"recorded twice": 1}
    assert merged(_in_parts(tmp_path, 3)).to_json() == whole.to_json()


def test_several_processes_make_the_same_record(runs: Path) -> None:
    alone = replay_policy([runs], Policies(after=NEXT), manner=Manner(processes=1))
    together = replay_policy([runs], Policies(after=NEXT), manner=Manner(processes=2))
    assert together.to_json() == alone.to_json()


class Interrupted(Exception):
    pass


def test_an_interrupted_replay_goes_on_where_it_was(runs: Path, tmp_path: Path) -> None:
    seen: list[Done] = []

    def watch(one: Done) -> None:
        seen.append(one)
        if len(seen) == 100:
            raise Interrupted

    with pytest.raises(Interrupted):
        replay_policy([runs], Policies(after=NEXT), manner=Manner(state=tmp_path, watch=watch))
    assert len(list(tmp_path.iterdir())) == 1
    journal = next(tmp_path.iterdir()).read_bytes().count(b"\n")
    assert journal == 101
    seen.clear()
    impact = replay_policy([runs], Policies(after=NEXT), manner=Manner(state=tmp_path, watch=seen.append))
    assert len(seen) == RUNS
    assert impact.to_json() == replay_policy([runs], Policies(after=NEXT)).to_json()
    assert list(tmp_path.iterdir()) == []


def test_a_policy_that_can_not_be_read_is_told_before_anything_is_done(runs: Path) -> None:
    with pytest.raises(BadConfig, match="line 2"):
        replay_policy([runs], Policies(after=PolicyFile(file="a.yml", text=b"version: 1\nwords: 1\n")))


class Ground:
    """The files that the 300 were recorded on."""

    def __init__(self) -> None:
        self.searcher = Ripgrep()
        self.tools: Mapping[str, Tool[Any]] = TOOLS

    def tree_at(self, commit: str) -> Tree:
        return MemoryTree(RECORDED_ON)


@pytest.mark.slow
def test_300_recorded_runs_are_made_again_with_the_very_same_plans(runs: Path) -> None:
    impact = replay_tools([runs], Ground(), manner=Manner(processes=1))
    assert (impact.kind, impact.headline, impact.refused) == ("tools", "changed 0 of 300", ())


def _decided(runs: Path, llm: Callable[[WholeRun], Llm]) -> Impact:
    work = DecisionWork(
        words=lambda given: given.assignment.words,
        llm=llm,
        ground=Ground,
        clock=FixedClock(),
        purse=Purse(None),
        redact=Redactor(),
    )
    return replay_decisions([runs], work, after="the same", manner=Manner(processes=2))


@pytest.mark.slow
def test_300_runs_are_decided_again_and_exactly_the_14_planted_changes_are_found(runs: Path) -> None:
    same = _decided(runs, lambda run: ScriptedLlm(*run.turns))
    assert (same.kind, same.headline, same.refused) == ("decisions", "changed 0 of 300", ())

    def without_the_terms(run: WholeRun) -> Llm:
        kept = [
            replace(turn, calls=tuple(call for call in turn.calls if "docs/legal" not in call.arguments))
            for turn in run.turns
        ]
        return ScriptedLlm(*(turn for turn in kept if turn.calls or turn.text == "Done."))

    fewer = _decided(runs, without_the_terms)
    assert fewer.headline == "changed 14 of 300"
    assert [(group.what, group.runs) for group in fewer.groups] == [("missing action", 14)]
    assert {change.about for change in fewer.changes} == {"write_file → docs/legal/terms.md"}


TREE = {
    "README.md": b"# Sample\n\nteh first line\n",
    "src/app.py": b"def main():\n    return 1\n",
    "docs/guide.md": b"teh guide\r\n",
}
# It reads, searches, changes what it found, and looks again.
CALLS = [
    call("search_code", pattern="teh"),
    call("edit_file", path="README.md", old="teh", new="the"),
    call("edit_file", path="docs/guide.md", old="teh", new="the"),
    call("search_code", pattern="teh|the", paths=["**/*.md"]),
    call("run_command", command="pytest -q tests"),
    call("write_file", path="vendor/x.py", content="x"),
]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A repository, and runs that were recorded on its commit."""
    folder = tmp_path_factory.mktemp("clone")
    commit = committed(folder / "repo", TREE)
    tree = CommitTree(commit, folder=folder / "repo", remote=None)
    for seed in range(4):
        llm = ScriptedLlm(turn(*CALLS[: seed + 2]), turn(*CALLS[seed + 2 :]), turn(text="Done."))
        tools = PastGround(folder=folder / "repo").tools
        record(folder / "runs", seed, llm=llm, head=commit, tree_at=lambda _: tree, tools=tools)
    return folder / "repo", folder / "runs"


def test_today_s_tools_make_the_very_plans_of_then_of_the_commit_alone(clone: tuple[Path, Path]) -> None:
    repo, runs = clone
    (repo / "README.md").write_text("Somebody works here.\n")
    impact = replay_tools([runs], PastGround(folder=repo))
    assert (impact.kind, impact.headline, impact.refused) == ("tools", "changed 0 of 4", ())
    parts = [
        (f"{number}", replay_tools([runs], PastGround(folder=repo), shard=Shard(number=number, of=2)))
        for number in (2, 1)
    ]
    assert merged(parts).to_json() == impact.to_json()


def test_a_commit_that_is_not_in_the_clone_is_told_run_by_run(
    clone: tuple[Path, Path], tmp_path: Path
) -> None:
    committed(tmp_path / "other", {"a.txt": b"x"})
    impact = replay_tools([clone[1]], PastGround(folder=tmp_path / "other"))
    assert (impact.runs, len(impact.refused)) == (0, 4)
    assert "fetch" in impact.refused[0].why
