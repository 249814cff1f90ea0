"""(Python source) -> the sentences in it, for the catalogue: `babel.cfg` calls this extractor `sentences`.

In the modules that it is pointed at, every text with a blank in it is one, docstrings aside.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import IO

from bot.render.sentence import CONTEXT

Found = tuple[int, str, tuple[str, str], list[str]]


def extract(
    stream: IO[bytes],
    keywords: Collection[str],  # noqa: ARG001 - Babel hands it to every extractor
    comment_tags: Collection[str],  # noqa: ARG001
    options: Mapping[str, str],
) -> Iterator[Found]:
    """Babel's shape of an extractor: line, function, (context, message), comments.

    `options`: `of = errors` takes what is said of an error alone; `only` and `except` are beginnings, a line
    each.
    """
    tree = ast.parse(stream.read())
    only, left_out = (tuple(filter(None, options.get(name, "").splitlines())) for name in ("only", "except"))
    texts = _said_of_errors(tree) if options.get("of") == "errors" else ast.walk(tree)
    for node in _texts(texts, inside=_inside(tree)):
        message = _message(node)
        is_taken = message.startswith(only or "") and not message.startswith(left_out)
        if " " in message.strip() and is_taken:
            yield node.lineno, "pgettext", (CONTEXT, message), []


def _texts(nodes: Iterator[ast.AST], *, inside: Collection[int]) -> Iterator[ast.JoinedStr | ast.Constant]:
    for node in nodes:
        if id(node) in inside:
            continue
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str)
        ):
            yield node


def _inside(tree: ast.AST) -> set[int]:
    """Docstrings, and the pieces of a text with parts."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            inside.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            inside |= {id(piece) for piece in node.values}
            inside |= {
                id(spec)
                for piece in ast.walk(node)
                if isinstance(piece, ast.FormattedValue)
                for spec in ast.walk(piece.format_spec or ast.Pass())
            }
    return inside


def _said_of_errors(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and any(given.arg == "next_step" for given in node.keywords):
            for said in (*node.args, *(given.value for given in node.keywords if given.arg == "next_step")):
                yield from ast.walk(said)


def _message(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value).replace("%", "%%")
    message, names = "", [""]
    for piece in node.values:
        if isinstance(piece, ast.FormattedValue):
            name = _name(piece.value)
            names.append(name)
            number = names.count(name)
            message += f"%({name}{number if number > 1 else ''})s"
        elif isinstance(piece, ast.Constant):
            message += str(piece.value).replace("%", "%%")
    return message


def _name(value: ast.expr) -> str:
    """What a part is called: the last name in its expression."""
    named = [
        (node.end_lineno or 0, node.end_col_offset or 0, node)
        for node in ast.walk(value)
        if isinstance(node, ast.Name | ast.Attribute)
    ]
    last = max(named, key=lambda one: one[:2], default=(0, 0, None))[2]
    if isinstance(last, ast.Attribute):
        return last.attr
    return last.id.strip("_") if isinstance(last, ast.Name) else "part"
