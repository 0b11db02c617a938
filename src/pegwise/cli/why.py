"""The best guesses of a position as a table, with what they can be expected to tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pegwise.cli.board import Screen
from pegwise.errors import TooLargeError
from pegwise.game import Code, Rules, Turn

if TYPE_CHECKING:
    from pegwise.coach import Ranking, Split
    from pegwise.strategies import Strategy

__all__ = ["show_why"]

_COUNT: Final = 10
_ROOM: Final = 56
"""Columns of the widest table, but for the pegs of a code."""

_HEADS: Final = ("", "guess", "bits", "exp.", "largest", "marks", "win?", "")
_WORDS: Final = (1, 7)
_NAMES: Final = {
    "entropy": "the most bits",
    "size": "the fewest codes expected to be left",
    "minimax": "the smallest largest part",
    "parts": "the most different marks",
}


def show_why(
    strategy: Strategy, rules: Rules, history: Sequence[Turn], guess: Code, screen: Screen
) -> None:
    """Show the ten best guesses by the strategy's criterion, and how this one stands among them.

    Strategies that weigh nothing are shown by entropy. Where there are too many candidates to
    weigh guesses, this one is shown alone.
    """
    from pegwise.coach import Position, rank

    criterion = _criterion(strategy)
    position = Position(rules, history)
    if position.count == 1:
        screen.say("No other code is possible.")
        return
    splits: list[Split] = []
    try:
        with screen.working("weighing", rules):
            only = str(strategy.options.get("guesses", "all"))
            ranking = rank(position, criterion, only, _COUNT)
    except TooLargeError as error:
        screen.tell(f"{error}.")
        how = ""
    else:
        splits += ranking.splits
        screen.tell(f"The best guesses by {criterion}: {_NAMES[criterion]}.")
        how = _how(ranking)
    ranks = [str(number) for number in range(1, len(splits) + 1)]
    if guess not in [split.guess for split in splits]:
        splits.append(position.split(guess))
        ranks.append("")
    sign = "<- proposed" if screen.width >= _ROOM + rules.pegs else "<-"
    rows = [
        _cells(place, split, sign if split.guess == guess else "")
        for place, split in zip(ranks, splits, strict=True)
    ]
    screen.table(_HEADS, rows, [split.guess for split in splits], _WORDS)
    screen.note(
        "bits: to be expected; exp.: codes expected to be left; largest: most codes that can be "
        f"left; marks: different marks possible; win?: whether it could be the code. {how}"
    )


def _criterion(strategy: Strategy) -> str:
    """What the strategy goes by: a criterion of the one-step strategies, entropy if none."""
    from pegwise.coach.ranking import STRATEGIES

    by_strategy = {name: criterion for criterion, name in STRATEGIES.items()}
    by_strategy["forget-minimax"] = "minimax"
    return by_strategy.get(strategy.card.id, "entropy")


def _how(ranking: Ranking) -> str:
    """Which guesses were compared, and how."""
    guesses = f"{ranking.weighed:,} {'guesses' if ranking.complete else 'possible codes'}"
    how = f"{guesses} were compared"
    if not ranking.exact:
        how += ", on a sample of the codes first"
    if ranking.kinds:
        how += "; of those that are alike but for names of colors or order of places, one"
    return f"{how}."


def _cells(rank: str, split: Split, note: str) -> list[str]:
    expected = float(split.expected)
    return [
        rank,
        str(split.guess),
        f"{split.bits:.2f}",
        f"{expected:,.0f}" if expected >= 1000 else f"{expected:.1f}",
        f"{split.largest:,}",
        str(len(split.parts)),
        "yes" if split.possible else "no",
        note,
    ]
