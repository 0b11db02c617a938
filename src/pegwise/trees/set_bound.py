"""Check that m guesses cannot tell all secrets apart, by the plain definition of marking alone.

A set of guesses is refuted if no set of m guesses that contains it tells all secrets apart. A proof
is a tree of branchings. Each is about a set C of guesses, the first about the empty set, and names
two secrets and a list of guesses. Of every branching this module checks that C is refuted, by
induction: deeper branchings come before, and of those at one depth those for earlier guesses.

1. The two secrets get the same marks from all guesses of C. A set that contains C and tells all
   secrets apart contains a separator of the two, a guess that gets different marks from them. So C
   is refuted if C + g is refuted for every separator g.

2. A guess g of the list may have a branching of its own, which refutes C + g. If it has none, let
   r be the number of guesses that may join C + g. If r > 2, some secrets get the same marks from
   all of C + g that are more than r guesses have answers. If r <= 2, this module tries all: two
   guesses are not enough if both leave a pair of secrets together that C + g leaves together.

3. If D + g is refuted, and C contains D, then C + g is refuted too. So a result refuted before at
   the branchings above C needs no proof at C, and is left out when the last guesses are tried.

4. A symmetry exchanges places and renames colors: those of all places alike or, where only black
   marks are given and colors may repeat, those of each place on their own. It changes no marks, so
   that images of refuted sets are refuted. If it carries C into itself, it carries C + g into
   C + h, where h is the image of g. The symmetries are in the file; they are applied and compared.

5. Two guesses that tell the same secrets apart, such as a code of two colors and its opposite where
   only black marks are given, may stand for each other in every set.

6. Where only black marks are given and secrets may repeat colors, guesses that tell all secrets
   apart do so without their last peg: secrets that agree there get one black mark more or none.
   So a proof for a board with fewer pegs is one for the larger board.

7. Guesses that tell all secrets apart do so for the secrets without some color, and holes may stand
   in its place in the guesses. So a proof for fewer colors is one for more, if guesses may have
   holes on the smaller board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Final

import numpy as np

from pegwise.arrays import I64, U64, Bools, countable
from pegwise.errors import Phrase
from pegwise.game import Game
from pegwise.trees.lower_bound import join
from pegwise.trees.plain_rules import plain_marks

_WORD: Final = 64  # pairs of secrets that are looked at together
_SAMPLE: Final = 512  # guesses that tell which pairs are hard to tell apart
_BLOCK: Final = 1 << 15  # pairs whose marks are compared at once


@dataclass(frozen=True)
class Branchings:
    """A proof, as the checker reads it; all arrays are int64.

    Attributes:
        parents: (branchings), the branching above; 0 for the first, which has none.
        places: (branchings), the place in the list of that branching, from 0.
        pairs: (branchings, 2), two secrets by number.
        guesses: the lists of all branchings, one after the other.
        starts: (branchings + 1), where each list begins.
        own: (2, n), a branching and a symmetry that carries its set into itself.
        symmetries: (symmetries, pegs + pegs * colors), for each place the place whose peg comes
            there, then for each place the new names of the colors there. A game without places has
            no columns.
    """

    parents: I64
    places: I64
    pairs: I64
    guesses: I64
    starts: I64
    own: I64
    symmetries: I64

    def list_of(self, number: int) -> I64:
        """The guesses of a branching."""
        return self.guesses[self.starts[number] : self.starts[number + 1]]

    def malformed(self, game: Game) -> str | None:
        """Why this can be no proof for a game, or None."""
        board = game.board
        pegs, colors = (board.pegs, board.colors) if board else (0, 0)
        n, starts, symmetries = self.parents.size, self.starts, self.symmetries
        if (
            [array.ndim for array in vars(self).values()] != [1, 1, 2, 1, 1, 2, 2]
            or (len(self.places), self.pairs.shape, len(self.own)) != (n, (n, 2), 2)
            or symmetries.shape[1] != pegs + pegs * colors
        ):
            return Phrase("its arrays do not fit together, or belong to another game")
        lengths = np.diff(starts)
        if (
            len(starts) != n + 1
            or (int(starts[0]), int(starts[-1])) != (0, len(self.guesses))
            or (lengths < 0).any()
        ):
            return Phrase("the lists do not make up the guesses")
        for values, most in (
            (self.parents[1:], np.arange(1, n)),
            (self.pairs, game.n_secrets),
            (self.guesses, game.n_guesses),
            (self.own[0], n),
            (self.own[1], len(symmetries)),
        ):
            if ((values < 0) | (values >= most)).any():
                return Phrase("a number is out of range")
        places = self.places[1:]
        if ((places < 0) | (places >= lengths[self.parents[1:]])).any():
            return Phrase("a number is out of range")
        names = symmetries[:, pegs:].reshape(len(symmetries), pegs, colors)
        for part in (symmetries[:, :pegs], names):
            if (np.sort(part, axis=-1) != np.arange(part.shape[-1])).any():
                return Phrase("a symmetry is not an exchange of places and colors")
        per_peg = board is not None and board.colors_apart
        if not per_peg and (names != names[:, :1]).any():
            return Phrase("a symmetry is not an exchange of places and colors")
        return None


def proves_for(board: Game, game: Game) -> bool:
    """Whether guesses that are too few for a board are too few for a game, by rules 6 and 7."""
    small, large = board.board, game.board
    if small is None or large is None:
        return board is game
    flags = attrgetter("distinct", "distinct_secrets", "black")
    if flags(small) != flags(large):
        return False
    same_pegs, same_colors = small.pegs == large.pegs, small.colors == large.colors
    fewer_pegs = small.pegs < large.pegs and large.colors_apart
    fewer_colors = small.colors < large.colors and small.blank
    return (same_pegs or fewer_pegs) and (
        fewer_colors or (same_colors and small.blank == large.blank)
    )


class SetChecker:
    """Checks, one by one, branchings that are not malformed and refute `most` guesses of a game.

    Attributes:
        table: the marks (secrets, guesses).
        answers: the most parts that a guess makes of all secrets.
        alike: for each guess the first one that tells the same secrets apart: int64 (guesses).
    """

    def __init__(self, game: Game, most: int) -> None:
        self.game = game
        self.most = most
        self.table = plain_marks(game)
        self.answers = 0
        self.alike = np.arange(game.n_guesses)
        first: dict[bytes, int] = {}
        for guess, marks in enumerate(self.table.T):
            _, places, numbers = np.unique(marks, return_index=True, return_inverse=True)
            self.answers = max(self.answers, len(places))
            self.alike[guess] = first.setdefault(places[numbers.reshape(-1)].tobytes(), guess)
        self.images = lru_cache(maxsize=1 << 12)(self._images)

    def problem(self, proof: Branchings, number: int) -> str | None:
        """The problem of a branching of a proof, or None if its set is refuted.

        A proof may have no branching where the empty set needs none; then `number` is 0.
        """
        try:
            if self._refutes(proof, number):
                return None
            reason: object = Phrase("a guess that distinguishes its two secrets is not refuted")
        except ValueError as error:
            reason = error.args[0]
        return Phrase("branching {n}: {reason}", n=number, reason=reason)

    def _refutes(self, proof: Branchings, number: int) -> bool:
        """Whether the set of a branching is refuted; a ValueError says what is wrong."""
        chosen, allowed, classes = self._begin(proof, number)
        pairs = np.zeros((2, 0), np.int64)
        if self.most - len(chosen) <= 3:
            pairs = self.together(chosen, allowed)
        if not len(proof.parents):
            return self.too_few(chosen, allowed, pairs)
        first, second = self.table[proof.pairs[number]]
        separators = first != second
        if separators[chosen].any():
            raise ValueError(Phrase("its two secrets are distinguished before"))
        branched = proof.places[1:][proof.parents[1:] == number]
        for place, guess in enumerate(proof.list_of(number).tolist()):
            if guess in chosen:
                raise ValueError(Phrase("a guess of its list belongs to its set"))
            alone = allowed[guess] and place not in branched
            if alone and not self.too_few([*chosen, guess], allowed, pairs):
                raise ValueError(Phrase("a branching is missing, or some guesses are enough"))
            allowed &= classes != classes[guess]
        return not bool((allowed & separators).any())

    def _begin(self, proof: Branchings, number: int) -> tuple[list[int], Bools, I64]:
        """The set of a branching, the guesses not refuted before, and their classes."""
        path = [number]
        while path[0]:
            path.insert(0, int(proof.parents[path[0]]))
        chosen: list[int] = []
        allowed = np.ones(self.game.n_guesses, np.bool_)
        for branching, below in zip(path, [*path[1:], None], strict=True):
            classes = self._classes(proof, branching, chosen)
            refuted = np.flatnonzero(~allowed)
            if below is not None:
                guesses = proof.list_of(branching)[: proof.places[below] + 1]
                refuted = np.append(refuted, guesses[:-1])
                chosen.append(int(guesses[-1]))
            allowed &= ~np.isin(classes, classes[refuted])
        return chosen, allowed, classes

    def _classes(self, proof: Branchings, number: int, chosen: list[int]) -> I64:
        """A class for each guess: with the set, those of a class are refuted together."""
        classes = self.alike
        for symmetry in proof.own[1, proof.own[0] == number].tolist():
            carried = self.images(proof.symmetries[symmetry].tobytes())
            if sorted(carried[chosen].tolist()) != sorted(chosen):
                raise ValueError(Phrase("a symmetry does not carry the set into itself"))
            classes = join(classes, carried)
        return classes

    def _images(self, symmetry: bytes) -> I64:
        """The image of each guess, by number; `images` remembers the last ones."""
        guesses = np.arange(self.game.n_guesses)
        return self.game.images(guesses, np.frombuffer(symmetry, np.int64))

    def too_few(self, chosen: list[int], allowed: Bools, pairs: I64) -> bool:
        """Whether a set is refuted without branching, where only allowed guesses may join it.

        The pairs, for up to two more guesses, are those that its guesses but the last leave
        together.
        """
        more = self.most - len(chosen)
        if more > 2:
            largest = int(np.bincount(countable(self.labels(chosen))).max())
            return bool(largest > self.answers**more)
        if chosen:
            marks = self.table[:, chosen[-1]]
            pairs = pairs[:, marks[pairs[0]] == marks[pairs[1]]]
        if more < 1:
            return more < 0 or pairs.shape[1] > 0
        guesses = np.unique(self.alike[allowed])
        first = second = guesses
        for start in range(0, pairs.shape[1], _WORD):
            word = self._leave_together(pairs[:, start : start + _WORD])
            if start == 0 and more == 2:
                word_of = word[guesses]
                # of any two guesses that are enough, one tells the first pair apart
                rows = np.flatnonzero(word_of & np.uint64(1) == 0)
                row, column = np.nonzero((word_of[rows, None] & word_of) == 0)
                first, second = guesses[rows[row]], guesses[column]
            else:
                enough = (word[first] & word[second]) == 0
                first, second = first[enough], second[enough]
            if not len(first):
                return True
        return False

    def labels(self, chosen: list[int]) -> I64:
        """A number for each secret, the same for those with the same marks from all of a set."""
        labels = np.zeros(self.game.n_secrets, np.int64)
        for guess in chosen:
            joint = labels * self.game.n_marks + self.table[:, guess]
            labels = np.unique(joint, return_inverse=True)[1].reshape(-1).astype(np.int64)
        return labels

    def together(self, chosen: list[int], allowed: Bools) -> I64:
        """int64 (2, n): the pairs that a set leaves together, those first with few separators."""
        labels = self.labels(chosen)
        order = np.argsort(labels, kind="stable")
        blocks = []
        for distance in range(1, int(np.bincount(countable(labels)).max())):
            near, far = order[:-distance], order[distance:]
            same = labels[near] == labels[far]
            blocks.append(np.stack([near[same], far[same]]))
        pairs = np.concatenate([np.zeros((2, 0), np.int64), *blocks], axis=1)
        sample = np.flatnonzero(allowed)
        sample = sample[:: 1 + len(sample) // _SAMPLE]
        marks = self.table[:, sample]
        separators = [
            np.count_nonzero(marks[first] != marks[second], axis=1)
            for first, second in np.array_split(pairs, 1 + pairs.shape[1] // _BLOCK, axis=1)
        ]
        return pairs[:, np.argsort(np.concatenate(separators), kind="stable")]

    def _leave_together(self, pairs: I64) -> U64:
        """For each guess a bit for each pair: it gets the same marks from both secrets."""
        bits = np.zeros((_WORD, self.game.n_guesses), np.bool_)
        bits[: pairs.shape[1]] = self.table[pairs[0]] == self.table[pairs[1]]
        packed = np.packbits(bits, axis=0, bitorder="little")
        words: U64 = np.ascontiguousarray(packed.T).view("<u8").reshape(-1).astype(np.uint64)
        return words
