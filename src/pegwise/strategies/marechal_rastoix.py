"""Play against all secrets of a board side by side, where decisions depend on little.

Some methods settle a secret hole by hole: once a hole is found, its color no longer matters, so
that thousands of games share a few plans. Here the plans are numbered as they occur, the step
from plan to plan is worked out once for each mark, and the games advance turn by turn as rows of
an array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from pegwise.arrays import I32, I64, U8
from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import Code, Game, Mark, Mastermind, Rules, check_mark, legal_marks
from pegwise.game.game import check_listed
from pegwise.kernels.marking import mark_rows
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import Card, Nodes, Option

FOUND: Final = 255
"""In a blind plan's guess: the hole is found, and its color is left out."""


class Plan(Protocol):
    """What a method has in mind after some turns: immutable, hashable."""

    def guess(self) -> tuple[int, ...]:
        """The color to play in each hole; `FOUND` where a blind plan leaves it out."""

    def blind(self) -> Self:
        """The plan without the colors of the holes found."""


P = TypeVar("P", bound=Plan)


class _Plans(Generic[P]):
    """The blind plans that have occurred, by number, and the steps between them.

    Attributes:
        guesses: uint8 (plans, pegs).
        steps: int32 (plans, marks), number of the plan after each mark; -1 until it occurs.
    """

    def __init__(self, first: P, follow: Callable[[P, Mark], P], marks: tuple[Mark, ...]) -> None:
        self.follow = follow
        self.marks = marks
        self.plans: list[P] = []
        self.numbers: dict[P, int] = {}
        self.guesses: U8 = np.empty((64, len(first.guess())), np.uint8)
        self.steps: I32 = np.full((64, len(marks)), -1, np.int32)
        self.number(first)

    def number(self, plan: P) -> int:
        """The number of a blind plan, a new one where it has not occurred."""
        number = self.numbers.setdefault(plan, len(self.plans))
        if number == len(self.plans):
            if number == len(self.guesses):
                self.guesses = np.concatenate([self.guesses, np.empty_like(self.guesses)])
                self.steps = np.concatenate([self.steps, np.full_like(self.steps, -1)])
            self.plans.append(plan)
            self.guesses[number] = plan.guess()
        return number

    def after(self, plans: I32, marks: I64) -> I32:
        """int32 (n): the plan that follows each plan after its mark."""
        unknown = np.flatnonzero(self.steps[plans, marks] < 0)
        for plan, mark in np.unique(np.stack([plans[unknown], marks[unknown]]), axis=1).T.tolist():
            following = self.follow(self.plans[plan], self.marks[mark]).blind()
            number = self.number(following)
            self.steps[plan, mark] = number
        return self.steps[plans, marks]


def play_in_lockstep(
    game: Mastermind, first: P, follow: Callable[[P, Mark], P], *, report: Report = silent
) -> Nodes:
    """The tree of a method, all secrets side by side.

    Args:
        game: a board whose guesses may repeat colors.
        first: the plan before any mark.
        follow: the plan after a mark. It may not look at the colors of holes found.
        report: is told of secrets found.

    Raises:
        TooLargeError: too many codes to list.
    """
    check_listed(game.name, game.n_guesses)
    marks = legal_marks(game.rules)
    plans = _Plans(first.blind(), follow, marks)
    secrets = game.secret_codes
    node_guess, node_parent, node_mark, node_wins = [], [], [], []
    # one row a game still open, in the order of their nodes
    node = np.zeros(len(secrets), np.int64)
    heads = np.zeros(1, np.int64)
    parents, given = np.full(1, -1, np.int64), np.zeros(1, np.int64)
    plan = np.zeros(1, np.int32)
    before = found = 0
    while len(secrets):
        guesses = plans.guesses[plan][node]
        guesses = np.where(guesses == FOUND, secrets, guesses)
        numbers = np.empty(len(secrets), np.uint8)
        mark_rows(guesses, secrets, game.mark_ids, numbers)
        won = numbers == game.winning
        wins = np.zeros(len(heads), np.bool_)
        wins[node[won]] = True
        node_guess.append(_guess_numbers(guesses[heads], game))
        node_parent.append(parents)
        node_mark.append(given)
        node_wins.append(wins)
        found += int(won.sum())
        report(Progress(found, game.n_secrets, "secrets"))
        # the open games, by node and mark
        key = (node * len(marks) + numbers)[~won]
        order = np.argsort(key, kind="stable")
        key = key[order]
        secrets = secrets[~won][order]
        starts = np.concatenate([[True], key[1:] != key[:-1]]) if len(key) else key.astype(bool)
        heads = np.flatnonzero(starts)
        node = np.cumsum(starts) - 1
        above, given = np.divmod(key[heads], len(marks))
        parents = before + above
        before += len(wins)
        plan = plans.after(plan[above], given)
    return Nodes(
        np.concatenate(node_guess),
        np.concatenate(node_parent).astype(np.int32),
        np.concatenate(node_mark).astype(np.uint8),
        np.concatenate(node_wins),
    )


