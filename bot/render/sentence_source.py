"""(Python source) -> the sentences in it, for the catalogue: `babel.cfg` calls this extractor `sentences`.

In the modules that it is pointed at, every text with a blank in it is one, docstrings aside. In all of them
what an error says is one.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from typing import IO, Any, Final, TypeAlias

from babel.messages.extract import extract_python

from bot import errors
from bot.errors import BotError
from bot.render.sentence import CONTEXT, WHOLE

Found: TypeAlias = tuple[Any, ...]


def extract(
    stream: IO[bytes],
    keywords: Mapping[str, Any],
    comment_tags: Collection[str],
    options: Mapping[str, str],
) -> Iterator[Found]:
    """Babel's shape of an extractor: line, function, (context, message), comments.

    What an error says, and every `Sentence`, is taken from any module. `options`: `of = errors` takes nothing
    else; `errors = recognised` has those looked for in texts as well; `only` and `except` are beginnings of
    the other sentences, a line each; `gettext = too` takes what is marked as Babel knows it.
    """
    source = stream.read()
    tree = ast.parse(source)
    inside, of_errors = _inside(tree), set(map(id, _said_of_errors(tree)))
    context = CONTEXT if options.get("errors") == "recognised" else WHOLE
    only, left_out = (tuple(filter(None, options.get(name, "").splitlines())) for name in ("only", "except"))
    for node in _texts(ast.walk(tree), inside=inside):
        message = _message(node)
        if id(node) in of_errors:
            yield node.lineno, "pgettext", (context, message), []
            continue
        is_taken = message.startswith(only or "") and not message.startswith(left_out)
        if options.get("of") != "errors" and " " in message.strip() and is_taken:
            yield node.lineno, "pgettext", (CONTEXT, message), []
    if options.get("gettext") == "too":
        yield from extract_python(BytesIO(source), keywords, comment_tags, {})


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


def _said_of_errors(tree: ast.AST) -> Iterator[ast.Constant]:
    """The templates in the first argument and in `next_step` of an error or a `Sentence`."""
    names = error_names(tree) | {"Sentence"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            next_steps = [given.value for given in node.keywords if given.arg == "next_step"]
            for said in (*node.args[:1], *next_steps):
                yield from templates(said)


def templates(said: ast.expr) -> Iterator[ast.Constant]:
    """Of an argument: one, or the two of a choice; none of what is made elsewhere."""
    match said:
        case ast.Constant(value=str(text)) if text:
            yield said
        case ast.IfExp(body=body, orelse=other):
            yield from templates(body)
            yield from templates(other)
        case _:
            return


def error_names(tree: ast.AST) -> set[str]:
    """The names of the house's errors, and of those that a module makes for itself."""
    names = {name for name, it in vars(errors).items() if isinstance(it, type) and issubclass(it, BotError)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(
            isinstance(it, ast.Name) and it.id in names for it in node.bases
        ):
            names.add(node.name)
    return names


def _message(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        text = str(node.value)
        return text if _PART.search(text) else text.replace("%", "%%")
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


_PART: Final = re.compile(r"%\(\w+\)s")
