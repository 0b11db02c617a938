"""How many guesses a board needs, or a position: bounds from counting, and the worst case itself.

B. Maréchal and M. Rastoix, Intelligence Artificielle pour le Mastermind, section 2, divide the
logarithm of the number of codes by that of the number of marks. D. Viaud, Une formalisation du jeu
de Mastermind, RAIRO Recherche opérationnelle 13(3), 1979, section 3, counts the codes that k
guesses can reach: q1 <= q0 <= q2, where q0 is the worst case of a best strategy. His remarks at the
end of 2.2 and 2.3 say the same of the secrets that fit some turns.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import count as whole_numbers
from math import ceil, factorial, perm
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise.errors import ContradictionError, Phrase, TooLargeError, check_whole
from pegwise.game import Game, GameLike, Rules, Turn, Turns, all_secrets, game_of, parse_code
from pegwise.hooks import Drawable
from pegwise.kernels.cache import MOST, has_numba, use_numpy
from pegwise.knowledge import count
from pegwise.knowledge.candidates import first_guesses
from pegwise.progress import Progress, Report, run_until, silent
from pegwise.reading import check_turns
from pegwise.search.certificates.files import shipped
from pegwise.search.certificates.optima import ProvenTrees
from pegwise.search.certificates.published import Published, published
from pegwise.search.theory.taus import MAX_MARKS, Taus, largest_parts, reach, taus
from pegwise.strategies import load
from pegwise.strategies.scoring import equal_guesses
from pegwise.trees import build

MAX_TREE: Final = 2_000_000_000  # guesses times secrets: beyond, no strategy is played out
MAX_TABLED: Final = 200_000_000  # guesses times secrets of a game that is no board, at its start
MAX_SECRETS: Final = 8_000  # of a board whose smallest worst case is searched for
MAX_CELLS: Final = 4_000_000  # guesses times secrets of a position, or of a game with no symmetry
MAX_TABLE: Final = 20_000_000  # guesses times secrets of a game whose functions tau_k are found
MAX_TRIED: Final = 6_000_000  # guesses times secrets of a game with symmetries
MAX_SEARCH: Final = 50_000_000
"""Sets entered times secrets, or guesses where these are more, at which the search for the smallest
worst case ends: after some seconds."""


@dataclass(frozen=True, slots=True)
class BoardBounds(Drawable):
    """Counts of a board, and bounds on the number of guesses that it needs.

    After some turns all but `codes_with_repetition`, `codes_without_repetition`, `n_guesses` and
    `n_marks` is of the codes that fit these turns, Viaud's set E, and of the guesses that follow.

    Attributes:
        game: what is played.
        turns: the turns so far.
        n_codes: number of codes that may be hidden.
        codes_with_repetition: n ** k of Maréchal and Rastoix, for n colors and k pegs; None where
            there is no board, as of all that is only for boards.
        codes_without_repetition: n! / (n - k)!; 0 with fewer colors than pegs.
        n_guesses: number of codes that may be played.
        n_marks: number of marks, |P| of Viaud.
        marechal_rastoix: the bound that they compute (see `marechal_rastoix`).
        marechal_rastoix_as_printed: what the formula with repetitions gives as it is printed,
            without the logarithms; None for other boards.
        information: the marks that tell all codes apart, and the winning guess.
        viaud_q1_eq11: by Viaud's (11), from the number of codes.
        viaud_tau2: tau_2 of all codes: the smallest largest part of any first guess.
        viaud_tau2_guess: the first guess that reaches it.
        viaud_q1_eq12: by Viaud's (12), from tau_2.
        viaud_taus: tau_1, tau_2, ... down to 1, with None for each that takes too long; where q0
            is not known, they end before those. By `hard` rules only the first two are found.
        viaud_q2: order of his particular strategy, the smallest largest part at every turn, with
            ties by Knuth's rule; None for a board too large to play it out. With other ties it
            may be another one (see `particular_orders`).
        worst_at_least: no strategy has a smaller worst case, by the bounds and a short search.
        viaud_q0: the smallest worst case; None where the search does not find it in seconds.
        best_guesses: the guesses that reach it, by number. None where it takes too long to try all,
            and by `hard` rules.
        symmetric: whether they are one of each class of guesses that symmetry makes equal, as at
            the start of a board.
        published: optima that others have published.
    """

    game: Game
    turns: tuple[Turn, ...]
    n_codes: int
    codes_with_repetition: int | None = field(repr=False)
    codes_without_repetition: int | None = field(repr=False)
    n_guesses: int
    n_marks: int
    marechal_rastoix: int = field(repr=False)
    marechal_rastoix_as_printed: int | None = field(repr=False)
    information: int = field(repr=False)
    viaud_q1_eq11: int = field(repr=False)
    viaud_tau2: int | None = field(repr=False)
    viaud_tau2_guess: Any = field(repr=False)
    viaud_taus: tuple[int | None, ...] = field(repr=False)
    viaud_q1_eq12: int | None = field(repr=False)
    viaud_q2: int | None = field(repr=False)
    worst_at_least: int
    viaud_q0: int | None
    best_guesses: tuple[Any, ...] | None = field(repr=False)
    symmetric: bool = field(repr=False)
    published: tuple[Published, ...] = field(repr=False)

    def document(self) -> dict[str, Any]:
        """The attributes as JSON, by the keys of `pegwise bounds --json`."""
        keys = {"game": "rules", "turns": "history"}
        names = [each.name for each in fields(self)]
        return {keys.get(name, name.removeprefix("n_")): getattr(self, name) for name in names} | {
            "rules": self.game.name
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each bound, as `pandas.DataFrame(bounds.rows())` takes them.

        `bound` is the attribute, and `guesses` its value; None where it takes too long.
        """
        names = ("information", "marechal_rastoix", "viaud_q1_eq11", "viaud_q1_eq12", "viaud_q2")
        most = ("worst_at_least", "viaud_q0")
        return [{"bound": name, "guesses": getattr(self, name)} for name in (*names, *most)]


