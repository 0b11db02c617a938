"""Boards as the kernels read them, and the trees of one-step strategies that the kernels grow."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache

import numpy as np

from pegwise.arrays import I32, I64, Bools
from pegwise.game import Mastermind, Rules, all_secrets, mastermind
from pegwise.kernels.onestep import grow as kernels
from pegwise.kernels.onestep.board import (
    BoardArrays,
    Criteria,
    Lookahead,
    class_floors,
    make_board,
    make_scratch,
)
from pegwise.progress import Progress, Report
from pegwise.strategies.base import History, Nodes, equal_guesses
from pegwise.strategies.criteria import Criterion, GuessOrder, entropy_shift, table_size, worths

ONE_THREAD = 10_000  # boards of up to so many secrets take less time than a thread to start
_FEW_GUESSES = 2_000  # up to so many guesses, equal second guesses are not worth sorting out
_TO_THE_END = 1_000_000  # more levels than any tree has
REPORT_EVERY = 0.2  # seconds between reports of progress
EVERYTHING = np.zeros(0, np.bool_)  # no choice of guesses: look at all


def choose(game: Mastermind, candidates: I32, history: History, order: GuessOrder) -> int:
    """The guess of a one-step strategy."""
    look, played = lookahead(game, order, len(candidates)), tuple(guess for guess, _ in history)
    used, classes = _colors_of(look.board, played), _classes(game.rules, played)
    return kernels.choose_one(candidates, used, classes, look)


def lookahead(game: Mastermind, order: GuessOrder, candidates: int) -> Lookahead:
    """What one thread weighs guesses with, among up to so many candidates."""
    first, second = order.first, order.second or order.first
    n, rules = game.n_secrets, game.rules
    board = board_of(rules)
    minimised = Criteria(
        worth=first.table(n, candidates),
        additive=first.additive,
        floors=_floors(first, entropy_shift(n), table_size(n, candidates), rules.pegs, rules.black),
        second=second.table(n, candidates),
        second_additive=second.additive,
        has_second=order.second is not None,
        only_candidates=order.only_candidates,
    )
    scratch = make_scratch(rules.pegs, rules.colors, len(board.members), candidates)
    return Lookahead(board, minimised, scratch)


@lru_cache(maxsize=32)
def _floors(criterion: Criterion, digits: int, largest: int, pegs: int, black: bool) -> I64:
    return class_floors(worths(criterion, digits, largest), criterion.additive, pegs, black)


@lru_cache(maxsize=4)
def board_of(rules: Rules) -> BoardArrays:
    """The arrays that the kernels read."""
    game = mastermind(rules)
    return make_board(
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


def _classes(rules: Rules, played: tuple[int, ...]) -> Bools:
    """The guesses to look at: bool (guesses), or `EVERYTHING`."""
    return equal_guesses(rules, played) if len(played) < 2 else EVERYTHING


def _colors_of(board: BoardArrays, played: tuple[int, ...]) -> int:
    """The set of colors that some guesses have, as bits."""
    used = 0
    for guess in played:
        used |= int(board.members[board.group[board.slot[guess]]])
    return used


def grow(game: Mastermind, order: GuessOrder, threads: int, report: Report) -> Nodes:
    """The tree of a one-step strategy, the same for any number of threads.

    An exception from `report`, or KeyboardInterrupt, stops the work.
    """
    if game.n_secrets <= ONE_THREAD:
        nodes = grow_from(game, all_secrets(game), (), order)
    else:
        nodes = _grow_by_level(game, order, threads, report)
    report(Progress(game.n_secrets, game.n_secrets, "secrets"))
    return nodes


def grow_from(game: Mastermind, candidates: I32, history: History, order: GuessOrder) -> Nodes:
    """A part of that tree, on this thread, in as few calls of the kernels as possible."""
    rules, look = game.rules, lookahead(game, order, len(candidates))
    played = tuple(guess for guess, _ in history)
    grown = kernels.make_growth(len(candidates))
    grown.secrets[:] = candidates
    if len(candidates) == 1:
        grown.guess[0] = game.guess_of_secret[candidates[0]]
        return _nodes(grown)
    level = kernels.make_root(len(candidates), game.n_marks)
    level.used[0] = _colors_of(look.board, played)
    classes = _classes(rules, played)
    if not played and game.n_guesses > _FEW_GUESSES:
        level = kernels.grow(grown, level, classes, look, 1)
        classes = equal_guesses(rules, (int(grown.guess[0]),))
    kernels.grow(grown, level, classes, look, _TO_THE_END)
    return _nodes(grown)


def _grow_by_level(game: Mastermind, order: GuessOrder, threads: int, report: Report) -> Nodes:
    """Level by level, the open nodes of each shared out among threads."""
    grown = kernels.make_growth(game.n_secrets)
    level = kernels.make_root(game.n_secrets, game.n_marks)
    first: tuple[int, ...] = ()
    depth = 0
    with ThreadPoolExecutor(threads) as pool:
        while len(level.node):
            # threads begin with the largest open nodes, so that they end together
            level.order[:] = np.argsort(-level.size, kind="stable")
            classes = equal_guesses(game.rules, first) if depth < 2 else EVERYTHING
            largest = int(level.size.max())
            looks = [lookahead(game, order, largest) for _ in range(min(threads, len(level.node)))]
            jobs = [pool.submit(kernels.grow, grown, level, classes, look, 0) for look in looks]
            try:
                while wait(jobs, timeout=REPORT_EVERY).not_done:
                    report(Progress(_secrets_done(grown, level), game.n_secrets, "secrets"))
            except BaseException:
                level.next[0] = len(level.node)  # no thread takes another node
                raise
            for job in jobs:
                job.result()
            level = kernels.grow(grown, level, classes, looks[0], 1)
            first = (int(grown.guess[0]),)
            depth += 1
    return _nodes(grown)


def _secrets_done(grown: kernels.Growth, level: kernels.Level) -> int:
    """Secrets that some node wins, those of the nodes of this level that are done included."""
    done = level.parts[level.order[: int(level.next[0])]]
    return int(grown.n_won[0] + (done[:, :-1] == 1).sum() + (done[:, -1] == 1).sum())


def _nodes(grown: kernels.Growth) -> Nodes:
    """What has grown, without the room for more."""
    count = int(grown.nodes[0])
    guess, parent = grown.guess[:count].copy(), grown.parent[:count].copy()
    return Nodes(guess, parent, grown.mark[:count].copy(), grown.wins[:count].copy())
