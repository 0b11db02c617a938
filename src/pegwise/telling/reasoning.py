"""What some turns tell, step by step, as a person reasons; and what a mark means, peg by peg."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pegwise.errors import SignRow
from pegwise.game import HOLE, Code, Game, Mark, Notation, Turn
from pegwise.game.marks import placed_mark
from pegwise.game.notation import LETTERS
from pegwise.i18n import tr, trn
from pegwise.knowledge.reasoning import Deduction
from pegwise.knowledge.sentences import (
    how_often,
    in_sequence,
    is_at,
    noun,
    right_pegs,
    sentence,
    written,
)
from pegwise.telling.blocks import Block, CodeList, Head, Item, Items, Sentence, Table, TurnList


def steps_list(
    steps: Sequence[Deduction],
    rules: Game,
    turns: Sequence[Turn],
    notation: Notation = LETTERS,
    first: int = 1,
) -> Items:
    """Steps in words, numbered from `first`; what refutes a case stands below it."""
    position = rules, turns, notation
    return Items(
        tuple(
            Item(
                sentence(step, *position),
                tuple(sentence(each, *position) for each in step.chain if len(step.chain) > 1),
            )
            for step in steps
            if step.helps
        ),
        first,
    )


def possible_colors(steps: Sequence[Deduction], rules: Game) -> Table:
    """The colors that are possible at each place after these steps."""
    excluded = {cell for step in steps for cell in step.excluded}
    rows = []
    for place in range(1, rules.pegs + 1):
        colors = [color for color in rules.alphabet.signs if (place, color) not in excluded]
        row = SignRow(rules.alphabet.of([color]) for color in colors)
        rows.append((tr("place {place}:", place=place), row))
    return Table((Head(""), Head("")), tuple(rows), tr("What is still possible"))


def explained(
    steps: Sequence[Deduction] | None,
    count: int,
    rules: Game,
    turns: Sequence[Turn],
    notation: Notation = LETTERS,
    codes: Sequence[Code] = (),
) -> Iterator[Block]:
    """Some turns, what follows from them by these steps, and the codes that fit, or their number.

    The steps are None for games that are not reasoned about.
    """
    yield TurnList(tuple(turns))
    if steps:
        yield steps_list(steps, rules, turns, notation)
    in_part = [str(n) for n, turn in enumerate(turns, 1) if turn.mark.partial]
    if in_part and steps is not None:
        yield Sentence(
            trn(
                "Turn {numbers} is noted in part, and left out of the steps.",
                "Turns {numbers} are noted in part, and left out of the steps.",
                len(in_part),
                numbers=", ".join(in_part),
            )
        )
    used = max((number for step in steps or () for number in step.turns), default=0)
    if steps is not None and used < len(turns):
        yield Sentence(tr("From turn {n} on nothing more follows by these steps.", n=used + 1))
    yield Sentence(trn("{n:,} code fits all turns.", "{n:,} codes fit all turns.", count))
    if codes:
        yield CodeList(tuple(codes), count)
    if steps is not None:
        yield possible_colors(steps, rules)


def follows_from(turns: Sequence[int]) -> str:
    """The turns that a fact follows from, in words; nothing for none."""
    if not turns:
        return ""
    numbers = in_sequence(map(str, turns))
    return trn(
        "This follows from turn {turns}.",
        "This follows from turns {turns}.",
        len(turns),
        turns=numbers,
    )


def mark_sentence(number: int, turn: Turn, rules: Game) -> str:
    """A sentence about the mark of a turn: `Turn 1 has 2 pegs of a right color: 1 ...`."""
    black, white = turn.mark.black, turn.mark.white
    right = right_pegs(black + white)
    return tr(rules.marking.turn.template, n=number, right=right, black=black, white=white)


def certain(steps: Sequence[Deduction], count: int, rules: Game) -> str:
    """Sentences about what is certain of a code that fits all turns, of which there are `count`."""
    if count == 1:
        return tr("Only this code fits all turns.")
    placed = {place: color for step in steps for place, color in step.placed}
    inside = {color for step in steps for color, low, _ in step.counts if low}
    cells = [is_at(place, color, LETTERS) for place, color in sorted(placed.items())]
    words = [tr("It fits all turns.")]
    if cells:
        words.append(tr("Certain is already: {cells}.", cells=in_sequence(cells)))
    if more := sorted(inside - set(placed.values())):
        facts = how_often(written(more, LETTERS), len(more), 1, 2, noun(rules))
        words.append(tr("{facts} for certain.", facts=facts))
    return " ".join(words)


def mark_told(rules: Game, guess: Code, secret: Code, mark: Mark) -> Iterator[Block]:
    """The mark of a guess, by the number of pegs, and why, peg by peg."""
    by_place = mark if mark.cells else placed_mark(guess, secret)
    if mark.cells:
        yield Sentence(str(mark))
    else:
        words = [trn("{n} black", "{n} black", mark.black)]
        words.append(trn("{n} white", "{n} white", mark.white))
        told = ", ".join(words[: len(rules.marking.counts(mark))])
        yield Table((Head(""), Head("")), ((mark, told),))
    yield from (Sentence(text, item=True) for text in _pegs(rules, guess, secret, by_place))


def _pegs(rules: Game, guess: Code, secret: Code, by_place: Mark) -> Iterator[str]:
    """What each peg of the guess gets, and why."""
    one = rules.alphabet.of
    for place, (color, true, kind) in enumerate(zip(guess, secret, by_place, strict=True), 1):
        values: dict[str, Any] = {"place": place, "color": one([color])}
        if kind == 2:
            yield tr("place {place}, {color}: black, the secret has it in this place.", **values)
        elif kind == 1:
            yield tr("place {place}, {color}: white, the secret has it elsewhere.", **values)
        elif color == HOLE:
            yield tr("place {place} is an empty hole: no mark.", place=place)
        elif color in secret and color != true:
            yield tr(
                "place {place}, {color}: no mark, each {color} of the secret is paired with "
                "another peg.",
                **values,
            )
        else:
            yield tr("place {place}, {color}: no mark, the secret has none.", **values)
