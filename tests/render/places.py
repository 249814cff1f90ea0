"""A text in every place where words of others enter a layout, and the block structure that must come out."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from html.parser import HTMLParser

from samples import COMMIT, RUN, command, create, denied, edit, effect, plan, step, tried

from bot.action import Kind, storable
from bot.config import DEFAULT
from bot.cost import Usage
from bot.errand import Errand, Progress
from bot.errors import BotError, Reason
from bot.impact import Change as Changed
from bot.impact import Refused, assembled
from bot.local_run.report import Report
from bot.local_run.run_record import Finished
from bot.plan import Advisor, TaskName
from bot.refusal import Refusal
from bot.render.answers import (
    Claim,
    applied_comment,
    discarded_comment,
    error_comment,
    explain_comment,
    help_comment,
    progress_comment,
    refusal_comment,
    undo_comment,
)
from bot.render.impact import impact_comment
from bot.render.layout import Rendered, Reply
from bot.render.plan import plan_comment, plan_summary
from bot.workspace import Change, Entry, Mode

REPLY = Reply(answers=5, run_url=RUN)
SPANISH = replace(REPLY, language="es")


def _task(text: str) -> TaskName:
    return TaskName(name=text, prompt_digest="f" * 64)


def _text(text: str) -> str:
    """With a NUL in it a file is no text any more, and another paragraph says so."""
    return text.replace("\0", "")


# A record holds no lone surrogates: what comes from a model is made storable first.
_PLANS: Mapping[str, Callable[[str], Rendered]] = {
    "the task's name": lambda text: plan_comment(plan(edit(), task=_task(text))),
    "the model's name": lambda text: plan_comment(plan(edit(), model=text)),
    "the summary": lambda text: plan_comment(plan(edit(), summary=text)),
    "a finding": lambda text: plan_comment(plan(edit(), findings=(text,) * 3)),
    "the limit": lambda text: plan_comment(plan(edit(), stopped_by=text)),
    "the chaos": lambda text: plan_comment(plan(edit(), chaos=text)),
    "a path": lambda text: plan_comment(plan(edit(path=text))),
    "a new file": lambda text: plan_comment(plan(create(content="x\n" + _text(text)))),
    "a new file, from its first character": lambda text: plan_comment(
        plan(create(content=_text(text) + "x"))
    ),
    "a command": lambda text: plan_comment(plan(command(line=text))),
    "a tool's name": lambda text: plan_comment(plan(step(tool=text, outcome="deny"))),
    "an argument": lambda text: plan_comment(plan(step(arguments={"path": text, "x": text}, outcome="deny"))),
    "an argument's name": lambda text: plan_comment(plan(step(arguments={text: 1}, outcome="deny"))),
    "the intent": lambda text: plan_comment(plan(edit(intent=text))),
    "a reason": lambda text: plan_comment(plan(edit(reason=text, outcome="ask"))),
    "a rule": lambda text: plan_comment(plan(edit(rule=text, source=text))),
    "a tool's error": lambda text: plan_comment(plan(edit(error=text))),
    "a concern": lambda text: plan_comment(plan(edit(advice={"concerns": [text, text]}))),
    "the job's summary": lambda text: plan_summary(plan(edit(path=text, intent=text), summary=text)),
    "an explained step": lambda text: explain_comment(
        plan(edit()), edit(path=text, intent=text, reason=text), REPLY
    ),
    "an applied plan": lambda text: applied_comment(
        plan(edit(path=text)), COMMIT, REPLY, approved_by=text, left_over=(text, text)
    ),
    "a server's tool": lambda text: plan_comment(
        plan(step(tool=f"tickets.{text}", kind=Kind.EXTERNAL, arguments={"title": text}, outcome="ask"))
    ),
    "what advice expects": lambda text: plan_comment(
        plan(edit(advice={"predicted_effect": text, "concerns": [text]}, outcome="ask"))
    ),
    "the second model's name": lambda text: plan_comment(
        plan(edit(), advisor=Advisor(model=text, usage=Usage(calls=1), cost=None))
    ),
    "a sentence said again": lambda text: plan_comment(
        plan(
            edit(reason=f"{text} is denied ({text}).", outcome="ask"),
            findings=(f"3 invisible characters were taken out of {text}",),
            stopped_by=f"stopped after {text} tokens (the limit is 7)",
        ),
        language="es",
    ),
    "an explained step in Spanish": lambda text: explain_comment(
        plan(edit()), edit(reason=f"There is no tool {text}.", outcome="deny"), SPANISH
    ),
    "an errand": lambda text: _errand(text, Progress.FAILED),
    "an errand whose end is unknown": lambda text: _errand(text, Progress.UNKNOWN),
    "what a rehearsed command said": lambda text: plan_comment(plan(tried(output=_text(text)))),
    "what a rehearsed command did": lambda text: plan_comment(
        plan(tried(unsteady=(text, text), effects=(effect(text, None, b"x\n"),)))
    ),
    "paths of several files": lambda text: plan_comment(
        plan(step(effects=(effect(text, b"a\n", b"b\n"), effect(f"x{text}", b"a\n", None))))
    ),
    "what a command said": lambda text: applied_comment(
        plan(command()), None, REPLY, approved_by="mona", outputs=((1, _text(text)),)
    ),
    "a report": lambda text: _report(text, "en"),
    "a report in Spanish": lambda text: _report(text, "es"),
    "a discarded plan": lambda text: discarded_comment(plan(denied(path=text)), REPLY, discarded_by=text),
}


def _errand(text: str, progress: Progress) -> Rendered:
    """What a server answered to a call after the commit, in the comment that keeps account of it."""
    made = plan(edit(1), step(2, f"tickets.{text}", {"title": text}, kind=Kind.EXTERNAL))
    claim = Claim(errands=f"2.{progress.value}", run=1, is_finished=False)
    done = (Errand(step=2, progress=progress, said=text),)
    return applied_comment(made, COMMIT, REPLY, approved_by=text, errands=done, claim=claim)


def _report(text: str, language: str) -> Rendered:
    """Of a run in a terminal: what a person typed, what the model did, and a file of that name."""
    change = Change(
        path=text,
        before=None,
        after=Entry(mode=Mode.FILE, blob="a" * 40),
        content_before=None,
        content_after=_text(text).encode(),
    )
    record = plan(
        edit(1, path=text, reason=text),
        command(2, text, error=text),
        step(3, text, {text: text}, outcome="deny", reason=text),
        model=text,
        repository=text,
        summary=text,
        findings=(text, f"3 invisible characters were taken out of {text}"),
        stopped_by=text,
    )
    report = Report(
        task=text,
        finished=Finished(record=record, changes=(change,)),
        mode=None,
        duration_s=1.0,
        calls=(),
        turns=(),
    )
    return report.laid_out(language)


def _impact(text: str, reply: Reply) -> Rendered:
    """What a past run held, in the report of a replay; only the repository's own addresses are links."""
    changes = [
        Changed(
            run=f"run-{number}",
            action=number,
            more=number,
            what="allow→ask" if number == 1 else text,
            **dict.fromkeys(("name", "link", "tool", "about", "before", "after"), text),
        )
        for number in (1, 2)
    ]
    told = assembled(
        kind="policy",
        subject={"before": text, "after": text},
        runs=9,
        changes=changes,
        refused=[Refused(file=text, why=text)],
        left_out={text: 1},
    )
    home = "https://github.com/acme/site"
    return impact_comment([told], reply, home=home, findings=(text,), estimate=text)


