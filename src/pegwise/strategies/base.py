"""The base classes of strategies, rules that choose the next guess from game and history alone.

Inherit from `Strategy`, or, where all candidates can be listed, from
`candidates.CandidateStrategy`, which keeps them. A function of a game and the turns so far will do
as well (see `functions`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pegwise.errors import (
    CodeError,
    ContradictionError,
    MissingExtraError,
    PegwiseError,
    Phrase,
    StrategyError,
    TooLargeError,
)
from pegwise.game import Game, Parallel
from pegwise.game.rules import MAX_LISTED
from pegwise.playing.play import Play
from pegwise.programs.module import error_words
from pegwise.progress import Report, silent
from pegwise.strategies.card import Card
from pegwise.strategies.explanation import Explanation, WeighedTable, Write
from pegwise.strategies.nodes import Nodes
from pegwise.strategies.options import Option


class Decision(ABC):
    """The state of a strategy after some turns. It never changes.

    A decision has a `guess` and `after`; the other methods have defaults.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def guess(self) -> Any:
        """The guess to play now, as people read it (a `Code` on a board)."""

    @abstractmethod
    def after(self, mark: Any) -> Decision:
        """The state after this guess got this mark.

        Raises:
            ContradictionError: no secret could have given these marks; raised here, or when the
                next guess is asked for, or by a strategy that keeps no candidates some turns later.
        """

    def instead(self, guess: Any, mark: Any) -> Decision | None:  # noqa: ARG002
        """The state after this guess, which may be another than its own, got this mark.

        Returns:
            None where the strategy cannot go on from guesses that are not its own: the default.

        Raises:
            CodeError: it is no guess of the game.
            ContradictionError: as `after`.
        """
        return None

    def grow(self) -> Nodes | None:
        """All nodes of the tree from here on, faster than guess by guess.

        Returns:
            None where there is no such way: the default.
        """
        return None

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:  # noqa: ARG002
        """Why the strategy plays this guess, and what it concludes from a mark, if one is given.

        Args:
            mark: the mark that the guess got; None for none yet.
            write: how codes and marks are written in the sentences.

        Returns:
            An explanation that says that the strategy gives no reason: the default.
        """
        return Explanation(attempt=self.guess, result=mark)

    def weighed(self) -> WeighedTable | None:
        """The table that the strategy compared before it chose; it may take some seconds.

        Returns:
            None for nothing, or where `Explanation.ranked_by` tells how to compare the guesses:
            the default.
        """
        return None


class Strategy(ABC):
    """A rule that chooses the next guess from game and history alone.

    A strategy has a `card` and `begin`; the other methods have defaults.

    Attributes:
        options: the options that differ from their defaults.
        notes: what was inferred of it, for reports on its results.

    Examples:
        >>> pegwise.strategy("entropy").plays(pegwise.game_of("4x6"))
        True
    """

    options: Mapping[str, Option] = {}
    notes: tuple[Phrase, ...] = ()

    def __repr__(self) -> str:
        return f"<strategy {label(self)}>"

    @property
    @abstractmethod
    def card(self) -> Card:
        """Its name, its description and its source."""

    @abstractmethod
    def begin(self, game: Game) -> Decision:
        """The state before any mark.

        Raises:
            StrategyError: it cannot play this game; the message says why.
        """

    def begin_parallel(self, game: Parallel) -> Decision:
        """The state before any marks, where several secrets are sought at once.

        Its marks are `Marks`, one for each board.

        Raises:
            StrategyError: it seeks one secret only: the default; or it cannot play this game.
        """
        raise StrategyError(
            "{name} looks for one secret, not for those of {game}; knuth, irving, entropy and "
            "parts look for several at once",
            name=self.card.id,
            game=game.name,
        )

    @property
    def typed(self) -> str:
        """How it is named on the command line: its label, or the file or program it comes from."""
        return label(self)

    @property
    def compiles(self) -> bool:
        """Whether it has a way to play itself out faster than guess by guess."""
        return type(self).compile is not Strategy.compile

    def compile(
        self,
        game: Game,  # noqa: ARG002
        *,
        threads: int = 1,  # noqa: ARG002
        report: Report = silent,  # noqa: ARG002
    ) -> Nodes | None:
        """All nodes of its tree, faster than guess by guess.

        Returns:
            None where there is no such way: the default.
        """
        return None

    def has_tree(self, game: Game) -> bool:  # noqa: ARG002
        """Whether a slow strategy has a stored tree of this game; False by default."""
        return False

    def is_slow(self, game: Game) -> bool:
        """Whether it takes seconds on this game: it has the trait `slow`, and no stored tree."""
        return "slow" in self.card.traits and not self.has_tree(game)

    def plays(self, game: Game) -> bool:
        """Whether it can play this game; by default, whether it begins."""
        if game.n_secrets > MAX_LISTED and "unlisted" not in self.card.traits:
            return False
        if not game.free and self.card.traits.isdisjoint({"hard", "consistent"}):
            return False
        if game.n_open_guesses < game.n_guesses and "consistent" in self.card.traits:
            return False  # its guesses name secrets
        try:
            self.begin(game)
        except (StrategyError, TooLargeError, MissingExtraError):
            return False
        return True


def begin_play(strategy: Strategy, play: Play) -> Decision:
    """The state of a strategy before the first guess, on one board or several; errors as these."""
    if play.several is None:
        return strategy.begin(play.game)
    return strategy.begin_parallel(play.several)


def label(strategy: Strategy) -> str:
    """The strategy as typed on the command line: `knuth`, `knuth:guesses=candidates`."""
    options = ",".join(
        f"{key}={str(value).lower() if isinstance(value, bool) else value}"
        for key, value in strategy.options.items()
    )
    return f"{strategy.card.id}:{options}" if options else strategy.card.id


@contextmanager
def naming_the_strategy(strategy: Strategy, game: Game) -> Iterator[None]:
    """Say by a StrategyError which strategy played or refused an impossible code or mark."""
    with naming_the_turns(label(strategy), game.name):
        yield


@contextmanager
def naming_the_turns(
    name: str, game: str, where: Callable[[], Phrase] | None = None, *, foreign: bool = False
) -> Iterator[None]:
    """Say by a StrategyError which strategy failed, and `where`: at which turns and secret.

    Every error of a foreign strategy becomes a StrategyError, also one that would end the program.
    """
    try:
        yield
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        impossible = isinstance(error, CodeError | ContradictionError)
        if isinstance(error, StrategyError) or not (foreign or impossible):
            raise
        raise StrategyError(
            "{strategy} fails on {game}{where}: {error}",
            strategy=name,
            game=game,
            where=where() if where else "",
            error=getattr(error, "why", error)
            if isinstance(error, PegwiseError)
            else error_words(error),
        ) from error
