"""Forget's decoder: an opening that sweeps the colors, then the most discriminating code.

Source: Jean Forget, perl5-decodeur-Mastermind, description of the decoder (2011-2026). The opening
plays ABCD, EFGH, ... and wraps round the colors. The interlude builds every code that fits, peg by
peg. The endgame weighs these candidates and the opening guesses that were not played, which can no
longer win but may discriminate better. One criterion leads, entropy or the size of the largest
part, and the other decides between equals; then the first weighed is played: candidates in numeric
order, then the unplayed guesses in theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Final, Self

import numpy as np

from pegwise.arrays import U8
from pegwise.errors import ContradictionError, Phrase, TooLargeError, UnknownNameError
from pegwise.game import Code, Game, Mastermind, Turn
from pegwise.game.rules import check_listed
from pegwise.kernels import compiled, numpy_backend
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import Decision, Strategy
from pegwise.strategies.candidates import WON, agreeing_words
from pegwise.strategies.card import Card
from pegwise.strategies.explanation import Explanation, WeighedTable, Write
from pegwise.strategies.forget.endgame import TABLED as TABLED
from pegwise.strategies.forget.endgame import EndgameCodes as EndgameCodes
from pegwise.strategies.forget.endgame import EndgameRanking as EndgameRanking
from pegwise.strategies.forget.endgame import comparison
from pegwise.strategies.forget.explained import (
    interlude_words,
    left_out_words,
    opening_over,
    opening_words,
    pool_table,
    pool_words,
)
from pegwise.strategies.forget.opening import MAX_BUILT, evenly
from pegwise.strategies.forget.opening import Opening as Opening
from pegwise.strategies.forget.opening import generations as generations
from pegwise.strategies.forget.opening import interlude as interlude
from pegwise.strategies.nodes import Nodes
from pegwise.strategies.options import StrategyOption, check_options
from pegwise.strategies.scoring import as_board, mark_codes

LEADS: Final = ("entropy", "minimax")
CRITERION_NAMES: Final = dict(zip(LEADS, (Phrase("entropy"), Phrase("minimax")), strict=True))
MAX_WEIGHED: Final = 65_536
"""Candidates that are all weighed, within seconds: each is marked against each."""
MAX_SWITCH: Final = 1_000
ALTERNATE: Final = "alternate"

_ABOUT: Final = (
    "Opens with ABCD, EFGH, ... and wraps round the colors; a mark of nothing removes its colors. "
    "Once all colors have been seen, or at most one peg is still unknown, it builds every code "
    "that fits, peg by peg, and plays the most discriminating one of them or of the opening "
    "guesses not played, "
)


class Forget(Strategy):
    """Sweep the colors, build the candidates, then play the most discriminating code.

    All candidates are weighed, as by the editions of 2011 to 2025, where there are up to
    `MAX_WEIGHED` of them; `limit=2000` draws as the edition of 2026 does. Codes are never ruled out
    by a sample.
    """

    lead: str

    def __init__(
        self,
        *,
        switch: Annotated[
            int | str,
            StrategyOption(
                "number of the guess from which on the other criterion leads, 0 for never; or "
                "alternate: it leads at every second guess",
                values=(ALTERNATE,),
                least=0,
                most=MAX_SWITCH,
            ),
        ] = 0,
        limit: Annotated[
            int | str,
            StrategyOption(
                "where a guess is chosen, more candidates than this are sampled at even "
                "distances, this many of them and at most 2000; all refuses to sample",
                values=("all",),
                least=2,
                most=MAX_WEIGHED,
            ),
        ] = MAX_WEIGHED,
        unplayed: Annotated[
            bool,
            StrategyOption("whether opening guesses not played compete with the candidates"),
        ] = True,
        synthetic: Annotated[
            bool,
            StrategyOption(
                "whether the interlude uses the synthetic turn, which builds fewer partial codes "
                "and changes no guess"
            ),
        ] = True,
    ) -> None:
        self.options = check_options(
            Forget, switch=switch, limit=limit, unplayed=unplayed, synthetic=synthetic
        )
        self.draws = limit != "all"
        self.switch, self.unplayed, self.synthetic = switch, unplayed, synthetic
        self.limit = limit if isinstance(limit, int) else MAX_WEIGHED

    def lead_at(self, guess: int) -> str:
        """The criterion that leads at the guess of this number, from 1."""
        if isinstance(self.switch, str):
            other = guess % 2 == 0
        else:
            other = self.switch > 0 and guess >= self.switch
        return LEADS[1 - LEADS.index(self.lead)] if other else self.lead

    def leads(self, guess: int, most: int) -> list[str]:
        """The criteria that lead from this guess on; the last of them leads ever after.

        At most `most` guesses follow.
        """
        last = guess + most if isinstance(self.switch, str) else max(guess, self.switch)
        return [self.lead_at(k) for k in range(guess, last + 1)]

    def begin(self, game: Game) -> OpeningMove:
        """The first colors; StrategyError for other games than boards."""
        board = as_board(game, self.card.id, hard=False)
        return OpeningMove(self, board, Opening.of(board.rules, concatenates=self.synthetic))

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
        traits=frozenset({"unlisted", "slow-guess"}),
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


@dataclass(frozen=True, eq=False)
class _Move(Decision):
    """A state of play; `opening` is the sweep so far, or as it ended."""

    strategy: Forget
    game: Mastermind
    opening: Opening

    def with_criterion(self, lead: str) -> Self:
        """This state, where the criterion (`entropy`, `minimax`) leads from now on."""
        if lead not in LEADS:
            raise UnknownNameError.of("criterion", lead, LEADS)
        strategy = copy(self.strategy)
        strategy.lead, strategy.switch = lead, 0
        return replace(self, strategy=strategy)


@dataclass(frozen=True, eq=False)
class OpeningMove(_Move):
    """A state of the opening."""

    @property
    def guess(self) -> Code:
        return self.opening.guess

    @property
    def may_win(self) -> bool:
        """Whether the guess is a candidate."""
        rules, guess = self.game, self.guess
        if rules.alphabet.distinct_secrets and len(set(guess)) < len(guess):
            return False
        return all(self.game.mark_of(g, guess) == mark for g, mark in self.opening.turns)

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        reason = opening_words(self.opening, write)
        explained = Explanation(attempt=self.guess, reason=(reason,))
        return explained if mark is None else _with_mark(self, explained, mark, write)

    def after(self, mark: Any) -> OpeningMove | Endgame:
        """The opening goes on, or the interlude lists the candidates."""
        following = self.opening.after(self.game.mark(self.game.mark_number(mark)))
        if not following.over:
            return replace(self, opening=following)
        return Endgame.of(self.strategy, self.game, following, following.turns)


@dataclass(frozen=True, eq=False)
class Endgame(_Move):
    """A state of the endgame."""

    turns: tuple[Turn, ...]  # all turns so far
    candidates: U8  # (n, pegs), the codes still possible (or a sample of them), in numeric order
    complete: bool  # whether these are all candidates, not a sample

    def __post_init__(self) -> None:
        if not len(self.candidates):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)

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
        return cls(strategy, game, opening, turns, codes, complete)

    @property
    def sampled(self) -> bool:
        """Whether only a sample of the candidates is weighed."""
        return not self.complete or len(self.candidates) > self.strategy.limit

    @property
    def tabled(self) -> bool:
        """Whether all candidates are weighed, by a table of their marks."""
        return len(self.candidates) <= min(self.strategy.limit, TABLED)

    @property
    def lead(self) -> str:
        """The criterion that leads at this guess."""
        return self.strategy.lead_at(len(self.turns) + 1)

    @cached_property
    def pool(self) -> EndgameCodes:
        """The codes that are weighed."""
        strategy, codes = self.strategy, self.candidates
        if self.sampled and not strategy.draws:
            raise TooLargeError(
                "the candidates of {game} are too many to compare all of them (at most "
                "{most:,}): give limit=N",
                game=self.game.name,
                most=strategy.limit,
            )
        if len(codes) > strategy.limit:
            codes = codes[evenly(len(codes), min(strategy.limit, TABLED))]
        return EndgameCodes(self.game, codes, self.opening.unplayed if strategy.unplayed else ())

    @cached_property
    def guess(self) -> Code:
        return self.pool.best(self.lead)

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        explained = Explanation(
            attempt=self.guess,
            reason=tuple(self._reason(write)),
            details=tuple(self._details(write)),
            criterion=CRITERION_NAMES[self.lead],
            figures={"candidates": len(self.candidates), "complete": self.complete},
        )
        return explained if mark is None else _with_mark(self, explained, mark, write)

    def _reason(self, write: Write) -> Iterator[Phrase]:
        if self.turns == self.opening.turns:
            yield interlude_words(self.opening, write)
        if len(self.candidates) == 1:
            yield Phrase("Endgame: one code is left.")
        else:
            lead = CRITERION_NAMES[self.lead]
            yield pool_words(self.pool, self.rank(), lead, write, sample=self.sampled)

    def _details(self, write: Write) -> Iterator[Phrase]:
        if self.turns == self.opening.turns and self.complete:
            yield from left_out_words(self.opening, write)

    def weighed(self) -> WeighedTable | None:
        """His table: the answers to the best guesses, and the codes behind each."""
        return pool_table(self.rank(), self.lead) if len(self.candidates) > 1 else None

    def rank(self) -> EndgameRanking:
        """The guesses that are weighed here, best first; errors as `after`."""
        return self.pool.rank(self.lead)

    @property
    def may_win(self) -> bool:
        """Whether the guess is a candidate."""
        return bool((self.candidates == self.guess).all(axis=1).any())

    def after(self, mark: Any) -> Endgame:
        """The candidates that would have given this mark; errors as `OpeningMove.after`."""
        return self._following(self.guess, self._marks, mark)

    def instead(self, guess: Any, mark: Any) -> Endgame:
        """The candidates that would have given this mark to another guess; CodeError for none."""
        code = self.game.alphabet.check(guess)
        return self._following(code, mark_codes(self.game, code, self.candidates), mark)

    def _following(self, code: Code, marks: U8, mark: Any) -> Endgame:
        number = self.game.mark_number(mark)
        turns = (*self.turns, Turn(code, self.game.mark(number)))
        if not self.complete:
            return Endgame.of(self.strategy, self.game, self.opening, turns)
        return replace(self, turns=turns, candidates=self.candidates[marks == number])

    @cached_property
    def _marks(self) -> U8:
        """uint8: marks of the guess against the candidates, by number."""
        return mark_codes(self.game, self.guess, self.candidates)


def _with_mark(
    move: OpeningMove | Endgame, explained: Explanation, mark: Any, write: Write
) -> Explanation:
    """An explanation with what follows from a mark: the next stage, or the codes that agree."""
    number = move.game.mark_number(mark)
    following = move.after(mark)
    explained = replace(explained, result=move.game.mark(number))
    if number == move.game.winning:
        return replace(explained, deduction=(WON,))
    if isinstance(following, OpeningMove):
        return replace(explained, deduction=(Phrase("The opening goes on."),))
    if isinstance(move, OpeningMove):
        return _with_interlude(explained, following, write)
    codes = following.candidates
    if not following.complete:
        deduction = Phrase("A sample of {n:,} codes that agree was built.", n=len(codes))
        return replace(explained, deduction=(deduction,))
    words = agreeing_words(len(codes), len(move.candidates), write(Code(codes[0])))
    return replace(explained, deduction=(words,), agreeing=len(codes))


def _with_interlude(explained: Explanation, following: Endgame, write: Write) -> Explanation:
    """An explanation of the last guess of the opening, with why it is the last."""
    codes, over = following.candidates, opening_over(following.opening)
    if not following.complete:
        words = Phrase("A sample of {n:,} codes that agree was built.", n=len(codes))
        return replace(explained, deduction=(over, words))
    words = Phrase("The interlude builds the codes that agree: {n:,}.", n=len(codes))
    if len(codes) == 1:
        words = agreeing_words(1, 1, write(Code(codes[0])))
    return replace(explained, deduction=(over, words), agreeing=len(codes))


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
        for number in range(game.winning):
            with suppress(ContradictionError):  # not every mark can follow
                waiting.append((len(pieces), number, move.after(game.mark(number))))
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


def _grown(move: Endgame) -> Nodes:
    """Everything that follows a position with a table of marks."""
    pool, strategy = move.pool, move.strategy
    guess = len(move.turns) + 1
    leads = strategy.leads(guess, len(move.candidates))
    pool = replace(pool)  # its table is freed with it: there are thousands
    n, worth = len(pool.codes), pool.worth
    if not pool.by_kernels:
        comparisons = [comparison(worth, lead) for lead in leads]
        tree = numpy_backend.grow(
            pool.as_table(),
            np.arange(n, dtype=np.int32),
            lambda level: comparisons[min(level, len(comparisons) - 1)],
        )
    else:
        minimax = np.array([lead == "minimax" for lead in leads])
        tree = compiled.marking.grow_table(pool.table, n, pool.game.n_marks, worth, minimax)
    rows, parents, marks, wins = tree
    return Nodes(pool.game.guess_numbers(pool.guesses)[rows], parents, marks, wins)
