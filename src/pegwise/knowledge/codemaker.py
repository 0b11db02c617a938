"""Codemakers: one that hides a code, and an evil one that puts off choosing it.

A codemaker is a pure function of rules, secret and history, as a strategy is: asked again, it
answers the same.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Protocol

from pegwise.errors import ContradictionError
from pegwise.game import Code, Mark, Rules, Turn, check_code, mark
from pegwise.knowledge.candidates import candidates, parts
from pegwise.progress import Report, silent


class Codemaker(Protocol):
    """Who marks the guesses."""

    def answer(self, history: Sequence[Turn], guess: Code, *, report: Report = silent) -> Mark:
        """The mark of a guess after these turns; `report` receives its progress."""

    def reveal(self, history: Sequence[Turn]) -> Code:
        """A secret that would have given all these marks.

        Raises:
            ContradictionError: there is none, so they are not from this codemaker.
        """


class Hidden:
    """Hides one code and marks by it.

    Args:
        rules: the board.
        secret: the code.

    Raises:
        CodeError: the rules do not allow this secret.
    """

    def __init__(self, rules: Rules, secret: Sequence[int]) -> None:
        self.rules = rules
        self.secret = check_code(secret, rules, secret=True)

    def answer(self, history: Sequence[Turn], guess: Code, *, report: Report = silent) -> Mark:
        """The mark that the secret gives, whatever came before."""
        del history, report
        return mark(guess, self.secret, black_only=self.rules.black)

    def reveal(self, history: Sequence[Turn]) -> Code:
        """The secret."""
        for turn in history:
            if self.answer((), turn.guess) != turn.mark:
                raise ContradictionError("{turn} is not a mark of this codemaker", turn=turn)
        return self.secret


class Evil:
    """Always gives the mark that leaves most candidates; among equals, the least helpful one.

    It never contradicts itself: some code has given every mark, so in the end it must lose. The
    least helpful mark is the first by black, then white.

    Args:
        rules: the board.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def answer(self, history: Sequence[Turn], guess: Code, *, report: Report = silent) -> Mark:
        """The mark after which most candidates are possible.

        Raises:
            ContradictionError: no secret would have given the marks of the history.
            TooLargeError: as `knowledge.parts`.
        """
        sizes = parts(self.rules, history, guess, report=report)
        if not sizes:
            raise ContradictionError("no secret of {rules} gives these marks", rules=self.rules)
        return max(sizes, key=lambda mark: (sizes[mark], -mark.black, -mark.white))

    def reveal(self, history: Sequence[Turn]) -> Code:
        """The first code that would have given all these marks."""
        for code in candidates(self.rules, history, 1):
            return Code(code)
        raise ContradictionError("no secret of {rules} gives these marks", rules=self.rules)


def draw_secret(rules: Rules, seed: int) -> Code:
    """A secret at random, each with the same chance; the same for the same rules and seed."""
    text = f"{rules} {seed}".encode()
    number = int.from_bytes(hashlib.blake2b(text, digest_size=32).digest()) % rules.n_secrets
    free = list(range(rules.colors))
    pegs = []
    for rest in reversed(range(rules.pegs)):
        # how many secrets begin with these pegs and one more
        following = rules.colors**rest
        if rules.secrets_are_distinct:
            following = math.perm(len(free) - 1, rest)
        color, number = divmod(number, following)
        pegs.append(free.pop(color) if rules.secrets_are_distinct else color)
    return check_code(pegs, rules, secret=True)
