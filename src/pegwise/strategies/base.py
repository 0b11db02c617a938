"""What a strategy is: a pure function of game and history, and the card that introduces it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from pegwise.arrays import I32, Bools, MarkNumbers, mark_numbers
from pegwise.errors import CodeError, ContradictionError, StrategyError
from pegwise.game import Game
from pegwise.progress import Report

Option = str | int | bool


@dataclass(frozen=True, slots=True)
class Card:
    """What a strategy is and where it comes from; of your own, an id is enough.

    Attributes:
        id: its name on the command line.
        name: its name in prose; the id when not given.
        authors: who described it.
        year: when; None for folklore.
        source: where it is described.
        about: one paragraph for a reader who does not know it.
        traits: what is true of it, from this list: `any-game` (plays every finite game, not only
            Mastermind), `consistent` (plays only candidates), `fixed` (its guesses do not depend
            on the marks), `random` (takes a seed), `unlisted` (plays boards too large to list),
            `slow` (a game, or the first on a board, takes seconds; raced only when asked for, or
            where its tree is `Stored`).
    """

    id: str
    name: str = ""
    authors: str = ""
    year: int | None = None
    source: str = ""
    about: str = ""
    traits: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.id)


class Decision(Protocol):
    """The state of a strategy after some turns. It never changes."""

    @property
    def guess(self) -> Any:
        """The guess to play now, as people read it (a `Code` on a board)."""

    def after(self, mark: Any) -> Decision:
        """The state after this guess got this mark.

        Raises:
            ContradictionError: no secret could have given these marks; raised here, or when the
                next guess is asked for, or by a strategy that keeps no candidates some turns later.
        """


@runtime_checkable
class Adapts(Decision, Protocol):
    """A decision that can also go on from another guess than its own."""

    def instead(self, guess: Any, mark: Any) -> Decision:
        """The state after this guess was played, and got this mark.

        Raises:
            CodeError: it is no guess of the game.
            ContradictionError: as `after`.
        """


@runtime_checkable
class Strategy(Protocol):
    """A rule that chooses the next guess from game and history alone.

    One that takes options says in `options` which of them differ from their defaults (see
    `options_of`).

    Attributes:
        card: what it is and where it comes from.
    """

    @property
    def card(self) -> Card: ...

    def begin(self, game: Game) -> Decision:
        """The state before any mark.

        Raises:
            StrategyError: it cannot play this game; the message says why.
        """


class Nodes(NamedTuple):
    """A strategy played out against every secret: one node a guess, in breadth-first order.

    The children of a node follow those of the node before, by number of their mark.

    Attributes:
        guess: int32 (n), number of the guess played.
        parent: int32 (n), the node before; -1 for the root, which is node 0.
        mark: (n), number of the mark that led here; 0 for the root.
        wins: bool (n), whether the guess is a candidate here, so that it may be the secret.
    """

    guess: I32
    parent: I32
    mark: MarkNumbers
    wins: Bools

    @classmethod
    def of(
        cls,
        guess: Sequence[int],
        parent: Sequence[int],
        mark: Sequence[int],
        wins: Sequence[bool],
        n_marks: int,
    ) -> Nodes:
        """Nodes from lists, of a game with so many marks."""
        return cls(
            np.array(guess, np.int32),
            np.array(parent, np.int32),
            mark_numbers(mark, n_marks),
            np.array(wins, np.bool_),
        )

    @classmethod
    def join(cls, pieces: Iterable[tuple[int, int, Nodes]]) -> Nodes:
        """Several trees as one, breadth first.

        Args:
            pieces: of each the node before its root, the mark that leads to its root, and its
                nodes. The node before is counted through all pieces in their order; it is -1 for
                the root of the whole tree.
        """
        joined: list[Nodes] = []
        start = 0
        for before, led, nodes in pieces:
            parent, mark = nodes.parent + np.int32(start), nodes.mark.copy()
            parent[0], mark[0] = before, led
            joined.append(nodes._replace(parent=parent, mark=mark))
            start += len(nodes.guess)
        return cls(*map(np.concatenate, zip(*joined, strict=True))).breadth_first()

    def breadth_first(self) -> Nodes:
        """The same tree in the order of `Nodes`, from nodes in any order."""
        children = np.argsort(self.parent, kind="stable")
        starts = np.searchsorted(self.parent[children], np.arange(len(children) + 1))
        levels = [np.flatnonzero(self.parent < 0)]
        while len(level := levels[-1]):
            counts = starts[level + 1] - starts[level]
            rank = np.repeat(np.arange(len(level)), counts)
            gaps = starts[level] - (np.cumsum(counts) - counts)
            below = children[np.arange(len(rank)) + gaps[rank]]
            levels.append(below[np.lexsort((self.mark[below], rank))])
        order = np.concatenate(levels)
        place = np.full(len(order) + 1, -1, np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        return Nodes(
            self.guess[order], place[self.parent[order]], self.mark[order], self.wins[order]
        )


@runtime_checkable
class Compiles(Protocol):
    """A strategy that plays itself out faster than guess by guess, with the same result."""

    def compile(self, game: Game, *, threads: int = 1, report: Report = ...) -> Nodes | None:
        """All nodes of its tree, or None where it has no faster way.

        They are the same for any number of threads; `report` is told of secrets found.
        """


@runtime_checkable
class Stored(Protocol):
    """A slow strategy that plays some games at once, from a tree that is kept."""

    def at_hand(self, game: Game) -> bool:
        """Whether a tree of this game is kept."""


def is_slow(strategy: Strategy, game: Game) -> bool:
    """Whether a strategy makes one wait on this game (its trait `slow`)."""
    if "slow" not in strategy.card.traits:
        return False
    return not (isinstance(strategy, Stored) and strategy.at_hand(game))


def options_of(strategy: Strategy) -> Mapping[str, Option]:
    """The options of a strategy that differ from their defaults; most have none."""
    options: Mapping[str, Option] = getattr(strategy, "options", {})
    return options


def label(strategy: Strategy) -> str:
    """The strategy as typed on the command line: `knuth`, `knuth:guesses=candidates`."""
    options = ",".join(f"{key}={_written(value)}" for key, value in options_of(strategy).items())
    return f"{strategy.card.id}:{options}" if options else strategy.card.id


@contextmanager
def blaming(strategy: Strategy, game: Game) -> Iterator[None]:
    """Say of an impossible code or mark which strategy played or refused it.

    Raises:
        StrategyError: in place of a CodeError or ContradictionError.
    """
    try:
        yield
    except (CodeError, ContradictionError) as error:
        raise StrategyError(
            "{strategy} fails on {game}: {error}",
            strategy=label(strategy),
            game=game.name,
            error=error,
        ) from error


def _written(value: Hashable) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@runtime_checkable
class Grows(Decision, Protocol):
    """A decision that plays itself out faster than guess by guess, with the same result."""

    def grow(self) -> Nodes | None:
        """All nodes from here on, against every secret still possible; None for no faster way."""
