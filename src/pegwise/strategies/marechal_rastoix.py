"""The three classical strategies of Maréchal and Rastoix: one color after the other.

A color is *counted* by a guess that has it in every open hole (criterion 1). Each occurrence is
then *placed*: the color is tried in one open hole, the next color, the *filler*, stands in all
others, and there is no white mark exactly when the hole was right (criterion 2). Such a try also
tells how often the filler occurs (criterion 3), so that an absent filler can be replaced at once
by the color after it (criterion 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import Code, Game, Mark, Mastermind, check_mark
from pegwise.progress import Report, silent
from pegwise.strategies.base import Card, Nodes, Option
from pegwise.strategies.lockstep import FOUND, play_in_lockstep

__all__ = ["MarechalRastoix1", "MarechalRastoix2", "MarechalRastoix3"]

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
        hole: where it is tried; -1 while it is counted, and then `color` is also the filler.
        filler: the color in the other open holes.
        known: occurrences of the filler; -1 while nobody knows.
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
        return _Search(self, board, self._first(board.rules.pegs))

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes:  # noqa: ARG002
        """All nodes of its tree (see `Compiles`); one thread plays.

        Raises:
            StrategyError: as `begin`.
            TooLargeError: too many codes to list.
        """
        board = self._check(game)

        def follow(plan: _Plan, mark: Mark) -> _Plan:
            return self.follow(plan, mark, board)

        return play_in_lockstep(board, self._first(board.rules.pegs), follow, report=report)

    def follow(self, plan: _Plan, mark: Mark, game: Mastermind) -> _Plan:
        """The plan after a mark that does not win.

        Raises:
            ContradictionError: the mark cannot be, or leaves a color no hole, or a hole no color.
        """
        n_found = len(plan.holes) - plan.n_open
        most = 1 if game.rules.secrets_are_distinct else plan.n_open
        if plan.hole < 0:
            count = mark.black - n_found
            agrees = mark.white == 0 and plan.known in {-1, count}
            if not agrees or not 0 <= count <= min(most, plan.n_open - 1):
                raise _contradiction(game)
            return self._seek(plan._replace(left=count, filler=plan.color + 1, known=-1), 0, game)
        count = mark.black + mark.white - n_found - 1
        agrees = plan.known in {-1, count} and mark.white <= min(count, 1) + 1
        if not agrees or not 0 <= count <= min(most, plan.n_open - plan.left):
            raise _contradiction(game)
        plan = plan._replace(known=count)
        if self.counts_ahead and count == 0:
            plan = plan._replace(filler=plan.filler + 1, known=-1)
        if mark.white:
            return self._seek(plan, plan.hole + 1, game)
        return self._seek(plan.place(plan.hole), self._restart(plan.hole), game)

    def _seek(self, plan: _Plan, start: int, game: Mastermind) -> _Plan:
        """Place what is left of the color sought, from a hole on; then go on to the filler."""
        while plan.left:
            ahead = [h for h in range(start, len(plan.holes)) if plan.holes[h] == _OPEN]
            if len(ahead) < plan.left:
                raise _contradiction(game)
            if len(ahead) > plan.left or not self.infers:
                return self._checked(plan._replace(hole=ahead[0]), game)
            plan = plan.place(ahead[0])
            start = self._restart(ahead[0])
        if self.counts_ahead and plan.known > 0:
            counted = _Plan(plan.holes, plan.filler, plan.known, -1, plan.filler + 1, -1)
            return self._seek(counted, 0, game)
        return self._checked(plan._replace(color=plan.filler, left=0, hole=-1), game)

    def _restart(self, hole: int) -> int:
        """Where to seek the next occurrence after this hole was found."""
        return 0 if self.restarts else hole + 1

    @staticmethod
    def _checked(plan: _Plan, game: Mastermind) -> _Plan:
        """The plan, unless it needs a color that the board does not have."""
        needs_filler = plan.n_open > (plan.hole >= 0)
        if needs_filler and plan.filler >= game.rules.colors:
            raise _contradiction(game)
        return plan

    @staticmethod
    def _first(pegs: int) -> _Plan:
        return _Plan((_OPEN,) * pegs, color=0, left=0, hole=-1, filler=0, known=-1)

    def _check(self, game: Game) -> Mastermind:
        """The game, if it is a board with rules that suit the method."""
        name = self.card.id
        if not isinstance(game, Mastermind):
            raise StrategyError(f"{name} plays Mastermind boards only, not {game.name}")
        rules = game.rules
        if rules.distinct and rules.pegs > 1:
            raise StrategyError(
                f"{name} cannot play {rules}: its guesses repeat colors, which 'distinct' forbids; "
                "'distinct-secrets' leaves guesses free"
            )
        if rules.black and rules.pegs > 1:
            raise StrategyError(
                f"{name} cannot play {rules}: it needs the white marks, which 'black' leaves out"
            )
        return game


class _Search:
    """A plan on a board, as a state of play.

    Marks that contradict each other are noticed when they leave the plan no way to go on.
    """

    def __init__(self, strategy: _ColorByColor, game: Mastermind, plan: _Plan) -> None:
        self.strategy = strategy
        self.game = game
        self.plan = plan

    @property
    def guess(self) -> Code:
        return Code(self.plan.guess())

    def after(self, mark: tuple[int, int]) -> _Search:
        checked = check_mark(mark, self.game.rules)
        if checked.black == self.game.rules.pegs:
            return self
        plan = self.strategy.follow(self.plan, checked, self.game)
        return _Search(self.strategy, self.game, plan)


def _contradiction(game: Mastermind) -> ContradictionError:
    return ContradictionError(f"no secret of {game.name} gives these marks")


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
            "with what the report observed. All that is remembered is the flags: an occurrence is "
            "flagged without a guess once no other unflagged hole is ahead, but each further "
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