def bounds(
    game: GameLike, turns: Turns = (), *, fresh: bool = False, report: Report = silent
) -> BoardBounds:
    """All bounds of a board, however large, or of any game with a table of marks.

    Args:
        game: any game, or its rules.
        turns: a guess and its mark each: the bounds are of what fits them.
        fresh: work out again what is stored of the usual boards.
        report: receives the progress of searches.

    Raises:
        InputError: no game, or no turn; or as `Rules.parse`.
        ContradictionError: nothing fits the turns.

    Examples:
        >>> bounds = pegwise.bounds("4x6")
        >>> bounds.information, bounds.viaud_q0
        (4, 5)
    """
    whole = game_of(game)
    board = whole.board
    turns = check_turns(turns, whole)
    if turns:
        whole.refuse_hard(Phrase("no bounds after turns are known"))
    codes, marks = count(whole, turns) if turns else whole.n_secrets, whole.n_marks
    marks -= whole.n_questions > 0  # the only secret that is left is named right
    if not codes:
        raise ContradictionError("no secret of {game} gives these marks", game=whole.name)
    played = _playable(whole, turns, codes)
    guess, largest = (None, None) if played is None else _best_first(played)
    by_size = eq11(codes, marks)
    by_part = None if largest is None else eq12(codes, largest, marks)
    least = max(by_size, by_part or 0)
    if board is not None and not turns and not fresh and str(board) in stored_bounds():
        plays = _stored_plays(board)
    else:
        plays = _work_out(played, codes, largest, least, report)
    return BoardBounds(
        game=whole,
        turns=turns,
        n_codes=codes,
        codes_with_repetition=None if board is None else board.colors**board.pegs,
        codes_without_repetition=None if board is None else perm(board.colors, board.pegs),
        n_guesses=whole.n_guesses,
        n_marks=marks,
        marechal_rastoix=marechal_rastoix(codes, marks),
        marechal_rastoix_as_printed=None if board is None or turns else _as_printed(board),
        information=information(codes, marks),
        viaud_q1_eq11=by_size,
        viaud_tau2=largest,
        viaud_tau2_guess=guess,
        viaud_taus=plays.taus,
        viaud_q1_eq12=by_part,
        viaud_q2=plays.most,
        worst_at_least=plays.least,
        viaud_q0=plays.exact,
        best_guesses=plays.best_guesses,
        symmetric=played is not None and _symmetric(played) is not None,
        published=() if board is None or turns else published(whole),
    )


