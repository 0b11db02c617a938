"""Jotto: a mark is the number of letters that a word shares with the secret, wherever they are."""

from collections import Counter

from pegwise import FiniteGame
from pegwise.game.words import sgb


def shared(guess: str, secret: str) -> object:
    """How many letters are shared; the secret itself wins, an anagram of it does not."""
    return "won" if guess == secret else (Counter(guess) & Counter(secret)).total()


def jotto(words: int = 300) -> FiniteGame:
    """Jotto with the first words of the list sgb."""
    return FiniteGame(sgb().secrets[:words], shared, name="Jotto")
