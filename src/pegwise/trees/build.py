"""Play a strategy out: one game, a whole tree on this thread, or a tree in pieces on many workers.

In pieces, a turn that leaves many secrets is a task of its own; the smaller parts after a turn
are bundled, and a bundle is played out as one task. The tree is the one that a single thread
builds.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise._version import __version__
from pegwise.arrays import I32, MarkNumber, MarkNumbers, from_bytes, to_bytes
from pegwise.compute.backends import Backend, Cluster, OpenBackend, Processes, Serial, Threads
from pegwise.compute.cache import R, ResultCache, ResultForm
from pegwise.compute.pieces import run
from pegwise.errors import CodeError, Phrase, SignRow, StrategyError, check_whole
from pegwise.game import (
    Game,
    GameLike,
    Played,
    Turn,
    all_secrets,
    game_of,
)
from pegwise.game.hard import check_hard
from pegwise.kept import PIECES
from pegwise.playing import Play, Playable
from pegwise.progress import Progress, Report, silent
from pegwise.statistics import share_interval
from pegwise.strategies import (
    Decision,
    Entrant,
    Nodes,
    Picklable,
    Strategy,
    StrategyLike,
    as_strategy,
    begin_play,
    is_builtin,
    label,
    naming_the_strategy,
    naming_the_turns,
    parse,
)
from pegwise.strategies.entrants import NoAnswerError
from pegwise.strategies.one_step import OneStep
from pegwise.trees.tree import NodeList, Tree

MAX_DEPTH = 1000  # a strategy that needs more guesses than this is taken to go round in circles
WORTHWHILE = 2_000  # secrets: a smaller game takes less time than starting workers
LONG = 2_000_000  # trees of more secrets are built in pieces, from which a stopped run resumes

SMALL, LARGE = 500, 100_000  # secrets of a bundle: a killed run loses the bundles in work
PER_WORKER = 16  # pieces for each worker, so that all end at nearly the same time
_REPORTS = 200  # of progress, at most
_TOGETHER = 64  # decisions that are told ahead
_ON_CLUSTER = 1024  # where each worker of a cluster starts a process to answer them
_LONGEST = 100  # guesses of an entrant in a game
_SHOWN = 10  # turns of an error
_REPLAYED = 8  # secrets that a strategy is asked again for, to see whether it plays the same

Secrets = npt.NDArray[Any]
Marking = Callable[[Any, Secrets], MarkNumbers]


class Step(NamedTuple):
    """A guess that some secrets lead to.

    The first has parent -1 and mark 0; depth counts its own guess; `won` has the secrets found.
    """

    parent: int
    mark: int
    depth: int
    guess: Any
    won: Secrets


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A position to play: the step before, the mark that led there, its turns."""

    before: int
    mark: int
    depth: int
    decision: Decision
    secrets: Secrets
    turns: tuple[Any, Any, Any] | None = None  # the turns before, then a guess and its mark

    def failure(self) -> Phrase | None:
        """Why an entrant fails there: no answer, the same guess for the third time, or too many."""
        try:
            guess = self.decision.guess
        except NoAnswerError as error:
            return error.why
        times, turns = 0, self.turns
        while turns is not None:
            turns, played, _ = turns
            times += played == guess
        if times > 1:
            return Phrase("it plays {guess} again", guess=guess)
        if self.depth > _LONGEST:
            return Phrase("it needs more than {most} guesses", most=_LONGEST)
        return None


@dataclass(frozen=True, slots=True)
class Failure:
    """A position where a strategy gave no guess."""

    where: Phrase  # its turns, and one of its secrets
    why: Phrase
    secrets: int  # that are lost there


class Ahead(NamedTuple):
    """Receives the decisions whose guesses will be asked for next, and how many at most."""

    ask: Callable[[list[Any]], None]
    most: int = _TOGETHER


