"""Why a strategy plays a guess, in sentences for terminal and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from pegwise.coach.advice import Position, Split
from pegwise.errors import Phrase, TooLargeError
from pegwise.game import Code, Rules, Turn
from pegwise.i18n import figure, tr, trn
from pegwise.knowledge.reasoning import deciding_turns
from pegwise.knowledge.sentences import follows_from
from pegwise.strategies import Card, Decision
from pegwise.strategies.forget import Endgame, OpeningMove, PoolRanking, generations
from pegwise.strategies.marechal_rastoix import ColorDecision

_CODES: Final = 5
"""Equal guesses that are named."""

_REASONS: Final = {
    "first": Phrase("It is the first code, in numeric order, that agrees with all marks."),
    "random": Phrase("It is drawn from the codes that agree with all marks ({count})."),
    "constraint": Phrase("It is a code that agrees with all marks; any other would do as well."),
    "knuth": Phrase("No guess leaves fewer codes in the worst case: {largest}."),
    "irving": Phrase("No guess leaves fewer codes on average: {expected}."),
    "entropy": Phrase("No guess tells more: {bits} bits on average."),
    "parts": Phrase("No guess has more different marks: {parts}."),
    "sampling": Phrase(
        "Of the guesses that were weighed it is best; it tells {bits} bits on average."
    ),
    "optimal": Phrase("No other guess leads to fewer guesses on average; that is proven."),
    "optimal-worst": Phrase(
        "It belongs to a tree of the smallest worst case; no such tree needs fewer guesses."
    ),
    "viaud": Phrase("No other guess leads to fewer guesses in the worst case."),
}
"""By the id of a card."""


def reason(decision: Decision, card: Card, rules: Rules, history: Sequence[Turn]) -> str:
    """Why a strategy plays its next guess; nothing where that is not known."""
    if isinstance(decision, OpeningMove | Endgame):
        return " ".join(stage(decision))
    if isinstance(decision, ColorDecision):
        return _plan(decision)
    try:
        position = Position(rules, history)
        if position.count == 1:
            words = follows_from(deciding_turns(rules, history))
            return f"{tr('No other code is possible.')} {words}".rstrip()
        split = position.split(decision.guess)
    except TooLargeError:
        return ""
    if "fixed" in card.traits:
        return tr("This guess was fixed beforehand: the marks do not change it.")
    if card.id not in _REASONS:
        return ""
    why = tr(
        str(_REASONS[card.id]),
        count=figure(split.candidates, ","),
        largest=figure(split.largest, ","),
        expected=figure(float(split.expected), ",.1f"),
        bits=figure(split.bits, ".2f"),
        parts=figure(len(split.parts)),
    )
    if "consistent" in card.traits:
        return why
    could = tr("It could be the code.") if split.possible else tr("It cannot be the code.")
    return f"{why} {could}"


def _plan(decision: ColorDecision) -> str:
    """What a guess of the color-by-color method asks."""
    plan = decision.plan
    if plan.n_settled == len(plan.holes):
        return tr("All places are known.")
    filler = Code([plan.filler])
    if plan.hole < 0:
        return tr("All open places get {color}: the mark tells how often it occurs.", color=filler)
    return tr(
        "{color} is tried at place {place}, with {filler} in the other open places: it is right "
        "there if no peg is misplaced.",
        color=Code([plan.color]),
        place=plan.hole + 1,
        filler=filler,
    )


# the stages of Forget's decoder


def stage(state: OpeningMove | Endgame, write: Callable[[Any], str] = str) -> Iterator[str]:
    """The stage of a game, and what is weighed; codes as `write` writes them.

    TooLargeError: too many candidates to weigh all of them.
    """
    opening = state.opening
    if isinstance(state, OpeningMove):
        yield tr(
            "Opening: the marks add up to {total} ({enough} would end it); still to be played: "
            "{colors}.",
            total=opening.total,
            enough=opening.rules.pegs - 1,
            colors=write(Code(opening.colors[opening.seen :])),
        )
        return
    if state.turns == opening.turns:
        synthetic = tr("no synthetic turn")
        if (turn := opening.synthetic) is not None:
            written = f"{write(turn.guess)} {turn.mark}"
            synthetic = tr("the synthetic turn is {turn}", turn=written)
        built = generations(opening, state.turns)
        yield tr(
            "Interlude: {synthetic}; codes built from the last peg on: {sizes}.",
            synthetic=synthetic,
            sizes=", ".join(figure(len(codes), ",") for codes, _ in built),
        )
    yield _endgame(state, write)


def _endgame(state: Endgame, write: Callable[[Any], str]) -> str:
    n = len(state.candidates)
    if n == 1:
        return tr("Endgame: one code is left.")
    ranking, unplayed = state.rank(), len(state.pool.unplayed)
    weighed, equals = len(ranking.candidates), ranking.equal - 1
    pool = trn("{n:,} code", "{n:,} codes", weighed)
    if weighed < n:
        pool = tr("a sample of {n:,} codes", n=weighed)
    if unplayed:
        pool += trn(
            " and {n} opening guess not played", " and {n} opening guesses not played", unplayed
        )
    best = split_of(ranking, 0)
    return tr(
        "Endgame: {pool} are weighed by {criterion}; {guess} has {bits} bits, and leaves {largest} "
        "at most; {equal}.",
        pool=pool,
        criterion=state.lead,
        guess=write(best.guess),
        bits=figure(best.bits, ".2f"),
        largest=figure(best.largest, ","),
        equal=trn(
            "{n} is equal to it ({codes})",
            "{n} are equal to it ({codes})",
            equals,
            codes=some([Code(code) for code in ranking.guesses[1 : ranking.equal]], write),
        )
        if equals
        else tr("none is equal to it"),
    )


def split_of(ranking: PoolRanking, place: int) -> Split:
    """The guess of a place, with the sizes of its parts."""
    sizes = tuple((mark, len(codes)) for mark, codes in ranking.parts(place).items())
    guess = Code(ranking.guesses[place])
    return Split(guess, sizes, bool((ranking.candidates == guess).all(axis=1).any()))


def some(codes: Sequence[Code], write: Callable[[Any], str]) -> str:
    """Some codes, the first of them where there are many."""
    more = ["..."] if len(codes) > _CODES else []
    return " ".join([*map(write, codes[:_CODES]), *more])
