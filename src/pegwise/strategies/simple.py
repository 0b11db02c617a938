"""Strategies that weigh nothing: the first candidate, any candidate, guesses fixed beforehand."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Annotated, Any, Final, NamedTuple, Self

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import ContradictionError, Phrase, StrategyError
from pegwise.game import Code, Game, Mark, Rules, game_of
from pegwise.knowledge.constraints import constraints, solution, solver_module
from pegwise.progress import Progress, Report, silent
from pegwise.reading import check_mark
from pegwise.strategies.base import Decision, Strategy
from pegwise.strategies.candidates import (
    ASKED_FOR,
    WON,
    CandidateDecision,
    CandidateStrategy,
    History,
    opening_number,
)
from pegwise.strategies.card import Card
from pegwise.strategies.explanation import Explanation, WeighedTable, Write
from pegwise.strategies.functions import Chooses
from pegwise.strategies.options import StrategyOption, check_options
from pegwise.strategies.scoring import as_board

SEED: Final = "the seed of random choices: the same seed gives the same game"


@dataclass(frozen=True)
class HistoryDecision(Decision):
    """The turns so far, after which a function of game and turns chooses the guess.

    Attributes:
        choose: that function.
        game: what is played.
        history: a guess and its mark each.
    """

    choose: Chooses
    game: Any
    history: tuple[tuple[Any, Any], ...] = ()

    @cached_property
    def guess(self) -> Any:
        return self.choose(self.game, self.history)

    def after(self, mark: Any) -> Self:
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> Self:
        return replace(self, history=(*self.history, (guess, mark)))


class First(CandidateStrategy):
    """Play the first candidate in numeric order (Shapiro 1983; Maréchal and Rastoix; the TP)."""

    card = Card(
        id="first",
        name="First candidate",
        authors="Ehud Shapiro",
        year=1983,
        source="Playing Mastermind logically, SIGART Newsletter 85, p. 28-29",
        about=(
            "Plays the first code, in numeric order, that agrees with every mark so far. It "
            "compares no guesses: it only checks codes one by one. Every cleverer method is "
            "measured against it."
        ),
        reason=(
            "It is the first, in numeric order, of the codes that agree with all marks "
            "({candidates:,})."
        ),
        traits=frozenset({"any-game", "consistent", "adapts"}),
    )

    def __init__(
        self,
        *,
        opening: Annotated[
            str,
            StrategyOption(
                "the first guess, instead of the one it would choose",
                form="a code that may be hidden; none for the first in numeric order",
            ),
        ] = "",
    ) -> None:
        self.opening = "".join(opening.split())
        self.options = check_options(First, opening=self.opening)

    def begin(self, game: Game) -> Decision:
        """All secrets are candidates; StrategyError where the opening is not a secret."""
        if self.opening:
            self._first_guess(game)
        return super().begin(game)

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        if self.opening and not history:
            return self._first_guess(game)
        return int(game.guess_of_secret[candidates[0]])

    def explain(self, decision: CandidateDecision, write: Write) -> Explanation:
        explained = super().explain(decision, write)
        if self.opening and not decision.history:
            return replace(explained, reason=(ASKED_FOR,))
        return explained

    def _first_guess(self, game: Game) -> int:
        """The number of the opening."""
        return opening_number(self.card.id, game, self.opening, secret=True)


class Random(CandidateStrategy):
    """Play a candidate drawn at random, the same one whenever seed and history are the same."""

    card = Card(
        id="random",
        name="Random candidate",
        authors="Peter Swaszek",
        year=1999,
        source="The mastermind novice, Journal of Recreational Mathematics 30(3), p. 193-198",
        about=(
            "Plays any code that agrees with every mark so far, each with the same chance: what "
            "a careful beginner does. The draw depends only on the seed and the history, so a "
            "game can be replayed."
        ),
        reason="It is drawn from the codes that agree with all marks ({candidates:,}).",
        traits=frozenset({"any-game", "consistent", "random", "adapts"}),
    )

    def __init__(self, *, seed: Annotated[int, StrategyOption(SEED, least=0)] = 0) -> None:
        self.seed = seed
        self.options = check_options(Random, seed=seed)

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        text = repr((self.seed, history)).encode()
        draw = int.from_bytes(hashlib.blake2b(text, digest_size=16).digest())
        return int(game.guess_of_secret[candidates[draw % len(candidates)]])


class Constraint(Strategy):
    """Play any solution of the constraints that the marks impose (Maréchal and Rastoix).

    Their variables: the color of each hole, and how often each color occurs. Their constraints:
    (C1) the occurrences are those of the holes; for each guess, (C2) what it has in common with
    the code, color by color, is black + white, and (C3) it agrees with the code in as many holes
    as it got blacks. OR-Tools CP-SAT solves them. Every guess is a candidate, and no list of codes
    is ever made. Options read (C2) and (C3) to the letter of the report.
    """

    card = Card(
        id="constraint",
        name="Constraint programming",
        authors="Benoît Maréchal and Marc Rastoix",
        year=None,
        source=(
            "Rapport Intelligence Artificielle pour le Mastermind, report of a first-year "
            "master's course in algorithms and complexity, undated, section 4"
        ),
        about=(
            "States what a code must satisfy: the color of each hole and the occurrences of each "
            "color are variables, and every mark adds constraints on them. A solver narrows the "
            "variables down and gives any code that fits, which is played. Nothing is listed, so "
            "boards far beyond enumeration can be played."
        ),
        traits=frozenset({"consistent", "slow", "slow-guess", "unlisted", "adapts"}),
    )

    def __init__(
        self,
        *,
        c2: Annotated[
            str,
            StrategyOption(
                "what adds up to the pegs of a mark (C2): of each color the lesser number, in code "
                "or in guess; or, to the letter, the least values of the domains, which hardly "
                "ever do",
                values=("lesser", "domains"),
            ),
        ] = "lesser",
        c3: Annotated[
            str,
            StrategyOption(
                "which guesses a code agrees with in as many holes as they got blacks (C3): all; "
                "or, to the letter, the last, so that codes come back and a game may never end",
                values=("all", "last"),
            ),
        ] = "all",
    ) -> None:
        self.common, self.last = c2 == "lesser", c3 == "last"
        self.options = check_options(Constraint, c2=c2, c3=c3)

    def begin(self, game: Game) -> Decision:
        """No constraint but the rules; StrategyError for other games than boards."""
        board = as_board(game, self.card.id)
        solver_module()
        choose = partial(solve, common=self.common, last=self.last)
        return _Constrained(choose, board.rules, common=self.common, last=self.last)


@dataclass(frozen=True)
class _Constrained(HistoryDecision):
    """The constraints after some turns, and a solution; `common` and `last` as in `solve`."""

    common: bool = True
    last: bool = False

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:  # noqa: ARG002
        if self.common and not self.last:
            reason = Phrase(
                "It is a code that agrees with all marks; any other such code would do."
            )
        else:
            reason = Phrase("It is a code that satisfies the constraints, read to the letter.")
        explained = Explanation(
            attempt=self.guess,
            reason=(reason,),
            criterion=Phrase("the constraints C1, C2 and C3"),
            figures={"turns": len(self.history)},
        )
        if mark is None:
            return explained
        answer = check_mark(mark, game_of(self.game))
        agree = Phrase(
            "As many places agree with the code as there are exact pegs (C3): {n}.", n=answer.black
        )
        common = Phrase(
            "As many colors are common to both as there are pegs in the mark (C2): {n}."
            if self.common
            else "The least occurrences of all colors add up to the pegs of the mark (C2): {n}.",
            n=sum(answer),
        )
        deduction = (agree,) if self.game.black else (agree, common)
        if answer.black == self.game.pegs:
            deduction = (WON,)
        return replace(explained, result=answer, deduction=deduction)

    def weighed(self) -> WeighedTable:
        """The domains: the places and the occurrences that are open for each color."""
        places, occurrences = domains(self.game, self.history, common=self.common, last=self.last)
        return WeighedTable(
            (Phrase("color"), Phrase("places"), Phrase("occurrences")),
            tuple(
                (Code([color]), ranges([hole + 1 for hole in holes]), ranges(numbers))
                for color, (holes, numbers) in enumerate(zip(places, occurrences, strict=True))
            ),
        )

    def instead(self, guess: Iterable[int], mark: tuple[int, int]) -> Self:
        return super().instead(
            self.game.alphabet.check(guess), check_mark(mark, game_of(self.game))
        )


class Domains(NamedTuple):
    """The numbers and places that each color may still have: Maréchal and Rastoix's domains.

    Attributes:
        places: for each color, the holes that may have it, from 0, ascending.
        occurrences: for each color, how often it may occur, ascending.
    """

    places: tuple[tuple[int, ...], ...]
    occurrences: tuple[tuple[int, ...], ...]


def ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers: `1-3, 5`; `-` for none."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    spans = zip(starts, ends, strict=True)
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans) or "-"


def domains(
    rules: Rules,
    history: Sequence[tuple[Code, Mark]],
    *,
    common: bool = True,
    last: bool = False,
    report: Report = silent,
) -> Domains:
    """The domains after some marks, as narrow as can be: some solution has each value.

    `common` and `last` as in `solve`; without `common`, (C2) narrows nothing.
    """
    model, holes, occurrences = constraints(rules, history, common=common, last=last)
    # for each color, Booleans that may be true only where it occurs 0, 1, 2, ... times
    exactly = [[model.new_bool_var("") for _ in range(len(row) + 1)] for row in occurrences]
    for at_least, row in zip(occurrences, exactly, strict=True):
        for n, variable in enumerate(at_least):
            model.add_implication(row[n], variable.negated())
            model.add_implication(row[n + 1], variable)
    named = {color for guess, _ in history for color in guess}
    unnamed = min((c for c in range(rules.colors) if c not in named), default=0)
    # colors that no guess has are alike: one stands for all
    alike = [color if color in named else unnamed for color in range(rules.colors)]
    places: list[set[int]] = [set() for _ in alike]
    numbers: list[set[int]] = [set() for _ in alike]
    values = len(set(alike)) * (rules.pegs + len(exactly[0]))
    while (code := solution(model, holes)) is not None:
        for hole, color in enumerate(code):
            places[alike[color]].add(hole)
        for color in range(rules.colors):
            numbers[alike[color]].add(code.count(color))
        unseen = [
            *(holes[h][c] for c in set(alike) for h in range(rules.pegs) if h not in places[c]),
            *(v for c in set(alike) for n, v in enumerate(exactly[c]) if n not in numbers[c]),
        ]
        model.add_bool_or(unseen)
        model.clear_hints()
        for variable in unseen:
            model.add_hint(variable, 1)
        report(Progress(values - len(unseen), values, "values"))
    if not any(numbers):
        raise ContradictionError("no secret of {rules} gives these marks", rules=rules)
    return Domains(
        tuple(tuple(sorted(places[c])) for c in alike),
        tuple(tuple(sorted(numbers[c])) for c in alike),
    )


def solve(
    rules: Rules,
    history: Sequence[tuple[Code, Mark]],
    *,
    common: bool = True,
    last: bool = False,
) -> Code:
    """A secret that would have given every mark, the same one whenever these are the same.

    Args:
        rules: the rules of the board.
        history: guesses and their marks.
        common: whether the code has as much in common with each guess as its mark says; or else,
            (C2) to the letter, whether the least values of the domains of the occurrences add up to
            the pegs of the last mark.
        last: (C3) to the letter: the code agrees with the last guess in place, not with all.

    Raises:
        ContradictionError: there is none.
        StrategyError: (C2) to the letter leaves no code, or (C3) to the letter only those that
            have been played, over and over.
    """
    model, holes, _ = constraints(rules, history, common=common, last=last)
    if (code := solution(model, holes)) is None:
        raise ContradictionError("no secret of {rules} gives these marks", rules=rules)
    if history and not common and not rules.black:
        guess, mark = history[-1]
        least = sum(map(min, domains(rules, history, common=common, last=last).occurrences))
        _, (fewest, most) = mark.ranges(rules.pegs)
        if not fewest <= least <= most:
            raise StrategyError(
                "constraint:c2=domains finds no code after {guess}={mark}: the least occurrences "
                "of all colors add up to {least}",
                guess=guess,
                mark=mark,
                least=least,
            )
    # the same turns and the same last one give the same constraints, and so the same guess
    before = (n for n in range(1, len(history)) if history[n - 1] == history[-1])
    if last and any(set(history[:n]) == set(history) for n in before):
        raise StrategyError(
            "constraint:c3=last plays the same codes again and again: {code} is next", code=code
        )
    return code


class FixedGuesses(CandidateStrategy):
    """Play guesses fixed beforehand, whatever the marks, then announce the code."""

    def __init__(
        self,
        *,
        early: Annotated[
            bool,
            StrategyOption(
                "announce the code as soon as the marks leave only one, not after all guesses"
            ),
        ] = True,
    ) -> None:
        self.early = early
        self.options = check_options(FixedGuesses, early=early)

    @abstractmethod
    def guesses(self, game: Game) -> Sequence[Code]:
        """The guesses, in the order of play; StrategyError where there are none for this game."""

    def begin(self, game: Game) -> Decision:
        """The first of the guesses; errors as `guesses`."""
        self.guesses(game)
        return super().begin(game)

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        guesses = self.guesses(game)
        if len(history) >= len(guesses) or (self.early and len(candidates) == 1):
            return int(game.guess_of_secret[candidates[0]])
        return game.guess_number(guesses[len(history)])

    def explain(self, decision: CandidateDecision, write: Write) -> Explanation:
        game, candidates, figures = decision.game, decision.candidates, decision.figures()
        remaining = self.guesses(game)[len(decision.history) :]
        if not remaining:
            reason = [Phrase("All guesses are played: it is a code that agrees with all marks.")]
            figures["guesses"] = []
            return Explanation(attempt=decision.guess, reason=tuple(reason), figures=figures)
        marks = np.array([game.marks(game.guess_number(g), candidates) for g in remaining])
        classes = len(np.unique(marks, axis=1).T)
        codes = " ".join(map(write, remaining))
        reason = [
            Phrase("This guess was fixed beforehand: the marks do not change it."),
            Phrase("Still to be played, this one first: {codes}.", codes=codes),
            Phrase(
                "Together they tell each of the {n:,} codes that agree from every other.",
                n=len(candidates),
            )
            if classes == len(candidates)
            else Phrase(
                "Together they separate the {n:,} codes that agree into {classes:,} classes.",
                n=len(candidates),
                classes=classes,
            ),
        ]
        figures |= {"guesses": [str(guess) for guess in remaining], "classes": classes}
        criterion = Phrase("the set of guesses that is fixed")
        return Explanation(
            attempt=decision.guess, reason=tuple(reason), criterion=criterion, figures=figures
        )

    def weighed(self, decision: CandidateDecision) -> WeighedTable | None:
        """The guesses still to be played, and how each of them splits the candidates alone."""
        game, candidates = decision.game, decision.candidates
        rows = []
        for guess in self.guesses(game)[len(decision.history) :]:
            sizes = np.bincount(game.marks(game.guess_number(guess), candidates))
            rows.append((guess, int((sizes > 0).sum()), int(sizes.max())))
        heads = (Phrase("guess"), Phrase("marks"), Phrase("largest"))
        return WeighedTable(heads, tuple(rows)) if rows else None


class Greenwell(FixedGuesses):
    """Play the six guesses whatever the marks, then announce the code."""

    card = Card(
        id="greenwell",
        name="Six fixed guesses",
        authors="Don L. Greenwell",
        year=1999,
        source="Mastermind, Journal of Recreational Mathematics 30(3), p. 191-192",
        about=(
            "Plays six guesses fixed beforehand: no two codes of 4 pegs and 6 colors get the same "
            "six marks, so that the code can be announced as the seventh guess. As soon as fewer "
            "marks leave only one code, that one is announced."
        ),
        traits=frozenset({"fixed"}),
    )

    def guesses(self, game: Game) -> Sequence[Code]:
        """The six guesses; StrategyError for other rules than 4x6."""
        if game.rules != _RULES:
            raise StrategyError(
                "greenwell plays {rules} only, not {game}: its six guesses are made for that "
                "board{advice}",
                rules=_RULES,
                game=game.name,
                advice=Phrase("; `pegwise static` finds a set of fixed guesses for others"),
            )
        return GUESSES


_RULES: Final = Rules(4, 6)

GUESSES: Final = tuple(
    Code(pegs)
    for pegs in [(0, 1, 1, 0), (1, 2, 4, 3), (2, 2, 0, 0), (3, 4, 1, 3), (4, 5, 4, 5), (5, 5, 3, 2)]
)
"""Greenwell's six guesses, in the order in which they are played."""
