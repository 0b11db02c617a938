"""The rules of a game as checkers of bounds know them: the plain definitions.

Marks are those of `Game.mark_pairs`. What hard rules allow is found here anew, for all guesses at
once, by the definition of `game.hard`, not by the bits that the search compares.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

import numpy as np

from pegwise.arrays import I64, Bools, GuessNumber, MarkNumber, MarkNumbers, countable, mark_numbers
from pegwise.errors import Phrase
from pegwise.game import Game, all_secrets
from pegwise.game.listed import WordGame

_BLOCK: Final = 1 << 22  # marks counted at once
_LETTERS: Final = 7  # of words whose comparisons fit into a number
_TURNS: Final = 1 << 12  # turns of which the guesses allowed after them are kept at hand


def has_turns(game: Game) -> bool:
    """Whether turns limit guesses to others than the candidates: hard rules, each place marked."""
    return not game.free and game.marking.name == "placed"


class PlainRules:
    """The marks of a game, and what may be guessed.

    Where rules are `hard` and every place is marked, guesses are limited by turns: what is right
    stays in its place, and a guess has each sign as often as a mark has shown it, right or
    elsewhere. With all other marks a guess must fit all turns. Every guess may be hidden there, so
    that these are the candidates.

    Attributes:
        table: (secrets, guesses), the marks.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = plain_marks(game)
        self._signs = np.zeros((0, game.n_guesses), np.int64)
        if has_turns(game):
            self._signs = _signs(game)
        self._allowed_after = lru_cache(maxsize=_TURNS)(self._after)

    def guesses(self, codes: I64, turns: I64) -> I64:
        """The guesses that are allowed where some secrets are possible, by number, ascending.

        `turns`, (2, n), are guesses and marks that limit them. A ValueError if the turns do not
        allow all of the secrets.
        """
        members = self.game.guess_of_secret[codes]
        if self.game.free:
            return np.arange(self.game.n_guesses)
        if not has_turns(self.game):
            return np.sort(members).astype(np.int64)
        allowed = self.allowed(turns)
        if not allowed[members].all():
            raise ValueError(Phrase("its turns do not allow all of its codes"))
        return np.flatnonzero(allowed)

    def allowed(self, turns: I64) -> Bools:
        """The guesses that each of some turns allows: bool (guesses)."""
        allowed = np.ones(self.game.n_guesses, np.bool_)
        for guess, mark in turns.T.tolist():
            allowed &= self._allowed_after(guess, mark)
        return allowed

    def _after(self, guess: GuessNumber, mark: MarkNumber) -> Bools:
        """The guesses that a turn allows."""
        allowed = np.ones(self.game.n_guesses, np.bool_)
        shown: Counter[int] = Counter()
        for place, at in enumerate(self.game.mark(mark)):
            sign = int(self._signs[place, guess])
            if at == 2:
                allowed &= self._signs[place] == sign
            if at:
                shown[sign] += 1
        for sign, times in shown.items():
            allowed &= np.count_nonzero(self._signs == sign, axis=0) >= times
        return allowed

    def marks(self, codes: I64, guesses: I64) -> MarkNumbers:
        """The marks (codes, guesses) of some guesses, ascending, for some secrets."""
        rows = self.table[codes]
        return rows if len(guesses) == rows.shape[1] else rows[:, guesses]


def _signs(game: Game) -> I64:
    """int64 (pegs, guesses): the signs of all guesses."""
    codes = [tuple(game.guess(number)) for number in range(game.n_guesses)]
    return np.array(codes, np.int64).T.copy()


def plain_marks(game: Game) -> MarkNumbers:
    """The marks (secrets, guesses) of a game, by the plain definition."""
    if isinstance(game, WordGame) and game.words.n_letters <= _LETTERS:
        return _marks_of_words(game)
    guesses = np.arange(game.n_guesses, dtype=np.int32)
    rows = [game.mark_pairs(guesses, np.full_like(guesses, s)) for s in all_secrets(game)]
    return mark_numbers(rows, game.n_marks)


def _marks_of_words(game: WordGame) -> MarkNumbers:
    """The same for words, of which lists are long: words that compare alike are marked once.

    A mark tells nothing but which letters are the same, of both words and of each.
    """
    signs = _signs(game)
    # for each letter where its like comes first in the word
    alike = np.argmax(signs[:, None] == signs, axis=0)
    kind = np.unique(alike, axis=1, return_inverse=True)[1]
    kind = kind.reshape(-1) << len(signs) ** 2
    marked: dict[tuple[int, int], int] = {}  # by the kind of the secret, and the comparison
    rows = []
    for secret, own in enumerate(game.guess_of_secret.tolist()):
        same = signs[:, own, None, None] == signs
        bits = 1 << np.arange(same.size // game.n_guesses).reshape(len(signs), -1, 1)
        compared, first, number = np.unique(
            (same * bits).sum(axis=(0, 1)) + kind, return_index=True, return_inverse=True
        )
        keys = [(int(kind[own]), key) for key in compared.tolist()]
        new = [i for i, key in enumerate(keys) if key not in marked]
        guesses = first[new].astype(np.int32)
        marks = game.mark_pairs(guesses, np.full_like(guesses, secret))
        marked.update(zip([keys[i] for i in new], marks.tolist(), strict=True))
        rows.append(np.array([marked[key] for key in keys])[number.reshape(-1)])
    return mark_numbers(rows, game.n_marks)


def count_marks(marks: MarkNumbers, n_marks: int) -> I64:
    """int64 (n_marks, guesses): how many codes of a set give each mark."""
    block = max(1, _BLOCK // len(marks))
    counts = []
    for start in range(0, marks.shape[1], block):
        some = marks[:, start : start + block].astype(np.int64)
        keys = some * some.shape[1] + np.arange(some.shape[1])
        counts.append(np.bincount(countable(keys.ravel()), minlength=n_marks * some.shape[1]))
    return np.concatenate([each.reshape(n_marks, -1) for each in counts], axis=1)
