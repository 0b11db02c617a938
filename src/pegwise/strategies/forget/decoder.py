"""Forget's decoder: an opening that sweeps the colors, then the most discriminating code.

Source: Jean Forget, perl5-decodeur-Mastermind, description of the decoder (2011-2026). After the
opening and the interlude (see `forget_opening`) the endgame weighs the candidates and the opening
guesses that were not played, which can no longer win but may discriminate better. One criterion
leads, entropy or the size of the largest part, and the other decides between equals; then the
first weighed is played: candidates in numeric order, then the unplayed guesses in theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8, Bools
from pegwise.errors import (
    ContradictionError,
    InputError,
    StrategyError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import Code, Game, Mastermind, check_code
from pegwise.game.game import check_listed
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import Card, Nodes, Option
from pegwise.strategies.forget.opening import MAX_BUILT, Opening, Pool, Turn, evenly, interlude
from pegwise.strategies.one_step import CRITERIA

LEADS: Final = ("entropy", "minimax")
LIMIT: Final = 2000
MAX_LIMIT: Final = 20_000

_ABOUT: Final = (
    "Opens with ABCD, EFGH, ... and wraps round the colors; a mark of nothing removes its colors. "
    "Once all colors have been seen, or at most one peg is still unknown, it builds every code "
    "that fits, peg by peg, and plays the most discriminating one of them or of the opening "
    "guesses not played, "
)


class Forget:
    """Sweep the colors, build the candidates, then play the most discriminating code.

    Args:
        switch: number of the guess from which on the other criterion leads; 0 for never.
        limit: more candidates than this are sampled, this many of them at even distances, where
            a guess is chosen (never where codes are ruled out).
        unplayed: whether opening guesses not played compete with the candidates.

    Raises:
        InputError: a number out of range.
    """

    card: ClassVar[Card]
    lead: ClassVar[str]

    def __init__(self, *, switch: int = 0, limit: int = LIMIT, unplayed: bool = True) -> None:
        if switch < 0:
            raise InputError(
                "switch={switch}: write the number of a guess, or 0 for never", switch=switch
            )
        if not 2 <= limit <= MAX_LIMIT:
            raise InputError(
                "limit={limit}: write a number of candidates from 2 to {most}",
                limit=limit,
                most=MAX_LIMIT,
            )
        self.switch = switch
        self.limit = limit
        self.unplayed = unplayed
        self.options: Mapping[str, Option] = {
            **({"switch": switch} if switch else {}),
            **({"limit": limit} if limit != LIMIT else {}),
            **({} if unplayed else {"unplayed": False}),
        }

    @property
    def worth(self) -> I64:
        """int64 (limit + 1): n log2 n by n, in whole numbers, so that equal partitions tie."""
        return CRITERIA["entropy"].table(self.limit)

    def lead_at(self, guess: int) -> str:
        """The criterion that leads at the guess of this number, from 1."""
        if self.switch and guess >= self.switch:
            return LEADS[1 - LEADS.index(self.lead)]
        return self.lead

    def begin(self, game: Game) -> OpeningMove:
        """The first colors.

        Raises:
            StrategyError: not a board of pegs and colors.
        """
        if not isinstance(game, Mastermind):
            raise StrategyError(
                "{id} sweeps the colors of a board; {game} is not a board such as 4x6",
                id=self.card.id,
                game=game.name,
            )
        return OpeningMove(self, game, Opening.of(game.rules))

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes | None:
        """All nodes of its tree (see `Compiles`); None where candidates are only sampled.

        Raises:
            StrategyError: as `begin`.
            TooLargeError: too many codes to list.
        """
        return play_out(self.begin(game), threads=threads, report=report)


class ForgetEntropy(Forget):
    """The most information first, the smallest largest part second."""

    lead = "entropy"
    card = Card(
        id="forget-entropy",
        name="Forget's decoder, by entropy",
        authors="Jean Forget",
        year=2011,
        source="perl5-decodeur-Mastermind: description of the decoder, 2011-2026",
        about=_ABOUT + "by entropy, ties by the smallest largest part.",
        traits=frozenset({"unlisted"}),
    )


class ForgetMinimax(Forget):
    """The smallest largest part first, the most information second."""

    lead = "minimax"
    card = Card(
        id="forget-minimax",
        name="Forget's decoder, by minimax",
        authors="Jean Forget",
        year=2011,
        source="perl5-decodeur-Mastermind: description of the decoder, 2011-2026",
        about=_ABOUT + "by the smallest largest part, ties by entropy.",
        traits=frozenset({"unlisted"}),
    )


@dataclass(frozen=True, eq=False)
class OpeningMove:
    """A state of the opening.

    Attributes:
        strategy: what plays.
        game: on which board.
        opening: the sweep so far.
        lead: the criterion that leads from here on; None for what the strategy says.
    """

    strategy: Forget
    game: Mastermind
    opening: Opening
    lead: str | None = None

    @property
    def guess(self) -> Code:
        return self.opening.guess

    def after(self, mark: Any) -> OpeningMove | Endgame:
        """The opening goes on, or the interlude lists the candidates.

        Raises:
            ContradictionError: no secret could have given these marks.
            TooLargeError: no candidate was found among too many partial codes.
        """
        following = self.opening.after(self.game.mark(self.game.mark_number(mark)))
        if not following.over:
            return replace(self, opening=following)
        return Endgame.of(self.strategy, self.game, following, following.turns, self.lead)

    def with_criterion(self, lead: str) -> OpeningMove:
        """The same state, with this criterion (`entropy`, `minimax`) leading from here on."""
        return replace(self, lead=_known(lead))


@dataclass(frozen=True, eq=False)
class Endgame:
    """A state of the endgame.

    Attributes:
        strategy: what plays.
        game: on which board.
        opening: the opening as it ended.
        turns: all turns so far.
        pool: codes to choose from; with a table of marks unless there are too many.
        left: int32, which candidates of the pool are left, ascending.
        complete: whether these are all candidates, not a sample.
        lead: the criterion that leads from here on; None for what the strategy says.
    """

    strategy: Forget
    game: Mastermind
    opening: Opening
    turns: tuple[Turn, ...]
    pool: Pool
    left: I32
    complete: bool
    lead: str | None = None

    @classmethod
    def of(
        cls,
        strategy: Forget,
        game: Mastermind,
        opening: Opening,
        turns: tuple[Turn, ...],
        lead: str | None,
    ) -> Endgame:
        """The state after these turns, with candidates built afresh.

        Raises:
            ContradictionError: no secret could have given these marks.
            TooLargeError: no candidate was found among too many partial codes.
        """
        for most in (MAX_BUILT, 8 * MAX_BUILT):
            codes, complete = interlude(opening, turns, most)
            if complete or len(codes):
                break
        else:
            raise TooLargeError(
                "{game} after {n_turns} turns: too many partial codes to build the candidates "
                "peg by peg; strategy 'constraint' plays boards of this size",
                game=game.name,
                n_turns=len(turns),
            )
        pool = Pool(game, codes, opening.unplayed if strategy.unplayed else ())
        left = np.arange(len(codes), dtype=np.int32)
        return cls(strategy, game, opening, turns, pool, left, complete, lead)._checked()

    @property
    def candidates(self) -> U8:
        """uint8 (n, pegs): the codes still possible (or a sample of them), in numeric order."""
        return self.pool.codes[self.left]

    @property
    def tabled(self) -> bool:
        """Whether the marks of the pool are kept in a table."""
        return len(self.pool.codes) <= self.strategy.limit

    @property
    def leading(self) -> str:
        """The criterion that leads at this guess."""
        return self.lead or self.strategy.lead_at(len(self.turns) + 1)

    @cached_property
    def row(self) -> int:
        """The row of the pool that is played, where its marks are kept in a table."""
        return self.pool.best(self.left, self.strategy.worth, self.leading)

    @cached_property
    def guess(self) -> Code:
        if self.tabled:
            return self.pool.code(self.row)
        limit = self.strategy.limit
        sample = replace(self.pool, codes=self.candidates[evenly(len(self.left), limit)])
        everyone = np.arange(limit, dtype=np.int32)
        return sample.code(sample.best(everyone, self.strategy.worth, self.leading))

    @cached_property
    def marks(self) -> U8:
        """uint8: marks of the guess against the candidates left, by number."""
        marks = self.pool.table[self.row] if self.tabled else self.pool.marks(self.guess)
        return marks[self.left]

    def after(self, mark: Any) -> Endgame:
        """The candidates that would have given this mark.

        Raises:
            ContradictionError: no secret could have given these marks.
            TooLargeError: no candidate was found among too many partial codes.
        """
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> Endgame:
        """Likewise after another guess.

        Raises:
            CodeError: it is no guess of the board.
            ContradictionError: as `after`.
            TooLargeError: as `after`.
        """
        code = check_code(guess, self.game.rules)
        number = self.game.mark_number(mark)
        turns = (*self.turns, Turn(code, self.game.mark(number)))
        if not self.complete:
            return Endgame.of(self.strategy, self.game, self.opening, turns, self.lead)
        marks = self.marks if code == self.guess else self.pool.marks(code)[self.left]
        left = self.left[marks == number]
        following = replace(self, turns=turns, left=left)
        if not self.tabled and len(left) <= self.strategy.limit:
            pool = replace(self.pool, codes=self.pool.codes[left])
            following = replace(following, pool=pool, left=np.arange(len(left), dtype=np.int32))
        return following._checked()

    def with_criterion(self, lead: str) -> Endgame:
        """The same state, with this criterion (`entropy`, `minimax`) leading from here on."""
        return replace(self, lead=_known(lead))

    def _checked(self) -> Endgame:
        if not len(self.left):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        return self


def _known(lead: str) -> str:
    if lead not in LEADS:
        raise UnknownNameError.of("criterion", lead, LEADS)
    return lead


# Forget's decoder against every secret: what `trees.build` would play out, in seconds.
#
# The opening, and positions with more candidates than a table of marks holds, are played move by
# move; below them a kernel grows what follows.


class _Piece(NamedTuple):
    """A part of the tree: its first node, and what follows up to where other pieces begin.

    Attributes:
        codes: uint8 (n, pegs), guesses.
        parent: int64 (n), the node before within the piece; -1 for the first.
        mark: uint8 (n).
        wins: bool (n).
    """

    codes: U8
    parent: I64
    mark: U8
    wins: Bools


def play_out(first: OpeningMove, *, threads: int = 1, report: Report = silent) -> Nodes | None:
    """The nodes of a strategy, from its first move; None where candidates are only sampled.

    Raises:
        TooLargeError: too many codes to list.
    """
    game = first.game
    check_listed(game.name, game.n_guesses)
    pieces: list[_Piece] = []
    roots: list[tuple[int, int]] = []  # of each piece: the node before its first one, the mark
    nodes = found = 0

    def add(piece: _Piece, parent: int, mark: int) -> None:
        nonlocal nodes, found
        pieces.append(piece)
        roots.append((parent, mark))
        nodes += len(piece.mark)
        found += int(piece.wins.sum())
        report(Progress(found, game.n_secrets, "secrets"))

    # positions not yet played out: the node and the mark that lead to them, and the move
    small: list[tuple[int, int, Endgame]] = []
    level: list[tuple[int, int, OpeningMove | Endgame]] = [(-1, 0, first)]
    while level:
        following: list[tuple[int, int, OpeningMove | Endgame]] = []
        for parent, mark, move in level:
            if isinstance(move, Endgame) and not move.complete:
                return None
            if isinstance(move, Endgame) and move.tabled:
                small.append((parent, mark, move))
                continue
            following += ((nodes, led, after) for led, after in _after(move))
            add(_single(move), parent, mark)
        level = following
    with ThreadPoolExecutor(max_workers=max(threads, 1)) as workers:
        run = workers.map if threads > 1 else map
        grown = run(_grown, (move for _, _, move in small))
        for (parent, mark, _), piece in zip(small, grown, strict=True):
            add(piece, parent, mark)
    return _joined(game, pieces, roots)


def _after(move: OpeningMove | Endgame) -> Iterator[tuple[int, OpeningMove | Endgame]]:
    """Every mark that the guess can get, but the winning one, and the state after it."""
    game = move.game
    for number in range(game.winning):
        try:
            yield number, move.after(game.mark(number))
        except ContradictionError:
            continue


def _single(move: OpeningMove | Endgame) -> _Piece:
    """One guess alone."""
    guess = move.guess
    if isinstance(move, Endgame):
        wins = bool((move.candidates == guess).all(axis=1).any())
    else:
        repeats = len(set(guess)) < len(guess)
        wins = not (repeats and move.game.rules.secrets_are_distinct) and all(
            move.game.mark_of(turn.guess, guess) == turn.mark for turn in move.opening.turns
        )
    codes = np.array([guess], np.uint8)
    return _Piece(codes, np.full(1, -1), np.zeros(1, np.uint8), np.array([wins]))


def _grown(move: Endgame) -> _Piece:
    """Everything that follows a position with a table of marks."""
    from pegwise.kernels.forget import grow

    pool, strategy = move.pool, move.strategy
    guess = len(move.turns) + 1
    leads = [
        move.lead or strategy.lead_at(k) for k in range(guess, max(guess, strategy.switch) + 1)
    ]
    minimax = np.array([lead == "minimax" for lead in leads])
    n = len(pool.codes)
    table = replace(pool).table  # of a copy, so that it is freed: there are thousands
    tree = grow(table, n, pool.game.n_marks, strategy.worth, minimax)
    unplayed = np.array(pool.unplayed, np.uint8).reshape(-1, pool.codes.shape[1])
    codes = np.concatenate([pool.codes, unplayed])[tree.row]
    return _Piece(codes, tree.parent.astype(np.int64), tree.mark, tree.wins)


def _joined(game: Mastermind, pieces: list[_Piece], roots: list[tuple[int, int]]) -> Nodes:
    """All pieces as one tree, breadth first, children by number of mark."""
    codes = np.concatenate([piece.codes for piece in pieces])
    mark = np.concatenate([piece.mark for piece in pieces])
    wins = np.concatenate([piece.wins for piece in pieces])
    parent = np.empty(len(codes), np.int64)
    begin = 0
    for piece, (before, led) in zip(pieces, roots, strict=True):
        end = begin + len(piece.mark)
        parent[begin:end] = piece.parent + begin
        parent[begin], mark[begin] = before, led
        begin = end
    order, place = _breadth_first(parent, mark)
    above = parent[order]
    return Nodes(
        _guess_numbers(game, codes[order]),
        np.where(above < 0, -1, place[above]).astype(np.int32),
        mark[order],
        wins[order],
    )


def _breadth_first(parent: I64, mark: U8) -> tuple[I64, I64]:
    """The nodes in breadth-first order, and the place of each node in it, int64 (nodes) each."""
    n = len(parent)
    by_parent = np.argsort(parent, kind="stable")
    starts = np.searchsorted(parent[by_parent], np.arange(n + 1))
    place = np.empty(n, np.int64)
    levels = [np.zeros(1, np.int64)]
    placed = 0
    while len(levels[-1]):
        level = levels[-1]
        place[level] = np.arange(placed, placed + len(level))
        placed += len(level)
        # positions in `by_parent` of the children of every node of this level
        counts = starts[level + 1] - starts[level]
        ends = np.cumsum(counts)
        offsets = np.repeat(starts[level] - (ends - counts), counts)
        children = by_parent[offsets + np.arange(ends[-1])]
        levels.append(children[np.lexsort((mark[children], place[parent[children]]))])
    return np.concatenate(levels), place


def _guess_numbers(game: Mastermind, codes: U8) -> I32:
    """int32 (n): numbers of codes, uint8 (n, pegs), in the list of guesses."""
    weights = (game.rules.colors + 1) ** np.arange(game.rules.pegs, dtype=np.int64)[::-1]
    listed = np.minimum(game.guess_codes, game.rules.colors).astype(np.int64) @ weights
    return np.searchsorted(listed, codes.astype(np.int64) @ weights).astype(np.int32)
