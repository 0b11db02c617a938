"""Play a strategy against the secrets of a draw."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from pegwise._version import __version__
from pegwise.arena.draw import Draw, Numbered
from pegwise.arrays import I32, I64
from pegwise.compute import PieceStore, Place, Serial, run
from pegwise.errors import StrategyError
from pegwise.paths import home
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import Decision, Strategy, blaming, compiles, is_slow, label
from pegwise.trees.build import MAX_DEPTH

FEW: Final = 10_000
"""Up to so many secrets, any strategy's whole tree is built."""

COMPILED: Final = 200_000
"""Up to so many, that of a strategy that compiles itself is."""

_STEPS: Final = 200  # of the progress, as seen by who watches


def plays_everything(strategy: Strategy, draw: Numbered) -> bool:
    """Whether to play every secret and look the drawn ones up, rather than play only those.

    Then exact figures are known as well.
    """
    n = draw.game.n_secrets
    if draw.games is None or n <= draw.games:
        return True
    if is_slow(strategy, draw.game):
        return False
    return n <= (COMPILED if compiles(strategy) else FEW)


def play_draw(strategy: Strategy, draw: Draw, *, report: Report = silent) -> tuple[I32, int]:
    """Play only the secrets of a draw, decision by decision.

    Secrets that have got the same marks so far share their decisions, so that this is the tree of
    the strategy without the branches that nothing leads to.

    Args:
        strategy: what plays.
        draw: against which secrets.
        report: is told of secrets found.

    Returns:
        int32 (secrets), guesses that each secret needs; and the number of decisions.

    Raises:
        StrategyError: the strategy cannot play this game, plays a code that is no guess of it,
            takes marks for impossible that a secret gives, or never finds some secret.
    """
    with blaming(strategy, draw.game):
        return play_on(strategy.begin(draw.game), draw, label(strategy), report=report)


def play_on(
    decision: Decision, draw: Draw, name: str, *, report: Report = silent
) -> tuple[I32, int]:
    """Likewise from a decision on.

    Raises:
        CodeError, ContradictionError: of the strategy.
        StrategyError: some secret is never found.
    """
    game, n = draw.game, len(draw)
    depths = np.zeros(n, np.int32)
    nodes = found = told = 0
    open_nodes: list[tuple[int, Decision, I64]] = [(1, decision, np.arange(n))]
    while open_nodes:
        depth, here, secrets = open_nodes.pop()
        if depth > MAX_DEPTH:
            raise StrategyError(
                "{name} does not find {secret} of {game} within {most} guesses",
                name=name,
                secret=draw.secret(int(secrets[0])),
                game=game.name,
                most=MAX_DEPTH,
            )
        nodes += 1
        for mark, part in parts_of(draw, here.guess, secrets):
            if mark == game.winning:
                depths[part] = depth
                found += len(part)
            else:
                open_nodes.append((depth + 1, here.after(game.mark(mark)), part))
        if found * _STEPS // n > told:
            told = found * _STEPS // n
            report(Progress(found, n, "secrets"))
    return depths, nodes


def parts_of(draw: Draw, guess: Any, secrets: I64) -> list[tuple[int, I64]]:
    """Some of the secrets by the mark they give to a guess."""
    marks = draw.marks(guess, secrets)
    order = np.argsort(marks, kind="stable")
    present, starts = np.unique(marks[order], return_index=True)
    return list(zip(present.tolist(), np.split(secrets[order], starts[1:]), strict=True))


# Drawn games played in pieces: one for each mark that the first guess gets.

FEW_GAMES = 200
"""Up to so many games are played here."""


@dataclass(frozen=True)
class Branch:
    """The games of a draw whose first guess gets one mark.

    Attributes:
        strategy: who plays.
        draw: these games.
        mark: number of the mark.
    """

    strategy: Strategy = field(repr=False)
    draw: Draw = field(repr=False)
    mark: int

    def __len__(self) -> int:
        return len(self.draw)


def play_draw_at(
    strategy: Strategy, draw: Draw, where: Place, *, report: Report = silent
) -> tuple[I32, int]:
    """What `play_draw` gives, played in pieces where that is worth it.

    Raises:
        StrategyError: as `play_draw`.
        WorkersLost: the workers are gone.
        OutputError: a finished piece cannot be kept.
    """
    if isinstance(where, Serial) or len(draw) <= FEW_GAMES:
        return play_draw(strategy, draw, report=report)
    game = draw.game
    identity = f"draw {__version__} {label(strategy)} {game.name} {draw.games} {_sign(draw)}"
    kept = PieceStore(home() / "pieces", identity)
    depths = np.ones(len(draw), np.int32)
    nodes = 1
    with blaming(strategy, game):
        parts = parts_of(draw, strategy.begin(game).guess, np.arange(len(draw)))
        branches = {
            mark: Branch(strategy, _some(draw, part), mark)
            for mark, part in parts
            if mark != game.winning
        }

        def tell(step: Progress) -> None:
            report(Progress(step.done, len(draw), "secrets"))

        found = run(play_branch, list(branches.values()), where, store=kept, report=tell, size=len)
    played = dict(zip(branches, found, strict=True))
    for mark, part in parts:
        if mark != game.winning:
            depths[part] += played[mark][0]
            nodes += played[mark][1]
    kept.clear()
    return depths, nodes


def play_branch(branch: Branch) -> tuple[I32, int]:
    """Guesses after the first one, int32 (games of the branch), and decisions."""
    game = branch.draw.game
    decision = branch.strategy.begin(game).after(game.mark(branch.mark))
    return play_on(decision, branch.draw, label(branch.strategy))


def _some(draw: Draw, which: I64) -> Draw:
    if isinstance(draw, Numbered):
        return replace(draw, numbers=draw.numbers[which], times=draw.times[which])
    return replace(draw, codes=draw.codes[which], times=draw.times[which])


def _sign(draw: Draw) -> str:
    """Tells draws apart."""
    secrets = draw.numbers if isinstance(draw, Numbered) else draw.codes
    return hashlib.sha256(secrets.tobytes() + draw.times.tobytes()).hexdigest()[:16]