class _Plays(NamedTuple):
    """What is known of a game by playing it: `viaud_q2`, `worst_at_least`, `viaud_q0` and more."""

    most: int | None
    least: int
    exact: int | None
    taus: tuple[int | None, ...]
    best_guesses: tuple[Any, ...] | None


@cache
def stored_bounds() -> Mapping[str, Mapping[str, Any]]:
    """What takes long to work out, by board: `python -m tools.bounds` writes it."""
    text = files("pegwise.search.theory").joinpath("bounds.json").read_text("utf-8")
    boards: dict[str, dict[str, Any]] = json.loads(text)
    return boards


def _stored_plays(board: Rules) -> _Plays:
    row = stored_bounds()[str(board)]
    best = row["best_guesses"]
    guesses = None if best is None else tuple(parse_code(text, board) for text in best)
    return _Plays(row["most"], row["worst"], row["worst"], tuple(row["taus"]), guesses)


def _work_out(
    played: Game | None, codes: int, largest: int | None, least: int, report: Report
) -> _Plays:
    """Play the game, search and count, as far as that takes seconds."""
    most, exact, best = None, None, None
    if played is not None:
        size = played.n_guesses * played.n_secrets
        if size <= (MAX_TREE if has_numba() else MOST):
            most = build(played, load("knuth"), report=report).worst
        least, exact = _smallest_worst(played, least, most, report)
        best = _best_guesses(played, exact, report)
    return _Plays(most, least, exact, _taus(played, codes, largest, exact), best)


def _playable(game: Game, turns: tuple[Turn, ...], codes: int) -> Game | None:
    """The game that is still to be played; None where there is much of it and no formula helps."""
    if not turns:
        return game if game.board is not None or codes * game.n_guesses <= MAX_TABLED else None
    if codes * game.n_guesses > MAX_CELLS:
        return None
    from pegwise.search.exact.position import game_after

    return game_after(game, turns)


def _best_first(game: Game) -> tuple[Any, int]:
    """The first guess whose largest part is smallest, and the size of that part: tau_2."""
    if game.board is not None:
        best = min(first_guesses(game.board), key=lambda first: first.largest)
        return best.guess, best.largest
    sizes = largest_parts(game, all_secrets(game))
    return game.guess(int(sizes.argmin())), int(sizes.min())


def _taus(
    game: Game | None, codes: int, largest: int | None, q: int | None
) -> tuple[int | None, ...]:
    """tau_1, tau_2, ... as far as they are found in seconds, and tau_q = 1."""
    values: list[int | None] = [codes]
    if (
        game is not None
        and game.n_guesses * codes <= MAX_TABLE
        and game.n_open_guesses == game.n_guesses
        and game.free
    ):
        values = [value for value in taus(game) if value is not None]
    elif codes > 1 and largest is not None:
        values.append(largest)
    if q is not None and len(values) < q:
        values += [None] * (q - len(values) - 1) + [1]
    return tuple(values)