def play_steps(
    decision: Decision,
    game: Game,
    secrets: Secrets,
    marks: Marking,
    read: Callable[[Any], Any],
    name: str,
    *,
    foreign: bool = False,
    failures: list[Failure] | None = None,
    ahead: Ahead | None = None,
    report: Report = silent,
) -> Iterator[Step]:
    """Play from a decision on until every secret is found, depth first.

    The secrets have the type that `marks` and `read` take: `marks` gives the mark numbers of a
    guess against some secrets, `read` a secret for people. Errors call the strategy `name`, and
    tell the turns and a secret. Every error of a foreign strategy becomes a StrategyError.

    With `failures` nothing is raised: where the strategy fails, this is added, and the other
    positions are played, in the order of their turns. `ahead` receives the decisions that follow.
    """
    total = len(secrets)
    steps = done = reported = told = 0
    waiting = deque([_Waiting(-1, 0, 1, decision, secrets)])
    while waiting:
        if ahead is not None and not told:
            told = min(ahead.most, len(waiting))
            ahead.ask([at.decision for at in itertools.islice(waiting, told)])
        told -= 1
        if failures is not None:
            at = waiting.popleft()
            if (why := at.failure()) is not None:
                led = _where(game, at.turns, at.secrets, read)
                failures.append(Failure(led, why, len(at.secrets)))
                done += len(at.secrets)
                continue
        else:
            at = waiting.pop()
        if at.depth > MAX_DEPTH:
            raise StrategyError(
                "{name} does not find {lost} of {game} within {most} guesses",
                name=name,
                lost=read(at.secrets[0]),
                game=game.name,
                most=MAX_DEPTH,
            )
        where = partial(_where, game, at.turns, at.secrets, read)
        with naming_the_turns(name, game.name, where, foreign=foreign):
            guess = at.decision.guess
            if guess is None:
                raise CodeError("it plays None")
            if game.n_open_guesses < game.n_guesses and game.names_too_early(
                game.guess_number(guess), len(at.secrets)
            ):
                raise CodeError(
                    "it names {guess} while {n} secrets are possible",
                    guess=guess,
                    n=len(at.secrets),
                )
            if not game.free:
                check_hard(game, _listed(at.turns), game.alphabet.check(guess))
            parts = parts_of(marks(guess, at.secrets), at.secrets)
        won = parts.pop(game.winning, secrets[:0])
        yield Step(at.before, at.mark, at.depth, guess, won)
        for number in reversed(parts):
            mark = game.mark(number)
            turns = (at.turns, guess, mark)
            where = partial(_where, game, turns, parts[number], read)
            with naming_the_turns(name, game.name, where, foreign=foreign):
                following = at.decision.after(mark)
            waiting.append(_Waiting(steps, number, at.depth + 1, following, parts[number], turns))
        steps += 1
        done += len(won)
        if done * _REPORTS // total > reported:
            reported = done * _REPORTS // total
            report(Progress(done, total, "secrets"))


def _where(game: Game, turns: Any, secrets: Secrets, read: Callable[[Any], Any]) -> Phrase:
    """Turns and one of the secrets, for an error."""
    written: list[Any] = [Turn(game.alphabet.check(guess), mark) for guess, mark in _listed(turns)]
    secret = read(secrets[0])
    if not written:
        return Phrase(" at its first guess, secret {secret}", secret=secret)
    if len(written) > _SHOWN:
        written[1 : 1 - _SHOWN] = ["..."]
    return Phrase(" after {turns}, secret {secret}", turns=SignRow(written), secret=secret)


def _listed(turns: Any) -> list[tuple[Any, Any]]:
    """Turns in order, guess and mark, from the last with the turns before it."""
    listed = []
    while turns is not None:
        turns, guess, mark = turns
        listed.append((guess, mark))
    return listed[::-1]


