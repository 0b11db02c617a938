"""Sets of the secrets of a game: what they cost, and which of them are alike."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from pegwise.arrays import I64
from pegwise.game import Game, Mastermind
from pegwise.kernels.exact import bounds as kernel_bounds
from pegwise.kernels.exact.board import new_table
from pegwise.kernels.exact.sets import canonize, new_renaming
from pegwise.search.exact.driver import SetSearch
from pegwise.search.exact.model import model_of, table_bits_for
from pegwise.trees.lower_bound import INFINITE, UNLIMITED, Checker, images, join


class CanonicalForm(NamedTuple):
    """What is the same for sets that are alike, and what renames a set to it."""

    key: bytes
    places: I64
    names: I64


class SetCosts:
    """Exact costs of sets of secrets, by number, one after the other."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.checker = Checker(game)
        self.model = model_of(game).options(whole=False, use_history=False, first=-1)
        symmetry = self.model.board.symmetry
        self._search = SetSearch(self.model, new_table(table_bits_for(game.n_secrets)))
        self._renaming = new_renaming(symmetry.permutations.shape[1], symmetry.colors)

    def canonical(self, codes: I64) -> CanonicalForm:
        """The canonical form of a set; sets of the same key have the same cost."""
        model, board = self.model, self.model.board
        renamed = model.secret_at[codes]
        weights = model.weights[renamed]
        if board.symmetric:
            symmetry = board.symmetry
            digits, number_of = symmetry.secrets, symmetry.secret_at
            canonize(renamed, weights, board.weighted, digits, number_of, self._renaming)
        order = np.argsort(renamed)
        key = renamed[order].tobytes() + (weights[order].tobytes() if board.weighted else b"")
        source, name = self._renaming.source, self._renaming.name[:-1]
        return CanonicalForm(key, source.copy(), name.copy())

    def cost(self, codes: I64, limit: int, wanted: int) -> int:
        """A lower bound of the cost of a set: the cost, or as much as is wanted."""
        search, codes = self._search, self.model.secret_at[codes]
        endless = wanted >= INFINITE
        search.board = self.model.board._replace(any_tree=endless)
        search.begin(
            codes,
            self.model.weights[codes],
            kernel_bounds.UNLIMITED if limit == UNLIMITED else limit,
            kernel_bounds.INFINITE if endless else wanted,
        )
        search.finish()
        cost = int(search.frame["best"])
        return INFINITE if cost >= kernel_bounds.INFINITE else min(cost, wanted)

    def symmetries(self, codes: I64) -> tuple[list[tuple[int, ...]], I64]:
        """Symmetries that carry a set into itself, and the classes of guesses that they make."""
        game, board = self.game, self.model.board
        symmetries: list[tuple[int, ...]] = []
        classes = np.arange(game.n_guesses)
        if not isinstance(game, Mastermind):
            return symmetries, classes
        own = self.canonical(codes)
        pegs, colors = np.arange(len(own.places)), np.arange(len(own.names))
        rows = [(places, colors) for places in board.symmetry.permutations[1:]]
        for pair in itertools.combinations(range(len(colors)), 2):
            names = colors.copy()
            names[list(pair)] = pair[::-1]
            rows.append((pegs, names))
        for places, names in rows:
            try:
                image = self.checker.carry(codes, np.concatenate([places, names]))
            except ValueError:  # it does not keep weights
                continue
            renamed = self.canonical(image)
            if renamed.key != own.key:
                continue
            # to the image, and back by way of the canonical form
            back = renamed.places[np.argsort(own.places)]
            around = np.argsort(own.names)[renamed.names][names]
            row = np.concatenate([places[back], around])
            carried = images(game, game.guess_codes, row)
            if (classes[carried] != classes).any():
                symmetries.append(tuple(row.tolist()))
                classes = join(classes, carried)
        return symmetries, classes
