"""What plays by the results of searches: strategies, and the optimal codemaker.

Trees of many boards come with the program. Another one is computed when it is first asked for, if
that takes seconds, and kept among the user's data; for larger boards `pegwise optimal` puts it
there.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.compute import Place
from pegwise.errors import (
    DataFileError,
    InputError,
    Phrase,
    StrategyError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import Code, Game, Mastermind, Rules, mastermind
from pegwise.knowledge.codemaker import draw_secret
from pegwise.paths import home
from pegwise.progress import Report, silent
from pegwise.search import certificates
from pegwise.search.certificates.claims import (
    Certificate,
    FixedSet,
    GameValue,
    ProvenGoal,
    ProvenTrees,
    classes_of,
)
from pegwise.search.storage import Checkpoint
from pegwise.search.theory import largest_parts
from pegwise.strategies import Card, Nodes, Option
from pegwise.strategies.base import AdaptiveDecision, CandidateStrategy, History, changed
from pegwise.strategies.simple import FixedGuesses
from pegwise.trees import Tree, load, save

if TYPE_CHECKING:
    from pegwise.search.exact.driver import Optimum
    from pegwise.search.exact.position import Solvable

QUICK: Final = 4096  # boards of up to so many secrets are solved in seconds
_QUICK_BLACK: Final = 130
_QUICK_VALUE: Final = 700


class Optimal:
    """Play the tree of smallest total.

    Args:
        objective: what else is best: one of `exact.optimal.OBJECTIVES` but `worst`, or `within-N`
            for most secrets within N guesses.
    """

    card: ClassVar = Card(
        id="optimal",
        name="Smallest total, proven",
        authors="Kenji Koyama and Tony Lai",
        year=1993,
        source=(
            "An optimal Mastermind strategy, Journal of Recreational Mathematics 25(4), "
            "p. 251-256; here by branch and bound with a canonical form of positions"
        ),
        about=(
            "Plays from a tree that exhaustive search has proven best: over all secrets together "
            "no strategy needs fewer guesses. On 4 pegs and 6 colors that is 5625 guesses for "
            "1296 secrets. The tree is computed once and kept; for boards of more than 4096 "
            "secrets that takes long and must have been done before. The option objective takes "
            "another goal: worst-total, fewest-at-worst, total-fewest, or within-N for most "
            "secrets found within N guesses."
        ),
        traits=frozenset({"any-game", "slow"}),
    )

    def __init__(self, *, objective: str = "total") -> None:
        if not re.fullmatch(
            r"total|worst-total|fewest-at-worst|total-fewest|within-[1-9]\d{0,2}", objective
        ):
            objectives = ("total", "worst-total", "fewest-at-worst", "total-fewest", "within-4")
            raise UnknownNameError.of("objective", objective, objectives)
        self.objective = objective
        self.options: Mapping[str, Option] = changed(Optimal, objective=objective)

    def tree(self, game: Game) -> Tree:
        """The tree for a game, stored or computed; StrategyError where that would take long."""
        return _tree(cast(Any, game), self.objective)

    def at_hand(self, game: Game) -> bool:
        return _stored_tree(game, self.objective) is not None

    def plays(self, game: Game) -> bool:
        return self.at_hand(game) or _is_quick(game)

    def begin(self, game: Game) -> Any:
        return self.tree(game).begin(game)

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes:
        del threads, report
        return self.tree(game).nodes


class OptimalWorst(Optimal):
    """Play the tree of smallest worst case, and among those of smallest total."""

    card: ClassVar = Card(
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
        traits=frozenset({"any-game", "slow"}),
    )

    def __init__(self) -> None:
        super().__init__()
        self.objective = "worst-total"


def stored_path(game: Game, objective: str) -> Path:
    """Where the proven tree of a board is kept among the user's data."""
    name = f"{game.name.replace(',', '-')}-{objective.replace(':', '-')}"
    return home() / "optimal" / f"{name}.tree"


