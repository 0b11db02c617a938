"""The pieces and the memory of a race of whole trees, told before it is run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pegwise.compute.machine import available_memory
from pegwise.errors import TooLargeError
from pegwise.game import Game
from pegwise.game.rules import MAX_LISTED
from pegwise.trees.build import LONG, largest_piece

WORKERS: Final = (16, 64, 1024)  # numbers of workers of a cluster that a plan names
_BASE: Final = 160 * 2**20  # bytes of a process with its libraries and kernels, before any board
_A_SECRET: Final = 180  # bytes for each code of a board, whatever its pegs
_A_PEG: Final = 16  # bytes for each code of a board and each of its pegs
_JOINED: Final = 110  # further bytes for each code where the tree is put together from pieces
_NUMBERED: Final = 2**31 - 1  # nodes and guesses of a tree are numbered in 32 bits


def memory_of(rules: Game, *, listed: bool = True) -> int:
    """Bytes that one process takes to grow a tree, on one thread or several.

    `listed` tells whether all codes of the board are listed.
    """
    if not listed:
        return _BASE
    each = _A_SECRET + _A_PEG * rules.pegs + (_JOINED if rules.n_secrets > LONG else 0)
    return _BASE + max(rules.n_secrets, rules.n_guesses) * each


def plan(rules: Game, strategies: Sequence[str], *, jobs: int) -> dict[str, Any]:
    """The memory of a process, and the pieces of a tree by number of workers, as a JSON document.

    Args:
        rules: the board.
        strategies: the names of the strategies that would race.
        jobs: workers on this machine.

    Raises:
        TooLargeError: for a board too large for any tree.
    """
    if max(rules.n_guesses, rules.n_secrets) > _NUMBERED:
        raise TooLargeError(
            "a tree of {rules} would have more nodes than can be numbered ({most:,}): "
            "draw games instead",
            rules=rules,
            most=_NUMBERED,
        )
    needed, free = memory_of(rules), available_memory()
    pieces = {n: largest_piece(rules.n_secrets, n) for n in (jobs, *WORKERS)}
    return {
        "rules": str(rules),
        "secrets": rules.n_secrets,
        "listed": max(rules.n_guesses, rules.n_secrets) <= MAX_LISTED,
        "strategies": [{"strategy": name} for name in strategies],
        "jobs": jobs,
        "pieces": [
            {"workers": n, "largest": most, "least": -(-rules.n_secrets // most)}
            for n, most in pieces.items()
        ],
        "memory": needed,
        "free": free,
        "enough": needed <= free,
    }
