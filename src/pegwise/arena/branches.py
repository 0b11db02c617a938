"""Drawn games played in pieces: one for each mark that the first guess gets."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

import numpy as np

from pegwise import __version__
from pegwise.arena.draw import Draw, Numbered
from pegwise.arena.play import parts_of, play_draw, play_on
from pegwise.cluster import Here, Kept, Place, run
from pegwise.game.game import I32, I64
from pegwise.home import home
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import Strategy, blaming, label

__all__ = ["play_draw_at"]

FEW = 200
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
    if isinstance(where, Here) or len(draw) <= FEW:
        return play_draw(strategy, draw, report=report)
    game = draw.game
    identity = f"draw {__version__} {label(strategy)} {game.name} {draw.games} {_sign(draw)}"
    kept = Kept(home() / "pieces", identity)
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

        found = run(play_branch, list(branches.values()), where, kept=kept, report=tell, size=len)
    played = dict(zip(branches, found, strict=True))
    for mark, part in parts:
        if mark != game.winning:
            depths[part] += played[mark][0]
            nodes += played[mark][1]
    kept.forget()
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
