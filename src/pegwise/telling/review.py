"""What is told of a review: how a game ended, how its guesses were, and what luck did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from pegwise.errors import Phrase
from pegwise.game import Game, Notation
from pegwise.game.game import game_title
from pegwise.game.notation import LETTERS
from pegwise.game.turns import BETWEEN
from pegwise.i18n import figure, tr, trn
from pegwise.playing import Record
from pegwise.telling.blocks import Block, Cell, Report, Sentence, Table, expected_codes, heads
from pegwise.telling.position import contradiction, wrong_mark
from pegwise.telling.reasoning import follows_from
from pegwise.telling.words import cost_words

if TYPE_CHECKING:
    from pegwise.coach.review import Review, TurnReview
    from pegwise.knowledge.diagnosis import Diagnosis

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
        choices = tr("the choices cost {cost} more than best play", cost=" + ".join(costs))
    if any(turn.unit is None for turn in reviewed) and review.costs:
        choices = tr("{choices} where that is known", choices=choices)
    return tr("{ended}; {choices}, and {luck}.", ended=ended, choices=choices, luck=_luck(review))


def _luck(review: Review) -> str:
    if review.record.codemaker == "evil":
        return tr("the evil codemaker chose the marks")
    if not (luck := round(review.luck, 2)):
        return tr("luck was even")
    bits = cost_words(abs(luck), "bits")
    return tr("luck gave {bits}", bits=bits) if luck > 0 else tr("bad luck cost {bits}", bits=bits)


def luck_note(review: Review) -> str:
    """A sentence that explains luck, and what else it may be with this codemaker."""
    note = tr("Luck is what the mark told beyond what this guess was expected to tell.")
    return {
        "evil": tr("The evil codemaker chose every mark, so none of it is luck."),
        "optimal": tr(
            "{note} The optimal codemaker draws some codes more often; this is not counted.",
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
    name, what = f"pegwise {record_title(record)}", _with_hints(record)
    return tr("{name}: {what}", name=name, what=what) + f" {squares}"


def record_title(record: Record) -> str:
    """The game as people call it: `Wordle × 4`."""
    title = game_title(record.game)
    return title if record.boards == 1 else f"{title} × {record.boards}"


def review_report(
    review: Review, diagnosis: Diagnosis | None = None, notation: Notation = LETTERS
) -> Report:
    """A review in a table, with what explains it; the diagnosis is of marks that contradict."""
    return Report.of(_blocks(review, diagnosis, notation))


def _blocks(review: Review, diagnosis: Diagnosis | None, notation: Notation) -> Iterator[Block]:
    record = review.record
    name: str = record.game_name
    if review.secret is not None:
        name = Phrase("{rules}, secret {secret}", rules=name, secret=review.secret)
    yield Sentence(Phrase("{name}: {what}", name=name, what=review_words(review)), "heading")
    if record.boards > 1:
        solved = sum(secret is not None for secret in record.play.found)
        words = tr("Boards solved: {n} of {boards}.", n=solved, boards=record.boards)
        yield Sentence(words)
    if review.turns:
        yield turns_table(review)
        yield Sentence(_heads_note(review), "note")
        if certain := [turn for turn in review.turns if turn.follows_from]:
            one = tr("Before turn {n} one code was possible.", n=certain[0].number)
            yield Sentence(f"{one} {follows_from(certain[0].follows_from)}")
        if record.codemaker in ("evil", "optimal"):
            yield Sentence(luck_note(review), "note")
    if diagnosis is not None:
        yield from contradiction(diagnosis, notation)
    elif not review.consistent:
        n = len(review.turns) + 1
        yield Sentence(tr("The marks contradict each other from turn {n} on.", n=n))
    for number, mark in review.wrong:
        turn = record.turns[number - 1]
        yield Sentence(wrong_mark(number, turn, mark, review.secret, notation), "warning")
    broken = [missed_words(turn) for turn in review.turns if turn.missed is not None]
    yield from map(Sentence, broken)


def _heads_note(review: Review) -> str:
    """What the heads of the table mean."""
    if review.record.boards > 1:
        return tr(
            "codes left: of each board after the turn; exp.: information expected about all "
            "boards together, in bits; luck: bits gained beyond that; cost: bits that the best "
            "guess would have gained more on average ({criterion}).",
            criterion=review.criterion,
        )
    return tr(
        "exp., bits: codes left and information expected; luck: bits gained beyond that; win?: "
        "whether it could be the code; cost: guesses above best play; *: estimated by one look "
        "ahead ({criterion}).",
        criterion=review.criterion,
    )


def missed_words(turn: TurnReview) -> str:
    """A sentence on what a guess does not use where the rules are hard."""
    return tr("Turn {n}: {why}.", n=turn.number, why=tr(turn.missed or ""))


def turns_table(review: Review) -> Table:
    """A row for each turn that was reviewed."""
    if review.record.boards > 1:
        return _table_of_boards(review)
    # all in one, so that another language can fit its own into the same width
    titles = tr("# guess mark before after exp. bits luck win? verdict best cost").split(" ")
    return Table(
        heads(*titles, words=(1, 2, 9, 10)),
        tuple(map(_cells, review.turns)),
        lead=3,
        lines=tuple(map(_line, review.turns)),
    )


def _table_of_boards(review: Review) -> Table:
    """The table of the turns on several boards; costs are bits, by one look ahead."""
    rows = [
        (
            str(turn.number),
            turn.turn.guess,
            BETWEEN.join(figure(n, ",") for n in turn.counts_after),
            figure(turn.played.bits, ".2f"),
            figure(turn.bits, ".2f"),
            figure(round(turn.luck, 2) + 0.0, "+.2f"),
            guess_verdict(turn.verdict),
            "" if turn.is_best or turn.answer is None else turn.answer,
            figure(turn.cost or 0.0, ".2f"),
        )
        for turn in review.turns
    ]
    titles = (
        *("#", tr("guess"), tr("codes left"), tr("exp."), tr("bits"), tr("luck")),
        *(tr("verdict"), tr("best"), tr("cost")),
    )
    return Table(heads(*titles, words=(1, 2, 6, 7)), tuple(rows), lead=2)


def _line(turn: TurnReview) -> str:
    """A row of the table in words."""
    words: str = tr(
        "{before:,} -> {after:,} ({expected:,.1f} expected)",
        before=turn.before,
        after=turn.after,
        expected=float(turn.played.expected),
    )
    if turn.verdict is not None:
        words += f"; {guess_verdict(turn.verdict)}"
    if turn.unit is None or turn.answer is None or turn.is_best:
        return words
    cost = cost_words(turn.excess or 0.0, turn.unit)
    best = Phrase("best {guess} (+{cost})", guess=turn.answer, cost=cost)
    return Phrase("{words}, {best}", words=words, best=best)


def _cells(turn: TurnReview) -> tuple[Cell, ...]:
    """A row of the table: what the turn was worth."""
    best: Cell = "?" if turn.answer is None else "" if turn.is_best else turn.answer
    cost = "?"
    if turn.unit is not None:
        cost = figure(turn.excess or 0.0, ".2f") + ("" if turn.unit == "guesses" else "*")
    return (
        str(turn.number),
        turn.turn.guess,
        turn.turn.mark,
        figure(turn.before, ","),
        figure(turn.after, ","),
        expected_codes(float(turn.played.expected)),
        figure(turn.played.bits, ".2f"),
        figure(round(turn.luck, 2) + 0.0, "+.2f"),  # never -0.00
        tr("yes") if turn.played.possible else tr("no"),
        guess_verdict(turn.verdict),
        best,
        cost,
    )


class TurnWords(NamedTuple):
    """What is said of a reviewed turn beside its figures.

    Attributes:
        verdict: the coach's word for its guess.
        cost: what the choice cost; "" for nothing.
        guess: whether the guess could be the code, and what made its mark certain.
        best: how the best guess compares.
        reveals: whether `best` names the best guess.
        mark: how many codes the mark left.
    """

    verdict: str
    cost: str
    guess: str
    best: str
    reveals: bool
    mark: str


def turn_words(turn: TurnReview, rules: Game) -> TurnWords:
    """What is said of a reviewed turn."""
    won = turn.turn.mark == rules.marking.winning
    follows = follows_from(turn.follows_from)
    cost = cost_words(turn.excess, turn.unit) if turn.excess and turn.unit else ""
    verdict = guess_verdict(turn.verdict) if turn.verdict else tr("not known")
    if turn.before == 1 and won:
        only = tr("One code was left, and this is it.")
        return TurnWords(verdict, cost, f"{only} {follows}".rstrip(), "", reveals=False, mark="")
    guess = tr("Your guess could not be the code.")
    if turn.played.possible:
        guess = tr("Your guess could be the code.")
    if turn.verdict == "wasted":
        guess += " " + tr("Its mark was known beforehand.")
    if turn.before == 1:
        guess += " " + f"{tr('One code was left.')} {follows}".rstrip()
    best: str = ""
    if turn.is_best:
        best = tr("No guess tells more on average.")
        if turn.unit == "guesses":
            best = tr("No guess needs fewer turns on average.")
    elif turn.unit is not None and turn.answer is not None:
        best = Phrase("{code} would tell {cost} more on average.", code=turn.answer, cost=cost)
        if turn.unit == "guesses":
            best = Phrase(
                "{code} needs {cost} fewer on average, to the end of the game.",
                code=turn.answer,
                cost=cost,
            )
    return TurnWords(
        verdict,
        cost,
        guess,
        best,
        reveals=isinstance(best, Phrase),
        mark="" if won else _mark_words(turn),
    )


def _mark_words(turn: TurnReview) -> str:
    """How many codes the mark left, and how many were expected."""
    expected = round(float(turn.played.expected), 1)
    after = trn("The mark left {n:,} code;", "The mark left {n:,} codes;", turn.after)
    # as many as are shown, for the plural
    return f"{after} " + trn("{n:,.1f} was expected.", "{n:,.1f} were expected.", expected)


def turning_words(review: Review) -> str:
    """A sentence about the turn that decided the game; "" where no turn did."""
    if review.turning is None:
        return ""
    turn, costly = review.turning
    if costly:
        cost = cost_words(turn.excess or 0.0, turn.unit or "bits")
        return tr(
            "The game turned at turn {n}, whose choice cost {cost}.", n=turn.number, cost=cost
        )
    if review.record.boards > 1:
        figures = {"n": turn.number, "bits": turn.bits, "expected": turn.played.bits}
        if turn.luck > 0:
            return tr(
                "The game turned at turn {n}, by luck: its marks told {bits:,.1f} bits where "
                "{expected:,.1f} were expected.",
                **figures,
            )
        return tr(
            "The game turned at turn {n}, by bad luck: its marks told {bits:,.1f} bits where "
            "{expected:,.1f} were expected.",
            **figures,
        )
    sentence = Phrase(
        "The game turned at turn {n}, by bad luck: its mark left {after:,} where {expected:,.1f} "
        "were expected."
    )
    if turn.luck > 0:
        sentence = Phrase(
            "The game turned at turn {n}, by luck: its mark left {after:,} where {expected:,.1f} "
            "were expected."
        )
    n, after, expected = turn.number, turn.after, float(turn.played.expected)
    return tr(str(sentence), n=n, after=after, expected=expected)
