"""What a strategy is: a pure function of game and history, and the card that introduces it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from pegwise.arrays import I32, I64, U8, Bools, MarkNumbers, mark_numbers
from pegwise.errors import (
    CodeError,
    ContradictionError,
    MissingExtraError,
    StrategyError,
    TooLargeError,
)
from pegwise.game import Game, Mastermind, Rules, all_secrets, mastermind
from pegwise.game.game import MAX_LISTED
from pegwise.game.marks import mark_pairs
from pegwise.kernels import plain, small
from pegwise.progress import Report, silent

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
            where its tree is at hand).
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
    """The state of a strategy after some turns. It never changes.

    It may have two more methods: `instead(guess, mark)`, the state after another guess than its
    own (see `instead`), and `grow()`, all nodes from here on (see `grow`).
    """

    @property
    def guess(self) -> Any:
        """The guess to play now, as people read it (a `Code` on a board)."""

    def after(self, mark: Any) -> Decision:
        """The state after this guess got this mark.

        Raises:
            ContradictionError: no secret could have given these marks; raised here, or when the
                next guess is asked for, or by a strategy that keeps no candidates some turns later.
        """


class Strategy(Protocol):
    """A rule that chooses the next guess from game and history alone.

    It may have more: `options`, those that differ from their defaults (see `options_of`);
    `compile(game, threads=, report=)`, all nodes of its tree (see `compile_tree`);
    `at_hand(game)`, whether a slow strategy has a stored tree of this game (see `is_slow`); and
    `plays(game)`, where to begin takes long (see `plays`).

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


def instead(decision: Decision, guess: Any, mark: Any) -> Decision | None:
    """The state after this guess, which may be another than the decision's own, got this mark.

    Returns:
        None where the decision cannot go on from guesses that are not its own.

    Raises:
        CodeError: it is no guess of the game.
        ContradictionError: as `Decision.after`.
    """
    # by name: `isinstance` on a protocol would ask for the guess, which may take long to choose
    method: Callable[[Any, Any], Decision] | None = getattr(decision, "instead", None)
    return None if method is None else method(guess, mark)


def grow(decision: Decision) -> Nodes | None:
    """All nodes from a decision on, faster than guess by guess; None where it has no such way."""
    method: Callable[[], Nodes | None] = getattr(decision, "grow", lambda: None)
    return method()


def compiles(strategy: Strategy) -> bool:
    """Whether a strategy has a way to play itself out faster than guess by guess."""
    return hasattr(strategy, "compile")


def compile_tree(
    strategy: Strategy, game: Game, *, threads: int = 1, report: Report = silent
) -> Nodes | None:
    """All nodes of a strategy's tree, faster than guess by guess; None if it has no such way."""
    compile_: Callable[..., Nodes | None] = getattr(strategy, "compile", lambda *_, **__: None)
    return compile_(game, threads=threads, report=report)


def is_slow(strategy: Strategy, game: Game) -> bool:
    """Whether a strategy takes seconds on this game: its trait `slow`, and no tree at hand."""
    at_hand: Callable[[Game], bool] = getattr(strategy, "at_hand", lambda _game: False)
    return "slow" in strategy.card.traits and not at_hand(game)


def plays(strategy: Strategy, game: Game) -> bool:
    """Whether a strategy can play this game: its own `plays`, or whether it begins."""
    own: Callable[[Game], bool] | None = getattr(strategy, "plays", None)
    if own is not None:
        return own(game)
    if game.n_secrets > MAX_LISTED and "unlisted" not in strategy.card.traits:
        return False
    try:
        strategy.begin(game)
    except (StrategyError, TooLargeError, MissingExtraError):
        return False
    return True


def changed(strategy: type, **options: Option) -> dict[str, Option]:
    """The options that differ from the defaults of a strategy's class."""
    defaults = strategy.__init__.__kwdefaults__  # type: ignore[misc]
    return {name: value for name, value in options.items() if value != defaults[name]}


def options_of(strategy: Strategy) -> Mapping[str, Option]:
    """The options of a strategy that differ from their defaults; most have none."""
    options: Mapping[str, Option] = getattr(strategy, "options", {})
    return options


def label(strategy: Strategy) -> str:
    """The strategy as typed on the command line: `knuth`, `knuth:guesses=candidates`."""
    options = ",".join(
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in options_of(strategy).items()
    )
    return f"{strategy.card.id}:{options}" if options else strategy.card.id


@contextmanager
def blaming(strategy: Strategy, game: Game) -> Iterator[None]:
    """Say by a StrategyError which strategy played or refused an impossible code or mark."""
    try:
        yield
    except (CodeError, ContradictionError) as error:
        raise StrategyError(
            "{strategy} fails on {game}: {error}",
            strategy=label(strategy),
            game=game.name,
            error=error,
        ) from error


History = tuple[tuple[int, int], ...]  # turns: number of the guess, number of its mark


class CandidateStrategy(ABC):
    """A strategy that lists all candidates and chooses a guess by them.

    Attributes:
        card: what it is and where it comes from.
        options: those that differ from their defaults.
    """

    card: ClassVar[Card]
    options: Mapping[str, Option] = {}

    def begin(self, game: Game) -> AdaptiveDecision:
        """All secrets are candidates.

        Raises:
            StrategyError: the strategy cannot play this game.
            TooLargeError: too many secrets to list.
        """
        return AdaptiveDecision(game, all_secrets(game), self.choose, self.follow)

    @abstractmethod
    def choose(self, game: Game, candidates: I32, history: History) -> int:
        """The number of the guess to play.

        Args:
            game: what is played.
            candidates: int32 (n), secrets that agree with the history, ascending; n at least 1.
            history: the turns so far.
        """

    def follow(self, game: Game, candidates: I32, history: History) -> Nodes | None:  # noqa: ARG002
        """All nodes from there on, faster than guess by guess; None for no such way."""
        return None


