"""The games that strategies play in a race, one after the other, as they come.

The games of a strategy make a tree of its guesses: a game is the node that wins it. A strategy
that compiles itself plays from its tree; any other is asked guess by guess.
"""

from __future__ import annotations

import io
import time
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise.arena.draw import Draw
from pegwise.arrays import F64, I32, I64, U8, countable
from pegwise.errors import DamagedError, Phrase
from pegwise.game import Game, Mark, Turn
from pegwise.game.alphabet import Rows
from pegwise.progress import Progress, Report
from pegwise.strategies import Decision, Strategy, label, naming_the_strategy
from pegwise.strategies.entrants import NoAnswerError
from pegwise.strategies.nodes import Nodes
from pegwise.trees import Tree
from pegwise.trees.build import Failure, play, play_steps
from pegwise.trees.tree import NodeList

_FIRST_GAMES: Final = 4  # games of the first piece: few, so that something is shown at once
_PIECE_SECONDS: Final = 0.4  # seconds of a piece: pages show progress about twice a second
TIMED_PIECE: Final = (0.3, 2.0)  # seconds of processor time of a piece that is measured
_WARM_SECONDS: Final = 0.2  # of playing off the clock before it runs
_WARM_GAMES: Final = 50  # games that are played off the clock, at most
DAMAGED: Final = Phrase("the stored results of this race are damaged: start it again")