def parts_of(marks: MarkNumbers, secrets: Secrets) -> dict[MarkNumber, Secrets]:
    """Secrets by the number of their mark, ascending."""
    order = np.argsort(marks, kind="stable")
    marks, secrets = marks[order], secrets[order]
    starts = [0, *(np.flatnonzero(marks[1:] != marks[:-1]) + 1).tolist()]
    pairs = zip(marks[starts].tolist(), itertools.pairwise([*starts, len(secrets)]), strict=True)
    return {mark: secrets[start:stop] for mark, (start, stop) in pairs}


def play(game: Playable, strategy: StrategyLike, secret: Any) -> Played:
    """The game of a strategy against one secret, or several at once, to the winning turn.

    Args:
        game: what is played: a game, or the rules of a board; also one with several secrets.
        strategy: what plays: a strategy, its name, or a function (see `as_strategy`).
        secret: what is hidden; a code, also as it is written, on a board; where there are several
            secrets, all of them, in a sequence or in a text.

    Raises:
        CodeError: the game has no such secret.
        StrategyError: the strategy cannot play this game, plays what is no guess of it, or does
            not find the secret.

    Examples:
        >>> print(*pegwise.play("4x6", "knuth", "ABCD"))
        AABB=XO AACD=XXX ABCD=XXXX
    """
    played, strategy = Play.of(game), as_strategy(strategy)
    secrets = played.read_secrets(secret)
    if played.boards > 1:
        return play_boards(strategy, played, secrets)
    game, (hidden,) = played.game, secrets
    turns = Played()

    def marks(guess: Any, _secrets: Secrets) -> MarkNumbers:
        guess = game.alphabet.check(guess)
        turns.append(Turn(guess, game.mark_of(guess, hidden)))
        return np.array([game.mark_number(turns[-1].mark)], np.uint16)

    name, foreign = label(strategy), not is_builtin(strategy)
    with naming_the_turns(name, game.name, foreign=foreign):
        decision = strategy.begin(game)
    one = np.zeros(1)
    list(play_steps(decision, game, one, marks, lambda _: hidden, name, foreign=foreign))
    return turns


def play_boards(
    strategy: Strategy, play: Play, secrets: Sequence[Any], decision: Decision | None = None
) -> Played:
    """The game of a strategy until the last secret of several is found.

    `decision` is its state before the first guess, which many games may share. StrategyError: it
    seeks one secret only, or does not find all.
    """
    decision = begin_play(strategy, play) if decision is None else decision
    while not play.over:
        if len(play.turns) >= MAX_DEPTH * play.boards:
            raise StrategyError(
                "{name} does not find {secrets} of {game} within {most} guesses",
                name=label(strategy),
                secrets=str(secrets),
                game=play.name,
                most=len(play.turns),
            )
        turn = play.answer(secrets, decision.guess)
        play = play.after(turn)
        decision = decision.after(turn.mark)
    return Played(play.turns)


def plays_alike(strategy: Strategy, game: Game, depths: I32, read: Callable[[int], Any]) -> bool:
    """Whether a strategy needs as many guesses when it plays some of its games again.

    `depths`, int32 (n), are the guesses that it has needed for each secret, 0 for one that it has
    not found; `read` gives a secret by its index. A strategy of this package is not asked.
    """
    if is_builtin(strategy) or strategy.compiles:
        return True
    won = np.flatnonzero(depths)
    spread = np.unique(np.linspace(0, len(won) - 1, min(_REPLAYED, len(won))).astype(np.int64))
    asking = strategy.answers.asked_anew() if isinstance(strategy, Entrant) else nullcontext()
    try:
        with asking:
            lengths = (len(play(game, strategy, read(k))) for k in won[spread].tolist())
            return all(length == depths[k] for length, k in zip(lengths, won[spread], strict=True))
    except StrategyError:
        return isinstance(strategy, Entrant)  # silence is no other guess


RANDOM = Phrase("does not always repeat its guess after the same marks: this is one run of it")
"""The note of a strategy that plays another game when it is asked again."""


