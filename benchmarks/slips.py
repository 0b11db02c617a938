"""How often the wrong mark of a contradictory history is found.

The model, on any board: a secret drawn from all alike; a codebreaker who plays a candidate drawn
at random (or another strategy); one slip, in a turn drawn from those that the game without a slip
has before its winning one: the mark noted is drawn from the legal ones that differ from the true
one by one peg (put, taken away, or exchanged between black and white) and do not win. The game goes
on until no code fits. `suspects` then ranks the turns; where it is the slip counts.

    python -m benchmarks.slips
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from random import Random

from pegwise.errors import ContradictionError
from pegwise.game import Code, Mark, Mastermind, Rules, Turn, board_game
from pegwise.game.marks import pegs_changed
from pegwise.knowledge import suspects
from pegwise.strategies import Strategy, load

__all__ = ["Figures", "measure", "measure_all"]


@dataclass(frozen=True, slots=True)
class Figures:
    """A measurement.

    Attributes:
        rules: the board.
        codebreaker: the strategy that played.
        seed: what everything was drawn from.
        histories: contradictory histories.
        turns: mean length of them.
        suspects: mean number of turns that may be the wrong one.
        first: share of histories in which the right turn ranks first.
        first_two: likewise among the first two.
    """

    rules: str
    codebreaker: str
    seed: int
    histories: int
    turns: float
    suspects: float
    first: float
    first_two: float

    def __str__(self) -> str:
        return (
            f"{self.rules}, {self.histories} histories with one slip, {self.codebreaker} played: "
            f"the wrong turn ranks first in {self.first:.1%}, among the first two in "
            f"{self.first_two:.1%} ({self.turns:.2f} turns, {self.suspects:.2f} suspects)"
        )


def measure(
    rules: str = "4x6", *, codebreaker: str = "random", histories: int = 1000, seed: int = 0
) -> Figures:
    """Draw histories with one slip each, and look where the slip is ranked."""
    game = board_game(Rules.parse(rules))
    draw = Random(seed)
    turns = named = 0
    ranks: list[int] = []
    for number in count():
        if len(ranks) == histories:
            break
        options = {"seed": seed * histories + number} if codebreaker == "random" else {}
        strategy = load(codebreaker, **options)
        secret = game.secret(draw.randrange(game.n_secrets))
        honest = _play(game, strategy, secret)
        if len(honest) == 1:  # won at once: no turn to slip in
            continue
        slip = draw.randrange(len(honest) - 1)
        wrong = _neighbor(honest[slip].mark, game.rules, draw)
        history = _play(game, strategy, secret, slip, wrong)
        ranked = suspects(game.rules, history)
        turns += len(history)
        named += len(ranked)
        ranks.append([suspect.turn - 1 for suspect in ranked].index(slip))
    return Figures(
        rules=game.name,
        codebreaker=codebreaker,
        seed=seed,
        histories=histories,
        turns=turns / histories,
        suspects=named / histories,
        first=sum(rank < 1 for rank in ranks) / histories,
        first_two=sum(rank < 2 for rank in ranks) / histories,
    )


def measure_all() -> list[Figures]:
    """The figures that `docs/tutorials/decode.md` reports."""
    return [measure(codebreaker=codebreaker) for codebreaker in ("random", "entropy")]


def _play(
    game: Mastermind,
    strategy: Strategy,
    secret: Code,
    slip: int | None = None,
    wrong: Mark | None = None,
) -> list[Turn]:
    """The turns until the win, or until no code fits; one of them with a wrong mark."""
    decision = strategy.begin(game)
    history: list[Turn] = []
    won = False
    while not won:
        try:
            guess = decision.guess
        except ContradictionError:
            break
        true = game.mark_of(guess, secret)
        noted = wrong if wrong is not None and len(history) == slip else true
        history.append(Turn(guess, noted))
        won = game.mark_number(noted) == game.winning
        try:
            decision = decision.after(noted)
        except ContradictionError:
            break
    return history


def _neighbor(true: Mark, rules: Rules, draw: Random) -> Mark:
    """A legal mark, no win, that differs from the true one by one peg."""
    *others, _ = rules.marking.legal
    return draw.choice([mark for mark in others if pegs_changed(true, mark) == 1])


def main() -> None:
    """Measure and print."""
    for measured in measure_all():
        print(measured)


if __name__ == "__main__":
    main()
