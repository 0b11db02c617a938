"""The best tree of a game, proven: smallest total, smallest worst case, or one after the other.

`OptimalSearch` is an iterator of `SearchProgress` that can be left at any step and then still
gives its best tree and a lower bound. `find_optimum` runs one to its end. The method is described
in docs/search.md.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pegwise.arrays import U64
from pegwise.compute import Place
from pegwise.errors import InputError, PegwiseError, Phrase, TooLargeError, UnknownNameError
from pegwise.game import Game, GameLike, as_game
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.kernels.exact.table import new_table
from pegwise.kernels.exact.weigh import UNLIMITED
from pegwise.progress import Progress, Report, silent
from pegwise.search.exact.driver import Runner, State, extract
from pegwise.search.exact.model import bounds_of, least_total, prepare
from pegwise.search.exact.spread import Piecework
from pegwise.search.memory import table_bits_for
from pegwise.trees import Tree
from pegwise.trees.verify import verify

OBJECTIVES: Final = ("total", "worst", "worst-total")

MAX_SECRETS: Final = 25_000
"""Games with more secrets are not searched to the end: that would take weeks at least."""

_PATIENCE: Final = 1500
"""Positions after which a search is long enough to want a tree at once."""

_EXACT_BELOW: Final = 300


@dataclass(frozen=True, slots=True)
class SearchProgress(Progress):
    """One step of an exact search; `done` and `total` count first guesses.

    Attributes:
        value: what the best tree so far reaches, None before the first one.
        lower_bound: what no tree can be below.
        positions: sets entered so far.
        fraction: a rough estimate of the work done, 0 to 1.
    """

    value: int | None = None
    lower_bound: int = 0
    positions: int = 0
    fraction: float = 0.0


@dataclass(frozen=True, slots=True)
class Optimum:
    """What a search has found.

    Attributes:
        objective: what was minimised, one of `OBJECTIVES`.
        tree: the best tree, verified by the plain marking; None if there is none (`impossible`)
            or none yet.
        lower_bound: no tree has a smaller total (a smaller worst case for objective `worst`).
        proven: the search ended, so that the tree is best, or that there is none.
        positions: sets entered.
    """

    objective: str
    tree: Tree | None
    lower_bound: int
    proven: bool
    positions: int

    @property
    def impossible(self) -> bool:
        """No tree keeps the limit of guesses, proven."""
        return self.proven and self.tree is None


class OptimalSearch:
    """A search for the best tree of a game.

    Args:
        game: what is played: a game, whose weights count, or the rules of a board.
        objective: `total` for the smallest total, `worst` for the smallest worst case,
            `worst-total` for the smallest total among trees of smallest worst case.
        max_guesses: no secret may need more; None for any number.
        guesses: `all`, or `candidates` to play candidates only.
        first: the first guess, by number, when it is given.
        threads: how many search side by side; value and tree are the same for any number.
        effort: with a number from 1, only so many guesses are searched for every set of more
            than some hundred candidates: a good tree, without proof, for boards too large.
        table_bits: size of the transposition table, 2**table_bits entries of 32 bytes.
        where: processes or a cluster that do most of the work; value and tree stay the same.
        kept: a folder for their finished pieces, so that a run that is killed goes on.

    Raises:
        InputError: an option out of range.
        TooLargeError: a game too large to search without `effort`, or at all.
    """

    def __init__(
        self,
        game: GameLike,
        *,
        objective: str = "total",
        max_guesses: int | None = None,
        guesses: str = "all",
        first: int | None = None,
        threads: int = 1,
        effort: int = 0,
        table_bits: int | None = None,
        where: Place | None = None,
        kept: Path | None = None,
    ) -> None:
        game = as_game(game)
        if objective not in OBJECTIVES:
            raise UnknownNameError.of("objective", objective, OBJECTIVES)
        if guesses not in ("all", "candidates"):
            raise UnknownNameError.of("set of guesses", guesses, ["all", "candidates"])
        if max_guesses is not None and max_guesses < 1:
            raise InputError(
                "at most {max_guesses} guesses: write a whole number from 1",
                max_guesses=max_guesses,
            )
        if threads < 1:
            raise InputError("{threads} threads: write a whole number from 1", threads=threads)
        if effort < 0:
            raise InputError("effort {effort}: write a whole number from 1", effort=effort)
        if game.n_secrets > MAX_SECRETS and not effort:
            raise _too_large(game)
        self.game = game
        self.objective = objective
        self.max_guesses = max_guesses
        self.guesses = guesses
        self.first = first
        self.threads = threads
        self.effort = effort
        self.board, self.translation, symmetric = prepare(game)
        self.board = self.board._replace(
            candidates_only=guesses == "candidates",
            any_tree=objective == "worst",
            width=effort,
            narrow_from=_EXACT_BELOW,
            whole=True,
            use_history=symmetric,
            first=-1 if first is None else int(self.translation.guess_at[first]),
        )
        if first is not None and guesses == "candidates" and game.secret_of_guess[first] < 0:
            raise InputError(
                "{guess} is no candidate, and only candidates are played", guess=game.guess(first)
            )
        self.bounds = bounds_of(game, candidates_only=guesses == "candidates")
        self.table_bits = table_bits or table_bits_for(game.n_secrets)
        self.table = new_table(self.table_bits)
        self.where = where
        self.kept = kept
        self.limit = self._first_limit()
        self.finished = False
        self.positions_before = 0
        self._runner: Runner | None = None
        self._piecework: Piecework | None = None
        self._best: State | None = None
        self._greedy: Tree | None = None
        self._tried_greedy = False

    # running

    def __iter__(self) -> Iterator[SearchProgress]:
        """Search, and say now and then how far. Closing the iterator stops the threads."""
        while not self.finished:
            with closing(self._stage()) as steps:
                for _ in steps:
                    if self.positions > _PATIENCE:
                        self._try_greedy()
                    yield self._progress()
        yield self._progress()

    def _first_limit(self) -> int:
        """Guesses allowed at first: the limit, or one where the least worst case is wanted."""
        if self.objective != "total":
            return 1
        if self.max_guesses is None or self.max_guesses >= self.game.n_secrets:
            return UNLIMITED
        return self.max_guesses

    def _stage(self) -> Generator[None]:
        """Search with the present limit; raise it where that was too low."""
        away = self._work_elsewhere()
        if away is not None:
            self._piecework = away
            yield from away.steps()
            self.positions_before += away.positions
            self._piecework = None
        runner = self._new_runner(self.board, self.table, self.limit, self.threads)
        self._runner = runner
        yield from runner.steps()
        self.positions_before += runner.positions
        self._runner = None
        if away is not None:
            away.forget()
        if runner.best.guess >= 0:
            self._best = runner.best
            self.finished = True
        elif self.objective == "total" or self.limit >= self._last_limit:
            self.finished = True
        else:
            self.limit += 1

    def _work_elsewhere(self) -> Piecework | None:
        """What others can find out for the table of this search."""
        if self.where is None or self.effort:
            return None
        return Piecework(
            self.game,
            self.board,
            self.bounds,
            self.table,
            self.translation.weights,
            self.limit,
            where=self.where,
            folder=self.kept,
        )

    @property
    def _last_limit(self) -> int:
        """No tree needs more guesses than secrets; more than the limit are not allowed."""
        n = self.game.n_secrets
        return n if self.max_guesses is None else min(self.max_guesses, n)

    def _new_runner(self, board: Board, table: U64, limit: int, threads: int) -> Runner:
        return Runner(board, self.bounds, table, self.translation.weights, limit, threads)

    # what is known

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        now = self._runner or self._piecework
        return self.positions_before + (now.positions if now else 0)

    def best_value(self) -> int | None:
        """Total (worst case for objective `worst`) of the best tree so far."""
        found, greedy = self._found(), self._greedy
        if self.objective == "worst":
            return self.limit if found else greedy.worst if greedy else None
        if greedy is None or (found and self.objective == "worst-total"):
            return found.value if found else None
        return min(found.value, greedy.total) if found else greedy.total

    def _found(self) -> State | None:
        """What the kernels know of their best tree, None before the first one."""
        state = self._runner.best if self._runner else self._best
        return state if state is not None and state.guess >= 0 else None

    def lower_bound(self) -> int:
        """No tree can be better than this."""
        if self.objective == "worst":
            return self.limit
        found = self._found()
        if self.finished and not self.effort:
            return found.value if found else 0
        least = self._least
        # that some tree keeps this limit is not known before the first one
        if self._runner and not self.effort and (self.objective == "total" or found):
            least = max([least, *(state.bound for state in self._runner.states)])
        return least if least < INFINITE // 2 else 0

    @cached_property
    def _least(self) -> int:
        return least_total(self.game, candidates_only=self.board.candidates_only)

    def _progress(self) -> SearchProgress:
        states = self._runner.states if self._runner else []
        value = self.best_value()
        return SearchProgress(
            max((state.tried - 1 for state in states), default=0),
            max((state.tried + state.pending for state in states), default=0) or None,
            "first guesses",
            "" if value is None else f"best {value}",
            value,
            self.lower_bound(),
            self.positions,
            1.0 if self.finished else self._fraction(),
        )

    def _fraction(self) -> float:
        if self._piecework:
            return self._piecework.fraction
        states = self._runner.states if self._runner else []
        return max((state.fraction for state in states), default=0.0)

    def result(self) -> Optimum:
        """The best tree so far, verified, with what is proven.

        Raises:
            PegwiseError: the tree does not verify; then there is a mistake in this program.
        """
        if not self.finished:
            self._try_greedy()
        found = self._found()
        tree = None if self.finished else self._greedy
        limited = self.objective == "worst-total"
        if found and (tree is None or limited or found.value <= tree.total):
            tree = self._extract(self.board, self.table, found, self.limit)
        bound = self.lower_bound()
        proven = self.finished and not self.effort
        return Optimum(self.objective, tree, bound, proven, self.positions)

    def _extract(self, board: Board, table: U64, found: State, limit: int) -> Tree:
        """The tree of a state, verified."""
        nodes = extract(self.game, board, self.bounds, table, self.translation, found.guess, limit)
        tree = self._tree(nodes)
        # of searches that leave guesses out the total depends on what was known before
        exact = board.width == 0 and not board.any_tree
        self._check(tree, limit, found.value if exact else None)
        return tree

    def _tree(self, nodes: Any) -> Tree:
        options: dict[str, str | int | bool] = {}
        if self.max_guesses is not None:
            options["max_guesses"] = self.max_guesses
        if self.guesses != "all":
            options["guesses"] = self.guesses
        if self.effort:
            options["effort"] = self.effort
        name = "optimal" if self.objective == "total" else "optimal-worst"
        return Tree(self.game, nodes, name, options)

    def _check(self, tree: Tree, limit: int, value: int | None) -> None:
        verified = verify(tree)
        too_long = verified.worst > limit
        if not verified.valid or too_long or (value is not None and verified.total != value):
            raise PegwiseError(
                "internal error: the tree found for {game} has total {total} and worst case "
                "{worst}{said}{problem}",
                game=self.game.name,
                total=verified.total,
                worst=verified.worst,
                said="" if value is None else Phrase(", but the search said {value}", value=value),
                problem="".join(f"; {problem}" for problem in verified.problems[:1]),
            )

    def _try_greedy(self) -> None:
        """Make the greedy tree, once: what an interrupted search falls back on."""
        if not self._tried_greedy:
            self._tried_greedy = True
            self._greedy = self._greedy_tree()

    def _greedy_tree(self) -> Tree | None:
        """A good tree at once, by searching one guess for each set; None if that fails."""
        board = self.board._replace(width=1, narrow_from=2, any_tree=False)
        table = new_table(min(self.table_bits, 18))
        limit = self.max_guesses or UNLIMITED
        runner = self._new_runner(board, table, limit, 1)
        for _ in runner.steps():
            pass
        return self._extract(board, table, runner.best, limit) if runner.best.guess >= 0 else None


def find_optimum(game: GameLike, *, report: Report = silent, **options: Any) -> Optimum:
    """The best tree of a game, proven.

    Args:
        game: what is played: a game, whose weights count, or the rules of a board.
        report: is told of every step.
        options: as for `OptimalSearch`.

    Raises:
        InputError, TooLargeError: as `OptimalSearch`.
    """
    search = OptimalSearch(game, **options)
    for step in search:
        report(step)
    return search.result()


def _too_large(game: Game) -> TooLargeError:
    # measured on one core: 4x8 takes 2.5 s; the time grows with the sixth power of the secrets
    days = (game.n_secrets / 4096) ** 6 * 2.5 / 86400
    years = days / 365
    if days < 1000:
        time = Phrase("some {n:.0f} days", n=days)
    elif years < 1e6:
        time = Phrase("some {n:,.0f} years", n=years)
    else:
        time = Phrase("millions of years")
    return TooLargeError(
        "{game} has {secrets:,} secrets, too many for exact search (at most {most:,}; it would "
        "take {time}); --effort 10 finds a good tree without proof",
        game=game.name,
        secrets=game.n_secrets,
        most=MAX_SECRETS,
        time=time,
    )
