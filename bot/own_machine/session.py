"""One `run` in a terminal, from what was typed to the exit code: data on stdout, all else on stderr."""

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import Self

from bot import authority, interrupt
from bot.assignment import Assignment, asked_for
from bot.command import Approval, Plan
from bot.config import ChaosRules
from bot.dataclass import dataclass
from bot.errors import BadUsage
from bot.flows.live import live
from bot.flows.local_dry_run import rehearse
from bot.local_run.estimate import estimate_of
from bot.local_run.report import Format, Report
from bot.local_run.run_record import Finished
from bot.outside.archive import write_asked
from bot.own_machine import Opened, open_home, open_model
from bot.own_machine.servers import with_servers
from bot.plan import Step
from bot.refusal import Refusal
from bot.terminal.closing import show_costs, show_done, show_plan
from bot.terminal.pair import Pair
from bot.terminal.progress import Progress, WatchedTranscript
from bot.terminal.question import AtTerminal, Mode
from bot.terminal.stopwatch import Stopwatch
from bot.terminal.surroundings import Surroundings
from bot.transcript.timeline import Timeline
from bot.world import Llm


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was typed. `mode` is None for a dry run; `chaos` takes the place of the configuration's.

    `extended` is a copy of what the configuration extends; `window` is the model's context window in tokens.
    `with_servers`: the MCP servers that it names may be started.
    """

    task: str
    mode: Mode | None
    folder: Path
    config_file: Path | None
    report: Format | None
    report_file: Path | None
    plan_file: Path | None
    transcript_file: Path | None
    with_costs: bool
    language: str | None
    model: str | None
    base_url: str | None
    chaos: ChaosRules | None = None
    extended: Path | None = None
    window: int | None = None
    with_servers: bool = False


@dataclass(frozen=True, kw_only=True)
class Session:
    """`pair` is where data goes, and where everything else."""

    wanted: Wanted
    surroundings: Surroundings
    opened: Opened
    pair: Pair
    timeline: Timeline = field(default_factory=Timeline)

    @classmethod
    def of(cls, wanted: Wanted, surroundings: Surroundings) -> Self:
        opened = open_home(
            wanted.folder,
            config_file=wanted.config_file,
            surroundings=surroundings,
            extended=wanted.extended,
        )
        if wanted.chaos is not None:
            config = opened.home.config.replaced(chaos=wanted.chaos)
            opened = replace(opened, home=replace(opened.home, config=config))
        if wanted.window is not None:
            windows = {wanted.model or opened.home.config.model.name: wanted.window}
            opened = replace(opened, home=replace(opened.home, windows=windows))
        language = surroundings.language(wanted.language, opened.home.config.language)
        pair = Pair.of_process(language, is_plain=surroundings.is_plain)
        return cls(wanted=wanted, surroundings=surroundings, opened=opened, pair=pair)

    def estimate(self) -> int:
        """What it can cost at most; no model is asked."""
        assignment = self._assignment()
        if isinstance(assignment, Refusal):
            return self.pair.refuse(assignment)
        estimate = estimate_of(
            assignment, self.opened.home, model=self._model_name, is_live=self.wanted.mode is not None
        )
        if self.wanted.report is Format.JSON:
            self.pair.write(estimate.to_json())
        else:
            self.pair.write("\n".join(estimate.lines(self.pair.speech)) + "\n")
        return 0

    def run(self) -> int:
        assignment = self._assignment()
        if isinstance(assignment, Refusal):
            return self.pair.refuse(assignment)
        self._tell_of_configuration()
        llm = self._model(self._model_name)
        environ, is_wanted = self.surroundings.environ, self.wanted.with_servers
        with with_servers(self.opened.home, is_wanted=is_wanted, environ=environ) as home:
            return replace(self, opened=replace(self.opened, home=home)).run_with(assignment, llm)

    def run_with(self, assignment: Assignment, llm: Llm) -> int:
        """All that is to be had is open."""
        began = self.opened.home.clock.elapsed_s()
        with self._transcript() as transcript:
            if self.wanted.mode is None:
                finished = self._rehearse(assignment, llm, transcript)
            else:
                finished = self._live(assignment, llm, transcript, self.wanted.mode)
        report = Report(
            task=self.wanted.task,
            finished=finished,
            mode=self.wanted.mode,
            duration_s=self.opened.home.clock.elapsed_s() - began,
            calls=self.timeline.calls,
            turns=self.timeline.turns,
        )
        self._hand_over(report)
        return 0 if finished.record.stopped_by is None else 1

    @property
    def _model_name(self) -> str:
        return self.wanted.model or self.opened.home.config.model.name

    def _model(self, name: str) -> Llm:
        return open_model(name, base_url=self.wanted.base_url, surroundings=self.surroundings)

    def _advisor(self) -> Llm | None:
        second = self.opened.home.config.model.second(self._model_name)
        return None if second is None else self._model(second)

    def _assignment(self) -> Assignment | Refusal:
        """Raises BadUsage for no words at all."""
        config = self.opened.home.config
        if not self.wanted.task.strip():
            raise BadUsage("TASK is empty", next_step="say in words what is to be done, or name a task")
        asked = asked_for(config, Plan(text=self.wanted.task))
        if isinstance(asked, Refusal):
            named = ", ".join(config.tasks)
            next_step = f"Name one of the tasks: {named}." if named else "Add a task to the configuration."
            return Refusal(reason=asked.reason, detail=asked.detail, next_step=next_step)
        return asked[0]

    def _rehearse(self, assignment: Assignment, llm: Llm, transcript: WatchedTranscript) -> Finished:
        _ = self.pair.speech.gettext
        if self.opened.journal.is_open:
            self.pair.say(_("A run was killed here while it wrote files: the next live run takes it back."))
        with self._watched(transcript, llm).shown():
            return rehearse(
                assignment,
                home=self.opened.home,
                llm=llm,
                transcript=transcript,
                language=self.pair.language,
                advisor=self._advisor(),
            )

    def _live(self, assignment: Assignment, llm: Llm, transcript: WatchedTranscript, mode: Mode) -> Finished:
        """Whatever ends it early, the files are as they were, and the person is told so."""
        _, journal = self.pair.speech.gettext, self.opened.journal
        if taken_back := journal.take_back():
            self.pair.tell_taken_back(taken_back.restored, taken_back.left)
        progress = self._watched(transcript, llm)
        stopwatch = Stopwatch(self.opened.home.clock)

        @contextmanager
        def paused() -> Iterator[None]:
            with progress.paused(), stopwatch.paused():
                yield

        person = AtTerminal(
            mode=mode,
            console=self.pair.log,
            answers=self.pair.answers,
            speech=self.pair.speech,
            language=self.pair.language,
            paused=paused,
            note=lambda step, agreed, by: _note(transcript, step, by, agreed=agreed),
        )
        login = self.surroundings.login
        leave = authority.on_own_machine(login, digest="", approval=Approval())
        try:
            with interrupt.heeded(), progress.shown():
                finished = live(
                    leave,
                    assignment,
                    home=replace(self.opened.home, clock=stopwatch),
                    llm=llm,
                    person=person,
                    transcript=transcript,
                    advisor=self._advisor(),
                )
            journal.commit(finished.changes)
            transcript.note("written", paths=[change.path for change in finished.changes])
        except BaseException:
            is_done = _("All changes were written.") if journal.has_written else _("Nothing was changed.")
            self.pair.say(is_done)
            raise
        return finished

    def _watched(self, transcript: WatchedTranscript, llm: Llm) -> Progress:
        progress = Progress(
            self.pair.log, model=llm.model, speech=self.pair.speech, language=self.pair.language
        )

        def watch(event: str, facts: object) -> None:
            interrupt.heed()
            assert isinstance(facts, dict)  # noqa: S101 - keyword arguments are
            self.timeline.watch(event, facts)
            progress.watch(event, facts)

        transcript.watch = watch
        return progress

    @contextmanager
    def _transcript(self) -> Iterator[WatchedTranscript]:
        """Where it was asked for; else a live run's is kept with the machine's other state."""
        home, wanted = self.opened.home, self.wanted
        name = f"run-{home.clock.now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}.jsonl"
        with tempfile.TemporaryDirectory(prefix="dryrun-bot-") as temporary:
            folder = Path(temporary) if wanted.mode is None else self.surroundings.state
            file = wanted.transcript_file or folder / name
            with WatchedTranscript.begin(
                file,
                redact=home.redact,
                began_at=home.clock.now().isoformat(),
                repository=home.repository,
                head_sha=home.head_sha,
                task=wanted.task,
                mode=wanted.mode,
                asked_by=self.surroundings.login,
            ) as transcript:
                yield transcript
            if wanted.mode is not None:
                self.pair.say(self.pair.speech.gettext("The transcript is in %(file)s") % {"file": file})

    def _hand_over(self, report: Report) -> None:
        wanted, pair, record = self.wanted, self.pair, report.finished.record
        if wanted.plan_file is not None:
            write_asked(wanted.plan_file, record.to_bytes())
        is_data = wanted.report is not None and wanted.report_file is None
        if wanted.report is not None:
            spelled = report.spelled(wanted.report, language=pair.language)
            if wanted.report_file is None:
                pair.write(spelled)
            else:
                write_asked(wanted.report_file, spelled.encode("utf-8", "backslashreplace"))
        if report.is_dry_run:
            show_plan(report, pair, is_brief=is_data, plan_file=wanted.plan_file)
        else:
            show_done(report, pair, is_brief=is_data)
        if wanted.with_costs:
            show_costs(record, pair.log if is_data else pair.data, speech=pair.speech)

    def _tell_of_configuration(self) -> None:
        if self.wanted.config_file is None and self.opened.has_other_config:
            self.pair.say(self.pair.speech.gettext(_UNCOMMITTED))


def _note(transcript: WatchedTranscript, step: Step, by: str, *, agreed: bool) -> None:
    transcript.note("agreed" if agreed else "refused", step=step.number, by=by)


def _(message: str) -> str:
    """Marks a message for the catalogue."""
    return message


_UNCOMMITTED = _(
    ".github/dryrun-bot.yml is not committed as it stands: the committed one counts; --config takes another."
)
