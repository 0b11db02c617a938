"""Forget's decoder in its own words: stage, synthetic turn, generations and table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from pegwise.errors import Phrase
from pegwise.game import Code
from pegwise.strategies.explanation import WeighedTable, Write
from pegwise.strategies.forget.endgame import EndgameCodes, EndgameRanking
from pegwise.strategies.forget.opening import Opening, generations

_NAMED: Final = 5  # codes that are named in a row
_ROWS: Final = 30  # answers that are shown of the guesses that he weighs, about


def opening_words(opening: Opening, write: Write) -> Phrase:
    """How far the opening is."""
    return Phrase(
        "Opening: the marks add up to {total} ({enough} would end it); still to be played: "
        "{colors}.",
        total=opening.total,
        enough=opening.rules.pegs - 1,
        colors=write(Code(opening.colors[opening.seen :])),
    )


def interlude_words(opening: Opening, write: Write) -> Phrase:
    """How the codes that agree were built."""
    synthetic = Phrase("no synthetic turn")
    if (turn := opening.synthetic) is not None:
        written = f"{write(turn.guess)} {turn.mark}"
        synthetic = Phrase("the synthetic turn is {turn}", turn=written)
    sizes = {
        f"n{k}": len(codes) for k, (codes, _) in enumerate(generations(opening, opening.turns))
    }
    # numbers of a phrase are written in the signs of each language
    numbers = Phrase(", ".join(f"{{{name}:,}}" for name in sizes), **sizes)
    return Phrase(
        "Interlude: {synthetic}; codes built from the last peg on: {sizes}.",
        synthetic=synthetic,
        sizes=numbers,
    )


def pool_words(
    pool: EndgameCodes, ranking: EndgameRanking, lead: Phrase, write: Write, *, sample: bool
) -> Phrase:
    """Sentences about the guesses that are weighed in the endgame, and the best one.

    Args:
        pool: what is weighed.
        ranking: the same, best first.
        lead: the criterion that leads.
        write: how codes are written.
        sample: whether only some of the codes that agree are weighed.
    """
    bits, largest = ranking.figures(0)
    named = [write(Code(code)) for code in ranking.guesses[1 : ranking.equal]]
    if not named:
        equal = Phrase("no other is as good")
    elif len(named) == 1:
        equal = Phrase("one other is as good ({codes})", codes=named[0])
    else:
        equal = Phrase("{n:,} others are as good ({codes})", n=len(named), codes=_some(named))
    n, unplayed = len(pool.codes), len(pool.unplayed)
    weighed = Phrase("a sample of {n:,} codes" if sample else "{n:,} codes", n=n)
    if unplayed == 1:
        weighed = Phrase("{codes} and one opening guess not played", codes=weighed)
    elif unplayed:
        weighed = Phrase("{codes} and {n} opening guesses not played", codes=weighed, n=unplayed)
    return Phrase(
        "Endgame: {pool} are compared by {criterion}; {guess} has {bits:.2f} bits and leaves "
        "at most {largest}; {equal}.",
        pool=weighed,
        criterion=lead,
        guess=write(Code(ranking.guesses[0])),
        bits=bits,
        largest=Phrase("{n:,} of the sample" if sample else "{n:,}", n=largest),
        equal=equal,
    )


def pool_table(ranking: EndgameRanking) -> WeighedTable:
    """The best guesses, the codes behind each answer, and what the answers tell."""
    rows: list[tuple[object, ...]] = []
    for place in range(len(ranking.guesses)):
        if len(rows) >= _ROWS:
            break
        guess, figures = Code(ranking.guesses[place]), ranking.figures(place)
        for mark, codes in ranking.parts(place).items():
            named = [*map(Code, codes[:_NAMED]), *(["..."] if len(codes) > _NAMED else [])]
            chance = str(Fraction(len(codes), len(ranking.candidates)))
            rows.append((place + 1, guess, *figures, mark, len(codes), chance, named))
    heads = (
        Phrase(""),
        Phrase("guess"),
        Phrase("bits"),
        Phrase("largest"),
        Phrase("mark"),
        Phrase("number"),
        Phrase("probability"),
        Phrase("codes"),
    )
    return WeighedTable(heads, tuple(rows))


def _some(codes: Sequence[object]) -> str:
    """Some codes, the first of them where there are many."""
    return " ".join([*map(str, codes[:_NAMED]), *(["..."] if len(codes) > _NAMED else [])])
