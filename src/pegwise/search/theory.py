"""The theory of the game: Viaud's functions tau_k, bounds, permutations, sequences of optima.

D. Viaud, Une formalisation du jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), 1979,
p. 307-321. For a set E of secrets (section 2.1),

    tau_1(E) = |E|,   tau_k(E) = min over guesses s of max over marks p of tau_{k-1}(E_s,p),

where E_s,p are the secrets of E that give mark p to guess s: how many secrets may still be
possible after k - 1 guesses, played as well as can be. The least q with tau_q(S) = 1 is q_0, the
worst case of a best strategy. Viaud guesses secrets only; here every guess of the game counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, product
from math import ceil, factorial, perm
from typing import Any, Final

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.errors import InputError, Phrase, TooLargeError, quoted
from pegwise.game import (
    Game,
    GameLike,
    Rules,
    all_secrets,
    as_game,
)
from pegwise.game.rules import MAX_COLORS
from pegwise.kernels import plain
from pegwise.knowledge.candidates import first_guesses
from pegwise.progress import Report, silent
from pegwise.search.certificates import shipped, shipped_certificates
from pegwise.search.certificates.claims import FixedSet, ProvenTrees
from pegwise.search.certificates.published import Published, published
from pegwise.strategies import load
from pegwise.trees import Tree, build

MAX_EFFORT = 10**11  # sets and k for which the definition looks at more marks than this are refused


def tau(game: Game, candidates: I32, k: int) -> int:
    """tau_k of a set of secrets, int32 numbers, by its definition; weights do not matter.

    `exact.position.Solvable` answers tau_k(E) = 1 for larger sets.

    Raises:
        InputError: k below 1.
        TooLargeError: the definition would look at more than `MAX_EFFORT` marks.
    """
    if k < 1:
        raise InputError("tau_{k} is not defined: k is a whole number from 1", k=k)
    # every guess has all its parts looked at by every guess, and so on; of a larger power, no more
    # need be known than that it is too large
    effort = len(candidates) * game.n_guesses ** min(k - 1, MAX_EFFORT.bit_length())
    if effort > MAX_EFFORT:
        raise TooLargeError(
            "tau_{k} of {secrets} secrets of {game} is a minimum over {guesses} guesses, "
            "{times} times over: too much by its definition",
            k=k,
            secrets=len(candidates),
            game=game.name,
            guesses=game.n_guesses,
            times=k - 1,
        )
    return _tau(game, np.sort(candidates).astype(np.int32), k, {})


def _tau(game: Game, candidates: I32, k: int, memo: dict[tuple[int, bytes], int]) -> int:
    """The minimum over guesses, found once; the loop ends as soon as no guess can be better."""
    if k == 1 or len(candidates) <= 1:
        return len(candidates)
    key = (k, candidates.tobytes())
    if key in memo:
        return memo[key]
    sizes = largest_parts(game, candidates)
    best = int(sizes.min()) if k == 2 else len(candidates)
    floor = -(-len(candidates) // game.n_marks ** (k - 1))
    for guess in np.argsort(sizes, kind="stable").tolist() if k > 2 else ():
        marks = game.marks(guess, candidates)
        worst = 0
        for mark in np.unique(marks).tolist():
            worst = max(worst, _tau(game, candidates[marks == mark], k - 1, memo))
            if worst >= best:
                break
        best = min(best, worst)
        if best <= floor:
            break
    memo[key] = best
    return best


def largest_parts(game: Game, candidates: I32) -> I64:
    """int64 (n_guesses): how many candidates each guess leaves together at most."""
    sizes = np.arange(len(candidates) + 1)
    return plain.scores(game.table, candidates, game.n_marks, sizes, additive=False)


# How many guesses a board needs: bounds from counting, and the smallest worst case itself.
#
# B. Maréchal and M. Rastoix, Intelligence Artificielle pour le Mastermind, section 2, divide the
# logarithm of the number of codes by that of the number of marks. Viaud, section 3, counts the
# codes that so many guesses can reach: q1 <= q0 <= q2, where q0 is the worst case of a best
# strategy.

MAX_TREE: Final = 2_000_000_000  # guesses times secrets: beyond, no strategy is played out
MAX_SECRETS: Final = 8_000  # the smallest worst case is searched for up to so many secrets
MAX_CELLS: Final = 4_000_000  # likewise guesses times secrets, where no symmetry of a board helps
MAX_SEARCH: Final = 50_000_000
"""The search for the smallest worst case ends, after some seconds, when sets entered times secrets
are so many."""


@dataclass(frozen=True, slots=True)
class BoardBounds:
    """Counts of a board, and bounds on the number of guesses that it needs.

    Attributes:
        rules: the board; the name of another game.
        codes: number of codes that may be hidden.
        codes_with_repetition: n ** k of Maréchal and Rastoix, for n colors and k pegs; None where
            there is no board, as of all that is only for boards.
        codes_without_repetition: n! / (n - k)!; 0 with fewer colors than pegs.
        guesses: number of codes that may be played.
        marks: number of marks, |P| of Viaud.
        marechal_rastoix: the bound that they compute (see `marechal_rastoix`).
        marechal_rastoix_as_printed: what the formula with repetitions gives as it is printed,
            without the logarithms; None for other boards.
        information: the marks that tell all codes apart, and the winning guess.
        viaud_q1_eq11: by Viaud's (11), from the number of codes.
        viaud_tau2: tau_2 of all codes: the smallest largest part of any first guess.
        viaud_tau2_guess: the first guess that reaches it.
        viaud_q1_eq12: by Viaud's (12), from tau_2.
        viaud_q2: order of his particular strategy; None for a board too large to play it out.
        worst_at_least: no strategy has a smaller worst case, by the bounds and a short search.
        viaud_q0: the smallest worst case; None where the search does not find it in seconds.
        published: optima that others have published.
    """

    rules: Rules | str
    codes: int
    codes_with_repetition: int | None
    codes_without_repetition: int | None
    guesses: int
    marks: int
    marechal_rastoix: int
    marechal_rastoix_as_printed: int | None
    information: int
    viaud_q1_eq11: int
    viaud_tau2: int
    viaud_tau2_guess: Any
    viaud_q1_eq12: int
    viaud_q2: int | None
    worst_at_least: int
    viaud_q0: int | None
    published: tuple[Published, ...]


def bounds(game: GameLike, *, report: Report = silent) -> BoardBounds:
    """All bounds of a board, however large, or of any game with a table of marks.

    Args:
        game: any game, or its rules.
        report: receives the progress of searches.

    Raises:
        InputError: no game; or as `Rules.parse`.
    """
    game = as_game(game)
    board = game.board
    codes, marks = game.n_secrets, game.n_marks
    guess, largest = _best_first(game)
    by_size = eq11(codes, marks)
    by_part = eq12(codes, largest, marks)
    most = None
    if game.n_guesses * game.n_secrets <= MAX_TREE:  # the smallest largest part at every turn
        most = build(load("knuth"), game, report=report).worst
    least, exact = _smallest_worst(game, max(by_size, by_part), most, report)
    return BoardBounds(
        rules=game.name if board is None else board,
        codes=codes,
        codes_with_repetition=None if board is None else board.colors**board.pegs,
        codes_without_repetition=None if board is None else perm(board.colors, board.pegs),
        guesses=game.n_guesses,
        marks=marks,
        marechal_rastoix=marechal_rastoix(codes, marks),
        marechal_rastoix_as_printed=None if board is None else _as_printed(board),
        information=information(codes, marks),
        viaud_q1_eq11=by_size,
        viaud_tau2=largest,
        viaud_tau2_guess=guess,
        viaud_q1_eq12=by_part,
        viaud_q2=most,
        worst_at_least=least,
        viaud_q0=exact,
        published=() if board is None else published(board),
    )


def _best_first(game: Game) -> tuple[Any, int]:
    """The first guess whose largest part is smallest, and the size of that part: tau_2."""
    if game.board is not None:
        best = min(first_guesses(game.board), key=lambda first: first.largest)
        return best.guess, best.largest
    sizes = largest_parts(game, all_secrets(game))
    return game.guess(int(sizes.argmin())), int(sizes.min())


def marechal_rastoix(codes: int, marks: int) -> int:
    """log(codes) / log(marks), rounded up (their section 2.3): the marks that tell all codes apart.

    They call it the fewest questions of the worst case; the winning guess comes on top
    (`information`).
    """
    return next(k for k in count() if codes <= marks**k)


def information(codes: int, marks: int) -> int:
    """The fewest guesses after which all but the last can have told the codes apart."""
    return 1 + marechal_rastoix(codes, marks)


def eq11(codes: int, marks: int) -> int:
    """Viaud's (11): the least q with |S| <= 1 + pi + ... + pi ** (q - 1), pi = |P| - 1.

    He writes the sum as a quotient, which is not defined for two marks.
    """
    guesses = reached = 0
    while reached < codes:
        reached += (marks - 1) ** guesses
        guesses += 1
    return guesses


def eq12(codes: int, tau_2: int, marks: int) -> int:
    """Viaud's (12): the least q with tau_2(S) <= 1 + pi + ... + pi ** (q - 2).

    With one code he would have 2: its part is the winning one, after which nothing is played.
    """
    return 1 if codes == 1 else 1 + eq11(tau_2, marks)


def _as_printed(rules: Rules) -> int | None:
    """Their formula with repetitions taken literally: n**k / ((k+2)! / (k!*2 - 1)), rounded up."""
    if rules.secrets_are_distinct or rules.black:
        return None
    marks = Fraction(factorial(rules.pegs + 2), 2 * factorial(rules.pegs) - 1)
    return ceil(rules.n_secrets / marks)


def _smallest_worst(
    game: Game, least: int, most: int | None, report: Report
) -> tuple[int, int | None]:
    """A lower bound on the smallest worst case, and that itself if a short search finds it."""
    if least == most:
        return least, most
    if game.n_secrets > MAX_SECRETS:
        return least, None
    if game.board is not None:
        if optimum := shipped(ProvenTrees, game.board):
            return optimum.least_worst, optimum.least_worst
    elif game.n_guesses * game.n_secrets > MAX_CELLS:
        return least, None
    from pegwise.search.exact.optimal import OptimalSearch

    try:
        search = OptimalSearch(game, objective="worst")
    except TooLargeError:
        return least, None
    for step in search:
        report(step)
        least = max(least, step.lower_bound)
        if least == most or step.positions * game.n_secrets > MAX_SEARCH:
            return least, most if least == most else None
    tree = search.result().tree
    return (least, None) if tree is None else (tree.worst, tree.worst)


def relabel(
    tree: Tree, pegs: Sequence[int] | None = None, colors: Sequence[int] | None = None
) -> Tree:
    """The tree of a board with pegs exchanged and colors renamed in all its guesses.

    Viaud, p. 319: an optimal strategy gives others so. Marks stay as they are, and every secret
    takes as many guesses as its image did. Peg k of the new codes is peg `pegs[k]` of the old;
    `colors` are the new colors of the old ones. Holes stay holes.

    Raises:
        InputError: a tree of another game, or of a board with weights; no permutation.
    """
    game = tree.game
    if game.board is None or game.weights is not None:
        raise InputError(
            "pegs and colors of {game} cannot be exchanged: give a plain board", game=game.name
        )
    order = _permutation(Phrase("pegs"), pegs, game.board.pegs)
    names = _permutation(Phrase("colors"), colors, game.board.colors)
    played = game.images(tree.nodes.guess, np.array([*order, *names]))
    nodes = tree.nodes._replace(guess=played.astype(np.int32))
    return Tree(game, nodes, tree.strategy, tree.options)


def _permutation(what: Phrase, numbers: Sequence[int] | None, count: int) -> list[int]:
    permutation = list(range(count) if numbers is None else numbers)
    if sorted(permutation) != list(range(count)):
        raise InputError(
            "{what} {permutation}: give each number from 0 to {count} once",
            what=what,
            permutation=quoted(permutation),
            count=count - 1,
        )
    return permutation


# Rows and columns of the tables of records, as sequences of whole numbers.

_FEWEST_TERMS: Final = 5
_DISTINCT: Final = ", where no color comes twice in a secret or a guess"
_BLACK: Final = "only black marks (right color in the right place) are given"
_FLAGS: Final = {
    "": "",
    ",distinct": _DISTINCT,
    ",black": f", where {_BLACK}",
    ",distinct,black": f"{_DISTINCT}, and {_BLACK}",
}
_MEANINGS: Final = {
    "total": "Smallest sum of the guesses that find each secret",
    "worst": "Fewest guesses that are enough to find every secret",
    "static": "Fewest guesses made beforehand whose marks tell all secrets apart",
}


def sequences() -> dict[str, str]:
    """Rows and columns of proven figures as b-files of the OEIS: contents by name of the file.

    A file has a line `n a(n)` for each term, after the definition. Only runs of at least
    `_FEWEST_TERMS` neighboring boards make a sequence.
    """
    optima, sets = [*shipped_certificates(ProvenTrees)], shipped_certificates(FixedSet)
    figures: dict[str, dict[str, int]] = {
        "total": {str(row.rules): row.claim.tree.total for row in optima},
        "worst": {str(row.rules): row.claim.limited.worst for row in optima},
        "static": {str(row.rules): row.claim.size or 0 for row in sets if row.claim.proven},
    }
    files: dict[str, str] = {}
    for name, meaning in _MEANINGS.items():
        for (flag, where), fixed in product(_FLAGS.items(), range(1, MAX_COLORS + 1)):
            for pegs, colors in (("n", fixed), (fixed, "n")):
                board = f"{pegs}x{colors}{flag}"
                terms = _run(figures[name], board)
                if len(terms) >= _FEWEST_TERMS:
                    definition = f"{meaning} in Mastermind, {pegs} pegs and {colors} colors{where}."
                    lines = [f"# {definition}", *(f"{n} {term}" for n, term in terms.items())]
                    files[f"{name}-{board}.txt"] = "\n".join(lines) + "\n"
    return files


def _run(figures: dict[str, int], board: str) -> dict[int, int]:
    """The first run of numbers n, one after another, for which there are figures."""
    terms: dict[int, int] = {}
    for n in range(1, MAX_COLORS + 1):
        rules = board.replace("n", str(n), 1)
        if rules in figures:
            terms[n] = figures[rules]
        elif terms:
            break
    return terms
