"""The coach: what each guess of a played game could tell, and what it did tell.

There is one yardstick for guesses, of hint, coach, review and what is shared of them: guesses above
best play, where a solver searches the position to its end; else what one look ahead tells by a
criterion, which is bits of information unless another is named.

For every turn: the candidates before and after, what the player's own guess could be expected to
tell, and the best guess by the yardstick. Skill and luck are kept apart. Skill and cost compare a
guess with the best one; its *luck* compares what its mark told with what this same guess could be
expected to tell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

from pegwise.coach.advice import Advice as Advice
from pegwise.coach.advice import Adviser as Adviser
from pegwise.coach.advice import Position as Position
from pegwise.coach.advice import Ranking as Ranking
from pegwise.coach.advice import Split as Split
from pegwise.coach.advice import best_guess as best_guess
from pegwise.coach.advice import default_strategy as default_strategy
from pegwise.coach.advice import rank as rank
from pegwise.coach.choice import Choice, Solver, Unit, weigh
from pegwise.encoder import encoded
from pegwise.errors import Phrase
from pegwise.game import Code, Mark, Turn
from pegwise.game.hard import missed
from pegwise.hooks import Drawable
from pegwise.knowledge import Suspect, suspects, wrong_turns
from pegwise.knowledge.reasoning import deciding_turns
from pegwise.playing import Record, check_record, parse_game
from pegwise.progress import Progress, Report, silent

_COSTLY: Final = 0.15  # guesses or bits from which a choice decides a game
_LUCKY: Final = 0.5  # bits of luck


class TurningPoint(NamedTuple):
    """The turn that decided most; `costly` if by what it cost, else by its luck."""

    place: int  # among the turns, from 0
    costly: bool


def turning_point(costs: Sequence[float], lucks: Sequence[float]) -> TurningPoint | None:
    """Of turns with these costs and this luck; None where no turn decided the game."""
    places = range(len(costs))
    costliest = max(places, key=costs.__getitem__, default=0)
    if any(cost >= _COSTLY for cost in costs):
        return TurningPoint(costliest, costly=True)
    luckiest = max(places, key=lambda place: abs(lucks[place]), default=0)
    if any(abs(luck) >= _LUCKY for luck in lucks):
        return TurningPoint(luckiest, costly=False)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReview(Choice):
    """A turn with the information that its guess could give, and that its mark gave.

    Attributes:
        number: number of the turn, from 1.
        turn: the guess with its mark.
        counts_after: candidates of each board after its mark.
        weights_after: their weight: their number where all codes are alike.
        follows_from: where one code was possible before it, the turns that this follows from by
            simple steps; none where it takes harder ones.
        missed: what the guess does not use of the turns before it, where rules are `hard`.
    """

    number: int
    turn: Turn
    counts_after: tuple[int, ...]
    weights_after: tuple[int, ...]
    follows_from: tuple[int, ...] = ()
    missed: Phrase | None = None

    @property
    def after(self) -> int:
        """Candidates after its mark; of several boards the ways to choose one for each."""
        return math.prod(self.counts_after)

    @property
    def bits(self) -> float:
        """Bits of information that the mark gave, by weight; by number if none has a weight."""
        weighed = all(self.weights_after)
        before = self.weights if weighed else self.counts
        pairs = zip(before, self.weights_after if weighed else self.counts_after, strict=True)
        return math.fsum(math.log2(before / after) for before, after in pairs)

    @property
    def luck(self) -> float:
        """Bits that the mark told beyond what this guess could be expected to."""
        return self.bits - self.played.bits

    @property
    def luck_share(self) -> float | None:
        """Of the candidates before it, the share to which this guess would have told less.

        Of those to which it would have told as much, half are counted, so that it is 0.5 on
        average. None where the mark was known beforehand, and of several boards.
        """
        if len(self.counts) > 1:
            return None
        weighed = self.played.weights and self.weights[0]
        sizes = self.played.weights[0] if weighed else [size for _, size in self.played.parts]
        if len(sizes) == 1:
            return None
        own = self.weights_after[0] if weighed else self.after
        less = sum(size for size in sizes if size > own)
        same = sum(size for size in sizes if size == own)
        return (less + same / 2) / sum(sizes)

    @property
    def cost(self) -> float | None:
        """Bits that the best guess could be expected to tell beyond this one."""
        return None if self.best is None else self.best.bits - self.played.bits

    @property
    def cost_in_codes(self) -> Fraction | None:
        """Candidates expected after this guess beyond those expected after the best one."""
        return None if self.best is None else self.played.expected - self.best.expected

    def document(self) -> dict[str, Any]:
        """The turn as JSON; turns and boards are counted from 1."""
        best, exact = self.best, self.exact
        if len(self.counts) > 1:
            return {
                "turn": self.number,
                "guess": self.turn.guess,
                "marks": self.turn.marks,
                "before": self.counts,
                "after": self.counts_after,
                "bits": self.bits,
                "expected_bits": self.played.bits,
                "luck": self.luck,
                "could_win": self.played.possible_on,
                "best": best and best.guess,
                "best_bits": best and best.bits,
                "cost": self.cost,
            }
        return {
            "turn": self.number,
            "guess": self.turn.guess,
            "mark": self.turn.mark,
            "before": self.before,
            "after": self.after,
            "bits": self.bits,
            **_expectations(self.played),
            "luck": self.luck,
            "luck_share": self.luck_share,
            "best": best and {"guess": best.guess, **_expectations(best)},
            "cost": self.cost,
            "cost_in_codes": self.cost_in_codes,
            # by the yardstick: what it counts, the best guess, and what the player's own costs
            "unit": self.unit,
            "answer": self.answer,
            "above": self.excess,
            "skill": self.skill,
            "verdict": self.verdict,
            "follows_from": self.follows_from,
            "missed": self.missed,
            # guesses on average from this turn on, by best play and after the player's own guess
            "exact": exact
            and {
                "guess": exact.guess,
                "guesses": exact.total / self.before,
                "played": None if exact.played is None else exact.played / self.before,
                "cost": self.cost_in_guesses,
            },
        }


def _expectations(split: Split) -> dict[str, Any]:
    """What could be expected of a guess, as JSON."""
    return {
        "expected": split.expected,
        "expected_bits": split.bits,
        "could_win": split.possible,
    }


@dataclass(frozen=True, slots=True)
class Review(Drawable):
    """A game, turn by turn.

    Attributes:
        record: the game.
        criterion: what makes a guess best: `entropy`, `size`, `minimax` or `parts`.
        guesses: what the best guess was chosen from: `all` guesses or `candidates`.
        turns: the turns as far as the marks agree.
        suspects: where the marks contradict each other, which may be wrong, likeliest first.
        wrong: turns, by number, with another mark than the secret gives, and the mark it gives;
            empty where the secret is not known.

    Examples:
        >>> turns = pegwise.play("3x3", "first", "ACA")
        >>> record = pegwise.Record.of_turns("3x3", turns)
        >>> [turn.verdict for turn in pegwise.review(record).turns]
        ['inaccurate', 'best', 'best']
    """

    record: Record = field(repr=False)
    criterion: str
    guesses: str
    turns: tuple[TurnReview, ...] = field(repr=False)
    suspects: tuple[Suspect, ...] = field(default=(), repr=False)
    wrong: tuple[tuple[int, Mark], ...] = ()

    @property
    def secret(self) -> Code | None:
        """The hidden code of one board, where the record has it or the last guess is it."""
        return self.record.secrets[0] if self.record.boards == 1 else None

    @property
    def luck(self) -> float:
        """Bits of luck of all turns."""
        return math.fsum(turn.luck for turn in self.turns)

    @property
    def luck_share(self) -> float | None:
        """The mean of the turns' shares of luck, 0.5 on average; None where no mark was open."""
        shares = [turn.luck_share for turn in self.turns if turn.luck_share is not None]
        return math.fsum(shares) / len(shares) if shares else None

    @property
    def cost(self) -> float:
        """Bits that the choices cost against the best guesses, where these are known."""
        return math.fsum(turn.cost or 0.0 for turn in self.turns)

    @property
    def costs(self) -> dict[Unit, float]:
        """Costs of the choices by the yardstick, for each unit that it counts them in."""
        pairs = [(turn.unit, turn.excess or 0.0) for turn in self.turns]
        units = dict.fromkeys(unit for unit, _ in pairs if unit is not None)
        return {unit: math.fsum(cost for own, cost in pairs if own == unit) for unit in units}

    @property
    def cost_in_guesses(self) -> Fraction:
        """Guesses that the choices cost on average against best play, where that is known."""
        return sum((turn.cost_in_guesses or Fraction() for turn in self.turns), Fraction())

    @property
    def estimated(self) -> bool:
        """Whether what best play needs is not known for every turn."""
        return any(turn.cost_in_guesses is None for turn in self.turns)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each turn, as `pandas.DataFrame(review.rows())` takes them.

        The keys are those of the turns in `to_document`; `best` is the best guess.
        """
        rows = []
        for turn in self.turns:
            row = {key: value for key, value in turn.document().items() if key != "exact"}
            rows.append(row | {"best": turn.best and turn.best.guess})
        return rows

    @property
    def consistent(self) -> bool:
        """Whether some code would have given every mark."""
        return len(self.turns) == len(self.record.turns)

    @property
    def turning(self) -> tuple[TurnReview, bool] | None:
        """The turn that decided most, and whether by its cost, else by its luck; None if none."""
        costs = [turn.excess or 0.0 for turn in self.turns]
        lucks = [turn.luck if turn.before > 1 else 0.0 for turn in self.turns]
        decided = turning_point(costs, lucks)
        return None if decided is None else (self.turns[decided.place], decided.costly)

    def document(self) -> dict[str, Any]:
        """The review as JSON; turns are counted from 1, codes and marks are written as on paper."""
        record, several = self.record, self.record.boards > 1
        document: dict[str, Any] = {
            "rules": record.game_name if several else record.game,
            "codebreaker": record.codebreaker,
            "codemaker": record.codemaker,
            "result": record.result,
            **({"secrets": record.secrets} if several else {"secret": self.secret}),
            "criterion": self.criterion,
            "guesses": self.guesses,
            **({} if several else {"estimated": self.estimated}),
            "turns": self.turns,
            "luck": self.luck,
        }
        if several:
            document |= {"cost": self.cost, "consistent": self.consistent}
        else:
            document |= {
                "luck_share": self.luck_share,
                "cost": self.cost,
                "costs": self.costs,
                "cost_in_guesses": None if self.estimated else self.cost_in_guesses,
                "consistent": self.consistent,
                "suspects": self.suspects,
                "wrong": [{"turn": number, "mark": mark} for number, mark in self.wrong],
            }
        written: dict[str, Any] = encoded(document)
        return written


def review(
    record: Record | str,
    *,
    criterion: str = "entropy",
    guesses: str = "all",
    solver: Solver | None = None,
    report: Report = silent,
) -> Review:
    """Review a game, finished or not; where marks contradict each other, the turns before that.

    A game with several secrets is reviewed by one look ahead, without a solver.

    Args:
        record: the game, or its text: a record, or turns as people note them (see `parse_game`).
        criterion: what makes a guess best: `entropy`, `size`, `minimax` or `parts`.
        guesses: what the best guess is chosen from: `all` guesses or only `candidates` (the
            player's own rule). On boards too large to list always `candidates`.
        solver: finds what best play needs, where it can.
        report: receives each turn that is done.

    Raises:
        InputError: no record, another criterion, or other guesses.

    Examples:
        >>> pegwise.review("4x6 / 1122 XO / 1344 OO").consistent
        True
    """
    if isinstance(record, str):
        record = parse_game(record, several=True)
    check_record(record)
    play = record.play
    reviewed: list[TurnReview] = []
    for number, turn in enumerate(play.turns, 1):
        after = Position(play.first(number))
        if not all(after.counts):
            break
        position = Position(play.first(number - 1))
        choice = weigh(position, turn.guess, criterion=criterion, guesses=guesses, solver=solver)
        one = choice.counts == (1,)
        compared = {name: getattr(choice, name) for name in Choice.__slots__}
        reviewed.append(
            TurnReview(
                **compared,
                number=number,
                turn=turn,
                counts_after=after.counts,
                weights_after=after.weights,
                follows_from=deciding_turns(play.game, position.turns) if one else (),
                missed=missed(play.game, position.turns, turn.guess),
            )
        )
        report(Progress(number, len(play.turns), "turns"))
    result = Review(record, criterion, guesses, tuple(reviewed))
    if not result.consistent and play.boards == 1:
        result = replace(result, suspects=tuple(suspects(play.game, play.turns)))
    if result.secret is not None:
        result = replace(result, wrong=tuple(wrong_turns(play.game, play.turns, result.secret)))
    return result