_REPLIES: Mapping[str, Callable[[str], Rendered]] = {
    "a commit": lambda text: undo_comment(
        replace(COMMIT, sha=text, url=text), REPLY, undone=text, undone_by=text
    ),
    "a refusal": lambda text: refusal_comment(
        Refusal(reason=Reason.STALE_HEAD, detail=text, next_step=text), REPLY
    ),
    "a refusal's patch": lambda text: refusal_comment(
        Refusal(reason=Reason.FORK, detail="x", next_step="y", patch=_text(text)), REPLY
    ),
    "a refusal in Spanish": lambda text: refusal_comment(
        Refusal(
            reason=Reason.UNDO_CONFLICT,
            detail=f"The plan can't be taken back by itself: {text}. Nothing was changed.",
            next_step=f"Comment {text}, or `/plan` for a fresh plan.",
        ),
        SPANISH,
    ),
    "an error in Spanish": lambda text: error_comment(BotError(text, next_step=text), SPANISH),
    "a replay's report": lambda text: _impact(text, REPLY),
    "a replay's report in Spanish": lambda text: _impact(text, SPANISH),
    "an error": lambda text: error_comment(BotError(text, next_step=text), REPLY),
    "a run's address": lambda text: error_comment(BotError("x", next_step="y"), Reply(run_url=text)),
    "progress": lambda text: progress_comment(text, REPLY, calls=1, actions=2, seconds=3),
    "help": lambda text: help_comment(
        DEFAULT.model_copy(update={"model": DEFAULT.model.model_copy(update={"name": text})}), REPLY
    ),
}


def _stored(make: Callable[[str], Rendered]) -> Callable[[str], Rendered]:
    return lambda text: make(str(storable(text)))


PLACES = {name: _stored(make) for name, make in _PLANS.items()} | dict(_REPLIES)


class _Skeleton(HTMLParser):
    """Tags in order, without those that words may turn into, and without the paragraphs of a quote."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self._quotes = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "blockquote":
            self._quotes += 1
        if tag not in {"code", "br"} and not (self._quotes and tag == "p"):
            self.tags.append(f"{tag} {dict(attrs)}" if tag in {"a", "img"} else tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "blockquote":
            self._quotes -= 1
        if tag not in {"code", "br"} and not (self._quotes and tag == "p"):
            self.tags.append(f"/{tag}")


def skeleton(body: str) -> list[str]:
    import cmarkgfm
    from cmarkgfm.cmark import Options

    parser = _Skeleton()
    parser.feed(cmarkgfm.github_flavored_markdown_to_html(body, Options.CMARK_OPT_UNSAFE))
    parser.close()
    return parser.tags
