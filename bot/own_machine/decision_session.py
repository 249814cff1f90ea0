"""Decisions replayed from a terminal: estimated, agreed to, and paid for by whoever sits there."""

import sys
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from bot.dataclass import dataclass
from bot.errors import BadUsage
from bot.flows.replay import Manner, replay_decisions
from bot.impact import Impact, Shard
from bot.outside.clock import SystemClock
from bot.outside.past_ground import PastGround
from bot.own_machine import open_model
from bot.replay.decision_work import DecisionWork
from bot.replay.estimate import Estimate, estimate
from bot.replay.purse import Purse
from bot.replay.sample import sample_of
from bot.replay.source import files_in
from bot.replay.subject import PolicyFile
from bot.replay.whole_run import WholeRun
from bot.replay.wording import Wording
from bot.terminal.surroundings import Surroundings
from bot.words.redaction import Redactor
from bot.world import Llm


@dataclass(frozen=True, kw_only=True)
class DecisionSession:
    """What was typed. `policy` has the prompts and the model of now, where neither is given by itself."""

    paths: Sequence[Path]
    repo: Path
    prompt: Path | None
    model: str | None
    policy: PolicyFile | None
    base_url: str | None
    task: str | None
    sample: int | None
    shard: Shard | None
    budget: Decimal | None
    surroundings: Surroundings

    def estimate(self) -> Estimate:
        files = files_in(self.paths)
        chosen = files if self.sample is None else iter(sample_of(files, self.sample))
        return estimate(chosen, model=self._model, shard=self.shard, task=self.task)

    def check(self, estimated: Estimate) -> None:
        """Raises BadUsage where no model can be asked, or a budget can't be kept."""
        if estimated.runs:
            open_model("any", base_url=self.base_url, surroundings=self.surroundings)
        if self.budget is not None and estimated.runs and estimated.likely is None:
            raise BadUsage(
                "The price of the model is not known, so no budget in dollars can be kept",
                next_step="leave --budget out and say --yes; the runs' own limits of tokens and steps hold",
            )

    def replay(self, manner: Manner) -> Impact:
        repo, secrets = self.repo.resolve(), self.surroundings.secrets
        work = DecisionWork(
            words=self._wording.words,
            llm=self._open,
            ground=lambda: PastGround(folder=repo),
            clock=SystemClock(),
            purse=Purse(self.budget),
            redact=Redactor(secrets),
            task=self.task,
            shard=self.shard,
        )
        return replay_decisions(self.paths, work, after=self._after(), sample=self.sample, manner=manner)

    @cached_property
    def _wording(self) -> Wording:
        if self.prompt is not None:
            try:
                return Wording(prompt=self.prompt.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                raise BadUsage(
                    "%(prompt)s can't be read: %(error)s",
                    prompt=self.prompt,
                    error=error,
                    next_step="name a text file",
                ) from error
        return Wording() if self.policy is None else Wording.of(self.policy.config())

    def _model(self, run: WholeRun) -> str:
        if self.model is not None:
            return self.model
        return run.model if self.policy is None else self.policy.config().model.name

    def _open(self, run: WholeRun) -> Llm:
        return open_model(self._model(run), base_url=self.base_url, surroundings=self.surroundings)

    def _after(self) -> str:
        """The same on every machine, for shards are told to be of one replay by it."""
        wording = self._wording
        if wording.prompt is not None:
            prompt = f"prompt {sha256(wording.prompt.encode()).hexdigest()[:12]}"
        elif self.policy is not None:
            prompt = f"prompts of policy {self.policy.config().policy_digest[:12]}"
        else:
            prompt = "recorded prompts"
        model = self.model or ("recorded model" if self.policy is None else self.policy.config().model.name)
        return f"{model}, {prompt}" + (f", task {self.task}" if self.task else "")


def agreed(estimated: Estimate, *, is_yes: bool, budget: Decimal | None) -> bool:
    """Whether to go on; asked where somebody sits, and there was neither a budget nor a yes."""
    if is_yes or budget is not None:
        return True
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise BadUsage(
            "This asks a model and costs money: %(told)s",
            told=estimated.told(),
            next_step="say how much it may cost with --budget USD, or --yes",
        )
    sys.stderr.write(f"{estimated.told()}. Go on? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
