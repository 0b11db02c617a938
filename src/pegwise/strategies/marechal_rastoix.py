"""The three classical strategies of Maréchal and Rastoix: one color after the other.

A color is *counted* by a guess that has it in every open hole (criterion 1). Each occurrence is
then *placed*: the color is tried in one open hole, the next color, the *filler*, stands in all
others, and there is no white mark exactly when the hole was right (criterion 2). Such a try also
tells how often the filler occurs (criterion 3), so that an absent filler can be replaced at once
by the color after it (criterion 4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, ClassVar, Final, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8
from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import Code, Game, Mark, Mastermind, Rules, check_mark, legal_marks
from pegwise.game.game import check_listed
from pegwise.kernels import plain
from pegwise.knowledge.candidates import assign
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import Decision, Strategy
from pegwise.strategies.card import Card
from pegwise.strategies.nodes import Nodes
from pegwise.strategies.options import StrategyOption, check_options
from pegwise.strategies.scoring import as_board, mark_each

_OPEN: Final = -1
_SETTLED: Final = 255
"""In a plan without colors, and in its guess: the color of the hole is known, but left out."""

_INFER: Final = StrategyOption(
    "place an occurrence without a guess where only one place is left for it"
)


class _Plan(NamedTuple):
    """What is known after some turns, and what is asked now."""

    holes: tuple[int, ...]  # the color of each settled hole, `_OPEN` elsewhere
    colors: int  # of the board
    color: int = 0  # the color sought
    missing: int = 0  # occurrences of it still to place
    hole: int = -1  # where it is tried; -1 while it is counted, and then it is also the filler
    filler: int = 0  # the color in the other open holes
    counted: int = 0  # occurrences of the filler, once counted ahead; 0 before

    @property
    def n_settled(self) -> int:
        return len(self.holes) - self.holes.count(_OPEN)

    def guess(self) -> tuple[int, ...]:
        code = [self.filler if peg == _OPEN else peg for peg in self.holes]
        if self.hole >= 0:
            code[self.hole] = self.color
        return tuple(code)

    def colorless(self) -> _Plan:
        """The plan without the colors of settled holes, which no longer matter."""
        return self._replace(holes=tuple(_OPEN if p == _OPEN else _SETTLED for p in self.holes))

    def place(self, hole: int) -> _Plan:
        """The color sought is in this hole."""
        holes = (*self.holes[:hole], self.color, *self.holes[hole + 1 :])
        return self._replace(holes=holes, missing=self.missing - 1)


class ColorByColor(Strategy):
    """The method; three settings make the three strategies.

    Attributes:
        restarts: the next occurrence is sought from the first open hole again, not from the
            hole after the last one tried.
        infers: an occurrence is placed without a guess where no more open holes lie ahead than
            occurrences are missing.
        repeats: a color is counted even where that repeats the guess just played.
        counts_ahead: criteria 3 and 4.
    """

    restarts: bool = False
    infers: bool = False
    repeats: bool = True
    counts_ahead: ClassVar[bool] = False

    def begin(self, game: Game) -> ColorDecision:
        """Count the first color; StrategyError for rules that do not suit the method."""
        board = self._check(game)
        plan = _Plan((_OPEN,) * board.rules.pegs, board.rules.colors)
        return ColorDecision(self, board, plan, _Facts.none(board.rules))

    def follow(self, plan: _Plan, mark: Mark) -> _Plan:
        """The plan after a mark that does not win."""
        if plan.hole < 0:
            missing = mark.black - plan.n_settled
            return self._seek(plan._replace(missing=missing, filler=plan.color + 1), 0)
        if self.counts_ahead:
            count = sum(mark) - plan.n_settled - 1
            plan = plan._replace(counted=count, filler=plan.filler + (count == 0))
        if mark.white:
            return self._seek(plan, plan.hole + 1)
        plan = plan.place(plan.hole)
        if not self.repeats and not plan.missing:
            # the guess just played is full of the filler, but for what is settled
            count = mark.black - plan.n_settled
            plan = plan._replace(counted=count, filler=plan.filler + (count == 0))
        return self._seek(plan, self._restart(plan.hole))

    def _seek(self, plan: _Plan, start: int) -> _Plan:
        """Place what is missing of the color sought, from a hole on; then go on to the filler."""
        while plan.missing:
            ahead = [h for h in range(start, len(plan.holes)) if plan.holes[h] == _OPEN]
            infers = self.infers or plan.filler == plan.colors  # no color is left to fill with
            if len(ahead) > plan.missing or not infers:
                return plan._replace(hole=ahead[0])
            plan = plan.place(ahead[0])
            start = self._restart(ahead[0])
        if plan.counted:
            filler = plan.filler + 1
            following = _Plan(plan.holes, plan.colors, plan.filler, plan.counted, filler=filler)
            return self._seek(following, 0)
        return _Plan(plan.holes, plan.colors, plan.filler, filler=plan.filler)

    def _restart(self, hole: int) -> int:
        """Where to seek the next occurrence after one was placed in this hole."""
        return 0 if self.restarts else hole + 1

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes:  # noqa: ARG002
        """All nodes of its tree; one thread plays."""
        return _play_in_lockstep(self, self._check(game), report)

    def _check(self, game: Game) -> Mastermind:
        name = self.card.id
        board = as_board(game, name)
        rules = board.rules
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
        return board


def _card(number: int, about: str) -> Card:
    return Card(
        id=f"marechal-rastoix-{number}",
        name=f"Color by color, strategy {number}",
        authors="Benoît Maréchal and Marc Rastoix",
        year=None,
        source=(
            "Rapport Intelligence Artificielle pour le Mastermind, report of a first-year master's "
            "course in algorithms and complexity, undated, section 3"
        ),
        about=about,
        traits=frozenset({"unlisted"}),
    )


class MarechalRastoix1(ColorByColor):
    """Criteria 1 and 2 as the report plays them."""

    card = _card(
        1,
        "Counts a color with a guess full of it, then tries it hole by hole, with the next "
        "color in all other open holes: no white mark means that the hole is right. Then the "
        "next color is counted, even where that repeats the guess just played. It uses little "
        "of what the marks tell, but a person can play it without pencil and paper.",
    )


class MarechalRastoix2(ColorByColor):
    """Criteria 1 and 2 with a flag for each settled hole."""

    def __init__(
        self,
        *,
        infer: Annotated[bool, _INFER] = True,
        restart: Annotated[
            bool,
            StrategyOption("seek each further occurrence from the first open hole again"),
        ] = True,
        repeat: Annotated[
            bool,
            StrategyOption("count a color even where that repeats the guess just played"),
        ] = True,
    ) -> None:
        self.infers, self.restarts, self.repeats = infer, restart, repeat
        self.options = check_options(MarechalRastoix2, infer=infer, restart=restart, repeat=repeat)

    card = _card(
        2,
        "As strategy 1, but each hole has a flag that says whether it is found. The report "
        "only outlines it and its detailed annex is missing; this is the reading that agrees "
        "with what the report observed. All that is remembered is the flags: holes are flagged "
        "without a guess once no more lie ahead than the color still needs, but each further "
        "occurrence is sought from the first unflagged hole again, refused holes "
        "included.",
    )


class MarechalRastoix3(ColorByColor):
    """All four criteria; their listing 3 infers nothing."""

    counts_ahead = True

    def __init__(self, *, infer: Annotated[bool, _INFER] = True) -> None:
        self.infers, self.options = infer, check_options(MarechalRastoix3, infer=infer)

    card = _card(
        3,
        "While a color is placed, the marks also tell how often the next color occurs: it "
        "need not be counted later, and where it is absent the color after it fills the open "
        "holes instead. As the report says, it keeps the best of strategies 1 and 2: refused "
        "holes are not tried again, and an occurrence with only one place left is not asked. "
        "The report's listing asks it all the same.",
    )


@dataclass(frozen=True)
class ColorDecision(Decision):
    """A plan on a board, and the facts that say which marks contradict those before."""

    strategy: ColorByColor
    game: Mastermind
    plan: _Plan
    facts: _Facts

    @property
    def guess(self) -> Code:
        return Code(self.plan.guess())

    def after(self, mark: tuple[int, int]) -> ColorDecision:
        answer = check_mark(mark, self.game.rules)
        facts = self.facts.after(self.plan, answer)
        if facts is None:
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        if answer.black == self.game.rules.pegs:
            plan = self.plan._replace(holes=self.plan.guess())
        else:
            plan = self.strategy.follow(self.plan, answer)
        return replace(self, plan=plan, facts=facts)


class _Facts(NamedTuple):
    """What the marks say about the secret: all of it, so that contradictions show at once."""

    allowed: tuple[frozenset[int], ...]  # for each hole, the colors that it may have
    counts: tuple[int | None, ...]  # for each color, how often it occurs, once that is counted
    most: int  # how often a color may occur

    @classmethod
    def none(cls, rules: Rules) -> _Facts:
        everything = frozenset(range(rules.colors))
        most = 1 if rules.secrets_are_distinct else rules.pegs
        return cls((everything,) * rules.pegs, (None,) * rules.colors, most)

    def after(self, plan: _Plan, mark: Mark) -> _Facts | None:
        """With the mark of a plan's guess; None where no secret agrees with everything."""
        if _OPEN not in plan.holes:
            return self if mark.black == plan.n_settled else None
        if plan.hole < 0:
            facts = self._count(plan.filler, mark.black - plan.n_settled)
            return facts if facts and mark.white == 0 and facts._possible() else None
        # the hole tried has the color sought, neither color, or the filler
        tried = self.allowed[plan.hole]
        if mark.white == 0:
            tried &= {plan.color}
        elif mark.white == 1:
            tried -= {plan.color, plan.filler}
        else:
            tried &= {plan.filler}
        facts = self._count(plan.filler, sum(mark) - plan.n_settled - 1)
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

        There is one if the holes can get colors without using any too often, and the counted
        occurrences can get holes: two such assignments can always be merged into one.
        """
        room = [self.most if count is None else count for count in self.counts]
        colors = [sorted(colors) for colors in self.allowed]
        holes = [
            [hole for hole, colors in enumerate(self.allowed) if color in colors]
            for color, count in enumerate(self.counts)
            for _ in range(count or 0)
        ]
        return (
            assign(len(colors), colors.__getitem__, room) is not None
            and assign(len(holes), holes.__getitem__, [1] * len(self.allowed)) is not None
        )


def _play_in_lockstep(strategy: ColorByColor, game: Mastermind, report: Report) -> Nodes:
    """The tree of the method, all secrets side by side.

    The color of a settled hole no longer matters, so that thousands of games share a few plans.
    Plans are numbered as they occur, and the step from plan to plan is worked out once for each
    mark. The games advance turn by turn as rows of an array.
    """
    check_listed(game.name, game.n_guesses)
    marks = legal_marks(game.rules)
    plans = [_Plan((_OPEN,) * game.rules.pegs, game.rules.colors)]
    played = [plans[0].guess()]
    numbers = {plans[0]: 0}

    @cache
    def following(step: int) -> int:
        """The plan after a plan and a mark, all by number."""
        before, mark = divmod(step, len(marks))
        after = strategy.follow(plans[before], marks[mark]).colorless()
        if after not in numbers:
            numbers[after] = len(plans)
            plans.append(after)
            played.append(after.guess())
        return numbers[after]

    plan = np.zeros(1, np.int64)  # of each node of a level
    n_won = 0

    def play(level: int, sets: plain.Sets, above: I64, led: I64) -> tuple[I32, U8]:
        """The guess of each node, and the mark of each game."""
        nonlocal plan, n_won
        if level:
            steps, which = np.unique(plan[above] * len(marks) + led, return_inverse=True)
            plan = np.array([following(step) for step in steps.tolist()], np.int64)[which]
        secrets = sets.secrets
        guesses = np.array(played, np.uint8)[np.repeat(plan, np.diff(sets.start))]
        guesses = np.where(guesses == _SETTLED, secrets, guesses)
        answers = mark_each(game, guesses, secrets)
        n_won += int((answers == game.winning).sum())
        report(Progress(n_won, game.n_secrets, "secrets"))
        return game.guess_numbers(guesses[sets.start[:-1]]), answers

    return Nodes(*plain.grow_by_level(game.secret_codes, len(marks), game.winning, play))
