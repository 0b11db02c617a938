"""Forget's decoder: an opening that sweeps the colors, then the most discriminating code.

Source: Jean Forget, perl5-decodeur-Mastermind, description of the decoder (2011-2026). The opening
plays ABCD, EFGH, ... and wraps round the colors. The interlude builds every code that fits, peg by
peg. The endgame weighs these candidates and the opening guesses that were not played, which can no
longer win but may discriminate better. One criterion leads, entropy or the size of the largest
part, and the other decides between equals; then the first weighed is played: candidates in numeric
order, then the unplayed guesses in theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple, Self

import numpy as np

from pegwise.arrays import I32, I64, U8, Bools
from pegwise.errors import (
    ContradictionError,
    InputError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import Code, Game, Mark, Mastermind, Rules, Turn, check_code
from pegwise.game.game import check_listed
from pegwise.kernels import plain, small
from pegwise.knowledge.drawing import Drawn
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import Card, Nodes, as_board, changed, mark_codes
from pegwise.strategies.criteria import CRITERIA

LEADS: Final = ("entropy", "minimax")
LIMIT: Final = 2000
MAX_LIMIT: Final = 20_000

MAX_BUILT: Final = 500_000
"""Partial codes kept at each peg; where there are more, they are sampled."""

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
    lead: str

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
        self.switch, self.limit, self.unplayed = switch, limit, unplayed
        self.options = changed(Forget, switch=switch, limit=limit, unplayed=unplayed)

    @property
    def worth(self) -> I64:
        """int64 (limit + 1): n log2 n by n, in whole numbers, so that equal partitions tie."""
        return CRITERIA["entropy"].table(self.limit)

    def lead_at(self, guess: int) -> str:
        """The criterion that leads at the guess of this number, from 1."""
        if self.switch and guess >= self.switch:
            return LEADS[1 - LEADS.index(self.lead)]
        return self.lead

    def led_by(self, lead: str) -> Forget:
        """The same strategy with this criterion leading at every guess."""
        if lead not in LEADS:
            raise UnknownNameError.of("criterion", lead, LEADS)
        strategy = copy(self)
        strategy.lead, strategy.switch = lead, 0
        return strategy

    def begin(self, game: Game) -> OpeningMove:
        """The first colors.

        Raises:
            StrategyError: not a board of pegs and colors.
        """
        board = as_board(game, self.card.id)
        return OpeningMove(self, board, Opening.of(board.rules))

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes | None:
        """All nodes of its tree; None where candidates are only sampled."""
        check_listed(game.name, game.n_guesses)
        return _play_out(self.begin(game), threads, report)


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
    card = replace(
        ForgetEntropy.card,
        id="forget-minimax",
        name="Forget's decoder, by minimax",
        about=_ABOUT + "by the smallest largest part, ties by entropy.",
    )


@dataclass(frozen=True, slots=True)
class Opening:
    """The sweep over the colors after some turns."""

    rules: Rules
    colors: tuple[int, ...]  # those not proven absent, in order
    seen: int = 0  # how many of them, from the first, have been played
    turns: tuple[Turn, ...] = ()

    @classmethod
    def of(cls, rules: Rules) -> Opening:
        """The opening before any mark."""
        return cls(rules, tuple(range(rules.colors)))

    @property
    def total(self) -> int:
        """Marks so far, black and white together."""
        return sum(sum(turn.mark) for turn in self.turns)

    @property
    def guess(self) -> Code:
        """The next `pegs` colors, wrapping round those not proven absent."""
        return self._guess_from(self.seen)

    @property
    def over(self) -> bool:
        """Whether all colors have been seen, or at most one peg is of a color not seen."""
        enough = self.total >= self.rules.pegs - 1
        return bool(self.turns) and (enough or self.seen == len(self.colors))

    @property
    def unplayed(self) -> tuple[Code, ...]:
        """The guesses that would have followed, had the opening gone on to the last color."""
        return tuple(
            self._guess_from(seen) for seen in range(self.seen, len(self.colors), self.rules.pegs)
        )

    @property
    def concatenated(self) -> tuple[Turn, ...]:
        """The turns of the synthetic turn: those with a mark, up to the one that wraps round.

        With a color twice in it, the synthetic turn would count one peg twice.
        """
        met: set[int] = set()
        chosen = []
        for turn in self.turns:
            colors = set(turn.guess)
            if sum(turn.mark) and len(colors) == len(turn.guess) and not colors & met:
                chosen.append(turn)
                met |= colors
        return tuple(chosen)

    def after(self, mark: Mark) -> Opening:
        """The opening after its guess got this mark.

        Raises:
            ContradictionError: too few colors remain for a code without a repeated color.
        """
        rules, guess, colors = self.rules, self.guess, self.colors
        seen = self.seen + rules.pegs
        last = seen >= len(colors)
        if mark == (0, 0) and not rules.black:
            colors = tuple(color for color in colors if color not in guess)
            seen = self.seen
        if last:
            seen = len(colors)
        following = Opening(rules, colors, seen, (*self.turns, Turn(guess, mark)))
        too_few = rules.pegs - following.total > len(colors) - seen
        if too_few and rules.secrets_are_distinct and not rules.black and not following.over:
            raise ContradictionError("no secret of {rules} gives these marks", rules=rules)
        return following

    def _guess_from(self, seen: int) -> Code:
        return Code(self.colors[k % len(self.colors)] for k in range(seen, seen + self.rules.pegs))


class Clues(NamedTuple):
    """What turns say of codes.

    Attributes:
        guesses: uint8 (turns, pegs).
        needs: int64 (turns, 26), how often each guess has each color.
        blacks: int64 (turns).
        commons: int64 (turns), black + white; -1 where that is not known.
    """

    guesses: U8
    needs: I64
    blacks: I64
    commons: I64


def interlude(opening: Opening, turns: Sequence[Turn], most: int = MAX_BUILT) -> Drawn:
    """Every code that would have given these marks, or a sample: the last of the `generations`."""
    *_, last = generations(opening, turns, most)
    return last


def generations(opening: Opening, turns: Sequence[Turn], most: int = MAX_BUILT) -> Iterator[Drawn]:
    """The codes with one peg, two pegs, ... from the last hole on, that every mark still allows.

    Args:
        opening: the opening as it ended; it gives the colors and the synthetic turn.
        turns: all turns, those of the opening first.
        most: codes kept in each generation; where there are more, they are sampled.

    Yields:
        Each generation, uint8 (n, pegs filled), in numeric order.
    """
    rules = opening.rules
    absent = {color for guess, mark in turns if mark == (0, 0) for color in guess}
    colors = np.array(sorted({*opening.colors} - (set() if rules.black else absent)), np.uint8)
    clues = _clues(opening, turns)
    codes = np.zeros((1, 0), np.uint8)
    complete = True
    for _ in range(rules.pegs):
        chosen = np.flatnonzero(reachable(codes, colors, clues, rules))
        if len(chosen) > most:
            chosen = chosen[evenly(len(chosen), most)]
            complete = False
        # the new color is the most significant: numeric order stays
        color, code = np.divmod(chosen, max(len(codes), 1))
        codes = np.column_stack([colors[color], codes[code]])
        yield Drawn(codes, complete)


def reachable(partial: U8, colors: U8, clues: Clues, rules: Rules) -> Bools:
    """Which colors can stand before codes whose later pegs are filled.

    A color can stand there if every mark is still reachable: each of the holes left adds at most
    one black, and at most one color in common.

    Args:
        partial: uint8 (n, pegs filled).
        colors: uint8 (c), colors that are not proven absent.
        clues: what the turns say.
        rules: the board.

    Returns:
        bool (c, n).
    """
    n, filled = partial.shape
    holes = rules.pegs - filled - 1
    counts = np.zeros((len(colors), n), np.int8)
    for row, color in zip(counts, colors, strict=True):
        np.sum(partial == color, axis=1, out=row)
    fits = counts == 0 if rules.secrets_are_distinct else np.ones((len(colors), n), np.bool_)
    for guess, need, black, common in zip(*clues, strict=True):
        hits = (partial == guess[holes + 1 :]).sum(axis=1, dtype=np.int8)
        reached = hits + (colors == guess[holes])[:, None]
        fits &= (reached <= black) & (black <= reached + holes)
        if common >= 0:
            own = need[colors, None]
            shared = np.minimum(counts, own).sum(axis=0, dtype=np.int8) + (counts < own)
            fits &= (shared <= common) & (common <= shared + holes)
    return fits


def evenly(n: int, k: int) -> I64:
    """Which k of n things in a row to take: every (n / k)-th, rounded down; int64 (k)."""
    return np.arange(k, dtype=np.int64) * n // k


def _clues(opening: Opening, turns: Sequence[Turn]) -> Clues:
    """Turns that say more than which colors are absent, and the synthetic one."""
    black_only = opening.rules.black
    # (guess as far as it is in place, colors, black, black + white)
    rows = [
        (guess, guess, mark.black, -1 if black_only else sum(mark))
        for guess, mark in turns
        if sum(mark) or black_only
    ]
    parts = opening.concatenated
    if len(parts) > 1 and not black_only:
        first = parts[0]
        colors = Code(color for turn in parts for color in turn.guess)
        # only the first part stands in its place: all other marks turn white
        rows.append((first.guess, colors, first.mark.black, sum(sum(t.mark) for t in parts)))
    guesses = np.array([row[0] for row in rows], np.uint8).reshape(-1, opening.rules.pegs)
    needs = np.array([np.bincount(row[1], minlength=26) for row in rows], np.int64)
    blacks, commons = (np.array([row[k] for row in rows], np.int64) for k in (2, 3))
    return Clues(guesses, needs.reshape(-1, 26), blacks, commons)


@dataclass(frozen=True, eq=False)
class _Move:
    """A state of play; `opening` is the sweep so far, or as it ended."""

    strategy: Forget
    game: Mastermind
    opening: Opening

    def with_criterion(self, lead: str) -> Self:
        """The same state, with this criterion (`entropy`, `minimax`) leading from now on."""
        return replace(self, strategy=self.strategy.led_by(lead))


@dataclass(frozen=True, eq=False)
class OpeningMove(_Move):
    """A state of the opening."""

    @property
    def guess(self) -> Code:
        return self.opening.guess

    @property
    def may_win(self) -> bool:
        """Whether the guess is a candidate."""
        rules, guess = self.game.rules, self.guess
        if rules.secrets_are_distinct and len(set(guess)) < len(guess):
            return False
        return all(self.game.mark_of(g, guess) == mark for g, mark in self.opening.turns)

    def after(self, mark: Any) -> OpeningMove | Endgame:
        """The opening goes on, or the interlude lists the candidates.

        Raises:
            ContradictionError: no secret could have given these marks.
            TooLargeError: no candidate was found among too many partial codes.
        """
        following = self.opening.after(self.game.mark(self.game.mark_number(mark)))
        if not following.over:
            return replace(self, opening=following)
        return Endgame.of(self.strategy, self.game, following, following.turns)


@dataclass(frozen=True, eq=False)
class Endgame(_Move):
    """A state of the endgame."""

    turns: tuple[Turn, ...]  # all turns so far
    pool: Pool  # codes to choose from; with a table of marks unless there are too many
    rows: I32  # which candidates of the pool are still possible, ascending
    complete: bool  # whether these are all candidates, not a sample

    @classmethod
    def of(
        cls, strategy: Forget, game: Mastermind, opening: Opening, turns: tuple[Turn, ...]
    ) -> Endgame:
        """The state after these turns, with candidates built afresh; errors as `after`."""
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
        rows = np.arange(len(codes), dtype=np.int32)
        return cls(strategy, game, opening, turns, pool, rows, complete)._possible()

    @property
    def candidates(self) -> U8:
        """uint8 (n, pegs): the codes still possible (or a sample of them), in numeric order."""
        return self.pool.codes[self.rows]

    @property
    def tabled(self) -> bool:
        """Whether the marks of the pool are kept in a table."""
        return len(self.pool.codes) <= self.strategy.limit

    @cached_property
    def guess(self) -> Code:
        limit, worth = self.strategy.limit, self.strategy.worth
        lead = self.strategy.lead_at(len(self.turns) + 1)
        if self.tabled:
            return self.pool.best(self.rows, worth, lead)
        sample = replace(self.pool, codes=self.candidates[evenly(len(self.rows), limit)])
        return sample.best(np.arange(limit, dtype=np.int32), worth, lead)

    @property
    def may_win(self) -> bool:
        """Whether the guess is a candidate."""
        return bool((self.candidates == self.guess).all(axis=1).any())

    def after(self, mark: Any) -> Endgame:
        """The candidates that would have given this mark; errors as `OpeningMove.after`."""
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> Endgame:
        """Likewise after another guess; CodeError if it is none of the board."""
        code = check_code(guess, self.game.rules)
        number = self.game.mark_number(mark)
        turns = (*self.turns, Turn(code, self.game.mark(number)))
        if not self.complete:
            return Endgame.of(self.strategy, self.game, self.opening, turns)
        marks = self._marks if code == self.guess else self._marks_of(code)
        rows = self.rows[marks == number]
        following = replace(self, turns=turns, rows=rows)
        if not self.tabled and len(rows) <= self.strategy.limit:
            pool = replace(self.pool, codes=self.pool.codes[rows])
            following = replace(following, pool=pool, rows=np.arange(len(rows), dtype=np.int32))
        return following._possible()

    @cached_property
    def _marks(self) -> U8:
        return self._marks_of(self.guess)

    def _marks_of(self, guess: Code) -> U8:
        """uint8: marks of a guess against the candidates, by number."""
        return mark_codes(self.game, guess, self.candidates)

    def _possible(self) -> Endgame:
        if not len(self.rows):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        return self


@dataclass(frozen=True, eq=False)
class Pool:
    """Codes to choose from, with all their marks against the candidates among them."""

    game: Mastermind
    codes: U8  # (n, pegs), candidates in numeric order
    unplayed: tuple[Code, ...]  # opening guesses that compete with them

    @property
    def guesses(self) -> U8:
        """uint8 (n + unplayed, pegs): the candidates, then the unplayed guesses."""
        unplayed = np.array(self.unplayed, np.uint8).reshape(-1, self.codes.shape[1])
        return np.concatenate([self.codes, unplayed])

    @cached_property
    def table(self) -> U8:
        """uint8 (n + unplayed, n): mark of each guess against each candidate."""
        return self.game.mark_all(self.guesses, self.codes)

    def best(self, rows: I32, worth: I64, lead: str) -> Code:
        """The most discriminating guess while the candidates of these rows are possible."""
        n, n_marks = len(self.codes), self.game.n_marks
        if small(*self.table.shape):
            row = plain.choose(self.as_table(), rows, _comparison(worth, lead))
        else:
            from pegwise.kernels.marking import best_row

            row = int(best_row(self.table, rows, n, n_marks, worth, lead == "minimax"))
        return Code(self.codes[row].tolist()) if row < n else self.unplayed[row - n]

    def as_table(self) -> plain.Table:
        """The pool as a game of its own; the unplayed guesses may be played, too."""
        n = len(self.codes)
        outsiders = np.arange(len(self.table)) >= n
        every = np.arange(n, dtype=np.int32)
        return plain.Table(self.table, every, self.game.n_marks, self.game.winning, outsiders)


def _comparison(worth: I64, lead: str) -> plain.Comparison:
    """The criterion that leads, and the other for ties."""
    sizes = np.arange(len(worth), dtype=np.int64)
    if lead == "minimax":
        return plain.Comparison(sizes, False, worth, True)
    return plain.Comparison(worth, True, sizes, False)


# The whole tree. The opening, and positions with more candidates than a table of marks holds, are
# played move by move; below them a kernel grows what follows.


def _play_out(first: OpeningMove, threads: int, report: Report) -> Nodes | None:
    """The nodes of a strategy, from its first move; None where candidates are only sampled."""
    game = first.game
    pieces: list[tuple[int, int, Nodes]] = []
    # the positions below them: the node and the mark that lead to each
    tabled: list[tuple[int, int, Endgame]] = []
    waiting: list[tuple[int, int, OpeningMove | Endgame]] = [(-1, 0, first)]
    while waiting:
        parent, mark, move = waiting.pop()
        if isinstance(move, Endgame):
            if not move.complete:
                return None
            if move.tabled:
                tabled.append((parent, mark, move))
                continue
        waiting += ((len(pieces), number, after) for number, after in _all_after(move))
        guess = game.guess_number(move.guess)
        node = Nodes.of([guess], [-1], [0], [move.may_win], game.n_marks)
        pieces.append((parent, mark, node))
    n_won = sum(bool(node.wins[0]) for _, _, node in pieces)
    report(Progress(n_won, game.n_secrets, "secrets"))
    with ThreadPoolExecutor(max_workers=max(threads, 1)) as workers:
        run = workers.map if threads > 1 else map
        grown = run(_grown, (move for _, _, move in tabled))
        for (parent, mark, _), nodes in zip(tabled, grown, strict=True):
            pieces.append((parent, mark, nodes))
            n_won += int(nodes.wins.sum())
            report(Progress(n_won, game.n_secrets, "secrets"))
    return Nodes.join(pieces)


def _all_after(move: OpeningMove | Endgame) -> Iterator[tuple[int, OpeningMove | Endgame]]:
    """Every mark that the guess can get, but the winning one, and the state after it."""
    game = move.game
    for number in range(game.winning):
        try:
            yield number, move.after(game.mark(number))
        except ContradictionError:
            continue


def _grown(move: Endgame) -> Nodes:
    """Everything that follows a position with a table of marks."""
    pool, strategy = move.pool, move.strategy
    guess = len(move.turns) + 1
    leads = [strategy.lead_at(k) for k in range(guess, max(guess, strategy.switch) + 1)]
    pool = replace(pool)  # its table is freed with it: there are thousands
    n = len(pool.codes)
    if small(*pool.table.shape):
        comparisons = [_comparison(strategy.worth, lead) for lead in leads]
        tree = plain.grow(
            pool.as_table(),
            np.arange(n, dtype=np.int32),
            lambda level: comparisons[min(level, len(comparisons) - 1)],
        )
    else:
        from pegwise.kernels.marking import grow_table

        minimax = np.array([lead == "minimax" for lead in leads])
        tree = grow_table(pool.table, n, pool.game.n_marks, strategy.worth, minimax)
    rows, parents, marks, wins = tree
    return Nodes(pool.game.guess_numbers(pool.guesses)[rows], parents, marks, wins)
