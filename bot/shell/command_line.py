"""A command line -> its simple commands, its words, and why it is more than plain words, if it is.

Nothing is run or expanded. A line counts as literal only when every byte of it is accounted for by a word
of the strict grammar below, a joiner, a comment or a blank: the parser proposes, the grammar decides.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from bot.dataclass import dataclass
from bot.paths.path import hidden_characters
from bot.shell.argv_pattern import Word

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_MOST_CHARACTERS: Final = 8_192


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """`commands` are all simple commands in it, nested ones too; None is a word only the shell could know.

    `why_not_literal` completes "it has ..."; None: nothing but literal words and joiners. `fault` completes
    "the command ...", and is why no shell should ever see it. `writes` are the targets of redirects; `words`
    are all literal words, wherever they stand.
    """

    text: str
    commands: tuple[tuple[Word, ...], ...] = ()
    why_not_literal: str | None = None
    fault: str | None = None
    writes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@lru_cache(maxsize=16384)
def command_line_of(text: str) -> CommandLine:
    """Total: any text has an answer. Equal texts are worked out once."""
    if len(text) > _MOST_CHARACTERS:
        return CommandLine(text=text, fault=f"is longer than {_MOST_CHARACTERS:,} characters")
    # Line feeds and tabs part words; every other control character is there to deceive somebody.
    if hidden := hidden_characters(text.replace("\n", " ").replace("\t", " ")):
        return CommandLine(text=text, fault=f"has invisible or control characters ({', '.join(hidden[:4])})")
    source = text.encode("utf-8")
    root = _parser().parse(source).root_node
    try:
        commands = tuple(_literal_commands(source, _tokens(root)))
    except _NotLiteral as found:
        return _loose(text, root, why=str(found))
    if not commands:
        return CommandLine(text=text, why_not_literal="no command in it")
    return CommandLine(text=text, commands=commands, words=tuple(w for argv in commands for w in argv))


class _NotLiteral(Exception):
    pass


@cache
def _parser() -> "Parser":
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def _tokens(root: "Node") -> Iterator[tuple[str, int, int]]:
    """(Type, start, end) of the words, joiners, redirects and comments in order; raises for anything else."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        kind = node.type
        if kind in _HOLDERS:
            waiting.extend(reversed(node.children))
        elif kind in _TOKENS:
            yield kind, node.start_byte, node.end_byte
        else:
            raise _NotLiteral(_said(node))


def _literal_commands(source: bytes, tokens: Iterator[tuple[str, int, int]]) -> Iterator[tuple[str, ...]]:
    argv: list[str] = []
    end, is_apart = 0, True
    for kind, start, stop in tokens:
        gap, text = source[end:start], source[start:stop]
        end = stop
        if gap != b" ":
            _check_blank(gap)
        is_joiner = kind in _JOINERS
        if is_joiner and not argv and text != b"\n":
            raise _NotLiteral("a joiner without a command")
        if argv and (is_joiner or b"\n" in gap):
            yield _checked(argv)
            argv = []
        if kind in _WORDS:
            argv.append(_literal(text.decode("utf-8")))
        elif kind == "file_redirect" and not _HARMLESS_REDIRECT.fullmatch(text):
            raise _NotLiteral("a redirect to a file")
        if not (gap or is_apart or is_joiner):
            raise _NotLiteral("words that can't be told apart with certainty")
        is_apart = is_joiner
    _check_blank(source[end:])
    if argv:
        yield _checked(argv)


def _check_blank(gap: bytes) -> None:
    if gap.strip(b" \t\n"):
        raise _NotLiteral("parts that can't be read with certainty")


def _checked(argv: list[str]) -> tuple[str, ...]:
    if "=" in argv[0]:
        raise _NotLiteral("an assignment before its program")
    if argv[0] in _RESERVED:
        raise _NotLiteral(f"the shell's own word {argv[0]!r}")
    if "/" in argv[0]:
        raise _NotLiteral("a program named by its path")
    return tuple(argv)


def _literal(text: str) -> str:
    """What a shell makes of one word when there is nothing in it to expand; raises when there is."""
    if _PLAIN.fullmatch(text):
        return text
    if not _WORD.fullmatch(text):
        raise _NotLiteral("characters that the shell expands")
    return "".join(_unquoted(part) for part in _WORD_PARTS.findall(text))