def keep(game: Game, optimum: Optimum) -> Path | None:
    """Keep a proven tree for the strategies; None if they do not play it.

    The caller makes sure that the search had no limit and could play every guess.
    """
    if game.board is None or game.weights is not None:
        return None
    if not optimum.proven or optimum.tree is None:
        return None
    if optimum.objective == "worst" or optimum.objective.startswith(("utility:", "against:")):
        return None
    path = stored_path(game, optimum.objective)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(optimum.tree, path)
    except OSError:
        return None  # what cannot be kept is computed again
    return path


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
    from pegwise.search.exact import within
    from pegwise.search.exact.optimal import find_optimum

    _, _, guesses = objective.partition("within-")
    optimum = find_optimum(game, objective=within(game, int(guesses)) if guesses else objective)
    if optimum.tree is None:
        raise StrategyError(
            "{name} cannot play {game}: no strategy finds every secret", name=name, game=game.name
        )
    keep(game, optimum)
    return optimum.tree


def _stored_tree(game: Game, objective: str) -> Tree | None:
    """The tree of the program or of the user's folder; None where neither is whole."""
    if game.board is None or game.weights is not None:
        return None
    certificate = certificates.shipped(ProvenTrees, game.board)
    if certificate is not None and objective in ("total", "worst-total"):
        return certificate.claim.tree if objective == "total" else certificate.claim.limited
    for row in certificates.shipped_certificates(ProvenGoal, game.board):
        if row.claim.objective.replace(":", "-") == objective:
            return row.claim.tree
    try:
        tree = load(stored_path(game, objective))
    except DataFileError:
        return None  # none, or a damaged one, which is replaced
    return tree if tree.game.name == game.name else None


def prove(
    rules: Rules, *, threads: int = 1, where: Place | None = None, report: Report = silent
) -> Certificate[ProvenTrees]:
    """Search both optima of a board to the end; `report` is told of every step.

    Checkpoints and finished tasks are kept among the user's data; those that exist are continued,
    and the certificate counts their processor time.

    Raises:
        InputError: some secret can never be found, so that there is no tree.
        TooLargeError: the board is too large for exact search.
    """
    from pegwise.search.exact.optimal import OptimalSearch

    game, tasks = mastermind(rules), home() / "pieces"
    optima: list[Optimum] = []
    seconds = 0.0
    for objective in ("total", "worst-total"):
        start = optima[0].tree if optima else None
        options: dict[str, Any] = {"threads": threads, "where": where, "task_folder": tasks}
        search = OptimalSearch(game, objective=objective, start=start, **options)
        checkpoint = Checkpoint(Checkpoint.default_path(search))
        checkpoint.resume(search)
        with closing(checkpoint.run(search)) as steps:
            for step in steps:
                report(step)
        optima.append(search.result())
        seconds += checkpoint.seconds
        if len(optima) == 1:
            first = checkpoint
            first.save(search)  # loaded again if the second search is stopped
    first.path.unlink(missing_ok=True)
    free, limited = optima
    if free.tree is None or limited.tree is None:
        raise InputError("{rules} has no tree that finds every secret", rules=rules)
    same = (free.tree.total, free.tree.worst) == (limited.tree.total, limited.tree.worst)
    positions = free.positions + limited.positions
    claim = ProvenTrees(free.tree, free.tree if same else limited.tree, positions)
    return certificates.certify(claim, seconds)


class Static(FixedGuesses):
    """Play a fixed set of guesses whatever the marks, then announce the code.

    Args:
        early: announce the code as soon as the marks leave only one, not after all guesses.
    """

    card: ClassVar = Card(
        id="static",
        name="Smallest fixed set",
        authors="Wayne Goddard",
        year=2003,
        source=(
            "Static Mastermind, Journal of Combinatorial Mathematics and Combinatorial Computing "
            "47, p. 225-236; the sets by pegwise"
        ),
        about=(
            "Plays guesses fixed beforehand, as few as are known to tell all codes of the board "
            "apart: six on 4 pegs and 6 colors, where five cannot do. As soon as fewer marks leave "
            "only one code, that one is announced. It plays the boards for which such a set is "
            "known."
        ),
        traits=frozenset({"fixed"}),
    )

    def guesses(self, game: Game) -> Sequence[Code]:
        certificate = None
        if game.board is not None:
            certificate = certificates.stored(FixedSet, game.board)
        if certificate is None:
            raise StrategyError(
                "static knows no fixed set of guesses for {game}{advice}",
                game=game.name,
                advice=Phrase(
                    ": 'pegwise static RULES' finds one, for boards of up to 12000 codes"
                ),
            )
        return certificate.claim.codes