def build(
    game: GameLike,
    strategy: StrategyLike,
    *,
    threads: int = 1,
    where: Backend | None = None,
    report: Report = silent,
) -> Tree:
    """The tree of a strategy on a game.

    Args:
        game: what is played: a game, or the rules of a board.
        strategy: what plays: a strategy, its name, or a function (see `as_strategy`).
        threads: for strategies that compile themselves; the tree is the same for any number.
        where: where the tree is built instead, `Processes` or a `Cluster`, in pieces where it takes
            long; it is the same tree.
        report: receives the secrets found so far.

    Raises:
        StrategyError: the strategy cannot play this game, plays a code that is no guess of it,
            takes marks for impossible that a secret gives, or never finds some secret.
        InputError: less than one thread.

    Examples:
        >>> pegwise.build("4x6", "knuth").total
        5801
    """
    check_whole("threads", threads, 1)
    game, strategy = game_of(game), as_strategy(strategy)
    if where is not None:
        return _build_at(game, strategy, where, report)
    with naming_the_strategy(strategy, game):
        nodes = strategy.compile(game, threads=threads, report=report)
        if nodes is None:
            nodes = play_out(strategy, game, report=report)
    return _noted(strategy, game, nodes)


@dataclass(frozen=True)
class Questions:
    """Questions to an entrant, which one worker of a cluster asks."""

    entrant: Entrant
    questions: Sequence[tuple[str, str]]


def answer_questions(piece: Questions) -> list[str | NoAnswerError]:
    """The answers of an entrant, in a process that is ended after them."""
    try:
        return piece.entrant.answer(piece.questions)
    finally:
        piece.entrant.close()


