"""Strategies that look one step ahead: each guess splits the candidates into parts, by mark.

The guess with the least score by a criterion is played (see `criteria`). If secrets have weights, a
part is as large as their sum. Ties go to a second criterion if there is one, then to a candidate
before a code that cannot win, then to the first in numeric order (Knuth 1976), or as `ties` says.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, TypeGuard

import numpy as np

from pegwise.arrays import I32, I64, Bools
from pegwise.errors import Phrase, StrategyError, TooLargeError
from pegwise.game import Game, Mastermind, Parallel, Rules, all_secrets, board_game
from pegwise.game.rules import check_listed
from pegwise.kernels import compiled, numpy_backend
from pegwise.kernels.cache import use_numpy
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import Decision
from pegwise.strategies.candidates import (
    ASKED_FOR,
    CandidateDecision,
    CandidateStrategy,
    History,
    opening_number,
)
from pegwise.strategies.card import Card
from pegwise.strategies.criteria import (
    CRITERIA,
    Criterion,
    GuessOrder,
    entropy_shift,
    largest_part,
    table_size,
    worths,
)
from pegwise.strategies.explanation import Explanation, Write
from pegwise.strategies.nodes import Nodes
from pegwise.strategies.options import StrategyOption, check_options
from pegwise.strategies.parallel import ParallelDecision, ParallelOrder
from pegwise.strategies.scoring import equal_guesses

if TYPE_CHECKING:
    from pegwise.kernels.onestep.board import BoardArrays
    from pegwise.kernels.onestep.grow import Growth, Level
    from pegwise.kernels.onestep.lookahead import Lookahead


class OneStep(CandidateStrategy):
    """Play the guess that scores best by one criterion."""

    criterion: ClassVar[Criterion]

    def __init__(
        self,
        *,
        guesses: Annotated[
            str,
            StrategyOption(
                "the guesses that are compared: all codes, or only those that may be the secret",
                values=("all", "candidates"),
            ),
        ] = "all",
        then: Annotated[
            str,
            StrategyOption(
                "the criterion that decides between guesses of equal score",
                values=("none", *CRITERIA),
            ),
        ] = "none",
        ties: Annotated[
            str,
            StrategyOption(
                "which of the guesses that still tie is played: as knuth does, one that may be "
                "the secret, then the first in numeric order; as viaud writes, the first, "
                "whether or not it may be the secret; or the first in an order drawn at random",
                values=("knuth", "viaud", "random"),
            ),
        ] = "knuth",
        seed: Annotated[int, StrategyOption("the seed of ties=random", least=0)] = 0,
        weighted: Annotated[
            bool, StrategyOption("whether the weights of secrets count, where a game has some")
        ] = True,
        opening: Annotated[
            str,
            StrategyOption(
                "the first guess, instead of the one it would choose",
                form="a guess of the game; none for the one that scores best",
            ),
        ] = "",
    ) -> None:
        then = "none" if then == self.criterion.id else then
        self.opening = "".join(opening.split())
        self.options = check_options(
            OneStep,
            guesses=guesses,
            then=then,
            ties=ties,
            seed=seed,
            weighted=weighted,
            opening=self.opening,
        )
        second = None if then == "none" else CRITERIA[then]
        self.order = GuessOrder(self.criterion, second, only_candidates=guesses == "candidates")
        self.ties, self.seed = ties, seed
        self.weighted = weighted

    def begin(self, game: Game) -> Decision:
        """All secrets are candidates; StrategyError where it cannot play the opening."""
        self._first_guess(game)
        return super().begin(game)

    def begin_parallel(self, game: Parallel) -> ParallelDecision:
        own = game.game
        order = self.order._replace(only_candidates=self._order_on(own).only_candidates)
        weights = own.weights if self.weighted else None
        rank = rank_of_guesses(self.ties, self.seed, own.n_guesses)
        opening = self._first_guess(own)
        return ParallelDecision.begin(game, ParallelOrder(order, weights, rank, opening))

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        if not history and (opening := self._first_guess(game)) is not None:
            return opening
        if self._by_kernels(game):
            order = self._order_on(game)
            return int(_grow_from(game, candidates, history, order, levels=0).guess[0])
        table = self._mark_table(game, game.allowed(history))
        return numpy_backend.choose(table, candidates, self._comparison(game))

    def follow(self, game: Game, candidates: I32, history: History) -> Nodes | None:
        if self._by_kernels(game):
            opening = None if history else self._first_guess(game)
            return _grow_from(game, candidates, history, self._order_on(game), opening=opening)
        if not game.free and game.board is None:
            return None  # each position allows other guesses
        opening = None if history else self._first_guess(game)
        comparison = self._comparison(game)
        return Nodes(
            *numpy_backend.grow(
                self._mark_table(game), candidates, lambda _level: comparison, opening
            )
        )

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes | None:
        check_listed(game.name, game.n_guesses)
        if self._by_kernels(game):
            return _grow(game, self._order_on(game), threads, report, self._first_guess(game))
        nodes = self.follow(game, all_secrets(game), ())
        if nodes is None:
            return None
        report(Progress(game.n_secrets, game.n_secrets, "secrets"))
        return nodes

    def _order_on(self, game: Game) -> GuessOrder:
        """By what guesses are compared; hard rules allow only candidates of a board."""
        free = game.free or game.board is None
        return self.order if free else self.order._replace(only_candidates=True)

    def _by_kernels(self, game: Game) -> TypeGuard[Mastermind]:
        """Whether kernels play; TooLargeError where they would have to and cannot."""
        # of so few secrets kernels play one that tells all apart, whatever the opening
        opened = bool(self.opening) and game.n_secrets <= game.n_marks
        ordered = self.ties != "knuth" or opened
        return _needs_kernels(game, weighted=self.weighted, ordered=ordered)

    def _first_guess(self, game: Game) -> int | None:
        """The number of the opening, if there is one; StrategyError where it cannot be played."""
        if not self.opening:
            return None
        secret = self._order_on(game).only_candidates
        return opening_number(self.card.id, game, self.opening, secret=secret)

    def explain(self, decision: CandidateDecision, write: Write) -> Explanation:
        figures = decision.figures(decision.game.weights if self.weighted else None)
        explained = super().explain(decision, write)
        if self.opening and not decision.history:
            sentences = [ASKED_FOR, *explained.reason[1:]]
            return replace(explained, reason=tuple(sentences), figures=figures)
        sentences = [self.card.reason_of(figures), *explained.reason[1:]]
        only = self._order_on(decision.game).only_candidates
        if only:
            sentences.append(Phrase("Only codes that may be the secret were compared."))
        elif not decision.game.free:
            sentences.append(Phrase("Only guesses that 'hard' allows were compared."))
        if self.order.second is not None:
            name = self.order.second.id
            sentences.append(Phrase("Guesses of equal score are compared by {name}.", name=name))
        return replace(
            explained,
            reason=tuple(sentences),
            criterion=self.criterion.id,
            figures=figures,
            ranked_by=self.criterion.id if self.criterion.id in CRITERIA else "",
            guesses="candidates" if only else "all",
        )

    def _mark_table(self, game: Game, allowed: Bools | None = None) -> numpy_backend.MarkTable:
        """A small board, or another game, as its marks; all guesses, or those allowed."""
        if game.n_open_guesses < game.n_guesses and self.order.only_candidates:
            raise StrategyError(
                "guesses=candidates is not for {game}, whose guesses are questions", game=game.name
            )
        outsiders = np.full(game.n_guesses, not self._order_on(game).only_candidates)
        if allowed is not None:
            outsiders &= allowed
        marks, rows = game.table, game.guess_of_secret
        weights = game.weights if self.weighted else None
        rank = rank_of_guesses(self.ties, self.seed, game.n_guesses)
        return numpy_backend.MarkTable(
            *(marks, rows, game.n_marks, game.winning, outsiders, weights, rank),
            questions=game.n_questions,
        )

    def _comparison(self, game: Game) -> numpy_backend.Comparison:
        """The scores to be minimised on a game."""
        n, (first, second, _) = game.n_secrets, self.order
        if self.weighted:
            n = largest_part(game)
        criteria = [first] if second is None else [first, second]
        return [(criterion.table(n), criterion.additive) for criterion in criteria]


def rank_of_guesses(ties: str, seed: int, n_guesses: int) -> I64 | None:
    """int64 (guesses): the guess of least rank is played where scores tie.

    None for Knuth's rule, a candidate before a code that cannot win, then numeric order.
    """
    if ties == "knuth":
        return None
    if ties == "viaud":
        return np.arange(n_guesses)
    return np.random.Generator(np.random.PCG64([seed])).permutation(n_guesses)


MOST_MARKS: Final = 300_000_000
"""Marks of the largest board without kernels: a tree of 5x7 takes a minute."""


def _needs_kernels(
    game: Game, *, weighted: bool = True, ordered: bool = False
) -> TypeGuard[Mastermind]:
    """Whether kernels play; TooLargeError for weights, or another order of ties, on large boards.

    The kernels know neither.
    """
    if game.board is None:
        return False
    weights = game.weights is not None and weighted
    if not weights and not ordered:
        pegs = game.board.pegs
        return not use_numpy(game.n_guesses, game.n_secrets, "onestep.grow", pegs)
    if game.n_guesses * game.n_secrets > MOST_MARKS:
        values = {"game": game.name, "cells": game.n_guesses * game.n_secrets, "most": MOST_MARKS}
        if weights:
            raise TooLargeError(
                "{game} is too large to compare guesses by weights: {cells:,} marks, at most "
                "{most:,}",
                **values,
            )
        raise TooLargeError(
            "{game} is too large to break ties in another order: {cells:,} marks, at most {most:,}",
            **values,
        )
    return False


class Knuth(OneStep):
    """The smallest largest part: the worst case of the next mark."""

    criterion = CRITERIA["minimax"]
    card = Card(
        id="knuth",
        name="Minimax",
        authors="Donald E. Knuth",
        year=1976,
        source="The computer as Master Mind, Journal of Recreational Mathematics 9(1), p. 1-6",
        about=(
            "Plays the guess whose largest part is smallest: whatever the mark, as few candidates "
            "as possible stay. On 4 pegs and 6 colors it never needs more than five guesses."
        ),
        reason="No guess leaves fewer codes in the worst case: {largest:,}.",
        traits=frozenset({"any-game", "hard", "adapts"}),
    )


class Irving(OneStep):
    """The smallest expected number of candidates left."""

    criterion = CRITERIA["size"]
    card = Card(
        id="irving",
        name="Expected size",
        authors="Robert W. Irving",
        year=1978,
        source=(
            "Towards an optimum Mastermind strategy, "
            "Journal of Recreational Mathematics 11(2), p. 81-87"
        ),
        about=(
            "Plays the guess after which the expected number of candidates, each part weighted "
            "by its own probability, is smallest."
        ),
        reason="No guess leaves fewer codes on average: {expected:,.1f}.",
        traits=frozenset({"any-game", "hard", "adapts"}),
    )


class Entropy(OneStep):
    """The most information expected from the next mark."""

    criterion = CRITERIA["entropy"]
    card = Card(
        id="entropy",
        name="Entropy",
        authors="E. Neuwirth",
        year=1982,
        source="Some strategies for Mastermind, Zeitschrift für Operations Research 26, B257-B278",
        about=(
            "Plays the guess whose mark tells most, in bits: the entropy of the partition is "
            "largest, so the expected uncertainty that stays is smallest."
        ),
        reason="No guess tells more: {bits:.2f} bits on average.",
        traits=frozenset({"any-game", "hard", "adapts"}),
    )


class Parts(OneStep):
    """The most parts: the most different marks possible."""

    criterion = CRITERIA["parts"]
    card = Card(
        id="parts",
        name="Most parts",
        authors="Barteld Kooi",
        year=2005,
        source="Yet another Mastermind strategy, ICGA Journal 28(1), p. 13-20",
        about=(
            "Plays the guess that can get the most different marks. The sizes of the parts do not "
            "matter; still it is the best of the classical one-step methods on 4 pegs, 6 colors."
        ),
        reason="No guess has more different marks: {parts}.",
        traits=frozenset({"any-game", "hard", "adapts"}),
    )


# Boards as the kernels read them, and the trees that the kernels grow.

ONE_THREAD = 10_000  # secrets: a smaller board takes less time than starting a thread
_FEW_GUESSES = 2_000  # up to this number, leaving out equal second guesses saves no time
_TO_THE_END = 1_000_000  # more levels than any tree has
REPORT_EVERY = 0.2  # seconds between reports of progress
EVERYTHING = np.zeros(0, np.bool_)  # no choice of guesses: look at all


def lookahead(game: Mastermind, order: GuessOrder, candidates: int) -> Lookahead:
    """The memory in which one thread weighs guesses, for up to `candidates` candidates."""
    first, second = order.first, order.second or order.first
    n, rules = game.n_secrets, game.rules
    board = board_of(rules)
    minimised = compiled.onestep.criteria.Criteria(
        worth=first.table(n, candidates),
        additive=first.additive,
        floors=_floors(first, entropy_shift(n), table_size(n, candidates), rules.pegs, rules.black),
        second=second.table(n, candidates),
        second_additive=second.additive,
        has_second=order.second is not None,
        only_candidates=order.only_candidates,
    )
    scratch = compiled.onestep.lookahead.make_scratch(
        rules.pegs, rules.colors, len(board.members), candidates
    )
    return compiled.onestep.lookahead.Lookahead(board, minimised, scratch)


@lru_cache(maxsize=32)
def _floors(criterion: Criterion, digits: int, largest: int, pegs: int, black: bool) -> I64:
    worth = worths(criterion, digits, largest)
    return compiled.onestep.criteria.class_floors(worth, criterion.additive, pegs, black)


@lru_cache(maxsize=4)
def board_of(rules: Rules) -> BoardArrays:
    """The arrays that the kernels read."""
    game = board_game(rules)
    return compiled.onestep.board.make_board(
        game.guess_codes,
        game.secret_codes,
        game.guess_of_secret,
        rules.colors,
        game.guess_signatures,
        game.secret_signatures,
        game.mark_ids,
        repeats_allowed=not rules.distinct,
        black=rules.black,
    )


def _grow(
    game: Mastermind, order: GuessOrder, threads: int, report: Report, opening: int | None
) -> Nodes:
    """The tree of a one-step strategy, the same for any number of threads.

    An exception from `report`, or KeyboardInterrupt, stops the work.
    """
    if game.n_secrets <= ONE_THREAD:
        nodes = _grow_from(game, all_secrets(game), (), order, opening=opening)
    else:
        nodes = _grow_by_level(game, order, threads, report, opening)
    report(Progress(game.n_secrets, game.n_secrets, "secrets"))
    return nodes


def _grow_from(
    game: Mastermind,
    candidates: I32,
    history: History,
    order: GuessOrder,
    levels: int = _TO_THE_END,
    opening: int | None = None,
) -> Nodes:
    """So many levels of that tree from a set of candidates on, on this thread.

    The first guess is the opening, if there is one. With no levels the first node gets its guess.
    The kernels are called as seldom as possible.
    """
    rules, look = game.rules, lookahead(game, order, len(candidates))
    board, played = look.board, tuple(guess for guess, _ in history)
    used = 0  # the set of the colors played, as bits
    for guess in played:
        used |= int(board.members[board.group[board.slot[guess]]])
    grown, level = compiled.onestep.grow.make_root(candidates, game.n_marks, used)
    if len(candidates) == 1:
        grown.guess[0] = game.guess_of_secret[candidates[0]]
        return _nodes(grown)
    classes = equal_guesses(rules, played) if len(played) < 2 else EVERYTHING
    if opening is not None:
        classes = _only(opening, game)
    if levels and not played and game.n_guesses > _FEW_GUESSES:
        level = compiled.onestep.grow.grow(grown, level, classes, look, 1)
        classes = equal_guesses(rules, (int(grown.guess[0]),))
    compiled.onestep.grow.grow(grown, level, classes, look, levels)
    return _nodes(grown)


def _only(guess: int, game: Mastermind) -> Bools:
    """A choice of one guess: bool (guesses)."""
    classes = np.zeros(game.n_guesses, np.bool_)
    classes[guess] = True
    return classes


def _grow_by_level(
    game: Mastermind, order: GuessOrder, threads: int, report: Report, opening: int | None
) -> Nodes:
    """Level by level, the open nodes of each shared out among threads."""
    grown, level = compiled.onestep.grow.make_root(all_secrets(game), game.n_marks)
    first: tuple[int, ...] = ()
    depth = 0
    with ThreadPoolExecutor(threads) as pool:
        while len(level.node):
            # threads begin with the largest open nodes, so that they end together
            level.order[:] = np.argsort(-level.size, kind="stable")
            classes = equal_guesses(game.rules, first) if depth < 2 else EVERYTHING
            if opening is not None and depth == 0:
                classes = _only(opening, game)
            largest = int(level.size.max())
            looks = [lookahead(game, order, largest) for _ in range(min(threads, len(level.node)))]
            jobs = [
                pool.submit(compiled.onestep.grow.grow, grown, level, classes, look, 0)
                for look in looks
            ]
            try:
                while wait(jobs, timeout=REPORT_EVERY).not_done:
                    report(Progress(_secrets_done(grown, level), game.n_secrets, "secrets"))
            except BaseException:
                level.next[0] = len(level.node)  # no thread takes another node
                raise
            for job in jobs:
                job.result()
            level = compiled.onestep.grow.grow(grown, level, classes, looks[0], 1)
            first = (int(grown.guess[0]),)
            depth += 1
    return _nodes(grown)


def _secrets_done(grown: Growth, level: Level) -> int:
    """Secrets that some node wins, those of the nodes of this level that are done included."""
    done = level.parts[level.order[: int(level.next[0])]]
    return int(grown.n_won[0] + (done[:, :-1] == 1).sum() + (done[:, -1] == 1).sum())


def _nodes(grown: Growth) -> Nodes:
    """The nodes that have grown, without the room for more."""
    return Nodes._make(column[: int(grown.nodes[0])].copy() for column in grown[:4])
