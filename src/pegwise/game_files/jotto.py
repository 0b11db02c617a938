"""Jotto: a mark is the number of letters that a word shares with the secret, wherever they are.

All letters are shared by an anagram too, so the secret itself has a mark of its own, `won`.
"""

from collections.abc import Sequence

import numpy as np

from pegwise.game.finite import FiniteGame
from pegwise.game.words import sgb

_WON = 6


def jotto() -> FiniteGame:
    """Jotto with the five-letter words of English that come with pegwise."""
    words = sgb()
    counts = np.array([[word.count(letter) for letter in words.letters] for word in words.guesses])
    columns = np.ascontiguousarray(counts.T.astype(np.uint8))

    def shared(guess: str, _secrets: Sequence[str]) -> object:
        number = words.numbers[guess]
        own = columns[:, number]
        used = np.flatnonzero(own)
        marks = np.minimum(columns[used], own[used, None]).sum(axis=0, dtype=np.uint8)
        marks[number] = _WON
        return marks

    def write(mark: int) -> str:
        return "won" if mark == _WON else str(mark)

    return FiniteGame(words.secrets, shared, name="Jotto", vectorized=True, write_mark=write)
