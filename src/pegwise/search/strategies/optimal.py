"""Play a tree that exhaustive search has proven best, and where such trees are kept.

Trees of many boards come with the program. Another one is computed when it is first asked for, if
that takes seconds, and kept among the user's data; for larger boards `pegwise optimal` puts it
there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

from pegwise.compute.backends import Backend
from pegwise.errors import (
    DataFileError,
    InputError,
    OutputError,
    Phrase,
    StrategyError,
    UnknownNameError,
)
from pegwise.game import Game, rules
from pegwise.game.hard import is_searched
from pegwise.kept import ANSWERS, PIECES
from pegwise.paths import locked
from pegwise.progress import Report, silent
from pegwise.search.certificates import files
from pegwise.search.certificates.claims import Certificate
from pegwise.search.certificates.optima import ProvenGoal, ProvenTrees
from pegwise.search.exact.goals import within
from pegwise.search.storage import Checkpoint
from pegwise.strategies import (
    Card,
    Decision,
    Nodes,
    Strategy,
    StrategyOption,
    check_options,
)
from pegwise.strategies.scoring import check_free
from pegwise.trees import Tree
from pegwise.trees.store import from_bytes, in_pieces

if TYPE_CHECKING:
    from pegwise.search.exact.optimal import OptimalSearch
    from pegwise.search.exact.optimum import Optimum

QUICK: Final = 4096  # secrets: a board up to this size is solved in seconds
_QUICK_BLACK: Final = 130  # where games have few marks, which tell less


class Optimal(Strategy):
    """Play the tree of smallest total, or that of another objective."""

    card = Card(
        id="optimal",
        name="Smallest total, proven",
        authors="Kenji Koyama and Tony Lai",
        year=1993,
        source=(
            "An optimal Mastermind strategy, Journal of Recreational Mathematics 25(4), "
            "p. 251-256; here by branch and bound with a canonical form of positions"
        ),
        about=(
            "Plays from a tree that exhaustive search has proven best: over all secrets "
            "together no strategy needs fewer guesses. On 4 pegs and 6 colors that is 5625 "
            "guesses for 1296 secrets. The tree is computed once and stored; for boards of "
            "more than 4096 secrets this takes long and must be done beforehand. The option "
            "objective chooses another goal: worst-total, fewest-at-worst, total-fewest, or "
            "within-N for most secrets found within N guesses."
        ),
        traits=frozenset({"any-game", "slow", "slow-guess"}),
    )

    def __init__(
        self,
        *,
        objective: Annotated[
            str,
            StrategyOption(
                "what the tree is best at",
                form="total, worst-total, fewest-at-worst, total-fewest, or within-N for most "
                "secrets within N guesses",
            ),
        ] = "total",
    ) -> None:
        if not re.fullmatch(
            r"total|worst-total|fewest-at-worst|total-fewest|within-[1-9]\d{0,2}", objective
        ):
            objectives = ("total", "worst-total", "fewest-at-worst", "total-fewest", "within-4")
            raise UnknownNameError.of("objective", objective, objectives)
        self.objective = objective
        self.options = check_options(Optimal, objective=objective)

    def tree(self, game: Game) -> Tree:
        """The tree for a game, stored or computed; StrategyError where that would take long."""
        return _tree(cast(Any, game), self.objective)

    def has_tree(self, game: Game) -> bool:
        return _stored_tree(game, self.objective) is not None

    def plays(self, game: Game) -> bool:
        return self.has_tree(game) or (is_searched(game) and _is_quick(game))

    def begin(self, game: Game) -> Decision:
        return replace(self.tree(game).begin(game), claim=self._claim())

    def _claim(self) -> Phrase:
        """A sentence about what is proven of the guesses of the tree."""
        if self.objective == "total":
            return Phrase("No other guess leads to fewer guesses on average; that is proven.")
        if self.objective == "worst-total":
            return Phrase(
                "It belongs to a tree of the smallest worst case; no such tree needs fewer guesses."
            )
        return Phrase(
            "It belongs to a tree that is proven best by the objective {objective}.",
            objective=self.objective,
        )

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes:
        del threads, report
        return self.tree(game).nodes


class OptimalWorst(Optimal):
    """Play the tree of smallest worst case, and among those of smallest total."""

    card = Card(
        id="optimal-worst",
        name="Smallest worst case, then total, proven",
        authors="Donald Knuth; Kenji Koyama and Tony Lai",
        year=1993,
        source=(
            "The computer as Master Mind, Journal of Recreational Mathematics 9(1), 1976; An "
            "optimal Mastermind strategy, ibid. 25(4), p. 251-256"
        ),
        about=(
            "Plays from a tree that exhaustive search has proven best in two ways: no strategy "
            "has a smaller worst case, and of those that have the same none needs fewer guesses "
            "in all. On 4 pegs and 6 colors that is at most five guesses for every secret, and "
            "5626 in all: one more than without the limit."
        ),
        traits=frozenset({"any-game", "slow", "slow-guess"}),
    )

    def __init__(self) -> None:
        super().__init__()
        self.objective = "worst-total"


def tree_name(game: Game, objective: str) -> str:
    """The name under which the proven tree of a board is kept among the user's data."""
    return f"{game.name.replace(',', '-')}-{objective.replace(':', '-')}.tree"