def _guess_numbers(codes: U8, game: Mastermind) -> I32:
    """int32 (n): numbers of guesses in numeric order, on a board where all codes may be guessed."""
    numbers = np.zeros(len(codes), np.int64)
    for column in codes.T:
        numbers = numbers * (game.rules.colors + game.rules.blank) + column
    return numbers.astype(np.int32)


# The three classical strategies of Maréchal and Rastoix: one color after the other.
#
# A color is *counted* by a guess that has it in every open hole (criterion 1). Each occurrence is
# then *placed*: the color is tried in one open hole, the next color, the *filler*, stands in all
# others, and there is no white mark exactly when the hole was right (criterion 2). Such a try also
# tells how often the filler occurs (criterion 3), so that an absent filler can be replaced at once
# by the color after it (criterion 4).

_OPEN: Final = -1

_AUTHORS: Final = "Benoît Maréchal and Marc Rastoix"
_SOURCE: Final = (
    "Rapport Intelligence Artificielle pour le Mastermind, report of a first-year master's "
    "course in algorithms and complexity, undated, section 3"
)


class _Plan(NamedTuple):
    """What is known after some turns, and what is asked now.

    Attributes:
        holes: the color of each hole found, `_OPEN` elsewhere.
        color: the color sought.
        left: occurrences of it still to place.
        hole: where it is tried; -1 while it is counted, and then it is also the filler.
        filler: the color in the other open holes.
        known: occurrences of the filler, once counted ahead; 0 before.
    """

    holes: tuple[int, ...]
    color: int
    left: int
    hole: int
    filler: int
    known: int

    @property
    def n_open(self) -> int:
        return self.holes.count(_OPEN)

    def guess(self) -> tuple[int, ...]:
        code = [self.filler if peg == _OPEN else peg for peg in self.holes]
        if self.hole >= 0:
            code[self.hole] = self.color
        return tuple(code)

    def blind(self) -> _Plan:
        return self._replace(holes=tuple(_OPEN if p == _OPEN else FOUND for p in self.holes))

    def place(self, hole: int) -> _Plan:
        """The color sought is in this hole."""
        holes = (*self.holes[:hole], self.color, *self.holes[hole + 1 :])
        return self._replace(holes=holes, left=self.left - 1)


