import ast
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

import bot
from bot.render.sentence import CONTEXT, WHOLE
from bot.render.sentence_source import error_names, extract, templates

SOURCES = {
    "a text with a blank": ('x = "It only reads."', {}, ["It only reads."]),
    "a word is no sentence": ('x = "reads"', {}, []),
    "a docstring is none": ('"""It only reads."""', {}, []),
    "a part is named by its last name": ('f"{a.b} is {c(d.e)[:4]}"', {}, ["%(b)s is %(e)s"]),
    "two parts of one name": ('x = f"{a.n} of {b.n}"', {}, ["%(n)s of %(n2)s"]),
    "a part without a name": ('x = f"{1} is one"', {}, ["%(part)s is one"]),
    "a format is no part": ('x = f"{a:,} is a lot"', {}, ["%(a)s is a lot"]),
    "a percent sign": ('x = f"{a} is 5 %"', {}, ["%(a)s is 5 %%"]),
    "texts in a part are taken too": (
        "x = f\"{a or 'Its address'} is far\"",
        {},
        ["%(a)s is far", "Its address"],
    ),
    "what is left out": ('x = ["not this", "but this"]', {"except": "not\nnever"}, ["but this"]),
    "what alone is taken": ('x = ["not this", "but this"]', {"only": "\nbut"}, ["but this"]),
    "what errors say": (
        'log("not this")\nraise BadPlan("%(a)s is bad", a=a, next_step="mend it" if b else "ask for 5 %")',
        {"of": "errors"},
        ["%(a)s is bad", "mend it", "ask for 5 %%"],
    ),
    "what a module's own errors say": (
        'class _Busy(ModelFailed):\n    pass\n\n\nraise _Busy("it is busy", next_step="wait")',
        {"of": "errors"},
        ["it is busy", "wait"],
    ),
    "a sentence that is made anywhere": (
        'x = Sentence("owner/name")\ny = Sentence("%(a)s is %(b)s", a=1, b=Sentence("5"))',
        {"of": "errors"},
        ["owner/name", "%(a)s is %(b)s", "5"],
    ),
    "what is marked is taken too": (
        'x = _("It is marked")\ny = "not this"',
        {"of": "errors", "gettext": "too"},
        ["It is marked"],
    ),
    "what is looked for in texts": (
        'raise NoSandbox("it is not there", next_step="install it")',
        {"of": "errors", "errors": "recognised"},
        ["it is not there", "install it"],
    ),
}


@pytest.mark.parametrize(("source", "options", "messages"), SOURCES.values(), ids=SOURCES)
def test_sentences_are_found_in_source(source: str, options: dict[str, str], messages: list[str]) -> None:
    if source.startswith("f"):
        source = f"x = {source}"
    found = [message for _, _, message, _ in extract(BytesIO(source.encode()), {"_": None}, (), options)]
    assert sorted(it if isinstance(it, str) else it[1] for it in found) == sorted(messages)
    is_of_errors = options.get("of") == "errors" and "errors" not in options
    contexts = {it[0] for it in found if not isinstance(it, str)}
    assert contexts <= ({WHOLE} if is_of_errors else {CONTEXT})


MODULES = sorted(Path(bot.__file__).parent.rglob("*.py"))
PART = re.compile(r"%\((\w+)\)s")


def made_of(module: ast.AST) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
    """Each error or sentence that is made there, and what is said of it."""
    names = error_names(module)
    for call in ast.walk(module):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name == "Sentence":
            yield call, call.args[:1]
        elif name in names:
            yield call, call.args + [it.value for it in call.keywords if it.arg == "next_step"]


def is_sentence(said: ast.expr, module: ast.AST) -> bool:
    """A template as it stands, or something that was made from one: no text that was put together before."""
    match said:
        case ast.Constant() | ast.Attribute(attr="what" | "next_step"):
            return True
        case ast.IfExp(body=one, orelse=other):
            return is_sentence(one, module) and is_sentence(other, module)
        case ast.Call(func=ast.Name(id="Sentence")):
            return True
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            made = [
                it.returns for it in ast.walk(module) if isinstance(it, ast.FunctionDef) and it.name == name
            ]
            return name == "get" or (bool(made) and all(it and "Sentence" in ast.unparse(it) for it in made))
        case ast.Name(id=name):
            values, annotations = assigned(name, around(said, module))
            if not values and not annotations:
                values, annotations = assigned(name, module)
            return bool(values or annotations) and (
                all(is_sentence(value, module) for value in values)
                and all("Sentence" in ast.unparse(it) for it in annotations)
            )
        case _:
            return False


def around(said: ast.expr, module: ast.AST) -> ast.AST:
    """The innermost function that it stands in."""
    functions = [
        it for it in ast.walk(module) if isinstance(it, ast.FunctionDef) and said in set(ast.walk(it))
    ]
    return functions[-1] if functions else module


def assigned(name: str, module: ast.AST) -> tuple[list[ast.expr], list[ast.expr]]:
    values: list[ast.expr] = []
    annotations: list[ast.expr] = []
    for node in ast.walk(module):
        match node:
            case ast.Assign(targets=[ast.Name(id=it)], value=value) if it == name:
                values.append(value)
            case ast.AnnAssign(target=ast.Name(id=it), value=ast.expr() as value) if it == name:
                values.append(value)
            case ast.arg(arg=it, annotation=ast.expr() as annotation) if it == name:
                annotations.append(annotation)
    return values, annotations


def test_the_errors_of_the_house_are_found() -> None:
    found = [call for module in MODULES for call, _ in made_of(ast.parse(module.read_text()))]
    raised = [call for call in found if ast.unparse(call.func) != "Sentence"]
    assert len(raised) > 100
    assert len(found) - len(raised) > 100


@pytest.mark.parametrize("module", MODULES, ids=lambda it: it.relative_to(MODULES[0].parent).as_posix())
def test_what_an_error_says_is_a_template_with_its_parts(module: Path) -> None:
    """Else it could be said in no language but its own. That each has its Spanish, `test_language` tells."""
    tree = ast.parse(module.read_text())
    for call, said in made_of(tree):
        where = f"{module.name}:{call.lineno}"
        for text in said:
            if ast.unparse(call.func) != "Sentence":
                assert is_sentence(text, tree), f"{where}: {ast.unparse(text)}"
            for template in templates(text):
                names = PART.findall(str(template.value))
                given = {it.arg for it in call.keywords}
                assert set(names) <= given or None in given or not call.keywords, where
                assert len(set(names)) == len(names), where
                assert all(name == name.lower() for name in names), where


UNSAYABLE = {
    "a text with parts": 'BadPlan(f"{a} is bad", next_step="x")',
    "two texts": 'BadPlan("a" + b, next_step="x")',
    "a text that was put together": 'what = f"{a} is bad"\nBadPlan(what, next_step="x")',
    "a next step": 'BadPlan("x", next_step=f"mend {a}")',
    "a text from elsewhere": 'def f(what: str):\n    raise BadPlan(what, next_step="x")',
}


@pytest.mark.parametrize("source", UNSAYABLE.values(), ids=UNSAYABLE)
def test_what_could_be_said_in_english_alone_is_found(source: str) -> None:
    tree = ast.parse(source)
    ((_, said),) = made_of(tree)
    assert not all(is_sentence(text, tree) for text in said)
