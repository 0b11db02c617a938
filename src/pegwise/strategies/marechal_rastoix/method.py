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
from typing import Annotated, Any, ClassVar, Final

import numpy as np

from pegwise.arrays import I32, I64, U8, countable
from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import Code, Game, Mark, Mastermind
from pegwise.game.rules import check_listed
from pegwise.kernels import numpy_backend
from pegwise.progress import Progress, Report, silent
from pegwise.reading import check_mark
from pegwise.strategies.base import Decision, Strategy
from pegwise.strategies.card import Card
from pegwise.strategies.explanation import Explanation, Write
from pegwise.strategies.marechal_rastoix.explained import aim_of, deduced
from pegwise.strategies.marechal_rastoix.plan import OPEN, SETTLED, ColorFacts, ColorPlan
from pegwise.strategies.nodes import Nodes
from pegwise.strategies.options import StrategyOption, check_options
from pegwise.strategies.scoring import as_board, mark_each

_INFER: Final = StrategyOption(
    "place an occurrence without a guess where only one place is left for it"
)


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
        board = self._checked_game(game)
        plan = ColorPlan((OPEN,) * board.rules.pegs, board.rules.colors)
        return ColorDecision(self, board, plan, ColorFacts.none(board.rules))

    def follow(self, plan: ColorPlan, mark: Mark) -> ColorPlan:
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

    def _seek(self, plan: ColorPlan, start: int) -> ColorPlan:
        """Place what is missing of the color sought, from a hole on; then go on to the filler."""
        while plan.missing:
            ahead = [h for h in range(start, len(plan.holes)) if plan.holes[h] == OPEN]
            infers = self.infers or plan.filler == plan.colors  # no color is left to fill with
            if len(ahead) > plan.missing or not infers:
                return plan._replace(hole=ahead[0])
            plan = plan.place(ahead[0])
            start = self._restart(ahead[0])
        if plan.counted:
            filler = plan.filler + 1
            following = ColorPlan(plan.holes, plan.colors, plan.filler, plan.counted, filler=filler)
            return self._seek(following, 0)
        return ColorPlan(plan.holes, plan.colors, plan.filler, filler=plan.filler)

    def _restart(self, hole: int) -> int:
        """Where to seek the next occurrence after one was placed in this hole."""
        return 0 if self.restarts else hole + 1

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes:  # noqa: ARG002
        """All nodes of its tree; one thread plays."""
        return _play_in_lockstep(self, self._checked_game(game), report)

    def _checked_game(self, game: Game) -> Mastermind:
        name = self.card.id
        board = as_board(game, name, hard=False)
        rules = board.rules
        if rules.alphabet.distinct and rules.pegs > 1:
            raise StrategyError(
                "{name} cannot play {rules}: its guesses repeat colors, which 'distinct' "
                "forbids; 'distinct-secrets' leaves guesses free",
                name=name,
                rules=rules,
            )
        if rules.marking.name == "black" and rules.pegs > 1:
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
            StrategyOption("look for each further occurrence from the first open hole again"),
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
        "only outlines it, and its detailed annex is missing; this reading agrees with what "
        "the report observed. Only the flags are remembered: holes are flagged without a guess "
        "once no more lie ahead than the color still needs, but each further occurrence is "
        "looked for from the first unflagged hole again, refused holes included.",
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
    plan: ColorPlan
    facts: ColorFacts

    @property
    def guess(self) -> Code:
        return Code(self.plan.guess())

    def after(self, mark: tuple[int, int]) -> ColorDecision:
        answer = check_mark(mark, self.game)
        facts = self.facts.after(self.plan, answer)
        if facts is None:
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        if answer.black == self.game.pegs:
            plan = self.plan._replace(holes=self.plan.guess())
        else:
            plan = self.strategy.follow(self.plan, answer)
        return replace(self, plan=plan, facts=facts)

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        explained = aim_of(self.plan, write)
        if mark is None:
            return explained
        answer = check_mark(mark, self.game)
        deduction = deduced(
            self.plan,
            answer,
            self.after(answer).plan,
            write,
            counts_ahead=self.strategy.counts_ahead,
            counted=OPEN not in self.plan.holes or self.facts.counts[self.plan.filler] is not None,
            repeats=self.strategy.repeats,
        )
        return replace(explained, result=answer, deduction=tuple(deduction))


def _play_in_lockstep(strategy: ColorByColor, game: Mastermind, report: Report) -> Nodes:
    """The tree of the method, all secrets side by side.

    The color of a settled hole no longer matters, so that thousands of games share a few plans.
    Plans are numbered as they occur, and the step from plan to plan is worked out once for each
    mark. The games advance turn by turn as rows of an array.
    """
    check_listed(game.name, game.n_guesses)
    marks = game.marking.legal
    plans = [ColorPlan((OPEN,) * game.pegs, game.colors)]
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

    def play(level: int, sets: numpy_backend.Sets, above: I64, led: I64) -> tuple[I32, U8]:
        """The guess of each node, and the mark of each game."""
        nonlocal plan, n_won
        if level:
            steps, which = np.unique(plan[above] * len(marks) + led, return_inverse=True)
            plan = np.array([following(step) for step in steps.tolist()], np.int64)[which]
        secrets = sets.secrets
        guesses = np.array(played, np.uint8)[np.repeat(plan, countable(np.diff(sets.start)))]
        guesses = np.where(guesses == SETTLED, secrets, guesses)
        answers = mark_each(game, guesses, secrets)
        n_won += int((answers == game.winning).sum())
        report(Progress(n_won, game.n_secrets, "secrets"))
        return game.guess_numbers(guesses[sets.start[:-1]]), answers

    return Nodes(*numpy_backend.grow_by_level(game.secret_codes, len(marks), game.winning, play))