class _ColorByColor:
    """The method; three settings make the three strategies.

    Attributes:
        restarts: the next occurrence is sought from the first open hole again, not from the
            hole after the last one tried.
        infers: an occurrence is placed without a guess where no more open holes lie ahead than
            occurrences are left.
        counts_ahead: criteria 3 and 4.
    """

    card: ClassVar[Card]
    restarts: ClassVar[bool] = False
    infers: ClassVar[bool] = False
    counts_ahead: ClassVar[bool] = False
    options: Mapping[str, Option] = {}

    def begin(self, game: Game) -> _Search:
        """Count the first color."""
        board = self._check(game)
        return _Search(self, board, self._first(board), _Facts.none(board.rules))

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes:  # noqa: ARG002
        """All nodes of its tree (see `Compiles`); one thread plays.

        Raises:
            StrategyError: as `begin`.
            TooLargeError: too many codes to list.
        """
        board = self._check(game)
        return play_in_lockstep(board, self._first(board), self.follow, report=report)

    def follow(self, plan: _Plan, mark: Mark) -> _Plan:
        """The plan after a mark that does not win."""
        n_found = len(plan.holes) - plan.n_open
        if plan.hole < 0:
            plan = plan._replace(left=mark.black - n_found, filler=plan.color + 1)
            return self._seek(plan, 0)
        if self.counts_ahead:
            count = mark.black + mark.white - n_found - 1
            absent = count == 0
            plan = plan._replace(known=count, filler=plan.filler + absent)
        if mark.white:
            return self._seek(plan, plan.hole + 1)
        return self._seek(plan.place(plan.hole), self._restart(plan.hole))

    def _seek(self, plan: _Plan, start: int) -> _Plan:
        """Place what is left of the color sought, from a hole on; then go on to the filler."""
        while plan.left:
            ahead = [h for h in range(start, len(plan.holes)) if plan.holes[h] == _OPEN]
            if len(ahead) > plan.left or not self.infers:
                return plan._replace(hole=ahead[0])
            plan = plan.place(ahead[0])
            start = self._restart(ahead[0])
        if plan.known:
            return self._seek(_Plan(plan.holes, plan.filler, plan.known, -1, plan.filler + 1, 0), 0)
        return _Plan(plan.holes, plan.filler, 0, -1, plan.filler, 0)

    def _restart(self, hole: int) -> int:
        """Where to seek the next occurrence after this hole was found."""
        return 0 if self.restarts else hole + 1

    @staticmethod
    def _first(game: Mastermind) -> _Plan:
        return _Plan((_OPEN,) * game.rules.pegs, color=0, left=0, hole=-1, filler=0, known=0)

    def _check(self, game: Game) -> Mastermind:
        """The game, if it is a board with rules that suit the method."""
        name = self.card.id
        if not isinstance(game, Mastermind):
            raise StrategyError(
                "{name} plays Mastermind boards only, not {game}", name=name, game=game.name
            )
        rules = game.rules
        if rules.distinct and rules.pegs > 1:
            raise StrategyError(
                "{name} cannot play {rules}: its guesses repeat colors, which 'distinct' "
                "forbids; 'distinct-secrets' leaves guesses free",
                name=name,
                rules=rules,
            )
        if rules.black and rules.pegs > 1:
            raise StrategyError(
                "{name} cannot play {rules}: it needs the white marks, which 'black' leaves out",
                name=name,
                rules=rules,
            )
        return game


class _Search:
    """A plan on a board, and the facts that say which marks contradict those before."""

    def __init__(
        self, strategy: _ColorByColor, game: Mastermind, plan: _Plan, facts: _Facts
    ) -> None:
        self.strategy = strategy
        self.game = game
        self.plan = plan
        self.facts = facts

    @property
    def guess(self) -> Code:
        return Code(self.plan.guess())

    def after(self, mark: tuple[int, int]) -> _Search:
        given = check_mark(mark, self.game.rules)
        facts = self.facts.after(self.plan, given)
        if facts is None:
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        if given.black == self.game.rules.pegs:
            plan = self.plan._replace(holes=self.plan.guess())
        else:
            plan = self.strategy.follow(self.plan, given)
        return _Search(self.strategy, self.game, plan, facts)


