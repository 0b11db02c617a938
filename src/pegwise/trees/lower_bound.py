"""Check that no tree is better than a bound, by the plain definition of marking alone.

Let cost(S, k) be the least sum of guesses, weighted where the game is, over the secrets of a set S
by a tree that finds each of them within k guesses; infinite where there is no such tree. A proof
is a list of sets of two codes or more, with a limit k and a bound B each. Of every set this module
checks cost(S, k) >= B, by induction on the size of S. The set of all secrets is one of them.

1. A guess splits S into parts, by the mark. A tree that begins with it costs the weight of S, since
   every secret needs this guess, and for each part P but the winning one a tree of cost(P, k - 1)
   at least. So B holds if for every guess the weight of S and the bounds of its parts add up to B.
   A guess that leaves S whole is left out: what follows it is a better tree of S.

2. The bound of a part by counting. Let `inside` be the most parts that a code of S makes of S, and
   `outside` the most that any other guess makes, but at least inside - 1. A tree of a part of S
   finds at most C(1) = 1 codes within one guess. Within d guesses it finds at most
   1 + (inside - 1) C(d - 1) codes if its first guess may win, and at most outside C(d - 1) if not:
   then this is either no code of S, or one that is not in the part, and one of its `inside` parts
   is empty there. C(d) is the larger number. So the i-th heaviest code of a part costs at least
   its weight times the first d with i <= C(d), and more than C(k - 1) codes cost infinitely much.

3. The bound of a part by another set of the list, if a symmetry carries the part into the set.
   A symmetry exchanges places and renames colors, where only black marks are given and codes may
   repeat colors those of each place on its own. It changes neither marks nor what may be guessed,
   so both cost the same if it keeps weights. The symmetry is in the file; it is applied to every
   code and the result is compared. A bound under a limit holds under a smaller limit too.
   The set is as large as the part, hence smaller than S: its bound rests on smaller sets only.

4. Guesses that get the same marks from all of S make the same parts. If a symmetry carries S into
   itself, it carries the parts of a guess into those of the image of the guess. In both cases the
   guesses cost the same, and the best bound of one of them is a bound of all.

5. Hard rules. A set then stands for a position: its codes, and the guesses that are allowed
   (`PlainRules.guesses`). A tree of it plays no others, and after each of its turns only those that
   the turn allows too. No part has guesses that its set has not, so 1 and 2 hold. Where turns say
   what is allowed, a part may refer to a set whose turns allow all that is allowed in the part, and
   more: a tree of the part is one of that set. Guesses of the same marks may then allow different
   guesses after them, so that 4 does not hold. With other marks guesses are the codes of the set.

The claim may be about the trees that begin with one guess: then that of all secrets has no other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pegwise.arrays import I64, Bools, GuessNumber, MarkNumbers, countable
from pegwise.errors import Phrase
from pegwise.game import Game
from pegwise.game.hard import is_searched
from pegwise.trees.plain_rules import PlainRules, count_marks, has_turns

INFINITE: Final = 1 << 44  # cost of a set that no tree finds within the limit
UNLIMITED: Final = 1 << 30  # the limit of a set whose bound holds for any number of guesses


@dataclass(frozen=True)
class LowerBound:
    """A proof, as the checker reads it; all arrays are int64.

    Attributes:
        codes: (codes), the secrets of all sets, by number, ascending in each.
        starts: (sets + 1), where each set begins.
        limits: (sets), the guesses allowed, or `UNLIMITED`.
        bounds: (sets), `INFINITE` for no tree.
        references: (5, references), a set, a guess and a mark, the set that bounds this part, and
            the symmetry that carries the part into it. In the order of the first row.
        own: (2, n), a set and a symmetry that carries it into itself. In the order of the first.
        symmetries: (symmetries, pegs + colors), for each place the place whose peg comes there,
            then the new name of each color, or for each place those of the colors that come there.
            A game without places has one, of no columns.
        turns: (3, n): a set, and a guess and a mark that limit its guesses by hard rules. In the
            order of the first row. Files of games without such rules may lack them.
    """

    codes: I64
    starts: I64
    limits: I64
    bounds: I64
    references: I64
    own: I64
    symmetries: I64
    turns: I64 = field(default_factory=lambda: np.zeros((3, 0), np.int64))

    def codes_of(self, number: int) -> I64:
        """The secrets of a set."""
        return self.codes[self.starts[number] : self.starts[number + 1]]

    def rows_of(self, rows: I64, number: int) -> I64:
        """The rows of `references`, `own` or `turns` that belong to a set."""
        first, last = np.searchsorted(rows[0], [number, number + 1])
        return rows[1:, first:last]

    def malformed(self, game: Game) -> str | None:
        """Why this can be no proof for a game, or None."""
        board = game.board
        pegs, colors = (board.pegs, board.colors) if board else (0, 0)
        sets, starts, symmetries = self.bounds.size, self.starts, self.symmetries
        per_peg = board is not None and board.colors_apart
        if (
            [array.ndim for array in vars(self).values()] != [1, 1, 1, 1, 2, 2, 2, 2]
            or (len(self.references), len(self.own), len(self.turns)) != (5, 2, 3)
            or len(self.limits) != sets
            or symmetries.shape[1] - pegs not in (colors, colors * pegs if per_peg else colors)
        ):
            return Phrase("its arrays do not fit together, or belong to another game")
        if len(starts) != sets + 1 or starts[0] != 0 or starts[-1] != len(self.codes):
            return Phrase("the sets do not make up the list of codes")
        for values, most in (
            (starts, len(self.codes) + 1),
            (self.codes, game.n_secrets),
            (self.limits, UNLIMITED + 1),
            (self.bounds, INFINITE + 1),
            (self.references[[0, 3]], sets),
            (self.references[1], game.n_guesses),
            (self.references[2], game.n_marks),
            (self.own[0], sets),
            (np.append(self.references[4], self.own[1]), len(symmetries)),
            (self.turns[0], sets),
            (self.turns[1], game.n_guesses),
            (self.turns[2], game.n_marks),
        ):
            if values.size and not 0 <= int(values.min()) <= int(values.max()) < most:
                return Phrase("a number is out of range")
        if (np.diff(starts) < 2).any():
            return Phrase("a set has less than two codes")
        falls = np.diff(self.codes) <= 0
        falls[starts[1:-1] - 1] = False
        rows = self.references, self.own, self.turns
        if falls.any() or any((np.diff(row[0]) < 0).any() for row in rows):
            return Phrase("codes or references are not in order")
        if not is_searched(game):
            return Phrase("by such hard rules it is not plain what may be guessed")
        if self.turns.size and not has_turns(game):
            return Phrase("turns do not limit the guesses of this game")
        names = symmetries[:, pegs:].reshape(-1, max(colors, 1))
        for part in (symmetries[:, :pegs], names):
            if (np.sort(part, axis=1) != np.arange(part.shape[1])).any():
                return Phrase("a symmetry is not an exchange of places and colors")
        weight = game.n_secrets if game.weights is None else int(game.weights.sum())
        if weight * game.n_secrets >= INFINITE:
            return Phrase("the weights are too large")
        return None


class Checker:
    """Checks the sets of proofs for a game that are not malformed, one by one.

    Args:
        game: what is played.
        first: the first guess of the trees that proofs are about, by number; None for any.
    """

    def __init__(self, game: Game, first: GuessNumber | None = None) -> None:
        self.game = game
        self.first = first
        self.weights = game.frequencies()
        self.rules = PlainRules(game)
        self._capacities: dict[tuple[int, int], I64] = {}

    def problem(self, proof: LowerBound, number: int) -> str | None:
        """The problem of a set of a proof, or None if its bound is proven."""
        try:
            if self.proves(proof, number, int(proof.bounds[number])):
                return None
            reason: object = Phrase("some guess may cost less than its bound")
        except ValueError as error:
            reason = error.args[0]
        return Phrase("set {n}: {reason}", n=number, reason=reason)

    def proves(self, proof: LowerBound, number: int, bound: int) -> bool:
        """Whether a bound of a set follows from smaller sets; a ValueError says what is wrong."""
        codes, guesses = proof.codes_of(number), self.guesses(proof, number)
        marks = self.rules.marks(codes, guesses)
        least, splits = self.counting(codes, guesses, marks, int(proof.limits[number]))
        whole = self.weights[codes].sum()
        weak = np.flatnonzero(splits & (whole + least.sum(axis=0) < bound))
        self._refer(proof, number, guesses, marks, least)
        costs = np.where(splits, np.minimum(whole + least.sum(axis=0), INFINITE), INFINITE)
        if len(weak) and not has_turns(self.game):
            columns = np.unique(marks[:, weak], axis=1, return_inverse=True)[1].reshape(-1)
            costs[weak] = _best_of_class(columns, costs[weak])
        own = proof.rows_of(proof.own, number)[0]
        if len(own):
            costs = _best_of_class(self.orbits(codes, proof.symmetries[own])[guesses], costs)
        return bool((costs >= bound).all())

    def guesses(self, proof: LowerBound, number: int) -> I64:
        """The guesses that are allowed in a set of a proof, by number, ascending."""
        return self.rules.guesses(proof.codes_of(number), proof.rows_of(proof.turns, number))

    def counting(
        self, codes: I64, guesses: I64, marks: MarkNumbers, limit: int
    ) -> tuple[I64, Bools]:
        """A bound for every part by counting, 0 for the winning one, and which guesses split.

        Of a set, (n), with the guesses that are allowed, ascending, the marks, (n, guesses), and
        how many guesses may be played: int64 (n_marks, guesses) and bool (guesses). Of all secrets
        it is the first guess that splits, if it is given.
        """
        game = self.game
        counts = count_marks(marks, game.n_marks)
        parts = np.count_nonzero(counts, axis=0)
        members, others = np.searchsorted(guesses, game.guess_of_secret[codes]), parts.copy()
        others[members] = 0
        inside = int(parts[members].max())
        capacity = self._capacity(inside, max(int(others.max()), inside - 1))
        depth = 1 + np.searchsorted(capacity, np.arange(len(codes)), side="right")
        least = np.concatenate([[0], np.cumsum(depth)])[counts]
        if game.weights is not None:
            least, seen, guess = 0 * counts, 0 * counts, np.arange(len(guesses))
            for i in np.argsort(-self.weights[codes], kind="stable").tolist():
                least[marks[i], guess] += self.weights[codes[i]] * depth[seen[marks[i], guess]]
                seen[marks[i], guess] += 1
        if limit != UNLIMITED:
            within = capacity[min(limit - 1, len(capacity)) - 1] if limit > 1 else 0
            least[counts > within] = INFINITE
        least[game.winning] = 0
        if self.first is not None and len(codes) == game.n_secrets:
            return least, guesses == self.first
        return least, parts > 1

    def _capacity(self, inside: int, outside: int) -> I64:
        """C(1), C(2), ... up to the number of secrets."""
        if (inside, outside) not in self._capacities:
            capacity = [1]
            while capacity[-1] < self.game.n_secrets:
                capacity.append(max(1 + (inside - 1) * capacity[-1], outside * capacity[-1]))
            self._capacities[inside, outside] = np.array(capacity, np.int64)
        return self._capacities[inside, outside]

    def _refer(
        self, proof: LowerBound, number: int, guesses: I64, marks: MarkNumbers, least: I64
    ) -> None:
        """Raise bounds of parts to those of the sets that they are carried into."""
        codes, limit = proof.codes_of(number), proof.limits[number]
        played, mark, target, symmetry = proof.rows_of(proof.references, number)
        if not len(played):
            return
        guess = np.minimum(np.searchsorted(guesses, played), len(guesses) - 1)
        if (guesses[guess] != played).any():
            raise ValueError(Phrase("a part refers to a set after a guess that is not allowed"))
        if (proof.limits[target] < limit - (limit != UNLIMITED)).any():
            raise ValueError(Phrase("a part refers to a set with a smaller limit"))
        reference, code = np.nonzero((marks[:, guess] == mark).T)
        sizes = np.bincount(reference, minlength=len(guess))
        if (sizes != proof.starts[target + 1] - proof.starts[target]).any() or (
            sizes >= len(codes)
        ).any():
            raise ValueError(Phrase("a part refers to a set of another size"))
        secrets = self.carry(codes[code], proof.symmetries[symmetry[reference]])
        places = np.repeat(proof.starts[target] - np.cumsum(sizes) + sizes, countable(sizes))
        sets = proof.codes[places + np.arange(len(places))]
        if (secrets[np.lexsort((secrets, reference))] != sets).any():
            raise ValueError(Phrase("a symmetry does not carry a part into the set"))
        if has_turns(self.game):
            before, limited = proof.rows_of(proof.turns, number), np.isin(target, proof.turns[0])
            for last, answer, other in np.stack([played, mark, target])[:, limited].T.tolist():
                allowed = self.rules.allowed(np.append(before, [[last], [answer]], axis=1))
                if (allowed & ~self.rules.allowed(proof.rows_of(proof.turns, other))).any():
                    raise ValueError(Phrase("a part refers to a set with fewer guesses"))
        np.maximum.at(least, (mark, guess), proof.bounds[target])

    def orbits(self, codes: I64, symmetries: I64) -> I64:
        """A class for each guess: those of a class are carried into each other with the set."""
        guesses = classes = np.arange(self.game.n_guesses)
        for symmetry in symmetries:
            if (np.sort(self.carry(codes, symmetry)) != codes).any():
                raise ValueError(Phrase("a symmetry does not carry the set into itself"))
            classes = join(classes, self.game.images(guesses, symmetry))
        return classes

    def carry(self, secrets: I64, symmetries: I64) -> I64:
        """The image of each secret, by number, under a symmetry for all or one for each."""
        guesses = self.game.images(self.game.guess_of_secret[secrets], symmetries)
        numbers = self.game.secret_of_guess[guesses].astype(np.int64)
        if (self.weights[numbers] != self.weights[secrets]).any():
            raise ValueError(Phrase("a symmetry does not keep the weights"))
        return numbers


def join(classes: I64, carried: I64) -> I64:
    """Classes, numbered by their first guess, joined where a guess and its image are in two."""
    while (classes != classes[carried]).any():
        least = np.minimum(classes, classes[carried])
        joined = classes.copy()
        np.minimum.at(joined, classes, least)
        np.minimum.at(joined, classes[carried], least)
        classes = joined[joined]
    return classes


def _best_of_class(classes: I64, values: I64) -> I64:
    """For each guess the largest value in its class."""
    best = np.zeros(int(classes.max()) + 1, np.int64)
    np.maximum.at(best, classes, values)
    return best[classes]