def _best_guesses(game: Game, q: int | None, report: Report) -> tuple[Any, ...] | None:
    """The guesses after which q - 1 more are always enough; None where that takes long."""
    if q is None or not game.free:
        return None
    secrets = all_secrets(game)
    if q == 1:
        return (game.guess(int(game.guess_of_secret[0])),)
    symmetric = _symmetric(game)
    if game.n_guesses * len(secrets) > (MAX_CELLS if symmetric is None else MAX_TRIED):
        return None
    tried = largest_parts(game, secrets) <= _reach(game, q - 1)
    if symmetric is not None:
        tried &= equal_guesses(symmetric, ())
    guesses = np.flatnonzero(tried).tolist()
    best: list[Any] = []
    search = Taus(game, MAX_MARKS, whole=game.board is not None)
    for done, guess in enumerate(guesses):
        report(Progress(done, len(guesses), "guesses"))
        enough = _is_enough(game, search, guess, q - 1)
        if enough is None:
            return None
        if enough:
            best.append(game.guess(guess))
    return tuple(best)


def _reach(game: Game, guesses: int) -> int:
    """Most secrets that `guesses` guesses can find; with questions, the last names one."""
    if game.n_open_guesses < game.n_guesses:
        return int((game.n_marks - 1) ** (guesses - 1))
    return reach(game.n_marks, guesses)


def _symmetric(game: Game) -> Rules | None:
    """The board whose symmetries a game has: what exchanges pegs or colors exchanges its guesses.

    Marks for every place are exchanged with the pegs. None for lists of words and other games.
    """
    rules = game.rules
    return None if rules is None else replace(rules, marks="")


def _is_enough(game: Game, search: Taus, guess: int, more: int) -> bool | None:
    """Whether `more` guesses are always enough after one; None where that takes long."""
    secrets = all_secrets(game)
    if use_numpy(game.n_guesses, len(secrets), "exact") and game.n_open_guesses == game.n_guesses:
        enough = search.is_one_after(secrets, guess, more)
        if enough is not None:
            return enough
    if not has_numba():
        return None
    from pegwise.search.exact.position import solvable

    answers = solvable(game)
    if answers.positions * max(len(secrets), game.n_guesses) > MAX_SEARCH:
        return None
    return answers.within_after(secrets, guess, more)


def particular_orders(
    game: Game, tries: int = 40, *, seed: int = 0, report: Report = silent
) -> dict[int, int]:
    """How often Viaud's particular strategy has which order, with ties broken at random.

    His section 3 plays any of the guesses that make the largest part smallest. Each try plays
    `knuth:ties=random` with a seed of its own, from `seed` on.

    Raises:
        InputError: a number of tries below 1, or a seed that is no whole number.
        TooLargeError: a board on which ties cannot be broken at random.
    """
    check_whole("tries", tries, 1)
    orders: Counter[int] = Counter()
    for k in range(tries):
        report(Progress(k, tries, "tries"))
        orders[build(game, load("knuth", ties="random", seed=seed + k)).worst] += 1
    return dict(sorted(orders.items()))


def marechal_rastoix(codes: int, marks: int) -> int:
    """log(codes) / log(marks), rounded up (their section 2.3): the marks that tell all codes apart.

    They call it the fewest questions of the worst case; the winning guess comes on top
    (`information`).
    """
    return next(k for k in whole_numbers() if codes <= marks**k)


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
        if optimum := shipped(ProvenTrees, game):
            return optimum.least_worst, optimum.least_worst
    elif game.n_guesses * game.n_secrets > MAX_CELLS:
        return least, None
    from pegwise.search.exact.driver import SearchProgress
    from pegwise.search.exact.optimal import OptimalSearch

    try:
        search = OptimalSearch(game, objective="worst")
    except TooLargeError:
        return least, None
    most_positions = MAX_SEARCH // max(game.n_secrets, game.n_guesses)

    def enough(step: SearchProgress) -> bool:
        nonlocal least
        least = max(least, step.lower_bound)
        return least == most or step.positions > most_positions

    if run_until(search.run, enough, report):
        return least, most if least == most else None
    tree = search.result().best
    return (least, None) if tree is None else (tree.worst, tree.worst)