def _unquoted(part: str) -> str:
    if part[0] == "'":
        return part[1:-1]
    if part[0] == '"':
        return _QUOTED_ESCAPE.sub(r"\1", part[1:-1])
    return part[1:] if part[0] == "\\" else part


def _loose(text: str, root: "Node", *, why: str) -> CommandLine:
    """What can be said of a line with more in it than words: enough to forbid it, never to allow it."""
    commands: list[tuple[Word, ...]] = []
    words: list[str] = []
    writes: list[str] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "ERROR" or node.is_missing:
            commands.append((None,))
        elif node.type in _COMMANDS:
            commands.append(tuple(_words_of(node)))
        elif node.type == "file_redirect":
            target = node.child_by_field_name("destination")
            if target is not None and (known := _known(target)) is not None and known != "/dev/null":
                writes.append(known)
        if node.type in _WORDS and (known := _known(node)) is not None:
            words.append(known)
        waiting.extend(reversed(node.children))
    return CommandLine(
        text=text,
        commands=tuple(commands),
        why_not_literal=why,
        writes=tuple(writes),
        words=tuple(words),
    )


def _words_of(command: "Node") -> Sequence[Word]:
    named = [
        child for child in command.children if child.type not in {"variable_assignment", "file_redirect"}
    ]
    return [_known(child) for child in named]


def _known(node: "Node") -> Word:
    text = (node.text or b"").decode("utf-8", "replace")
    try:
        return _literal(text)
    except _NotLiteral:
        return None


def _said(node: "Node") -> str:
    if node.type == "ERROR" or node.is_missing:
        return "a part that can't be parsed"
    return _CONSTRUCTS.get(node.type, f"a shell construct ({node.type.replace('_', ' ')})")


_HOLDERS: Final = frozenset(
    {"program", "list", "pipeline", "command", "command_name", "redirected_statement"}
)
_WORDS: Final = frozenset({"word", "number", "raw_string", "string", "concatenation"})
_JOINERS: Final = frozenset({"&&", "||", ";", "|", "\n"})
_TOKENS: Final = _WORDS | _JOINERS | {"file_redirect", "comment"}
_COMMANDS: Final = frozenset({"command", "declaration_command", "unset_command", "test_command"})
_RESERVED: Final = frozenset(
    "! [[ ]] { } case coproc do done elif else esac fi for function if in".split()
    + "select then time until while".split()
)
_CONSTRUCTS: Final = {
    "&": "a command in the background",
    "|&": "a pipe of errors (|&)",
    "ansi_c_string": "a string with escapes ($'...')",
    "arithmetic_expansion": "an arithmetic expansion",
    "brace_expression": "a brace expansion",
    "command_substitution": "a command substitution",
    "declaration_command": "a declaration",
    "expansion": "a variable",
    "function_definition": "a function",
    "heredoc_redirect": "a here-document",
    "herestring_redirect": "a here-string",
    "process_substitution": "a process substitution",
    "simple_expansion": "a variable",
    "subshell": "a subshell",
    "test_command": "a test in brackets",
    "variable_assignment": "an assignment before its program",
    "variable_assignments": "an assignment",
}
_HARMLESS_REDIRECT: Final = re.compile(rb"(?:[12]?>>?|&>>?|0?<)[ \t]*/dev/null|[12]?>&[12]")
# Unquoted, a shell leaves these characters alone: no expansion, no pattern, no history, no comment, no home
# folder.
_CALM: Final = r"[^\x00-\x20\x7f\\'\"$`|&;<>(){}\[\]*?!#~]"
_PLAIN: Final = re.compile(rf"{_CALM}(?:{_CALM}|#|(?<![:=])~)*")
_SINGLE: Final = r"'[^']*'"
_DOUBLE: Final = r'"(?:[^"\\$`]|\\[^\n])*"'
_ESCAPED: Final = r"\\[\x20-\x7e]"
_WORD: Final = re.compile(rf"(?!#)(?:{_CALM}|#|(?<![:=])(?<!\A)~|{_ESCAPED}|{_SINGLE}|{_DOUBLE})+")
_WORD_PARTS: Final = re.compile(rf"(?:{_CALM}|[#~])+|{_ESCAPED}|{_SINGLE}|{_DOUBLE}", re.DOTALL)
_QUOTED_ESCAPE: Final = re.compile(r'\\([\\"$`])')
