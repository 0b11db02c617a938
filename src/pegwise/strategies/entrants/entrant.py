"""An entrant as a strategy: its processes are asked for the guess of each position."""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from pegwise.arrays import from_bytes, to_bytes
from pegwise.compute.cache import ResultCache, ResultForm
from pegwise.errors import CodeError, InputError, OutputError, Phrase, StrategyError, plain
from pegwise.game import Game, Turn, parse_code
from pegwise.hooks import hooks
from pegwise.programs import HOST_ENVIRONMENT, Engine, Limits, NoAnswerError
from pegwise.progress import Progress
from pegwise.reading import parse_turn
from pegwise.strategies.base import Decision, Strategy, label
from pegwise.strategies.card import Card
from pegwise.strategies.options import Option

PROTOCOL: Final = 1
_LOOK: Final = 0.1  # seconds between two reports while answers are awaited
_SILENCES: Final = 3  # questions without an answer in time, after which it is asked no more
_RESTARTS: Final = 1000  # times that a program may end and is started again
_BATCH: Final = 16  # questions that are sent to a file at once; a program gets one at a time
Question = tuple[str, str]
"""Rules as text, and the line that asks for a guess."""

_HOST: Final = (sys.executable, "-m", "pegwise.strategies.entrants.host")


class Entrant(Strategy):
    """A strategy of somebody else, in processes of its own.

    Args:
        typed: how it is named: `spread.py`, `program:./solver --fast`.
        command: the program with its arguments; none for a Python file.
        path: the file, or that of the program, which its digest tells apart.
        wanted: what is wanted of a file: the name of a function or class, and its options as text.
        limits: what its processes may take.

    Attributes:
        place: the file, or what else tells it from another of the same name.
        problem: why it cannot be loaded, for a file of a folder; "" if it can.
        transcript: receives what is said: the name, `>` or `<`, and the line.
    """

    def __init__(
        self,
        typed: str,
        *,
        command: Sequence[str] = (),
        path: Path | None = None,
        wanted: tuple[str, str] = ("", ""),
        limits: Limits | None = None,
    ) -> None:
        self._typed, self.command = typed, tuple(command)
        self.place = path.name if path else typed
        self.limits = limits or Limits()
        self.problem = ""
        self.transcript: Callable[[str, str, str], None] | None = None
        self._path, self._wanted = path, wanted
        self._alias = ""
        self._beside: tuple[str, ...] = ()  # modules of its folder that it imports
        self._source = path.read_text("utf-8") if path and not command else ""
        self._card = Card(self.place, traits=frozenset({"adapts"}))
        self._engines: list[Engine] = []  # those that wait for a question
        self._busy: set[Engine] = set()
        self._lock = threading.Lock()
        self._ahead: dict[Question, str | NoAnswerError] = {}
        self._silences = self._restarts = 0
        self._stopped = False  # while its threads are being ended
        self.answers = Answers()

    def __repr__(self) -> str:
        return f"<Entrant {self.typed!r}>"

    @property
    def card(self) -> Card:
        return replace(self._card, id=self._alias) if self._alias else self._card

    def use_card(self, card: Card) -> None:
        """Show this card from now on; its id does not tell where the file or program is."""
        self._card, self._alias, self._typed = card, card.id, card.id

    @property
    def typed(self) -> str:
        return self._typed

    @property
    def is_file(self) -> bool:
        """Whether it is a Python file, which can travel to another machine."""
        return not self.command

    @property
    def digest(self) -> str:
        """Tells versions apart: by the text of a file; by command, size and time of a program."""
        told: tuple[object, ...] = (self._source, self._wanted)
        if not self.is_file:
            told = self.command
            with suppress(OSError):
                if self._path is not None:
                    stat = self._path.stat()
                    told = (*told, stat.st_size, stat.st_mtime_ns)
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]

    def begin(self, game: Game) -> EntrantDecision:
        """The state before any mark; StrategyError for a game that has no rules as text."""
        if not game.text:
            raise StrategyError(
                "{name} plays games that rules name, not {game}", name=self.place, game=game.name
            )
        return EntrantDecision(self, game, (str(game), "guess"))

    def check(self) -> None:
        """Start it, so that a file which cannot be played is refused now, by InputError."""
        if self.is_file:
            self._return(self._started())

    def ask(self, key: Question, rules: Game) -> Any:
        """The guess that it answers on these rules; NoAnswerError if it gives none."""
        try:
            answer = self._ahead.pop(key, None) or self._answers([key])[0]
            if isinstance(answer, NoAnswerError):
                raise answer
            try:
                return parse_code(answer, rules)
            except CodeError as error:
                raise NoAnswerError("it plays {error}", error=error.phrase) from None
        except NoAnswerError as error:
            _, *turns = key[1].split()
            raise error.named(label(self), [parse_turn(turn, rules) for turn in turns]) from None

    def ask_ahead(self, decisions: Sequence[EntrantDecision], jobs: int) -> None:
        """Ask for the guesses of some decisions in several processes at once."""
        questions = self.unasked(decisions)
        # a transcript has each answer after its question
        most = _BATCH if self.is_file and self.transcript is None else 1
        size = max(1, min(most, len(questions) // jobs))
        batches = [questions[k : k + size] for k in range(0, len(questions), size)]
        executor = ThreadPoolExecutor(jobs)
        try:
            asked = [executor.submit(self.answer, batch) for batch in batches]
            with hooks.aside("waiting", self.typed) as report:
                while wait(asked, _LOOK).not_done:
                    report(Progress(0))
            for batch, answers in zip(batches, asked, strict=True):
                self._ahead.update(zip(batch, answers.result(), strict=True))
        except BaseException:
            self._stopped = True
            executor.shutdown(wait=False, cancel_futures=True)
            self.close()  # what waits for an answer waits no longer
            raise
        finally:
            executor.shutdown()
            self._stopped = False

    def unasked(self, decisions: Sequence[EntrantDecision]) -> list[Question]:
        """The questions of the decisions that it was not asked for."""
        return [decision.question for decision in decisions if not decision.is_known]

    def answer(self, questions: Sequence[Question]) -> list[str | NoAnswerError]:
        """Answer each question, or say why there is no answer."""
        answers: list[str | NoAnswerError] = []
        while len(answers) < len(questions) and not self._stopped:
            answers += self._answers(questions[len(answers) :])
        return answers

    def take_answers(
        self, questions: Sequence[Question], answers: Sequence[str | NoAnswerError]
    ) -> None:
        """Take what it has answered on other machines, for the decisions that are asked next."""
        for question, answer in zip(questions, answers, strict=True):
            if isinstance(answer, NoAnswerError):
                self._silences += answer.silent
            else:
                self.answers.keep(question, answer)
            self._ahead[question] = answer

    def check_travels(self) -> None:
        """StrategyError for what other machines cannot run: a program, a file that needs others."""
        if not self.is_file:
            raise StrategyError(
                "{name}: a program cannot be sent to other machines", name=self.typed
            )
        if self._beside:
            raise StrategyError(
                "{name} cannot be sent to other machines: it imports {modules} from its folder",
                name=self.typed,
                modules=", ".join(self._beside),
            )

    def close(self) -> None:
        """End its processes, and store its answers."""
        self.answers.save()
        with self._lock:
            engines, self._engines = [*self._engines], []
            busy = [*self._busy]
        for engine in busy:
            engine.kill()
        for engine in engines:
            engine.end()

    def __getstate__(self) -> dict[str, Any]:
        self.check_travels()
        left_out = {"_engines", "_busy", "_lock", "_ahead", "transcript"}
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _engines=[], _busy=set(), _lock=threading.Lock())
        self._ahead, self.transcript = {}, None

    def _answers(self, questions: Sequence[Question]) -> list[str | NoAnswerError]:
        """Its answers to the first questions, or why it gives none; at least one.

        Questions are sent together: a process that ends leaves those that follow unanswered. What
        it has answered before is not asked again, if that is to be used.
        """
        known = map(self.answers.of, questions)
        if answers := list(takewhile(bool, known)):
            return [answer for answer in answers if answer]
        new = list(takewhile(lambda asked: self.answers.of(asked) is None, questions))
        rules = new[0][0]
        replies: list[str | NoAnswerError] = []
        if self._silences >= _SILENCES or self._restarts > _RESTARTS:
            return [NoAnswerError("it was asked no more after that")]
        try:
            engine = self._leased(rules)
        except NoAnswerError as error:
            return [error]
        try:
            answer = engine.ask(*(question for _, question in new))
            for asked in new:
                if replies:
                    answer = engine.hear()
                if engine.title:
                    self._card = replace(self._card, name=engine.title)
                if self.is_file and answer.startswith("{"):
                    replies.append(NoAnswerError(Phrase.of_document(json.loads(answer)["error"])))
                elif answer.startswith("error "):
                    replies.append(NoAnswerError(plain(answer.removeprefix("error "))))
                else:
                    self.answers.keep(asked, answer)
                    replies.append(answer)
        except BaseException as error:
            with self._lock:
                self._restarts += 1
                self._silences += isinstance(error, NoAnswerError) and error.silent
            self._drop(engine)
            if not isinstance(error, NoAnswerError):
                raise
            return [*replies, error]
        self._return(engine)
        return replies

    def _leased(self, rules: str) -> Engine:
        """A process that waits, or a new one; it is told the rules once."""
        with self._lock:
            fitting = [engine for engine in self._engines if engine.rules in ("", rules)]
            engine = fitting[0] if fitting else None
            if engine is not None:
                self._engines.remove(engine)
                self._busy.add(engine)
        if engine is None:
            try:
                engine = self._started()
            except InputError as error:
                raise NoAnswerError(error.phrase) from error
        if not engine.rules:
            engine.rules = rules
            engine.tell(f"pegwise {PROTOCOL} {rules}")
        return engine

    def _started(self) -> Engine:
        """A busy process; of a file, one that has loaded it. InputError says why it cannot."""
        if not self.is_file:
            return self._owned(Engine(self.command, self.limits, transcript=self._hear))
        engine = self._owned(Engine(_HOST, self.limits, environment=HOST_ENVIRONMENT, host=True))
        name, options = self._wanted
        engine.tell(json.dumps([str(self._path), self._source, name, options]))
        try:
            told = json.loads(engine.hear())
        except NoAnswerError as error:
            self._drop(engine)
            raise InputError(
                "{file} cannot be loaded: {error}", file=self.place, error=error
            ) from None
        if "error" in told:
            self._drop(engine)
            raise InputError(Phrase.of_document(told["error"]))
        traits = frozenset({"adapts"})
        name, title, about = (plain(told[key]) for key in ("id", "name", "about"))
        self._card = Card(name, name=title, about=about, traits=traits)
        self.options: Mapping[str, Option] = told["options"]
        self._beside = tuple(told["beside"])
        engine.transcript = self._hear
        return engine

    def _owned(self, engine: Engine) -> Engine:
        """A process that was started, which `close` ends from now on."""
        with self._lock:
            self._busy.add(engine)
        if self._stopped:
            engine.kill()
        return engine

    def _return(self, engine: Engine) -> None:
        """Let a process wait for the next question."""
        with self._lock:
            self._busy.discard(engine)
            self._engines.append(engine)

    def _drop(self, engine: Engine) -> None:
        """End a process that is asked no more."""
        with self._lock:
            self._busy.discard(engine)
        engine.kill()

    def _hear(self, way: str, line: str) -> None:
        if self.transcript is not None:
            self.transcript(self.place, way, line)


_PIECE: Final = "answers"
_PAUSE: Final = 1.0  # seconds after which answers are stored again, at least
_SHARE: Final = 30  # times as long as storing them takes


def _written(answers: Mapping[Question, str]) -> bytes:
    return to_bytes([[*question, answer] for question, answer in answers.items()])


def _read(value: memoryview) -> dict[Question, str]:
    rows, _ = from_bytes(value)
    return {(str(rules), str(question)): str(answer) for rules, question, answer in rows}


@dataclass
class Answers:
    """Answers of an earlier run, and of this one; stored, where a store is given.

    Attributes:
        anew: whether to ask again nevertheless.
    """

    anew: bool = False
    _store: ResultCache[dict[Question, str]] | None = None
    _known: dict[Question, str] = field(default_factory=dict)  # of the earlier run
    _all: dict[Question, str] = field(default_factory=dict)
    _stored: int = 0  # how many are stored
    _next: float = 0.0  # when they are stored again
    _lock: Any = field(default_factory=threading.Lock)

    def open(self, folder: Path, digest: str) -> None:
        """Store the answers of this version from now on; those that are stored are used."""
        self._store = ResultCache(folder, f"answers {digest}", ResultForm(_written, _read))
        with suppress(KeyError):
            self._known = self._store.load(_PIECE)
        self._all, self._stored = {**self._known}, len(self._known)

    def of(self, question: Question) -> str | None:
        return None if self.anew else self._known.get(question)

    def keep(self, question: Question, answer: str) -> None:
        if self._store is None or self.anew or not answer:
            return
        with self._lock:
            self._all[question] = answer
            if (begun := time.monotonic()) >= self._next:
                self._save()
                end = time.monotonic()
                self._next = end + max(_PAUSE, _SHARE * (end - begun))

    def save(self) -> None:
        """Store what is not stored yet."""
        with self._lock:
            self._save()

    def _save(self) -> None:
        if self._store is not None and len(self._all) > self._stored:
            with suppress(OutputError):  # they only are asked again
                self._store.save(_PIECE, self._all)
            self._stored = len(self._all)

    @contextmanager
    def asked_anew(self) -> Iterator[None]:
        """Ask again in this block, whatever is known."""
        self.anew = True
        try:
            yield
        finally:
            self.anew = False

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(vars(Answers()))

    def forget(self) -> None:
        """Remove what is stored: the race is finished."""
        if self._store is not None:
            self._store.clear()


@dataclass(frozen=True)
class EntrantDecision(Decision):
    """The turns so far, after which an entrant is asked."""

    entrant: Entrant
    rules: Game
    question: Question  # the rules and the turns, as it is asked

    @cached_property
    def guess(self) -> Any:
        return self.entrant.ask(self.question, self.rules)

    @property
    def is_known(self) -> bool:
        """Whether it has been asked."""
        return "guess" in vars(self)

    def after(self, mark: Any) -> EntrantDecision:
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> EntrantDecision:
        rules, turns = self.question
        return replace(self, question=(rules, f"{turns} {Turn(guess, mark)}"))


def split_command(text: str) -> list[str]:
    """The words of a command, as a shell would read them; InputError for an open quote."""
    try:
        words = shlex.split(text)
    except ValueError:
        raise InputError("program:{command}: a quote is not closed", command=text) from None
    if not words:
        raise InputError("program: needs a command, such as program:./solver")
    return words
