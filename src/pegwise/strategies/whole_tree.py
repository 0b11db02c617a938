"""Boards for the one-step kernels, and whole trees grown on one thread or several."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache

import numpy as np

from pegwise.arrays import I32, Bools
from pegwise.game import Mastermind, Rules, mastermind
from pegwise.kernels.marking import Signatures
from pegwise.kernels.onestep import grow as kernels
from pegwise.kernels.onestep.board import Board, make_board
from pegwise.kernels.onestep.multisets import Criteria, Scratch, make_scratch
from pegwise.kernels.symmetry import representatives
from pegwise.progress import Progress, Report
from pegwise.strategies.base import Nodes

ONE_THREAD = 10_000
"""Boards of up to so many secrets are grown on the calling thread: another would cost more."""

FEW_GUESSES = 2_000
"""Up to so many guesses, equal second guesses are not worth sorting out."""

TO_THE_END = 1_000_000
"""More levels than any tree has."""

REPORT_EVERY = 0.2
"""Seconds between reports of progress."""

EVERYTHING = np.zeros(0, np.bool_)
"""No choice of guesses: look at all."""


@lru_cache(maxsize=4)
def board_of(rules: Rules) -> Board:
    """The arrays that the kernels read."""
    game = mastermind(rules)
    return make_board(
        game.guess_codes,
        game.secret_codes,
        game.guess_of_secret,
        rules.colors,
        Signatures(*game.guess_signatures),
        Signatures(*game.secret_signatures),
        game.mark_ids,
        repeats_allowed=not rules.distinct,
        black=rules.black,
    )


def scratch_for(rules: Rules, candidates: int) -> Scratch:
    """Memory of one thread for sets of up to so many candidates."""
    return make_scratch(rules.pegs, rules.colors, len(board_of(rules).members), candidates)


@lru_cache(maxsize=16)
def equal_guesses(rules: Rules, played: tuple[int, ...]) -> Bools:
    """Of guesses that no symmetry tells apart after these ones, the first: bool (guesses).

    Worth its time for the first two guesses of a game; later hardly any symmetry is left.
    """
    codes = mastermind(rules).guess_codes
    return representatives(codes, rules.colors, codes[list(played)])


def grow(game: Mastermind, criteria: Criteria, threads: int, report: Report) -> Nodes:
    """The tree of a one-step strategy.

    The tree is the same for any number of threads. An exception from `report`, or
    KeyboardInterrupt, stops the work.
    """
    rules = game.rules
    board = board_of(rules)
    if game.n_secrets <= ONE_THREAD:
        grown = _grow_here(game, board, criteria)
    else:
        grown = _grow_by_level(game, board, criteria, threads, report)
    report(Progress(game.n_secrets, game.n_secrets, "secrets"))
    return _nodes(grown)


def grow_from(
    game: Mastermind, candidates: I32, played: tuple[int, ...], criteria: Criteria
) -> Nodes:
    """A part of that tree, on this thread.

    Args:
        game: the board.
        candidates: int32 (n), secrets still possible, ascending; n at least 1.
        played: the guesses that led here, by number.
        criteria: what is minimised.
    """
    rules, board = game.rules, board_of(game.rules)
    grown = kernels.make_growth(len(candidates))
    grown.here[:] = candidates
    if len(candidates) == 1:
        grown.guess[0] = game.guess_of_secret[candidates[0]]
        return _nodes(grown)
    level = kernels.make_root(len(candidates), game.n_marks)
    level.used[0] = colors_played(board, played)
    classes = equal_guesses(rules, played) if len(played) < 2 else EVERYTHING
    scratch = scratch_for(rules, len(candidates))
    level = kernels.grow(grown, level, classes, board, criteria, scratch, 1)
    if not played:
        classes = equal_guesses(rules, (int(grown.guess[0]),))
        level = kernels.grow(grown, level, classes, board, criteria, scratch, 1)
    kernels.grow(grown, level, EVERYTHING, board, criteria, scratch, TO_THE_END)
    return _nodes(grown)


def colors_played(board: Board, played: tuple[int, ...]) -> int:
    """The set of colors that some guesses have, as bits."""
    used = 0
    for guess in played:
        used |= int(board.members[board.group[board.slot[guess]]])
    return used


def _nodes(grown: kernels.Growth) -> Nodes:
    """What has grown, without the room for more."""
    count = int(grown.nodes[0])
    return Nodes(
        grown.guess[:count].copy(),
        grown.parent[:count].copy(),
        grown.mark[:count].copy(),
        grown.wins[:count].copy(),
    )


def _grow_here(game: Mastermind, board: Board, criteria: Criteria) -> kernels.Growth:
    """All levels on this thread, in as few calls as possible."""
    rules = game.rules
    grown = kernels.make_growth(game.n_secrets)
    level = kernels.make_root(game.n_secrets, game.n_marks)
    rest = (board, criteria, scratch_for(rules, game.n_secrets))
    if game.n_guesses <= FEW_GUESSES:
        kernels.grow(grown, level, equal_guesses(rules, ()), *rest, TO_THE_END)
        return grown
    level = kernels.grow(grown, level, equal_guesses(rules, ()), *rest, 1)
    classes = equal_guesses(rules, (int(grown.guess[0]),))
    kernels.grow(grown, level, classes, *rest, TO_THE_END)
    return grown


def _grow_by_level(
    game: Mastermind, board: Board, criteria: Criteria, threads: int, report: Report
) -> kernels.Growth:
    """Level by level, the open nodes of each shared out among threads."""
    grown = kernels.make_growth(game.n_secrets)
    level = kernels.make_root(game.n_secrets, game.n_marks)
    played: tuple[int, ...] = ()
    depth = 0
    with ThreadPoolExecutor(threads) as pool:
        while len(level.node):
            kernels.arrange(level)
            classes = equal_guesses(game.rules, played) if depth < 2 else EVERYTHING
            largest = int(level.size.max())
            jobs = [
                pool.submit(
                    kernels.work,
                    grown,
                    level,
                    classes,
                    board,
                    criteria,
                    scratch_for(game.rules, largest),
                )
                for _ in range(min(threads, len(level.node)))
            ]
            try:
                while wait(jobs, timeout=REPORT_EVERY).not_done:
                    report(Progress(_found(grown, level), game.n_secrets, "secrets"))
            except BaseException:
                level.next[0] = len(level.node)  # nobody takes another node
                raise
            for job in jobs:
                job.result()
            level = kernels.close_level(grown, level, board)
            grown.here[:] = grown.there
            played = (int(grown.guess[0]),)
            depth += 1
    return grown


def _found(grown: kernels.Growth, level: kernels.Level) -> int:
    """Secrets found so far, those of the nodes of this level that are done included."""
    done = level.parts[level.order[: int(level.next[0])]]
    return int(grown.found[0] + (done[:, :-1] == 1).sum() + (done[:, -1] == 1).sum())