class GamesPiece(NamedTuple):
    """The games that a strategy has played since the piece before.

    The games of a strategy make a tree, whose nodes are numbered in the order in which they are
    played; a node comes after its parent.
    """

    guesses: Rows  # (nodes, pegs), the guess of each new node: see `Alphabet.to_rows`
    parents: I32  # (nodes), the node before; -1 for the root
    marks: U8  # (nodes, width), the mark that led to each node: see `Marking.to_rows`
    wins: I32  # (games), the node that won each game, in the order of play; -1 for none
    seconds: F64 = np.zeros(1)  # (1), processor time of all games so far, where it is measured

    def to_bytes(self) -> bytes:
        """The piece as it is stored."""
        out = io.BytesIO()
        np.savez_compressed(out, **self._asdict())
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes | memoryview) -> GamesPiece:
        """The piece that was stored; DamagedError for anything else."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                return cls(**arrays)
        except (zipfile.BadZipFile, AttributeError, EOFError, TypeError, ValueError) as error:
            raise DamagedError(DAMAGED) from error


class EntrantGames:
    """All games that a strategy has played so far: its pieces joined.

    Attributes:
        guesses, parents, marks, wins: those of `GamesPiece`, of all pieces.
        times: float64 (pieces), processor time after each piece.
        counts: int64 (pieces), games of each piece.
        depths: int32 (games), guesses of each game; 0 where the secret was not found.
        ends: int64 (games + 1), guesses of the games before each, and of all.
    """

    def __init__(self, pieces: Iterable[bytes | memoryview] = ()) -> None:
        self._columns: dict[str, _Column] = defaultdict(_Column)
        self.guesses: Rows = np.zeros((0, 1), np.uint8)
        self.marks: U8 = np.zeros((0, 2), np.uint8)
        self.parents: I32 = np.zeros(0, np.int32)
        self.wins = self.depths = self._levels = self.parents
        self.times: F64 = np.zeros(0)
        self.counts: I64 = np.zeros(0, np.int64)
        self.ends: I64 = self._columns["ends"].extend(np.zeros(1, np.int64))
        self.extend(map(GamesPiece.from_bytes, pieces))

    def __len__(self) -> int:
        return len(self.depths)

    @property
    def n_pieces(self) -> int:
        """How many pieces were joined."""
        return len(self.counts)

    def extend(self, pieces: Iterable[GamesPiece]) -> None:
        """Add the pieces that follow; copies of these games made before stay as they are."""
        columns = self._columns
        for piece in pieces:
            levels = _levels(piece.parents, self._levels)
            self._levels = columns["levels"].extend(levels)
            won = piece.wins >= 0
            depths = np.zeros(len(won), np.int32)
            depths[won] = self._levels[piece.wins[won]]
            self.depths = columns["depths"].extend(depths)
            self.ends = columns["ends"].extend(self.ends[-1] + np.cumsum(depths, dtype=np.int64))
            self.guesses = columns["guesses"].extend(piece.guesses)
            self.parents = columns["parents"].extend(piece.parents)
            self.marks = columns["marks"].extend(piece.marks)
            self.wins = columns["wins"].extend(piece.wins)
            self.times = columns["times"].extend(piece.seconds)
            self.counts = columns["counts"].extend(np.array([len(piece.wins)]))

    @property
    def seconds(self) -> float:
        """Processor time of all games, where it was measured."""
        return float(self.times[-1]) if self.n_pieces else 0.0

    @property
    def lost(self) -> int:
        """Games in which the secret was not found."""
        return len(self) - int(np.count_nonzero(self.depths))

    def nodes(self, game: Game) -> Nodes:
        """The tree of all games: what the strategy has played in them."""
        codes, answers, steps = game.alphabet, game.marking, NodeList()
        won = np.zeros(len(self.parents), np.bool_)
        won[self.wins[self.wins >= 0]] = True
        rows = zip(
            self.parents, self.marks.tolist(), self.guesses.tolist(), won.tolist(), strict=True
        )
        for parent, mark, guess, wins in rows:
            number = 0 if parent < 0 else game.mark_number(answers.from_row(mark))
            steps.add(parent, number, game.guess_number(codes.from_row(guess)), wins=wins)
        return steps.nodes(game)

    def turns(self, game: int, rules: Game) -> list[Turn]:
        """The guesses and marks of a game; none where the secret was not found."""
        node = int(self.wins[game])
        codes, marking = rules.alphabet, rules.marking
        mark = marking.winning
        turns = []
        while node >= 0:
            turns.append(Turn(codes.from_row(self.guesses[node].tolist()), mark))
            mark = marking.from_row(self.marks[node].tolist())
            node = int(self.parents[node])
        return turns[::-1]


def _levels(parents: I32, before: I32) -> I32:
    """int32 (nodes), guesses played once the guess of each new node is.

    `parents` are numbers among all nodes, `before` the levels of the nodes before these.
    """
    levels = np.ones(len(parents), np.int32)
    ancestors, start = parents.copy(), len(before)
    while (new := np.flatnonzero(ancestors >= start)).size:
        levels[new] += 1
        ancestors[new] = parents[ancestors[new] - start]
    old = np.flatnonzero(ancestors >= 0)
    levels[old] += before[ancestors[old]]
    return levels


class _Column:
    """An array that grows at its end; its room doubles, so that each item is copied few times."""

    def __init__(self) -> None:
        self._room: Any = None
        self._size = 0

    def extend(self, new: Any) -> Any:
        """The array with `new` at its end; those that were returned before stay as they are."""
        size = self._size + len(new)
        if self._room is None:
            self._room = new.copy()
        elif size > len(self._room):
            room = np.empty((2 * size, *new.shape[1:]), self._room.dtype)
            room[: self._size] = self._room[: self._size]
            self._room = room
        self._room[self._size : size] = new
        self._size = size
        return self._room[:size]


def games_of_tree(tree: Tree, draw: Draw, order: I64) -> GamesPiece:
    """All games of a race by the tree of a strategy."""
    game, nodes = draw.game, tree.nodes
    marks = game.marking.to_rows([game.mark(number) for number in range(game.n_marks)])
    winners = np.zeros(game.n_secrets, np.int32)
    winning = np.flatnonzero(nodes.wins)
    winners[game.secret_of_guess[nodes.guess[winning]]] = winning
    return GamesPiece(
        guesses=game.alphabet.to_rows(map(game.guess, nodes.guess.tolist())),
        parents=nodes.parent.astype(np.int32),
        marks=marks[nodes.mark],
        wins=winners[draw.secrets[order]],
    )


class GamePlayer:
    """A strategy that is asked guess by guess, and the tree of its guesses so far.

    It is asked once for each position: games that begin alike share its decisions.
    """

    def __init__(self, strategy: Strategy, draw: Draw, before: EntrantGames) -> None:
        self._strategy = strategy
        self._draw = draw
        game = draw.game
        self._codes, self._marking = game.alphabet, game.marking
        self._first = -1, self._marking.legal[0]
        self.guesses: list[Any] = [*map(self._codes.from_row, before.guesses.tolist())]
        self.parents: list[int] = before.parents.tolist()
        self.marks: list[Any] = [*map(self._marking.from_row, before.marks.tolist())]
        keys = zip(self.parents, self.marks, strict=True)
        self._children = {key: node for node, key in enumerate(keys)}
        self._decisions: dict[int, Decision] = {}
        self._unanswered: dict[tuple[int, Mark], NoAnswerError] = {}

    def play(
        self, which: I64, look: Callable[[], None], failures: list[Failure] | None = None
    ) -> I32:
        """Play games; int32 (games), the node that wins each, -1 where one of `failures` is met."""
        draw, game = self._draw, self._draw.game
        nodes: list[int] = []
        wins = np.full(len(which), -1, np.int32)
        for step in play_steps(
            _Node(self, *self._first),
            game,
            np.arange(len(which)),
            lambda guess, games: draw.marks(guess, which[games]),
            lambda number: draw.secret(int(which[number])),
            label(self._strategy),
            failures=failures,
        ):
            first = step.parent < 0
            key = self._first if first else (nodes[step.parent], game.mark(step.mark))
            nodes.append(self._children[key])
            wins[step.won] = nodes[-1]
            look()
        return wins

    def add(self, turns: Sequence[Turn]) -> int:
        """Remember a game that was played; the node that wins it."""
        node, mark = self._first
        for turn in turns:
            node, mark = self.node(node, mark, turn.guess), turn.mark
        return node

    def piece(self, start: int, wins: I32, seconds: float = 0.0) -> GamesPiece:
        """The nodes from `start` on, and the games that were won."""
        return GamesPiece(
            guesses=self._codes.to_rows(self.guesses[start:]),
            parents=np.array(self.parents[start:], np.int32),
            marks=self._marking.to_rows(self.marks[start:]),
            wins=wins,
            seconds=np.array([seconds]),
        )

    def node(self, parent: int, mark: Mark, guess: Any = None) -> int:
        """The node after this mark; a new one has the guess, by default what is decided there.

        NoAnswerError: an entrant gave none there; it is not asked again.
        """
        key = parent, mark
        if key in self._unanswered:
            raise self._unanswered[key]
        if key not in self._children:
            decision = None
            if guess is None:
                try:
                    decision = self._decided(parent, mark)
                    guess = decision.guess
                except NoAnswerError as error:
                    self._unanswered[key] = error
                    raise
            node = self._children[key] = len(self.guesses)
            self.parents.append(parent)
            self.marks.append(mark)
            self.guesses.append(guess)
            if decision is not None:
                self._decisions[node] = decision
        return self._children[key]

    def _decided(self, parent: int, mark: Mark) -> Decision:
        """The decision of the strategy after a node and its mark."""
        if parent < 0:
            return self._strategy.begin(self._draw.game)
        if parent not in self._decisions:  # after a new start
            before = self.parents[parent], self.marks[parent]
            self._decisions[parent] = self._decided(*before)
        return self._decisions[parent].after(mark)


@dataclass(frozen=True)
class _Node(Decision):
    """A decision whose guess and successors are remembered: that after a node and its mark."""

    player: GamePlayer
    parent: int
    mark: Mark

    @cached_property
    def guess(self) -> Any:
        return self.player.guesses[self.player.node(self.parent, self.mark)]

    def after(self, mark: Mark) -> _Node:
        return _Node(self.player, self.player.node(self.parent, self.mark), mark)


def play_games(
    strategy: Strategy,
    draw: Draw,
    order: I64,
    before: EntrantGames,
    *,
    failures: list[Failure] | None = None,
    report: Report,
) -> Iterator[GamesPiece]:
    """Play the games that were not played before, in the order of their secrets in the draw.

    A piece comes about twice a second. `failures` receives why secrets are not found, where that
    is no error (see `play_steps`).
    """
    player = GamePlayer(strategy, draw, before)
    done, size = len(before), _FIRST_GAMES
    while done < len(order):
        step = Progress(done, len(order), "games")
        start, n_nodes = time.monotonic(), len(player.guesses)
        with naming_the_strategy(strategy, draw.game):
            wins = player.play(order[done : done + size], partial(report, step), failures)
        done += len(wins)
        yield player.piece(n_nodes, wins)
        seconds = time.monotonic() - start
        if seconds < _PIECE_SECONDS / 2:
            size *= 2
        elif seconds > _PIECE_SECONDS:
            size = max(1, size // 2)


def play_by_clock(
    strategy: Strategy, draw: Draw, order: I64, before: EntrantGames, limit: float
) -> Iterator[GamesPiece]:
    """Play games by `clocked`, after those played before, in pieces of some seconds.

    Ends after `limit` seconds of processor time.
    """
    player = GamePlayer(strategy, draw, before)
    done, seconds = len(before), before.seconds
    games = clocked(strategy, draw, order[done:])
    while done < len(order) and seconds < limit:
        wins: list[int] = []
        n_nodes = len(player.guesses)
        end = min(limit, seconds + min(max(TIMED_PIECE[0], seconds / 20), TIMED_PIECE[1]))
        while seconds < end and done + len(wins) < len(order):
            turns, taken = next(games)
            seconds += taken
            wins.append(player.add(turns))
        done += len(wins)
        yield player.piece(n_nodes, np.array(wins, np.int32), seconds)


def clocked(strategy: Strategy, draw: Draw, order: I64) -> Iterator[tuple[Sequence[Turn], float]]:
    """Really play games, guess by guess; the turns of each, and its seconds of processor time."""
    for k in order.tolist():
        secret = draw.secret(k)
        begun = time.process_time()
        turns = play(draw.game, strategy, secret)
        yield turns, time.process_time() - begun


def warm_up(strategy: Strategy, draw: Draw) -> None:
    """Play some games of a draw, so that the clock counts no loading."""
    end = time.process_time() + _WARM_SECONDS
    for k in range(min(_WARM_GAMES, len(draw))):
        play(draw.game, strategy, draw.secret(k))
        if time.process_time() > end:
            return


def order_of_play(draw: Draw, seed: int) -> I64:
    """int64 (games), the index in the draw of each game's secret, in the order of play.

    Mixed, so that the mean so far is near the mean to come.
    """
    places = np.repeat(np.arange(len(draw)), countable(draw.times))
    return np.random.Generator(np.random.PCG64([seed, 1])).permutation(places)