class _Facts(NamedTuple):
    """What the marks say about the secret: all of it, so that contradictions show at once.

    Attributes:
        allowed: for each hole, the colors that it may have.
        counts: for each color, how often it occurs, or None while nobody knows.
        most: how often a color may occur.
    """

    allowed: tuple[frozenset[int], ...]
    counts: tuple[int | None, ...]
    most: int

    @classmethod
    def none(cls, rules: Rules) -> _Facts:
        """Before any mark."""
        everything = frozenset(range(rules.colors))
        most = 1 if rules.secrets_are_distinct else rules.pegs
        return cls((everything,) * rules.pegs, (None,) * rules.colors, most)

    def after(self, plan: _Plan, mark: Mark) -> _Facts | None:
        """With the mark of a plan's guess; None where no secret agrees with everything."""
        n_found = len(plan.holes) - plan.n_open
        if not plan.n_open:
            return self if mark.black == n_found else None
        if plan.hole < 0:
            facts = self._count(plan.filler, mark.black - n_found)
            return facts if facts and mark.white == 0 and facts._possible() else None
        # the hole tried has the color sought, neither color, or the filler
        tried = self.allowed[plan.hole]
        if mark.white == 0:
            tried &= {plan.color}
        elif mark.white == 1:
            tried -= {plan.color, plan.filler}
        else:
            tried &= {plan.filler}
        facts = self._count(plan.filler, mark.black + mark.white - n_found - 1)
        if facts is None or mark.white > 2:
            return None
        allowed = (*self.allowed[: plan.hole], tried, *self.allowed[plan.hole + 1 :])
        facts = facts._replace(allowed=allowed)
        return facts if facts._possible() else None

    def _count(self, color: int, count: int) -> _Facts | None:
        """With the occurrences of a color; None where they cannot be."""
        if self.counts[color] not in {None, count} or not 0 <= count <= self.most:
            return None
        return self._replace(counts=(*self.counts[:color], count, *self.counts[color + 1 :]))

    def _possible(self) -> bool:
        """Whether some code agrees.

        There is one if the holes can be given colors without using any too often, and the counted
        occurrences can be given holes: two such assignments can always be merged into one.
        """
        room = [self.most if count is None else count for count in self.counts]
        if not _assignable([sorted(colors) for colors in self.allowed], room):
            return False
        holes = [
            [hole for hole, colors in enumerate(self.allowed) if color in colors]
            for color, count in enumerate(self.counts)
            for _ in range(count or 0)
        ]
        return _assignable(holes, [1] * len(self.allowed))


def _assignable(options: Sequence[Sequence[int]], room: Sequence[int]) -> bool:
    """Whether each item can have one of its options, when each option has room for so many."""
    taken: list[list[int]] = [[] for _ in room]

    def seat(item: int, tried: set[int]) -> bool:
        for option in options[item]:
            if option in tried:
                continue
            tried.add(option)
            if len(taken[option]) < room[option]:
                taken[option].append(item)
                return True
            for other in taken[option]:
                if seat(other, tried):
                    taken[option].remove(other)
                    taken[option].append(item)
                    return True
        return False

    return all(seat(item, set()) for item in range(len(options)))


class MarechalRastoix1(_ColorByColor):
    """Criteria 1 and 2 as the report plays them."""

    card = Card(
        id="marechal-rastoix-1",
        name="Color by color, strategy 1",
        authors=_AUTHORS,
        year=None,
        source=_SOURCE,
        about=(
            "Counts a color with a guess full of it, then tries it hole by hole, with the next "
            "color in all other open holes: no white mark means that the hole is right. Then the "
            "next color is counted, even where that repeats the guess just played. It uses little "
            "of what the marks tell, but a person can play it without pencil and paper."
        ),
        traits=frozenset({"unlisted"}),
    )


class MarechalRastoix2(_ColorByColor):
    """Criteria 1 and 2 with a flag for each hole found."""

    restarts = True
    infers = True
    card = Card(
        id="marechal-rastoix-2",
        name="Color by color, strategy 2",
        authors=_AUTHORS,
        year=None,
        source=_SOURCE,
        about=(
            "As strategy 1, but each hole has a flag that says whether it is found. The report "
            "only outlines it and its detailed annex is missing; this is the reading that agrees "
            "with what the report observed. All that is remembered is the flags: holes are flagged "
            "without a guess once no more lie ahead than the color still needs, but each further "
            "occurrence is sought from the first unflagged hole again, refused holes included."
        ),
        traits=frozenset({"unlisted"}),
    )


class MarechalRastoix3(_ColorByColor):
    """All four criteria."""

    infers = True
    counts_ahead = True
    card = Card(
        id="marechal-rastoix-3",
        name="Color by color, strategy 3",
        authors=_AUTHORS,
        year=None,
        source=_SOURCE,
        about=(
            "While a color is placed, the marks also tell how often the next color occurs: it "
            "need not be counted later, and where it is absent the color after it fills the open "
            "holes instead. As the report says, it keeps the best of strategies 1 and 2: refused "
            "holes are not tried again, and an occurrence with only one place left is not asked."
        ),
        traits=frozenset({"unlisted"}),
    )
