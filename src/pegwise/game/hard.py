"""Hard play: rules with the flag `hard` allow only guesses that use what the marks told.

Where every place is marked, this is the hard mode of Wordle: a sign that is right stays in its
place, and a guess has each sign at least as often as one mark has shown it, right or elsewhere
together. A sign that is absent may be played again. So the letters count, as at the New York Times
and in alex1770/wordle (option `-H`). With all other marks a guess must fit all turns: were it the
secret, it would give each mark. The first guess is free.

`missed` is the definition; `Game.allowed_after` has the same of all guesses at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from pegwise.arrays import U64, GuessNumber, MarkNumber
from pegwise.errors import CodeError, Phrase
from pegwise.game.codes import Code, Word
from pegwise.game.game import Game
from pegwise.game.notation import LETTERS, Notation


def missed(
    game: Game, turns: Iterable[tuple[Any, Any]], guess: Any, notation: Notation = LETTERS
) -> Phrase | None:
    """A sentence on what a guess does not use of the turns before it; of the first such turn.

    None where it uses everything, or where the game is not `hard`.

    Args:
        game: what is played.
        turns: codes and their marks, as the game has them.
        guess: a code that may be guessed.
        notation: how codes and marks are written in the sentence.
    """
    if game.free:
        return None
    for played, mark in turns:
        why = _unused(game, played, mark, guess, notation)
        if why is not None:
            return why
    return None


def check_hard(
    game: Game, turns: Iterable[tuple[Any, Any]], guess: Any, notation: Notation = LETTERS
) -> None:
    """Refuse a guess that hard rules do not allow by a CodeError; arguments as `missed`."""
    if (why := missed(game, turns, guess, notation)) is not None:
        raise CodeError(why)


def required_before(game: Game) -> U64:
    """uint64 (words): what is required of the first guess, nothing; no words in most games."""
    return np.zeros(0, np.uint64) if game.requirements is None else game.requirements.none


def required_after(game: Game, before: U64, guess: GuessNumber, mark: MarkNumber) -> U64:
    """uint64 (words): what is required after one more turn (`game.requirements`)."""
    return before if game.requirements is None else game.requirements.after(before, guess, mark)


def is_searched(game: Game) -> bool:
    """Whether best play can be searched: rules are not `hard`, or it is plain what they allow.

    They allow candidates only where each guess may be hidden, and what the turns require where
    every place is marked. With other marks, words that are never hidden may have to fit turns.
    """
    return game.free or game.requirements is not None or game.n_guesses == game.n_secrets


def _unused(game: Game, played: Any, mark: Any, guess: Any, notation: Notation) -> Phrase | None:
    if game.marking.name == "placed":
        return _unused_places(played, mark, guess, notation)
    written = notation.code(guess)
    try:
        would = game.marking.mark(played, guess)
    except CodeError:
        return Phrase("{guess} is not allowed by 'hard': it is never hidden", guess=written)
    if game.marking.agrees(mark, would):
        return None
    return Phrase(
        "{guess} is not allowed by 'hard': if it were the code, {played} would get {would}, not "
        "{mark}",
        guess=written,
        played=notation.code(played),
        would=notation.mark(would),
        mark=notation.mark(mark),
    )


def _unused_places(played: Any, mark: Any, guess: Any, notation: Notation) -> Phrase | None:
    """Why a guess breaks the hard mode of Wordle; None where it does not."""
    for place, (sign, at) in enumerate(zip(played, mark, strict=True)):
        if at == 2 and guess[place] != sign:
            return Phrase(
                "{guess} is not allowed by 'hard': {turn} tells that {sign} is at place {n}",
                guess=notation.code(guess),
                turn=f"{notation.code(played)}={notation.mark(mark)}",
                sign=_sign(played, sign, notation),
                n=place + 1,
            )
    shown = Counter(sign for sign, at in zip(played, mark, strict=True) if at)
    for sign, times in shown.items():
        if guess.count(sign) < times:
            letter = _sign(played, sign, notation)
            if times == 1:
                return Phrase(
                    "{guess} is not allowed by 'hard': {turn} tells that the code has {sign}",
                    guess=notation.code(guess),
                    turn=f"{notation.code(played)}={notation.mark(mark)}",
                    sign=letter,
                )
            return Phrase(
                "{guess} is not allowed by 'hard': {turn} tells that the code has {sign} {n} times",
                guess=notation.code(guess),
                turn=f"{notation.code(played)}={notation.mark(mark)}",
                sign=letter,
                n=times,
            )
    return None


def _sign(code: Any, sign: int, notation: Notation) -> str:
    """A color or letter of a code as it is written."""
    return notation.code(Word(chr(sign)) if isinstance(code, Word) else Code([sign]))
