"""Decode, as it is computed: what is possible after some turns, what to play, and why.

Where marks contradict each other, it is told which one may be wrong. Computed in the processes of
a `work.Line`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pegwise.errors import ContradictionError, InputError, Phrase, TooLargeError
from pegwise.game import Code, Mark, Rules, Turn, parse_code, parse_mark

if TYPE_CHECKING:
    from pegwise.coach import Split
    from pegwise.strategies import Strategy

__all__ = ["decode", "possible", "read_turns", "why"]

_REASONS = 10


def read_turns(rules: Rules, texts: Sequence[tuple[str, str]]) -> list[Turn]:
    """Turns from their texts.

    Raises:
        CodeError: a guess that the rules do not allow; MarkError: a mark likewise. The message
            begins with the number of the turn.
    """
    turns = []
    for number, (guess, mark) in enumerate(texts, 1):
        try:
            turns.append(Turn(parse_code(guess, rules), parse_mark(mark, rules)))
        except InputError as error:
            raise type(error)(Phrase("turn {n}: {problem}", n=number, problem=error)) from None
    return turns


def decode(
    rules: Rules, name: str, turns: Sequence[Turn], used: Sequence[int], limit: int
) -> dict[str, Any]:
    """What is possible after these turns, and what to play.

    Args:
        rules: the board.
        name: the strategy, as typed; "" for the default one of the board.
        turns: all turns.
        used: the places in `turns`, from 0, of those that count; the others are ignored.
        limit: how many possible codes are wanted.

    Returns:
        As `schemas.DecodeView`.

    Raises:
        InputError: no such strategy, or a mark that its guess cannot get.
        StrategyError: the strategy cannot play this board, or go on from these turns.
        TooLargeError: the board is too large for the strategy.
    """
    from pegwise.coach import Adviser
    from pegwise.knowledge import check_turn
    from pegwise.strategies import label

    strategy = _strategy(rules, name)
    history = [turns[place] for place in used]
    for place, turn in zip(used, history, strict=True):
        try:
            check_turn(rules, turn)
        except InputError as error:
            raise type(error)(Phrase("turn {n}: {problem}", n=place + 1, problem=error)) from None
    left = _counts(rules, history)
    won = bool(history) and history[-1].mark == Mark(rules.pegs) and left[-1] != 0
    found: dict[str, Any] = {
        "count": left[-1],
        "left": _spread(left, used, len(turns)),
        "guess": None,
        "by": label(strategy),
        "won": won,
        "marks": [],
        "codes": _first(rules, history, limit),
        "suspects": [],
        "agree": None,
        "fewest_wrong": None,
    }
    if left[-1] == 0:
        return found | _contradiction(rules, history, used, left)
    if won:
        return found
    try:
        advice = Adviser(strategy, rules).propose(history)
    except ContradictionError:  # on boards where codes are not counted
        return found | _contradiction(rules, history, used, left)
    marks = possible(rules, advice.guess)
    return found | {"guess": str(advice.guess), "by": advice.strategy, "marks": marks}


def possible(rules: Rules, guess: Code) -> list[str]:
    """The marks that some secret gives to a guess."""
    from pegwise.knowledge import possible_marks

    return [str(mark) for mark in possible_marks(rules, guess)]


def why(rules: Rules, name: str, history: Sequence[Turn]) -> dict[str, Any]:
    """The best guesses by the strategy's criterion, and how its own stands among them.

    Strategies that weigh nothing are shown by entropy. Where there are too many codes to weigh
    guesses, the proposed one stands alone.

    Returns:
        As `schemas.WhyView`.

    Raises:
        ContradictionError: no code fits the turns.
        InputError, StrategyError, TooLargeError: as `decode`.
    """
    from pegwise.coach import Adviser, Position, rank
    from pegwise.coach.advice import criterion_of
    from pegwise.strategies import options_of

    strategy = _strategy(rules, name)
    criterion = criterion_of(strategy)
    position = Position(rules, history)
    if not position.count:
        raise ContradictionError(
            "no code of {rules} fits these turns: correct a mark first", rules=rules
        )
    advice = Adviser(strategy, rules).propose(history)
    splits: list[Split] = []
    weighed, exact, note = 0, True, None
    try:
        only = str(options_of(strategy).get("guesses", "all"))
        ranking = rank(position, criterion, only, _REASONS)
    except TooLargeError as error:
        note = f"{error}."
    else:
        splits += ranking.splits
        weighed, exact = ranking.weighed, ranking.exact
    rows = [_row(place, split, criterion) for place, split in enumerate(splits, 1)]
    if advice.guess not in [split.guess for split in splits]:
        rows.append(_row(None, position.split(advice.guess), criterion))
    return {
        "criterion": criterion,
        "guess": str(advice.guess),
        "by": advice.strategy,
        "count": position.count,
        "weighed": weighed,
        "exact": exact,
        "note": note,
        "rows": rows,
    }


def _row(place: int | None, split: Split, criterion: str) -> dict[str, Any]:
    return {
        "place": place,
        "guess": str(split.guess),
        "score": split.score(criterion),
        "bits": split.bits,
        "expected": float(split.expected),
        "largest": split.largest,
        "parts": len(split.parts),
        "candidate": split.possible,
    }


def _strategy(rules: Rules, name: str) -> Strategy:
    from pegwise.coach import default_strategy
    from pegwise.strategies import parse

    return parse(name) if name.strip() else default_strategy(rules)


def _counts(rules: Rules, history: Sequence[Turn]) -> list[int | None]:
    """How many codes fit before the first turn and after each; None where they are too many."""
    from pegwise.knowledge import count

    left: list[int | None] = []
    for number in range(len(history) + 1):
        try:
            known = left and left[-1] in {None, 0}  # what was too much stays so
            left.append(left[-1] if known else count(rules, history[:number]))
        except TooLargeError:
            left.append(None)
    return left


def _spread(left: Sequence[int | None], used: Sequence[int], number: int) -> list[int | None]:
    """The counts after each of all turns; None after one that is ignored."""
    after = dict(zip(used, left[1:], strict=True))
    return [after.get(place) for place in range(number)]


def _first(rules: Rules, history: Sequence[Turn], limit: int) -> list[str]:
    from pegwise.knowledge import candidates

    try:
        return [str(code) for code in candidates(rules, history, limit)]
    except TooLargeError:
        return []


def _contradiction(
    rules: Rules, history: Sequence[Turn], used: Sequence[int], left: Sequence[int | None]
) -> dict[str, Any]:
    """Which turns agree, and which mark may be wrong."""
    from pegwise.knowledge import fewest_wrong, suspects

    last = next((place for place, count in enumerate(left) if count == 0), len(left))
    agree = {"turns": max(0, last - 1), "count": left[last - 1] or 0}
    try:
        found = suspects(rules, history)
        fewest = 1 if found else fewest_wrong(rules, history)
    except TooLargeError:
        return {"count": 0, "agree": agree}
    return {
        "count": 0,
        "agree": agree,
        "fewest_wrong": fewest,
        "suspects": [
            {
                "turn": used[suspect.turn] + 1,
                "mark": str(suspect.mark),
                "instead": [
                    {"mark": str(other.mark), "count": other.count} for other in suspect.instead
                ],
            }
            for suspect in found
        ],
    }
