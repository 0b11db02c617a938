"""Forget's decoder in its own words: stage, synthetic turn, generations and table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from pegwise.arrays import U8
from pegwise.errors import Phrase
from pegwise.game import Code, Turn
from pegwise.strategies.explanation import WeighedTable, Write
from pegwise.strategies.forget.endgame import EndgameCodes, EndgameRanking
from pegwise.strategies.forget.opening import Opening, Unreachable, generations, unreachable

_EXAMINED: Final = 1_000_000  # codes of the largest board of which examples are sought
_NAMED: Final = 5  # codes that are named in a row
_ROWS: Final = 30  # answers that are shown of the guesses that he weighs, about
_TABLE_HEADS: Final = Phrase("question"), Phrase("answers"), Phrase("codes")
_FIGURES: Final = {
    "entropy": (Phrase("probability"), Phrase("entropy (bits)")),
    "minimax": (Phrase("number"), Phrase("maximum")),
}
"""The columns of Forget's tables; the last two are those of the criterion."""


def opening_words(opening: Opening, write: Write) -> Phrase:
    """How far the opening is."""
    return Phrase(
        "Opening: the marks add up to {total} ({enough} would end it); still to be played: "
        "{colors}.",
        total=opening.total,
        enough=opening.rules.pegs - 1,
        colors=write(Code(opening.colors[opening.seen :])),
    )


def opening_over(opening: Opening) -> Phrase:
    """Why the opening is over: one of Forget's reasons."""
    pegs = opening.rules.pegs
    if opening.total >= pegs:
        return Phrase(
            "The opening is over: the marks add up to {total}, so the other colors are absent.",
            total=opening.total,
        )
    if opening.seen == len(opening.colors):
        return Phrase("The opening is over: all colors have been played.")
    return Phrase(
        "The opening is over: the marks add up to {total}, so at most one peg has a color not "
        "played yet.",
        total=opening.total,
    )


def interlude_words(opening: Opening, write: Write) -> Phrase:
    """How the codes that agree were built."""
    turn = opening.synthetic
    built = [codes for codes, _ in generations(opening, opening.turns)]
    synthetic, without = Phrase("no synthetic turn"), Phrase("")
    if turn is not None:
        written = f"{write(turn.guess)} {turn.mark}"
        synthetic = Phrase("the synthetic turn is {turn}", turn=written)
        alone = [*generations(replace(opening, concatenates=False), opening.turns)]
        without = Phrase(" (without it {sizes})", sizes=_sizes(codes for codes, _ in alone))
    return Phrase(
        "Interlude: {synthetic}; codes built from the last peg on: {sizes}{without}.",
        synthetic=synthetic,
        sizes=_sizes(built),
        without=without,
    )


def left_out_words(opening: Opening, write: Write) -> Iterator[Phrase]:
    """Which partial codes of each generation go, for example, and why."""
    if len(opening.colors) ** opening.rules.pegs > _EXAMINED:
        return
    turn = opening.synthetic
    for number, examples in enumerate(unreachable(opening), 1):
        if examples:
            yield _left_out(number, examples, turn, write)


def _left_out(
    number: int, examples: Sequence[Unreachable], synthetic: Turn | None, write: Write
) -> Phrase:
    """Which partial codes of a generation go, for example, and why."""
    said = [
        Phrase(
            "{code} goes by the synthetic turn (it gets {got})"
            if turn == synthetic
            else "{code} goes by {guess} {mark} (it gets {got})",
            code=write(code),
            guess=write(turn.guess),
            mark=turn.mark,
            got=mark,
        )
        for code, turn, mark in examples
    ]
    parts = {f"example{k}": phrase for k, phrase in enumerate(said)}
    joined = Phrase(", ".join(f"{{{name}}}" for name in parts), **parts)
    return Phrase("Generation {n}: {examples}.", n=number, examples=joined)


def _sizes(generations: Iterable[U8]) -> Phrase:
    """Numbers of codes, in the signs of each language."""
    sizes = {f"n{k}": len(codes) for k, codes in enumerate(generations)}
    return Phrase(", ".join(f"{{{name}:,}}" for name in sizes), **sizes)


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


def pool_table(
    ranking: EndgameRanking, lead: str, codes: Sequence[Code] | None = None
) -> WeighedTable:
    """Forget's table: the answers to each question, the codes behind them, and what they tell.

    By entropy an answer has its probability, and a question its bits; by minimax an answer has the
    number of its codes, and a question the largest. The questions are these codes, in this order,
    or the best ones.
    """
    places = range(len(ranking.guesses))
    order: Sequence[int] = places
    if codes is not None:
        place_of = {Code(ranking.guesses[place]): place for place in places}
        order = [place_of[code] for code in codes]
    rows: list[tuple[object, ...]] = []
    for place in order:
        if codes is None and len(rows) >= _ROWS:
            break
        guess, (bits, largest) = Code(ranking.guesses[place]), ranking.figures(place)
        parts = ranking.parts(place)
        for mark in reversed(parts):  # the best answer first
            behind = parts[mark]
            n, last = len(behind), mark == next(iter(parts))
            named = [*map(Code, behind[:_NAMED]), *(["..."] if n > _NAMED else [])]
            if lead == "entropy":
                chance = str(Fraction(n, len(ranking.candidates)))
                rows.append((guess, mark, named, chance, bits if last else ""))
            else:
                rows.append((guess, mark, named, n, largest if last else ""))
    return WeighedTable((*_TABLE_HEADS, *_FIGURES[lead]), tuple(rows))


def _some(codes: Sequence[object]) -> str:
    """Some codes, the first of them where there are many."""
    return " ".join([*map(str, codes[:_NAMED]), *(["..."] if len(codes) > _NAMED else [])])
