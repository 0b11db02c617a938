"""The best guesses of a position as a table, with what they can be expected to tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pegwise.cli.board import Screen
from pegwise.errors import Phrase, TooLargeError
from pegwise.game import Code, Rules, Turn
from pegwise.i18n import figure, tr, translated

if TYPE_CHECKING:
    from pegwise.coach import Ranking, Split
    from pegwise.strategies import Strategy
_COUNT: Final = 10
_ROOM: Final = 56
"""Columns of the widest table, but for the pegs of a code."""

_HEADS: Final = (
    Phrase(""), Phrase("guess"), Phrase("bits"), Phrase("exp."), Phrase("largest"),
    Phrase("marks"), Phrase("win?"), Phrase(""),
)  # fmt: skip
_WORDS: Final = (1, 7)
_NAMES: Final = {
    "entropy": Phrase("the most bits"),
    "size": Phrase("the fewest codes expected to be left"),
    "minimax": Phrase("the smallest largest part"),
    "parts": Phrase("the most different marks"),
}


def show_why(
    strategy: Strategy, rules: Rules, history: Sequence[Turn], guess: Code, screen: Screen
) -> None:
    """Show the ten best guesses by the strategy's criterion, and how this one stands among them.

    Strategies that weigh nothing are shown by entropy. Where there are too many candidates to
    weigh guesses, this one is shown alone.
    """
    from pegwise.coach import Position, rank
    from pegwise.strategies import options_of

    criterion = _criterion(strategy)
    position = Position(rules, history)
    if position.count == 1:
        screen.say(tr("No other code is possible."))
        return
    splits: list[Split] = []
    try:
        with screen.working(tr("weighing"), rules):
            only = str(options_of(strategy).get("guesses", "all"))
            ranking = rank(position, criterion, only, _COUNT)
    except TooLargeError as error:
        screen.tell(f"{translated(error)}.")
        how = ""
    else:
        splits += ranking.splits
        words = _NAMES[criterion]
        screen.tell(tr("The best guesses by {name}: {words}.", name=criterion, words=words))
        how = _how(ranking)
    ranks = [str(number) for number in range(1, len(splits) + 1)]
    if guess not in [split.guess for split in splits]:
        splits.append(position.split(guess))
        ranks.append("")
    sign = "<- " + tr("proposed") if screen.width >= _ROOM + rules.pegs else "<-"
    rows = [
        _cells(place, split, sign if split.guess == guess else "")
        for place, split in zip(ranks, splits, strict=True)
    ]
    screen.table([tr(head) for head in _HEADS], rows, [split.guess for split in splits], _WORDS)
    screen.note(
        tr(
            "bits: to be expected; exp.: codes expected to be left; largest: most codes that can "
            "be left; marks: different marks possible; win?: whether it could be the code. {how}",
            how=how,
        )
    )


def _criterion(strategy: Strategy) -> str:
    """What the strategy goes by: a criterion of the one-step strategies, entropy if none."""
    from pegwise.coach.advice import STRATEGIES

    by_strategy = {name: criterion for criterion, name in STRATEGIES.items()}
    by_strategy["forget-minimax"] = "minimax"
    return by_strategy.get(strategy.card.id, "entropy")


def _how(ranking: Ranking) -> str:
    """Which guesses were compared, and how."""
    n = ranking.weighed
    how = tr("{n:,} possible codes were compared", n=n)
    if ranking.complete:
        how = tr("{n:,} guesses were compared", n=n)
    if not ranking.exact:
        how += tr(", on a sample of the codes first")
    if ranking.kinds:
        how += tr("; of those that are alike but for names of colors or order of places, one")
    return f"{how}."


def _cells(rank: str, split: Split, note: str) -> list[str]:
    expected = float(split.expected)
    return [
        rank,
        str(split.guess),
        figure(split.bits, ".2f"),
        figure(expected, ",.0f" if expected >= 1000 else ".1f"),
        figure(split.largest, ","),
        str(len(split.parts)),
        tr("yes") if split.possible else tr("no"),
        note,
    ]
