"""A search for good trees whose work is done by others: processes, or the machines of a cluster.

A piece is a position after a first guess. One that is much of the work is cut further: others
say which guesses are to be weighed there, and each of these is a piece, first for the level below
and then for the level of the stage; a part that is still much of the work is cut again. Costs,
guesses and tree are those of a search by one thread.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import numpy as np

from pegwise import __version__
from pegwise.cluster import Kept, Place, run_in_steps
from pegwise.game import Game
from pegwise.kernels.exact_bounds import INFINITE
from pegwise.kernels.exact_table import learn
from pegwise.search.checkpoint_file import fingerprint
from pegwise.search.effort_explorer import Explorer
from pegwise.search.effort_levels import Position, cheapest, most_promising, work_of
from pegwise.search.effort_pieces import Found, Piece, known, pack, search_piece

__all__ = ["EffortPiecework"]

_CUT: Final = 0.02
"""Positions of a larger share of the work are cut."""

_GROWTH: Final = 5.0
"""How many times longer a level takes than the one below, about."""

_SHARES: Final = (0.0, 0.02, 0.6, 1.0)
"""How much of a position that is cut is done before its first step, and after each."""

_TABLE_BITS: Final = 20
"""Of the table of each worker."""


class _Wanted(NamedTuple):
    """The cost of a position at a level.

    Attributes:
        position: it.
        number: of the level.
        left: guesses allowed.
        rank: the highest is worked on first.
    """

    position: Position
    number: int
    left: int
    rank: int


_Steps = Generator[Sequence[_Wanted | Piece], list[Found], tuple[int, int]]
"""What is asked about a position, what is answered, and at last its cost and best guess."""


@dataclass(eq=False)
class _Task:
    """A position that is searched.

    Attributes:
        wanted: its cost; None for all positions together.
        steps: what is asked next.
        asking: tasks that wait for the cost, and the places of their questions.
        answers: to what is asked in this step, None as long as one is not known.
        step: how many there have been.
    """

    wanted: _Wanted | None
    steps: _Steps
    asking: list[tuple[_Task, int]] = field(default_factory=list)
    answers: list[Found | None] = field(default_factory=list)
    step: int = 0


class EffortPiecework:
    """Searches positions at a level, elsewhere.

    Args:
        game: what is played.
        guesses: `all` or `candidates`.
        explorer: of this thread; its table and its levels learn from every piece.
        number: of the level, the highest that there is.
        where: who works.
        kept: where finished pieces are kept; None to keep none.

    Attributes:
        positions: sets that others have entered so far.
    """

    def __init__(
        self,
        game: Game,
        guesses: str,
        explorer: Explorer,
        number: int,
        *,
        where: Place,
        kept: Kept | None,
    ) -> None:
        self.game = game
        self.guesses = guesses
        self.explorer = explorer
        self.number = number
        self.where = where
        self.kept = kept
        self.identity = f"effort {__version__} {game.name} {fingerprint(game)} {guesses}"
        self.positions = 0
        self._packed = tuple(pack(explorer.levels[below]) for below in range(1, number + 1))
        self._most = 0.0
        self._tasks: dict[tuple[int, int], _Task] = {}
        self._owners: dict[Piece, tuple[_Task, int]] = {}

    def search(
        self, positions: Sequence[Position], costs: list[int | None], left: int
    ) -> Generator[float, None, None]:
        """Search positions.

        Args:
            positions: in any order.
            costs: receives the cost of each as soon as it is known.
            left: guesses allowed.

        Yields:
            Now and then, what share of the work is done.

        Raises:
            WorkersLost: the workers are gone.
            OutputError: a finished piece cannot be kept.
        """
        work = [work_of(position) for position in positions]
        whole = sum(work)
        self._most = _CUT * whole
        wanted = [
            _Wanted(position, self.number, left, int(size))
            for position, size in zip(positions, work, strict=True)
        ]
        everything = _Task(None, _ask(wanted))
        steps = run_in_steps(
            search_piece,
            self._go_on(everything),
            self.where,
            kept=self.kept,
            follow=self._follow,
            size=lambda piece: piece.rank,
        )
        try:
            for _ in steps:
                costs[:] = [None if one is None else one.cost for one in everything.answers]
                yield sum(map(self._done, wanted, costs)) / whole
        finally:
            steps.close()

    def _follow(self, piece: Piece, found: Found) -> Iterable[Piece]:
        """Learn from a piece; what is to be done now that it is done."""
        learn(self.explorer.kernels.table, found.entries)
        self.explorer.levels[self.number].memo.update(found.memo)
        self.positions += found.positions
        return self._answer(*self._owners.pop(piece), found)

    # who waits for what

    def _go_on(self, task: _Task) -> list[Piece]:
        """Let a task go on with the answers it has; the pieces that are to be done now."""
        try:
            answers = [one for one in task.answers if one is not None]
            questions = task.steps.send(answers) if answers else next(task.steps)
        except StopIteration as end:
            return self._finish(task, *end.value)
        task.step += 1
        task.answers = [None] * len(questions)
        pieces: list[Piece] = []
        for k, question in enumerate(questions):
            if isinstance(question, Piece):
                self._owners[question] = task, k
                pieces.append(question)
            else:
                pieces += self._look_for(question, task, k)
        return pieces

    def _answer(self, task: _Task, k: int, answer: Found) -> list[Piece]:
        task.answers[k] = answer
        return [] if None in task.answers else self._go_on(task)

    def _look_for(self, wanted: _Wanted, task: _Task, k: int) -> list[Piece]:
        """Find a cost for a task: remembered, searched for another one already, or by a new one."""
        position, number, _, _ = wanted
        found = self.explorer.levels[number].memo.get(position.key)
        if found is not None:
            return self._answer(task, k, known(*found))
        other = self._tasks.get((number, position.key))
        if other is not None:
            other.asking.append((task, k))
            return []
        steps = self._cut(wanted) if self._is_much(position, number) else self._alone(wanted)
        new = self._tasks[number, position.key] = _Task(wanted, steps, [(task, k)])
        return self._go_on(new)

    def _finish(self, task: _Task, cost: int, guess: int) -> list[Piece]:
        if task.wanted is None:
            return []
        position, number, _, _ = task.wanted
        level = self.explorer.levels[number]
        if len(position.codes) > level.plan.exact:
            level.memo[position.key] = cost, guess
        del self._tasks[number, position.key]
        return [
            piece for asking in task.asking for piece in self._answer(*asking, known(cost, guess))
        ]

    def _is_much(self, position: Position, number: int) -> bool:
        """Whether a position is to be cut."""
        if len(position.codes) <= self.explorer.levels[number].plan.exact:
            return False
        above = self.number - number
        return work_of(position) / _GROWTH**above > self._most

    def _done(self, wanted: _Wanted, cost: int | None) -> float:
        """How much of the work on a position is done."""
        if cost is not None:
            return work_of(wanted.position)
        task = self._tasks[wanted.number, wanted.position.key]
        answered = 1 - task.answers.count(None) / len(task.answers)
        before, after = _SHARES[min(task.step, len(_SHARES) - 1) - 1 :][:2]
        return work_of(wanted.position) * (before + answered * (after - before))

    # what is asked

    def _alone(self, wanted: _Wanted) -> _Steps:
        """A position as one piece."""
        [found] = yield [self._piece(wanted, wanted.number, "cost")]
        return found.cost, found.guess

    def _cut(self, wanted: _Wanted) -> _Steps:
        """A position as many pieces, side by side; as `Explorer.cost` goes about it."""
        position, number, left, _ = wanted
        if left < 2:
            return INFINITE, -1
        level = self.explorer.levels[number]
        [looked] = yield [self._piece(wanted, number, "choices")]
        guesses = looked.choices
        in_book = position.key in level.book
        width = level.plan.width + in_book
        if number > 1 and len(guesses) > width:
            costs = yield from self._weigh(wanted, guesses, number - 1)
            guesses = tuple(guesses[at] for at in most_promising(costs, width, known=in_book))
        costs = yield from self._weigh(wanted, guesses, number)
        return cheapest(costs, guesses)

    def _weigh(
        self, wanted: _Wanted, guesses: Sequence[int], number: int
    ) -> Generator[Sequence[_Wanted | Piece], list[Found], list[int]]:
        """What guesses cost at a level; the parts that are much of the work are asked for apart."""
        position, _, left, rank = wanted
        questions: list[_Wanted | Piece] = []
        whose: list[int] = []
        for at, guess in enumerate(guesses):
            choice = self.explorer.choice(position, guess, left)
            parts = self.explorer.large_parts(choice, number)
            much = [part for part in parts if self._is_much(part, number)]
            without = tuple(part.key for part in much)
            questions.append(self._piece(wanted, number, "weigh", guess, without))
            questions += [_Wanted(part, number, left - 1, rank) for part in much]
            whose += [at] * (1 + len(much))
        costs = [0] * len(guesses)
        for at, answer in zip(whose, (yield questions), strict=True):
            costs[at] = min(costs[at] + answer.cost, INFINITE)
        return costs

    def _piece(
        self,
        wanted: _Wanted,
        number: int,
        task: Literal["cost", "choices", "weigh"],
        guess: int = -1,
        without: tuple[int, ...] = (),
    ) -> Piece:
        position = wanted.position
        key = f"{position.key:032x} {np.packbits(position.allowed).tobytes().hex()}"
        return Piece(
            game=self.game,
            identity=self.identity,
            guesses=self.guesses,
            table_bits=_TABLE_BITS,
            levels=self._packed,
            position=position,
            sign=hashlib.sha256(key.encode()).hexdigest()[:16],
            left=wanted.left,
            task=task,
            number=number,
            guess=guess,
            without=without,
            rank=wanted.rank,
        )


def _ask(wanted: Sequence[_Wanted]) -> _Steps:
    """All positions at once."""
    yield wanted
    return 0, -1
