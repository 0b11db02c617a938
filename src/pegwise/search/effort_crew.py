"""Who searches the positions of a stage: threads of this process, or others elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path

from pegwise import __version__
from pegwise.cluster import Kept, Place, Staying
from pegwise.game import Game
from pegwise.kernels.exact_table import U64
from pegwise.search.boards import Translation
from pegwise.search.checkpoint_file import fingerprint
from pegwise.search.effort_explorer import Explorer
from pegwise.search.effort_levels import Kernels, Level, Position
from pegwise.search.effort_piecework import EffortPiecework
from pegwise.search.effort_threads import search_all
from pegwise.search.prepared import prepare_effort

__all__ = ["Crew"]


class Crew:
    """Searches positions.

    Args:
        game: what is played.
        guesses: `all` or `candidates`.
        table: of exact costs.
        levels: the levels from 1 on, by number.
        threads: how many search side by side.
        where: processes or a cluster that search instead.
        folder: where those keep finished pieces, None to keep none.
        options: tells searches of the game apart, in words.
    """

    def __init__(
        self,
        game: Game,
        guesses: str,
        table: U64,
        levels: Mapping[int, Level],
        *,
        threads: int,
        where: Place | None,
        folder: Path | None,
        options: str,
    ) -> None:
        self.game = game
        self.guesses = guesses
        self.table = table
        self.levels = levels
        self.threads = threads
        self._workers = None if where is None else Staying(where)
        self._folder = folder
        self._options = options
        self._explorers: list[Explorer] = []
        self._stop = threading.Event()
        self._elsewhere: list[EffortPiecework] = []

    @cached_property
    def prepared(self) -> tuple[Kernels, Translation, bool]:
        """What the kernels know of the game, and whether its symmetries may be used at the top."""
        return prepare_effort(self.game, self.guesses, self.table)

    def explorer(self, thread: int = 0) -> Explorer:
        """That of a thread."""
        while len(self._explorers) <= thread:
            self._explorers.append(Explorer(self.prepared[0], self.levels, self._stop))
        return self._explorers[thread]

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        here = sum(explorer.positions for explorer in self._explorers)
        return here + sum(work.positions for work in self._elsewhere)

    def called(self) -> AbstractContextManager[object]:
        """Those elsewhere stay from one stage to the next within this, and are then sent home."""
        return self._workers or nullcontext()

    def search(
        self, positions: list[Position], costs: list[int | None], number: int, left: int
    ) -> Generator[float, None, None]:
        """Search positions; closing the generator stops the work.

        Args:
            positions: in the order in which they are begun here.
            costs: receives the cost of each as soon as it is known.
            number: of the level.
            left: guesses allowed.

        Yields:
            Now and then, what share of the work is done.

        Raises:
            WorkersLost: those elsewhere are gone.
            OutputError: what they have found cannot be kept.
        """
        if self._workers is None or len(positions) < 2:
            explorers = [self.explorer(thread) for thread in range(self.threads)]
            return search_all(positions, costs, explorers, number, left, stop=self._stop)
        work = EffortPiecework(
            self.game,
            self.guesses,
            self.explorer(),
            number,
            where=self._workers,
            kept=self._kept(number),
        )
        self._elsewhere.append(work)
        return work.search(positions, costs, left)

    def forget(self, number: int) -> None:
        """Remove the finished pieces of a stage."""
        if (kept := self._kept(number)) is not None:
            kept.forget()

    def _kept(self, number: int) -> Kept | None:
        if self._folder is None:
            return None
        game = f"{self.game.name} {fingerprint(self.game)} {self.guesses} {self._options}"
        return Kept(self._folder, f"effort {__version__} {game} stage {number}")
