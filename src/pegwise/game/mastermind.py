"""Mastermind on a board: codes in numeric order, black and white marks from kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pegwise.arrays import (
    I32,
    I64,
    U8,
    GuessNumber,
    MarkNumber,
    SecretNumber,
)
from pegwise.errors import RulesError
from pegwise.game.codes import HOLE, Code
from pegwise.game.game import Game, all_secrets, check_table_size, check_weights
from pegwise.game.marks import Mark, mark_pairs
from pegwise.game.rules import Rules, count_distinct, list_guesses, list_secrets, weights_of
from pegwise.hooks import Drawable
from pegwise.kernels import compiled, numpy_backend
from pegwise.kernels.cache import has_numba, use_numpy

if TYPE_CHECKING:
    from pegwise.kernels.marking import Signatures


class Mastermind(Drawable, Game):
    """Mastermind on a board: codes in numeric order, marks from kernels.

    Codes are listed when they are first needed; TooLargeError where there are too many. `weights`
    tell how often each secret is hidden, whole numbers from 0, in numeric order. RulesError: no
    rules, or rules that are not of a board. InputError: weights where rules have a jar.

    Examples:
        >>> pegwise.Mastermind("4x6").mark_of("AABB", "ABAB")
        Mark(black=2, white=2)
    """

    rules: Rules

    def __init__(self, rules: Rules | str, weights: Sequence[int] | I64 | None = None) -> None:
        self.rules = rules = rules if isinstance(rules, Rules) else Rules.parse(rules)
        if not rules.on_board:
            raise RulesError(
                "{rules} is not a board with black and white marks, which this needs", rules=rules
            )
        self.name = self.text = str(rules)
        self.called, self.hard = rules.name, rules.hard
        self.alphabet, self.marking = rules.alphabet, rules.marking
        self.n_secrets, self.n_guesses = rules.n_secrets, rules.n_guesses
        self.n_marks = len(rules.marking.legal)
        self.winning = self.n_marks - 1
        self.weights = weights_of(rules)
        if weights is not None:
            self._refuse_jar()
            self.weights = check_weights(weights, rules.n_secrets)

    def __repr__(self) -> str:
        plain = self.weights is None or self.rules.jar
        weights = "" if plain or self.weights is None else f", weights={self.weights.tolist()}"
        return f"game_of({self.text!r}{weights})"

    def __reduce__(self) -> tuple[Callable[..., Mastermind], tuple[Any, ...]]:
        if self.everywhere:
            return (board_game, (self.rules,))
        return (Mastermind, (self.rules, self.weights))

    def weighted(self, weights: Sequence[int] | I64) -> Mastermind:
        return Mastermind(self.rules, weights)

    @cached_property
    def guess_codes(self) -> U8:
        """uint8 (n_guesses, pegs): all guesses in numeric order; an empty hole is `HOLE`."""
        return list_guesses(self.rules)

    @cached_property
    def secret_codes(self) -> U8:
        """uint8 (n_secrets, pegs): all secrets in numeric order."""
        same = self.n_guesses == self.n_secrets
        return self.guess_codes if same else list_secrets(self.rules)

    @cached_property
    def guess_of_secret(self) -> I32:
        if self.n_guesses == self.n_secrets:
            return all_secrets(self)
        return self.guess_numbers(self.secret_codes)

    @cached_property
    def mark_ids(self) -> U8:
        """uint8 (pegs + 1, pegs + 1): number of a mark by black and by black + white."""
        ids = np.zeros((self.rules.pegs + 1, self.rules.pegs + 1), np.uint8)
        for number, (black, white) in enumerate(self.marking.legal):
            if self.rules.black:
                ids[black, black:] = number
            else:
                ids[black, black + white] = number
        return ids

    def guess(self, number: GuessNumber) -> Code:
        return Code(self.guess_codes[number].tolist())

    def secret(self, number: SecretNumber) -> Code:
        return Code(self.secret_codes[number].tolist())

    def mark(self, number: MarkNumber) -> Mark:
        return self.rules.marking.legal[number]

    def guess_number(self, guess: Iterable[int] | str) -> GuessNumber:
        rules = self.rules
        code = self.alphabet.check(guess)
        number = 0
        if not rules.distinct:
            for peg in code:
                number = number * (rules.colors + rules.blank) + min(peg, rules.colors)
            return number
        free = list(range(rules.colors))
        for place, peg in enumerate(code, 1):
            # the codes that agree so far and have a smaller color here
            if smaller := sum(color < peg for color in free):
                rest = count_distinct(rules.pegs - place, len(free) - 1, blank=rules.blank)
                number += smaller * rest
            if peg != HOLE:
                free.remove(peg)
        return number

    def guess_numbers(self, codes: U8) -> I32:
        """int32 (n): numbers of guesses, uint8 (n, pegs), on a board that can be listed."""
        return np.searchsorted(self._guess_keys, self._keys(codes)).astype(np.int32)

    @cached_property
    def _guess_keys(self) -> I64:
        return self._keys(self.guess_codes)

    def _keys(self, codes: U8) -> I64:
        """int64 (n): a number for each code, in numeric order."""
        rules = self.rules
        weights = (rules.colors + 1) ** np.arange(rules.pegs, dtype=np.int64)[::-1]
        keys: I64 = np.minimum(codes, rules.colors).astype(np.int64) @ weights
        return keys

    def mark_number(self, mark: Any) -> MarkNumber:
        return self.marking.number(mark)

    def mark_pairs(self, guesses: I32, secrets: I32) -> U8:
        black, white = mark_pairs(
            self.guess_codes[guesses], self.secret_codes[secrets], black_only=self.rules.black
        )
        numbers: U8 = self.mark_ids[black, black + white]
        return numbers

    def marks(self, guess: GuessNumber, secrets: I32 | None = None) -> U8:
        if use_numpy(self.n_guesses, self.n_secrets):
            row: U8 = self.table[guess]
            return row if secrets is None else row[secrets]
        if not has_numba():
            codes = self.secret_codes if secrets is None else self.secret_codes[secrets]
            return self.mark_all(self.guess_codes[guess][None], codes).ravel()
        secrets = all_secrets(self) if secrets is None else secrets
        out = np.empty(len(secrets), np.uint8)
        places, counts = self.guess_signatures
        own = (places[guess], counts[guess])
        compiled.marking.mark_many(*own, *self.secret_signatures, secrets, self.mark_ids, out)
        return out

    def marks_against(self, guess: Any, secrets: I32) -> U8:
        code = np.array([self.alphabet.check(guess)], np.uint8)
        return self.mark_all(code, self.secret_codes[secrets]).ravel()

    def images(self, guesses: I32 | I64, symmetries: I64) -> I64:
        pegs, colors = self.rules.pegs, self.rules.colors
        codes = self.guess_codes[guesses]
        rows = np.broadcast_to(symmetries, (len(codes), symmetries.shape[-1]))
        moved = np.take_along_axis(codes, rows[:, :pegs], axis=1).astype(np.int64)
        holes = moved == HOLE
        at = np.where(holes, 0, moved)
        if rows.shape[1] > pegs + colors:
            at += np.arange(pegs) * colors
        named = np.take_along_axis(rows[:, pegs:], at, axis=1)
        return self.guess_numbers(np.where(holes, HOLE, named).astype(np.uint8)).astype(np.int64)

    def mark_all(self, guesses: U8, codes: U8) -> U8:
        """The marks by number, uint8 (m, n), of guesses against codes without empty holes.

        Both are uint8 (m, pegs) and (n, pegs).
        """
        colors = self.rules.colors
        if use_numpy(len(guesses), len(codes)):
            return numpy_backend.mark_table(guesses, codes, colors, self.mark_ids)
        out = np.empty((len(guesses), len(codes)), np.uint8)
        signatures = compiled.marking.signatures
        signed = signatures(guesses, colors), signatures(codes, colors)
        compiled.marking.mark_table(*signed, self.mark_ids, out)
        return out

    @cached_property
    def table(self) -> U8:
        """uint8 (n_guesses, n_secrets): all marks; for boards where that is small enough."""
        check_table_size(self.name, self.n_guesses, self.n_secrets)
        return self.mark_all(self.guess_codes, self.secret_codes)

    @cached_property
    def guess_signatures(self) -> Signatures:
        """Places and counts of all guesses (see `kernels.marking`)."""
        return compiled.marking.signatures(self.guess_codes, self.rules.colors)

    @cached_property
    def secret_signatures(self) -> Signatures:
        """Places and counts of all secrets (see `kernels.marking`)."""
        if self.secret_codes is self.guess_codes:
            return self.guess_signatures
        return compiled.marking.signatures(self.secret_codes, self.rules.colors)


def board_game(rules: Rules) -> Mastermind:
    """The game on a board, shared between callers so that its tables are built once.

    Rules of two names are equal, and so are their games, of which each keeps its name. RulesError:
    a board whose marks kernels do not count.
    """
    return _shared(rules, rules.name)


@lru_cache(maxsize=16)
def _shared(rules: Rules, _name: str) -> Mastermind:
    return Mastermind(rules)