@dataclass(frozen=True, eq=False)
class CandidateDecision:
    """The candidates after a history, and the guess that is chosen by them.

    Attributes:
        game: what is played.
        candidates: int32 (n), secrets that agree with the history, ascending.
        choose: as `CandidateStrategy.choose`.
        follow: as `CandidateStrategy.follow`; None for no such way.
        history: the turns so far.
    """

    game: Game
    candidates: I32
    choose: Callable[[Game, I32, History], int]
    follow: Callable[[Game, I32, History], Nodes | None] | None = None
    history: History = ()

    @cached_property
    def number(self) -> int:
        """Number of the guess; ContradictionError where there are no candidates."""
        if not len(self.candidates):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        return self.choose(self.game, self.candidates, self.history)

    @property
    def guess(self) -> Any:
        return self.game.guess(self.number)

    def after(self, mark: Any) -> Self:
        return self._following(self.number, mark)

    def grow(self) -> Nodes | None:
        """All nodes from this one on; None for no faster way than guess by guess."""
        if self.follow is None or not len(self.candidates):
            return None
        return self.follow(self.game, self.candidates, self.history)

    def _following(self, guess: int, mark: Any) -> Self:
        number = self.game.mark_number(mark)
        candidates = self.candidates[self.game.marks(guess, self.candidates) == number]
        return replace(self, candidates=candidates, history=(*self.history, (guess, number)))


class AdaptiveDecision(CandidateDecision):
    """Likewise, where the strategy can go on from any guess."""

    def instead(self, guess: Any, mark: Any) -> Self:
        """The state after this guess got this mark; errors as `instead`."""
        return self._following(self.game.guess_number(guess), mark)


@dataclass(frozen=True)
class HistoryDecision:
    """The turns so far, after which a function of game and turns chooses the guess.

    Attributes:
        choose: that function.
        game: what is played.
        history: a guess and its mark each.
    """

    choose: Callable[[Any, tuple[tuple[Any, Any], ...]], Any]
    game: Any
    history: tuple[tuple[Any, Any], ...] = ()

    @cached_property
    def guess(self) -> Any:
        return self.choose(self.game, self.history)

    def after(self, mark: Any) -> Self:
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> Self:
        """The state after this guess got this mark; errors as `instead`."""
        return replace(self, history=(*self.history, (guess, mark)))


def as_board(game: Game, name: str) -> Mastermind:
    """The game, if it is a board; StrategyError where the strategy of this name needs one."""
    if not isinstance(game, Mastermind):
        raise StrategyError(
            "{name} plays Mastermind boards only, not {game}", name=name, game=game.name
        )
    return game


@lru_cache(maxsize=16)
def equal_guesses(rules: Rules, played: tuple[int, ...]) -> Bools:
    """Of guesses that no symmetry tells apart after these ones, the first: bool (guesses).

    Worth its time for the first two guesses of a game; later hardly any symmetry is left.
    """
    codes = mastermind(rules).guess_codes
    if small(len(codes), rules.n_secrets, "symmetry"):
        return plain.first_of_classes(codes, rules.colors, codes[list(played)])
    from pegwise.kernels.symmetry import representatives

    return representatives(codes, rules.colors, codes[list(played)])


def mark_codes(game: Mastermind, guess: Sequence[int] | U8, codes: U8) -> U8:
    """uint8 (n): the marks of a guess against codes, uint8 (n, pegs), by number."""
    return game.mark_all(np.array([guess], np.uint8), codes).ravel()


def mark_each(game: Mastermind, guesses: U8, codes: U8) -> U8:
    """uint8 (n): the mark of each guess against the code of its row, both uint8 (n, pegs)."""
    if small(1, len(codes)):
        black, white = mark_pairs(guesses, codes, black_only=game.rules.black)
        marks: U8 = game.mark_ids[black, black + white]
        return marks
    from pegwise.kernels.marking import mark_rows

    marks = np.empty(len(codes), np.uint8)
    mark_rows(guesses, codes, game.mark_ids, marks)
    return marks


def score_guesses(
    game: Mastermind, guesses: U8, codes: U8, worth: I64, additive: bool, weights: I64 | None = None
) -> I64:
    """int64 (m), scores of guesses: the worth of the parts of some codes, added up or largest.

    `worth` is int64 (n + 1 or more), of a part by its size; less is better. `weights`, int64 (n),
    tell how often each code counts.
    """
    colors, n_marks = game.rules.colors, game.n_marks
    if weights is not None or small(len(guesses), len(codes)):
        every = np.arange(len(codes), dtype=np.int32)
        table = game.mark_all(guesses, codes)
        return plain.scores(table, every, n_marks, worth, additive, weights)
    from pegwise.kernels.marking import score_codes, signatures

    scores = np.empty(len(guesses), np.int64)
    signed = signatures(guesses, colors), signatures(codes, colors)
    score_codes(*signed, game.mark_ids, n_marks, worth, additive, scores)
    return scores