@contextmanager
def asking_ahead(entrant: Entrant, where: Backend) -> Iterator[Ahead]:
    """Ask an entrant ahead: some of its processes here, or the workers of a cluster."""
    if not isinstance(where, Cluster):
        yield Ahead(partial(entrant.ask_ahead, jobs=where.workers))
        return
    entrant.check_travels()

    def ask(decisions: list[Any]) -> None:
        questions = entrant.unasked(decisions)
        size = -(-len(questions) // workers.workers)
        pieces = [
            Questions(entrant, questions[k : k + size]) for k in range(0, len(questions), size or 1)
        ]
        answers = run(answer_questions, pieces, workers)
        entrant.take_answers(questions, list(itertools.chain.from_iterable(answers)))

    with OpenBackend(where) as workers:
        yield Ahead(ask, _ON_CLUSTER)


def build_entrant(
    entrant: Entrant, game: Game, where: Backend, *, report: Report = silent
) -> tuple[Tree, list[Failure]]:
    """The tree of an entrant as far as it gives one, and the positions where it does not.

    It is asked in as many processes as `where` has workers.
    """
    failures: list[Failure] = []
    secrets, decision = all_secrets(game), entrant.begin(game)
    with asking_ahead(entrant, where) as ahead:
        nodes = play_on(
            decision, game, secrets, label(entrant), failures=failures, ahead=ahead, report=report
        )
    if not nodes.wins.any():
        raise StrategyError(lost_words(failures, game.n_secrets))
    return _noted(entrant, game, nodes), failures


def lost_words(failures: Sequence[Failure], secrets: int, *, drawn: bool = False) -> Phrase:
    """A sentence, without their name, about strategies that do not find every code.

    Of codes that are `drawn` it tells what share of all codes is lost, with Wilson's interval.
    """
    first, lost = failures[0], sum(failure.secrets for failure in failures)
    if lost == secrets:
        return Phrase(
            "none of {secrets:,} codes found; first{where}: {why}",
            secrets=secrets,
            where=first.where,
            why=first.why,
        )
    if drawn:
        low, high = share_interval(lost, secrets)
        return Phrase(
            "{lost:,} of {secrets:,} codes not found, {share:.1%} (95 %: {low:.1%} to {high:.1%}); "
            "first{where}: {why}",
            lost=lost,
            secrets=secrets,
            share=lost / secrets,
            low=low,
            high=high,
            where=first.where,
            why=first.why,
        )
    return Phrase(
        "{lost:,} of {secrets:,} codes not found; first{where}: {why}",
        lost=lost,
        secrets=secrets,
        where=first.where,
        why=first.why,
    )


def _noted(strategy: Strategy, game: Game, nodes: Nodes) -> Tree:
    """The tree of these nodes, with its notes."""
    tree = Tree(game, nodes, strategy.card.id, strategy.options)
    alike = plays_alike(strategy, game, tree.depths, game.secret)
    tree.notes = (*strategy.notes, *([] if alike else [RANDOM]))
    return tree


def play_out(strategy: Strategy, game: Game, *, report: Report = silent) -> Nodes:
    """The nodes of any strategy, decision by decision."""
    name, foreign = label(strategy), not is_builtin(strategy)
    with naming_the_turns(name, game.name, foreign=foreign):
        decision = strategy.begin(game)
    secrets = all_secrets(game)
    return play_on(decision, game, secrets, name, foreign=foreign, report=report)


def play_on(
    decision: Decision,
    game: Game,
    candidates: I32,
    name: str,
    *,
    foreign: bool = False,
    failures: list[Failure] | None = None,
    ahead: Ahead | None = None,
    report: Report = silent,
) -> Nodes:
    """The nodes from a decision on, where these candidates are left; errors as `play_steps`."""
    if (nodes := decision.grow()) is not None:
        return nodes
    steps = NodeList()
    numbers: list[int] = []

    def marks(guess: Any, secrets: Secrets) -> MarkNumbers:
        numbers.append(game.guess_number(guess))
        return game.marks(numbers[-1], secrets)

    for step in play_steps(
        *(decision, game, candidates, marks, game.secret, name),
        foreign=foreign,
        failures=failures,
        ahead=ahead,
        report=report,
    ):
        steps.add(step.parent, step.mark, numbers[-1], wins=len(step.won) > 0)
    return steps.nodes(game)


def _build_at(game: Game, strategy: Strategy, where: Backend, report: Report) -> Tree:
    """The tree of a strategy on a game, built in the way that suits game, strategy and place.

    Strategies that compile themselves use threads, in pieces where it takes long; others, and a
    cluster, work in pieces; a small game is played on this thread.
    """
    if isinstance(strategy, Entrant) and isinstance(where, Cluster):
        tree, failures = build_entrant(strategy, game, where, report=report)
        if failures:
            what = lost_words(failures, game.n_secrets)
            raise StrategyError("{name}: {what}", name=label(strategy), what=what)
        return tree
    if isinstance(where, Serial | Processes) and strategy.compiles:
        if game.n_secrets > LONG:
            return build_in_pieces(game, strategy, Threads(where.workers), report=report)
        return build(game, strategy, threads=where.workers, report=report)
    if isinstance(where, Serial) or game.n_secrets <= WORTHWHILE:
        return build(game, strategy, report=report)
    return build_in_pieces(game, strategy, where, report=report)


def result_cache(
    folder: Path | None,
    work: str,
    form: ResultForm[R],
    game: Game,
    strategy: Strategy | None = None,
) -> ResultCache[R] | None:
    """Where results of some work on a game, by a strategy, are stored for a later run.

    None for a game without rules and for a strategy of the user's own: until the later run they
    may change, and nothing would tell.
    """
    if folder is None or not game.text:
        return None
    if strategy is not None:
        if not is_builtin(strategy):
            return None
        work += f" {label(strategy)}"
    if game.weights is not None:
        work += f" {sha256(game.weights.tobytes()).hexdigest()}"
    return ResultCache(folder, f"{__version__} {game.name} {work}", form)


def stored_pieces(strategy: Strategy, game: Game) -> ResultCache[TurnResult | list[Nodes]] | None:
    """Where pieces of a tree are stored for a later run; None as `result_cache`."""
    return result_cache(PIECES.store().path, "tree", _FORM, game, strategy)


def build_in_pieces(
    game: Game, strategy: Strategy, where: Backend, *, report: Report = silent
) -> Tree:
    """The tree of a strategy on a game, as `build` makes it.

    Finished pieces are stored among the user's data until the tree is whole, so that a run that
    was stopped resumes (see `result_cache`).
    """
    store = stored_pieces(strategy, game)
    pieces = TreePieces(strategy, game, where.workers)

    def tell(_step: Progress) -> None:
        report(Progress(pieces.done, game.n_secrets, "secrets"))

    with naming_the_strategy(strategy, game), OpenBackend(where) as workers:
        workers.make_ready(make_ready, strategy, game)
        # workers are not started for one turn
        (first,) = run(play_task, [pieces.root], Serial(), store=store)
        run(
            play_task,
            pieces.follow(pieces.root, first),
            workers,
            store=store,
            follow=pieces.follow,
            report=tell,
            size=lambda task: task.size,
        )
    tree = _noted(strategy, game, pieces.nodes())
    if store is not None:
        store.clear()
    return tree


@dataclass(frozen=True, repr=False)
class TreeTask(Picklable):
    """One turn to play after some turns of a strategy, or a bundle of branches to play out.

    Guesses and marks are the turns so far, by number; the last guess before a bundle has no mark
    yet. `size` counts the secrets that are played; `branches` are the marks that lead to the
    branches of a bundle, None for a turn.
    """

    strategy: Strategy
    game: Game
    guesses: tuple[int, ...]
    marks: tuple[int, ...]
    size: int
    branches: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        return f"{self.marks} {self.branches}"  # the name of its piece

    def replay(self) -> tuple[Decision, I32]:
        """The decision after the turns that have a mark, and the candidates."""
        turns = tuple(zip(self.guesses, self.marks, strict=False))
        game = self.game
        ours = isinstance(self.strategy, OneStep) and is_builtin(self.strategy)
        if ours and game.board is not None and game.weights is None:
            return _replayed(label(self.strategy), game.board, turns)
        decision, candidates = self.strategy.begin(game), all_secrets(game)
        for guess, mark in turns:
            candidates = candidates[game.marks(guess, candidates) == mark]
            decision = _after(decision, game, guess, mark)
        return decision, candidates


@lru_cache(maxsize=64)
def _replayed(name: str, rules: Game, turns: tuple[tuple[int, int], ...]) -> tuple[Decision, I32]:
    """`TreeTask.replay` of a one-step strategy of ours; many tasks begin with the same turns."""
    game = game_of(rules)
    if not turns:
        return parse(name).begin(game), all_secrets(game)
    guess, mark = turns[-1]
    decision, candidates = _replayed(name, rules, turns[:-1])
    candidates = candidates[game.marks(guess, candidates) == mark]
    return _after(decision, game, guess, mark), candidates


def _after(decision: Decision, game: Game, guess: int, mark: int) -> Decision:
    """The decision after its own guess, whose number is known, got a mark."""
    following = decision.instead(game.guess(guess), game.mark(mark))
    return decision.after(game.mark(mark)) if following is None else following


class TurnResult(NamedTuple):
    """Number of a guess; the secrets after each mark but the winning one; whether it may win."""

    guess: int
    sizes: dict[int, int]
    wins: bool


def _written(result: TurnResult | list[Nodes]) -> bytes:
    if isinstance(result, TurnResult):
        return to_bytes([result.guess, [*result.sizes.items()], result.wins])
    return to_bytes([], *itertools.chain.from_iterable(result))


def _read(value: memoryview) -> TurnResult | list[Nodes]:
    document, arrays = from_bytes(value)
    if document:
        guess, sizes, wins = document
        return TurnResult(guess, dict(sizes), wins)
    return [Nodes(*arrays[k : k + 4]) for k in range(0, len(arrays), 4)]


_FORM: Final = ResultForm(_written, _read)


def play_task(task: TreeTask) -> TurnResult | list[Nodes]:
    """The turn of a task; or the nodes of each branch, breadth first, its first node a root."""
    game = task.game
    decision, candidates = task.replay()
    if task.branches is None:
        guess = game.guess_number(decision.guess)
        marks, counts = np.unique(game.marks(guess, candidates), return_counts=True)
        sizes = dict(zip(marks.tolist(), counts.tolist(), strict=True))
        return TurnResult(guess, sizes, wins=bool(sizes.pop(game.winning, 0)))
    guess = task.guesses[-1]
    answers = game.marks(guess, candidates)
    return [
        play_on(
            _after(decision, game, guess, mark),
            game,
            candidates[answers == mark],
            label(task.strategy),
            foreign=not is_builtin(task.strategy),
        )
        for mark in task.branches
    ]


def make_ready(strategy: Strategy, game: Game) -> None:
    """List the codes and make the arrays that all tasks of a game need."""
    decision, _ = TreeTask(strategy, game, (), (), game.n_secrets).replay()
    if isinstance(strategy, OneStep):
        decision.guess  # noqa: B018


def tasks_after(task: TreeTask, turn: TurnResult, most: int) -> Iterator[TreeTask]:
    """The turns that leave more than `most` secrets, then bundles of at most `most`."""
    strategy, game = task.strategy, task.game
    guesses = (*task.guesses, turn.guess)
    bundles: list[dict[int, int]] = [{}]
    for mark, size in turn.sizes.items():
        if size > most:
            yield TreeTask(strategy, game, guesses, (*task.marks, mark), size)
            continue
        if sum(bundles[-1].values()) + size > most:
            bundles.append({})
        bundles[-1][mark] = size
    for bundle in filter(None, bundles):
        size = sum(bundle.values())
        yield TreeTask(strategy, game, guesses, task.marks, size, tuple(bundle))


def largest_piece(secrets: int, workers: int) -> int:
    """The secrets of a bundle, at most: fewer where there are more workers, `SMALL` at least."""
    return max(SMALL, min(LARGE, secrets // (PER_WORKER * workers)))


class TreePieces:
    """A tree that is put together from the results of its tasks; the first is `root`.

    A bundle has at most `most` secrets, fewer where there are more workers.
    """

    def __init__(self, strategy: Strategy, game: Game, workers: int) -> None:
        self.root = TreeTask(strategy, game, (), (), game.n_secrets)
        self.most = largest_piece(game.n_secrets, workers)
        self.done = 0
        self._turns: dict[tuple[int, ...], TurnResult] = {}
        self._branches: dict[tuple[int, ...], Nodes] = {}

    def follow(self, task: TreeTask, result: TurnResult | list[Nodes]) -> list[TreeTask]:
        """Take the result of a task; the tasks that can be played now."""
        if isinstance(result, TurnResult):
            self._turns[task.marks] = result
            self.done += result.wins
            return list(tasks_after(task, result, self.most))
        for mark, nodes in zip(task.branches or (), result, strict=True):
            self._branches[(*task.marks, mark)] = nodes
        self.done += task.size
        return []

    def nodes(self) -> Nodes:
        """The whole tree, once all is played."""
        n_marks = self.root.game.n_marks
        # every node after the one that it follows
        turns = {
            marks: Nodes.of([turn.guess], [-1], [0], [turn.wins], n_marks)
            for marks, turn in sorted(self._turns.items(), key=lambda item: len(item[0]))
        }
        start: dict[tuple[int, ...], int] = {}
        pieces: list[tuple[int, int, Nodes]] = []
        size = 0
        for marks, nodes in (turns | self._branches).items():
            start[marks] = size
            pieces.append((start[marks[:-1]], marks[-1], nodes) if marks else (-1, 0, nodes))
            size += len(nodes.guess)
        return Nodes.join(pieces)
