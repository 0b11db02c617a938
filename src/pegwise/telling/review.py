"""What is told of a review: how a game ended, how its guesses were, and what luck did."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from pegwise.game.rules import rules_title
from pegwise.i18n import tr, trn
from pegwise.playing import Record

if TYPE_CHECKING:
    from pegwise.coach.review import Review, TurnReview

from pegwise.telling.words import cost_words

SQUARES: Final = {"best": "🟩", "good": "🟦", "inaccurate": "🟨", "wasted": "🟥", None: "⬜"}
"""The words for guesses as signs, for a line that gives no guess away."""


def ended_words(record: Record) -> str:
    """How a game ended: `solved in 5 guesses`."""
    n = len(record.turns)
    return {
        "solved": trn("solved in {n} guess", "solved in {n} guesses", n),
        "open": trn("not finished after {n} guess", "not finished after {n} guesses", n),
        "lost": trn("not found in {n} guess", "not found in {n} guesses", n),
        "given up": trn("given up after {n} guess", "given up after {n} guesses", n),
    }[record.result]


def _with_hints(record: Record) -> str:
    """How a game ended, and how many of its guesses were made by hints."""
    ended, n = ended_words(record), sum(turn <= len(record.turns) for turn in record.hinted)
    return f"{ended}, {trn('{n} by a hint', '{n} by hints', n)}" if n else ended


def guess_verdict(verdict: str | None) -> str:
    """The coach's word for a guess."""
    return {
        "best": tr("best"),
        "good": tr("good"),
        "inaccurate": tr("inaccurate"),
        "wasted": tr("wasted"),
    }.get(verdict or "", "?")


def review_title(review: Review) -> str:
    """How a game ended, and how its guesses were: `solved in 3 guesses (2 best, 1 good)`."""
    ended = _with_hints(review.record)
    counts = Counter(str(turn.verdict) for turn in review.turns)
    numbers = {
        "best": trn("{n} best", "{n} best", counts["best"]),
        "good": trn("{n} good", "{n} good", counts["good"]),
        "inaccurate": trn("{n} inaccurate", "{n} inaccurate", counts["inaccurate"]),
        "wasted": trn("{n} wasted", "{n} wasted", counts["wasted"]),
    }
    if words := ", ".join(words for verdict, words in numbers.items() if counts[verdict]):
        return tr("{ended} ({words})", ended=ended, words=words)
    return ended


def review_words(review: Review) -> str:
    """A review in a sentence, which begins with how the game ended."""
    ended, reviewed = review_title(review), review.turns
    if not reviewed:
        return f"{ended}."
    choices = tr("the choices cost nothing")
    if not review.costs:
        choices = tr("too many codes were possible to look for the best guesses")
    elif any(review.costs.values()):
        costs = [cost_words(cost, unit) for unit, cost in review.costs.items() if cost]
        choices = tr("the choices cost {cost}", cost=" + ".join(costs))
    if any(turn.unit is None for turn in reviewed) and review.costs:
        choices = tr("{choices} where that is known", choices=choices)
    return tr("{ended}; {choices}, and {luck}.", ended=ended, choices=choices, luck=_luck(review))


def _luck(review: Review) -> str:
    if review.record.codemaker == "evil":
        return tr("the evil codemaker chose the marks")
    if not (luck := round(review.luck, 2)):
        return tr("luck was even")
    bits = cost_words(abs(luck), "bits")
    return tr("luck gave {bits}", bits=bits) if luck > 0 else tr("luck took {bits}", bits=bits)


def luck_note(review: Review) -> str:
    """A sentence that explains luck, and what else it may be with this codemaker."""
    note = tr("Luck is what the mark told beyond what this same guess could be expected to.")
    return {
        "evil": tr("The evil codemaker chose every mark, so none of it is luck."),
        "optimal": tr(
            "{note} The optimal codemaker draws some codes more often, which is not counted.",
            note=note,
        ),
    }.get(review.record.codemaker, note)


def review_line(review: Review) -> str:
    """A line to share, which tells neither the secret nor a guess; hints have no color."""
    record = review.record
    squares = "".join(
        SQUARES[None if number in record.hinted else turn.verdict]
        for number, turn in enumerate(review.turns, 1)
    )
    name, what = f"pegwise {rules_title(record.rules)}", _with_hints(record)
    return tr("{name}: {what}", name=name, what=what) + f" {squares}"


def review_text(review: Review) -> str:
    """A review as plain text."""
    head = f"pegwise {rules_title(review.record.rules)}"
    if review.secret is not None:
        head = tr("{rules}, secret {secret}", rules=head, secret=review.secret)
    lines = [tr("{name}: {what}", name=head, what=review_words(review)), ""]
    lines += [_turn_line(turn) for turn in review.turns]
    if broken := [missed_words(turn) for turn in review.turns if turn.missed is not None]:
        lines += ["", *broken]
    if not review.consistent:
        turn = len(review.turns) + 1
        lines += ["", tr("The marks contradict each other from turn {n} on.", n=turn)]
    return "\n".join(lines) + "\n"


def _turn_line(turn: TurnReview) -> str:
    guess, mark = turn.turn
    codes = tr(
        "{before:,} -> {after:,} ({expected:,.1f} expected)",
        before=turn.before,
        after=turn.after,
        expected=float(turn.played.expected),
    )
    line = f"{turn.number}. {guess} {mark}; {codes}"
    if turn.verdict is not None:
        line += f"; {guess_verdict(turn.verdict)}"
    if turn.unit is None or turn.answer is None or turn.is_best:
        return line
    cost = cost_words(turn.excess or 0.0, turn.unit)
    return line + ", " + tr("best {guess} (+{cost})", guess=turn.answer, cost=cost)


def missed_words(turn: TurnReview) -> str:
    """A sentence on what a guess does not use where the rules are hard."""
    return tr("Turn {n}: {why}.", n=turn.number, why=tr(turn.missed or ""))
