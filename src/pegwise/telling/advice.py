"""What is told of a guess that is proposed: why it is played, and how it stands among others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from pegwise.coach.advice import Advice, Position, Ranking, Split, rank
from pegwise.errors import Phrase, SignRow, TooLargeError
from pegwise.game import Code, Game, Mark, PlacedMark, Turn
from pegwise.i18n import figure, tr, translated
from pegwise.knowledge.reasoning import deciding_turns
from pegwise.strategies import Explanation, WeighedTable
from pegwise.strategies.candidates import NO_OTHER
from pegwise.telling.blocks import Block, Cell, Head, Sentence, Table, expected_codes
from pegwise.telling.reasoning import follows_from

_COUNT: Final = 10

_CRITERIA: Final = {
    "entropy": Phrase("the most bits"),
    "size": Phrase("the fewest codes expected to be left"),
    "minimax": Phrase("the smallest largest part"),
    "parts": Phrase("the most different marks"),
}


def reason_words(
    explanation: Explanation,
    rules: Game | None = None,
    history: Sequence[Turn] = (),
    *,
    whole: bool = False,
) -> str:
    """Why a strategy plays a guess, in its own words, with the details if `whole`.

    After the turns of a board it is said too from which of them the only code follows.
    """
    sentences = (*explanation.reason, *(explanation.details if whole else ()))
    words = [translated(sentence) for sentence in sentences]
    if rules is not None and NO_OTHER in explanation.reason:
        words.append(follows_from(deciding_turns(rules, history)))
    return " ".join(filter(None, words))


def reason_with_criterion(
    explanation: Explanation, rules: Game, turns: Sequence[Turn], *, whole: bool = False
) -> str:
    """Why a guess is played, and by which criterion where that is not said."""
    words = reason_words(explanation, rules, turns, whole=whole)
    criterion = translated(explanation.criterion)
    said = not criterion or explanation.ranked_by or criterion in words
    return words if said else f"{words} ({criterion})"


def proposal(
    advice: Advice,
    position: Position,
    proposed: Code | None = None,
    write: Callable[[Any], str] = str,
) -> Iterator[Block]:
    """Why a guess is played, what is compared with it, and how another proposal stands.

    `write` writes codes in the words of the strategy.
    """
    explanation = advice.explain(write=write)
    why = reason_with_criterion(explanation, position.game, position.turns, whole=True)
    name, guess = advice.strategy, advice.guess
    yield Sentence(Phrase("{name} plays {guess}: {why}", name=name, guess=guess, why=why))
    weighed = None if advice.decision is None else advice.decision.weighed()
    if weighed is not None:
        yield weighed_table(weighed)
    if explanation.ranked_by and NO_OTHER not in explanation.reason:
        yield from best_guesses(
            position,
            proposed or advice.guess,
            tr("proposed"),
            criterion=explanation.ranked_by,
            guesses=explanation.guesses,
        )


def weighed_table(table: WeighedTable) -> Table:
    """What a strategy compared."""
    numbers = {
        k for row in table.rows for k, cell in enumerate(row) if isinstance(cell, int | float)
    }
    heads = tuple(
        Head(tr(text), "number" if k in numbers else "text") for k, text in enumerate(table.heads)
    )
    return Table(heads, tuple(tuple(map(_cell, row)) for row in table.rows), grouped=True)


def _cell(cell: Any) -> Cell:
    if isinstance(cell, list):
        return SignRow(cell)
    if isinstance(cell, bool):
        return tr("yes") if cell else tr("no")
    if isinstance(cell, int | float):
        return figure(cell, "," if isinstance(cell, int) else ",.2f")
    if isinstance(cell, Code | Mark | PlacedMark):
        return cell
    return translated(cell) if isinstance(cell, str) else str(cell)


def deduction_words(explanation: Explanation) -> str:
    """Sentences about what the strategy concludes from the mark; nothing where none was given."""
    return " ".join(map(translated, explanation.deduction))


def best_guesses(
    position: Position,
    guess: Code,
    word: str,
    *,
    criterion: str = "entropy",
    guesses: str = "all",
) -> Iterator[Block]:
    """The ten best guesses by a criterion, and how one, marked by a word, stands among them.

    Where there are too many candidates to compare guesses, it stands alone.
    """
    several = position.play.boards > 1
    if not several and position.count == 1 and position.game.text:
        words = follows_from(deciding_turns(position.game, position.turns))
        yield Sentence(f"{tr(NO_OTHER)} {words}")
        return
    splits: list[Split] = []
    how = ""
    try:
        ranking = rank(position, criterion=criterion, guesses=guesses, limit=_COUNT)
    except TooLargeError as error:
        yield Sentence(f"{translated(error)}.")
    else:
        splits += ranking.splits
        words = tr(_CRITERIA[criterion])
        yield Sentence(tr("The best guesses by {name}: {words}.", name=criterion, words=words))
        how = _how_compared(ranking)
    ranks = [str(number) for number in range(1, len(splits) + 1)]
    if guess not in [split.guess for split in splits]:
        splits.append(position.split(guess))
        ranks.append("")
    yield splits_table(splits, ranks, several=several, marked=(guess, f"<- {word}"))
    if several:
        words = tr(
            "bits: expected information about all boards together; exp., largest: combinations "
            "of codes left, expected and in the worst case; marks: number of different marks; "
            "boards: those whose code it can be."
        )
        yield Sentence(words, "note")
        return
    yield Sentence(
        tr(
            "bits: expected information; exp.: expected codes left; largest: codes left in the "
            "worst case; marks: number of different marks; win?: whether it can be the code. "
            "{how}",
            how=how,
        ),
        "note",
    )


def splits_table(
    splits: Sequence[Split],
    ranks: Sequence[str],
    *,
    several: bool,
    marked: tuple[Code | None, str] = (None, ""),
) -> Table:
    """How guesses split the candidates; one of them may be marked by a word."""
    guess, word = marked
    return Table(
        (
            Head("", "number"),
            Head(tr("guess")),
            Head(tr("bits"), "number"),
            Head(tr("exp."), "number"),
            Head(tr("largest"), "number"),
            Head(tr("marks"), "number"),
            Head(tr("boards")) if several else Head(tr("win?"), "number"),
            Head(""),
        ),
        tuple(
            (
                place,
                split.guess,
                figure(split.bits, ".2f"),
                expected_codes(float(split.expected)),
                figure(split.largest, ","),
                figure(split.n_parts, ","),
                _where(split) if several else tr("yes") if split.possible else tr("no"),
                word if split.guess == guess else "",
            )
            for place, split in zip(ranks, splits, strict=True)
        ),
        lead=2,
    )


def _where(split: Split) -> str:
    """The boards whose code a guess may be."""
    return ", ".join(map(str, split.possible_on)) or tr("no")


def _how_compared(ranking: Ranking) -> str:
    """Which guesses were compared, and how."""
    n = ranking.weighed
    how = tr("{n:,} possible codes were compared", n=n)
    if ranking.complete:
        how = tr("{n:,} guesses were compared", n=n)
    if not ranking.exact:
        how += tr(", on a sample of the codes first")
    if ranking.kinds:
        how += tr("; any other is one of them with colors renamed or pegs reordered")
    return f"{how}."
