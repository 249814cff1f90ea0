"""What holds of every verdict, whatever the path, the command and the policy."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from judging import change, policy, verdict_on_command, verdict_on_path

from bot.gate.facts import How

PLAIN_DENIED = st.sampled_from(
    [
        ".env",
        "config/prod.env",
        "id_rsa",
        "keys/server.pem",
        ".git/config",
        "a/.git/hooks/pre-commit",
        ".github/workflows/ci.yml",
        ".github/dryrun-bot.yml",
        "docs/CODEOWNERS",
        ".vscode/tasks.json",
        "package.json",
        "a/conftest.py",
        ".gitmodules",
        "CLAUDE.md",
    ]
)
WIDE = {ord(c): ord(c) + 0xFEE0 for c in map(chr, range(0x21, 0x7F)) if c != "/"}


@st.composite
def spellings(draw: st.DrawFn) -> tuple[str, str]:
    """A path, and another way to write it that some file system, shell or reader takes for the same."""
    plain = draw(PLAIN_DENIED)
    names = []
    for name in plain.split("/"):
        spelled = "".join(draw(st.sampled_from([c, c.upper(), c.translate(WIDE)])) for c in name)
        tail = draw(st.sampled_from(["", "", "", ".", " ", "..", ". ", ":stream", "::$INDEX_ALLOCATION"]))
        names += [*draw(st.lists(st.sampled_from([".", "", "x/.."]), max_size=2)), spelled + tail]
    start = draw(st.sampled_from(["", "", "./", "a/../", "././"]))
    end = draw(st.sampled_from(["", "", "/", "/."]))
    return plain, start + draw(st.sampled_from(["/", "/", "\\"])).join(names).lstrip("/") + end


@given(spellings(), st.sampled_from([How.WRITE, How.READ, How.DELETE]))
def test_no_spelling_of_a_path_gets_a_weaker_verdict(paths: tuple[str, str], how: How) -> None:
    plain, spelled = paths
    assert verdict_on_path(spelled, how).outcome >= verdict_on_path(plain, how).outcome


NAMES = st.sampled_from(["a", "b", "src", "docs", ".env", "x.py", "y.pem", "Makefile", ".git", "conftest.py"])
ANY_PATH = st.lists(NAMES, min_size=1, max_size=4).map("/".join) | st.text(max_size=12)
PATTERN = st.builds(
    lambda start, names, end: start + "/".join(names) + end,
    st.sampled_from(["", "/", "**/"]),
    st.lists(NAMES | st.sampled_from(["*", "**", "*.py", "a*", "[ab]"]), min_size=1, max_size=3),
    st.sampled_from(["", "/**", "/"]),
).filter(lambda pattern: not pattern.endswith("/**/"))
LISTS = st.fixed_dictionaries(
    {
        name: st.lists(st.builds(str.__add__, st.sampled_from(["", "!"]), PATTERN), max_size=3)
        for name in ("secret", "deny", "ask", "allow")
    }
)
ARGV = st.lists(
    st.sampled_from(["ls", "pytest", "git", "-q", "*", "**", "a*", "push"]), min_size=1, max_size=3
)
COMMAND = st.lists(
    st.sampled_from(["ls", "pytest", "git", "push", "-q", "a", "&&", "|", ";", "$X", ".env", "env", "'a b'"]),
    max_size=6,
).map(" ".join)
OUTCOMES = st.sampled_from(["allow", "ask", "deny"])
SECTIONS = st.fixed_dictionaries(
    {
        "paths": LISTS,
        "commands": st.fixed_dictionaries(
            {name: st.lists(ARGV.map(lambda argv: {"argv": argv}), max_size=2) for name in ("allow", "deny")}
        ),
        "defaults": st.fixed_dictionaries(
            dict.fromkeys(("read", "write", "delete", "command", "external"), OUTCOMES)
        ),
    }
)


@given(
    SECTIONS, st.sampled_from(["secret", "deny", "ask"]), PATTERN, ANY_PATH, st.sampled_from(list(How)[:4])
)
def test_a_pattern_more_to_forbid_never_loosens(
    sections: dict[str, Any], name: str, pattern: str, path: str, how: How
) -> None:
    before = verdict_on_path(path, how, by=policy(**sections))
    sections["paths"][name] = [*sections["paths"][name], pattern]
    assert verdict_on_path(path, how, by=policy(**sections)).outcome >= before.outcome


@given(SECTIONS, ARGV, COMMAND)
def test_a_command_more_to_deny_never_loosens(sections: dict[str, Any], argv: list[str], line: str) -> None:
    before = verdict_on_command(line, policy(**sections))
    sections["commands"]["deny"] = [*sections["commands"]["deny"], {"argv": argv}]
    assert verdict_on_command(line, policy(**sections)).outcome >= before.outcome


@given(SECTIONS, ANY_PATH, COMMAND, st.randoms(use_true_random=False))
def test_the_order_of_keys_decides_nothing(
    sections: dict[str, Any], path: str, line: str, random: Any
) -> None:
    def shuffled(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        items = [(key, shuffled(inner)) for key, inner in value.items()]
        random.shuffle(items)
        return dict(items)

    one, other = policy(**sections), policy(**shuffled(sections))
    assert verdict_on_path(path, by=one).outcome is verdict_on_path(path, by=other).outcome
    assert verdict_on_command(line, one).outcome is verdict_on_command(line, other).outcome


@given(SECTIONS, ANY_PATH, st.binary(max_size=20))
def test_the_second_look_is_never_looser_than_the_first(
    sections: dict[str, Any], path: str, content: bytes
) -> None:
    own = policy(**sections)
    first = verdict_on_path(path, by=own)
    assert verdict_on_path(path, by=own, effects=(change("a", content),)).outcome >= first.outcome


@given(SECTIONS, COMMAND, st.lists(ANY_PATH, max_size=3))
def test_what_the_plan_did_before_never_loosens(
    sections: dict[str, Any], line: str, wrote: list[str]
) -> None:
    own = policy(**sections)
    fresh = verdict_on_command(line, own)
    assert verdict_on_command(line, own, wrote=tuple(wrote)).outcome >= fresh.outcome