class Viaud(CandidateStrategy):
    """Play the guess after which the fewest guesses are still to play, whatever the mark.

    D. Viaud 1979, remark 2 of section 2.3: after every history the worst case of the rest is
    smallest, not only from the start.
    """

    card = Card(
        id="viaud",
        name="Fewest guesses still to play",
        authors="D. Viaud",
        year=1979,
        source=(
            "Une formalisation du jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), "
            "p. 307-321, remark 2 of section 2.3"
        ),
        about=(
            "Plays so that the largest number of guesses still to play is smallest, at every turn "
            "again: no strategy has a smaller worst case, from the start or after any marks. On 4 "
            "pegs and 4 colors it needs at most four guesses, on 6 colors five. It looks all the "
            "way down, so it plays boards of up to 5000 codes only."
        ),
        traits=frozenset({"any-game", "slow"}),
    )

    def begin(self, game: Game) -> AdaptiveDecision:
        from pegwise.search.exact.position import solvable

        try:
            solvable(game)
        except TooLargeError as error:
            raise StrategyError("viaud cannot play this board: {error}", error=error) from None
        return super().begin(game)

    def choose(self, game: Game, candidates: I32, history: History) -> int:  # noqa: ARG002
        """The guess after which the fewest guesses are still to play.

        Ties, and there are many: a candidate before a code that cannot win, then the first in
        numeric order, as everywhere in this package. Viaud leaves them open.
        """
        from pegwise.search.exact.position import reach, solvable

        answers = solvable(game)
        budget = answers.order(candidates)
        most = reach(game.n_marks, budget - 1)
        largest = largest_parts(game, candidates)
        possible = np.sort(game.guess_of_secret[candidates])
        others = np.setdiff1d(np.arange(game.n_guesses), possible)
        guesses: list[int] = [*possible.tolist(), *others.tolist()]
        return next(
            guess
            for guess in guesses
            if budget == 1
            or (
                largest[guess] <= most
                and _solves_parts(answers, game, candidates, guess, budget - 1)
            )
        )


def _solves_parts(answers: Solvable, game: Game, candidates: I32, guess: int, budget: int) -> bool:
    """Whether every part of a guess can be solved with so many guesses."""
    marks = game.marks(guess, candidates)
    sizes = np.bincount(marks, minlength=game.n_marks)
    # a part that cannot be solved is most often a large one
    return all(
        answers.within(candidates[marks == mark], budget)
        for mark in np.argsort(-sizes, kind="stable").tolist()
        if sizes[mark] > budget
    )


# The optimal codemaker


def draw_optimal_secret(rules: Rules, seed: int) -> Code:
    """A secret drawn by the codemaker's optimal mixture; errors are those of `optimal_weights`."""
    if rules.secrets_are_distinct or rules.black:
        return draw_secret(rules, seed)  # all secrets are alike: any chance is the same chance
    game = mastermind(rules)
    weights = np.cumsum(optimal_weights(game))
    text = f"{rules} optimal {seed}".encode()
    drawn = int.from_bytes(hashlib.blake2b(text, digest_size=32).digest()) % int(weights[-1])
    return game.secret(int(np.searchsorted(weights, drawn, side="right")))


def optimal_weights(game: Mastermind) -> I64:
    """int64 (n_secrets): how often an optimal codemaker hides each secret, in whole numbers.

    Raises:
        StrategyError: no mixture of the board is stored, and finding it takes long.
        TooLargeError: a board that is too large for it.
    """
    certificate = certificates.stored(GameValue, game.rules)
    if certificate is None:
        from pegwise.search.value import find_value, value_memory

        value_memory(game)  # refuses what no search can find
        if game.n_secrets > _QUICK_VALUE:
            raise StrategyError(
                "the optimal mixture of the codemaker on {game} is not known yet, and it takes "
                "longer than some seconds{advice}",
                game=game.name,
                advice=Phrase(": run 'pegwise value {game}' first", game=game.name),
            )
        certificate = Certificate(find_value(game))
        certificates.keep(certificate)
    return classes_of(game).spread(certificate.claim.weights)