def keep(game: Game, optimum: Optimum) -> bool:
    """Keep a proven tree for the strategies, if they play it; whether it is kept.

    The caller makes sure that the search had no limit and could play every guess.
    """
    if game.board is None or game.weights is not None:
        return False
    if not optimum.proven or optimum.best is None:
        return False
    if optimum.objective == "worst" or optimum.objective.startswith(("utility:", "against:")):
        return False
    with suppress(OutputError):  # what cannot be kept is computed again
        name = tree_name(game, optimum.objective)
        ANSWERS.store("optimal").put(name, *in_pieces(optimum.tree))
        return True
    return False


def _is_quick(game: Game) -> bool:
    return game.n_secrets <= (_QUICK_BLACK if game.n_marks < 8 else QUICK)


@lru_cache(maxsize=16)
def _tree(game: Game, objective: str) -> Tree:
    tree = _stored_tree(game, objective)
    if tree is not None:
        return Tree(game, tree.nodes, tree.strategy, tree.options)
    name = OptimalWorst.card.id if objective == "worst-total" else Optimal.card.id
    option = f" --objective {objective}".replace("--objective within-", "--within ")
    if not _is_quick(game):
        raise StrategyError(
            "{name} has no tree of {game} yet, and it takes longer than some seconds{advice}",
            name=name,
            game=game.name,
            advice=Phrase(
                ": run 'pegwise optimal {game}{option}' first",
                game=game.name,
                option="" if objective == "total" else option,
            ),
        )
    if not is_searched(game):
        check_free(name, game)
    from pegwise.search.exact.optimal import find_optimum

    _, _, guesses = objective.partition("within-")
    optimum = find_optimum(game, objective=within(game, int(guesses)) if guesses else objective)
    if optimum.best is None:
        raise StrategyError(
            "{name} cannot play {game}: no strategy finds every secret", name=name, game=game.name
        )
    keep(game, optimum)
    return optimum.tree


def _stored_tree(game: Game, objective: str) -> Tree | None:
    """The tree of the program or of the user's folder; None where neither is whole."""
    if game.board is None or game.weights is not None:
        return None
    certificate = files.shipped(ProvenTrees, game)
    if certificate is not None and objective in ("total", "worst-total"):
        return certificate.claim.tree if objective == "total" else certificate.claim.limited
    for row in files.shipped_certificates(ProvenGoal, game):
        if row.claim.objective.replace(":", "-") == objective:
            return row.claim.tree
    name = tree_name(game, objective)
    if (value := ANSWERS.store("optimal").get(name)) is None:
        return None
    try:
        tree = from_bytes(value, name)
    except DataFileError:
        return None  # a damaged one is replaced
    return tree if tree.game.name == game.name else None


def prove(
    game: Game,
    *,
    threads: int = 1,
    where: Backend | None = None,
    report: Report = silent,
    begun: Callable[[OptimalSearch], object] = lambda _search: None,
) -> Certificate[ProvenTrees]:
    """Search both optima of a board to the end; `report` is told of every step.

    `begun` receives each search before its first step: a stopped search still holds its best
    answer. Checkpoints and finished tasks are kept among the user's data; those that exist are
    continued, and the certificate counts their processor time.

    Raises:
        InputError: some secret can never be found, so that there is no tree.
        TooLargeError: the board is too large for exact search.
    """
    from pegwise.search.exact.optimal import OptimalSearch

    tasks = PIECES.store().path
    optima: list[Optimum] = []
    seconds = 0.0
    for objective in ("total", "worst-total"):
        start = optima[0].tree if optima else None
        options: dict[str, Any] = {"threads": threads, "where": where, "task_folder": tasks}
        search = OptimalSearch(game, objective=objective, start=start, **options)
        checkpoint = Checkpoint(Checkpoint.default_path(search))
        with locked(checkpoint.path):
            checkpoint.resume(search)
            begun(search)
            checkpoint.run(search, report)
        optima.append(search.result())
        seconds += checkpoint.seconds
        if len(optima) == 1:
            first = checkpoint
            first.save(search)  # loaded again if the second search is stopped
    first.clear()
    free, limited = optima
    if free.best is None or limited.best is None:
        raise InputError("{rules} has no tree that finds every secret", rules=rules)
    same = (free.tree.total, free.tree.worst) == (limited.tree.total, limited.tree.worst)
    positions = free.positions + limited.positions
    claim = ProvenTrees(free.tree, free.tree if same else limited.tree, positions)
    return files.certify(claim, seconds)
