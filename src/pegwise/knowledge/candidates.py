"""Candidates after a history: how many, which ones, and how a guess splits them.

The codes of a small board are listed, those of a larger one counted (see `knowledge.counting`) or
drawn. Other games are small enough for their table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, exp, log, perm
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload

import numpy as np

from pegwise.arrays import I32, U8, Bools
from pegwise.errors import check_whole
from pegwise.game import (
    HOLE,
    Code,
    Codes,
    Game,
    GameLike,
    Mark,
    Mastermind,
    Turn,
    Turns,
    WordGame,
    all_secrets,
    game_of,
)
from pegwise.game.rules import Rules, board_pegs
from pegwise.kernels import compiled
from pegwise.kernels.cache import use_numpy
from pegwise.playing.play import Play, Playable
from pegwise.progress import Report, silent
from pegwise.reading import check_turns, pairs

if TYPE_CHECKING:
    from pegwise.kernels.drawing import MarkConstraints
    from pegwise.knowledge.constraints import CompleteSet
    from pegwise.knowledge.counting import CandidateSet

MAX_STATES: Final = 8_000_000
"""States of half a code that memory is spent on: some 2 GiB, and half a minute of time."""

_SMALL: Final = 10_000  # codes of the largest board that are always listed
_REMEMBERED: Final = 1024  # lists of a small game that are kept, for the turns that follow
_LARGE: Final = 10**10  # codes of the smallest board where constraints may be asked
_LONG: Final = 13  # its pegs: shorter halves of codes have few states
_FEW: Final = 10_000  # codes that are expected at most where they are

_max_states = MAX_STATES


def limit_states(most: int) -> None:
    """Limit the states of half a code on which this process spends memory and time."""
    global _max_states
    _max_states = most


def count(game: GameLike, turns: Turns = (), *, report: Report = silent) -> int:
    """How many secrets fit some turns: exactly, also where they are too many to list.

    Args:
        game: a board by its rules, or any game.
        turns: a guess and its mark each, or a text such as `AABB=XO`.
        report: receives the progress, on boards where it takes long.

    Raises:
        InputError: no game, no turn, or a guess or mark that the rules do not allow.
        TooLargeError: one of the largest boards, with turns that tell many cases apart.

    Examples:
        >>> pegwise.count("4x6", "AABB=XO CCDD=X")
        52
    """
    return candidate_set(game_of(game), turns, report=report).count()


@overload
def candidates(
    game: Mastermind | WordGame | Rules | str,
    turns: Turns = ...,
    limit: int | None = ...,
    *,
    report: Report = ...,
) -> Codes: ...
@overload
def candidates(
    game: Playable,
    turns: Turns = ...,
    limit: int | None = ...,
    *,
    report: Report = ...,
) -> list[Any]: ...
def candidates(
    game: Playable,
    turns: Turns = (),
    limit: int | None = None,
    *,
    report: Report = silent,
) -> list[Any]:
    """The secrets that fit some turns, in numeric order: the first `limit`, or all.

    They are `Codes` on a board; on another game its secrets, in its own order; of a game with
    several secrets such a list for each (see `board_candidates`). Arguments and errors as `count`;
    TooLargeError also for more than `MAX_LISTED`.

    Examples:
        >>> pegwise.candidates("3x3", "AAB=XO")
        [Code('ABC'), Code('ACA'), Code('BAC'), Code('CAA')]
    """
    if limit is not None:
        check_whole("limit", limit)
    play = Play.of(game)
    own = play.game
    if play.boards > 1:
        boards = board_candidates(play.read(turns))
        listed = [[own.secret(k) for k in board[:limit].tolist()] for board in boards]
        return [Codes(secrets) for secrets in listed] if own.board is not None else listed
    turns = [*play.turns, *turns] if play.turns else turns
    secrets = candidate_set(own, turns, report=report).first(limit)
    return Codes(secrets) if own.text else secrets


def parts(
    game: GameLike, turns: Turns, guess: Code | str, *, report: Report = silent
) -> dict[Mark, int]:
    """How many candidates there are for each mark that a guess can get; errors as `count`.

    Marks with at least one candidate, in the order of `legal_marks`.
    """
    game = game_of(game)
    played, code = check_turns(turns, game), game.alphabet.check(guess)
    if game.board is not None and game.weights is None and not played:
        return opening_parts(game.board, code)
    return candidate_set(game, played, code, report=report).parts()


def weighed_parts(game: Game, turns: Turns, guess: Code) -> dict[Mark, int]:
    """The `parts` of a guess, where each candidate counts as often as its weight."""
    secrets = listed_candidates(game, check_turns(turns, game))
    return ListedSet(game, secrets, guess).weighed_parts()


def weight(game: Game, turns: Turns) -> int:
    """The weight of the secrets that fit some turns: their number where all are alike."""
    if game.weights is None:
        return count(game, turns)
    return int(game.weights[listed_candidates(game, check_turns(turns, game))].sum())


@dataclass(frozen=True, slots=True)
class PositionValue:
    """The exact value of a position: the guesses that it still needs.

    Attributes:
        guess: a best guess.
        total: guesses for all candidates together from here on, by best play.
        played: the same if the guess that was asked about is played first; None if it is not one
            of the guesses allowed, or none was asked about.
    """

    guess: Code
    total: int
    played: int | None


class ListedSet:
    """The secrets that fit a history, listed: of a small board, of another game.

    int32 (n), their numbers.
    """

    def __init__(self, game: Game, secrets: I32, guess: Code | None = None) -> None:
        self._game, self._secrets, self._guess = game, secrets, guess

    def count(self) -> int:
        """How many there are."""
        return len(self._secrets)

    def parts(self) -> dict[Mark, int]:
        """How many there are, by the mark that the open guess would get."""
        if self._guess is None:
            return {Mark(0): self.count()} if self.count() else {}
        numbers, sizes = np.unique(
            self._game.marks_against(self._guess, self._secrets), return_counts=True
        )
        pairs = zip(numbers.tolist(), sizes.tolist(), strict=True)
        return {self._game.mark(number): size for number, size in pairs}

    def weighed_parts(self) -> dict[Mark, int]:
        """The sum of their weights, by the mark that the open guess would get."""
        marks = self._game.marks_against(self._guess, self._secrets)
        weights = np.bincount(marks, self._game.frequencies()[self._secrets]).astype(np.int64)
        return {self._game.mark(number): int(weights[number]) for number in np.unique(marks)}

    def first(self, limit: int | None = None) -> list[Any]:
        """The first in numeric order, or all."""
        return list(map(self._game.secret, self._secrets[:limit].tolist()))


def candidate_set(
    game: Game, history: Turns, guess: Code | None = None, *, report: Report = silent
) -> ListedSet | CompleteSet | CandidateSet:
    """The secrets that fit a history: counted by kernels on a large board, else listed.

    On the longest boards constraints are asked first, where few codes are to be expected. Secrets
    that have weights are listed.
    `guess` was not played: secrets are counted by the mark that it would get. Errors as `count`.
    """
    rules = game.board
    turns = check_turns(history, game)
    # to list a code takes as long as to mark it some times
    if (
        rules is None
        or game.weights is not None
        or rules.n_secrets <= _SMALL
        or use_numpy(8 * (len(turns) + 1), rules.n_secrets, "counting")
    ):
        return ListedSet(game, listed_candidates(game, turns), guess)
    large = rules.pegs >= _LONG and rules.n_secrets >= _LARGE
    if large and _expected(rules, turns) < _FEW:
        from pegwise.knowledge.constraints import complete_set

        if (solved := complete_set(rules, turns, guess, report=report)) is not None:
            return solved
    from pegwise.knowledge.counting import CandidateSet

    return CandidateSet(rules, turns, guess, most=_max_states, report=report)


def _expected(rules: Rules, turns: Sequence[Turn]) -> float:
    """How many codes would fit if the turns had nothing to do with each other."""
    n = rules.n_secrets
    expected = log(n)
    for guess, mark in turns:
        sizes = opening_parts(rules, guess)
        fitting = sum(sizes.get(full, 0) for full in rules.marking.completions(mark))
        expected += log(max(fitting, 1) / n)
    return exp(expected)


def listed_candidates(game: Game, history: Turns) -> I32:
    """The secrets of a game, by number, that fit a history; for games that can be listed."""
    if game.text and game.n_secrets <= _SMALL:
        return _fitting(game, tuple(map(Turn._make, pairs(history))))
    secrets = all_secrets(game)
    for guess, mark in pairs(history):
        secrets = secrets[fits_mark(game, guess, mark, secrets)]
    return secrets


@lru_cache(maxsize=_REMEMBERED)
def _fitting(game: Game, turns: tuple[Turn, ...]) -> I32:
    """The secrets of a small game that fit turns; most positions extend one stored before."""
    if not turns:
        return all_secrets(game)
    *before, (guess, mark) = turns
    secrets = _fitting(game, tuple(before))
    return secrets[fits_mark(game, guess, mark, secrets)]


def board_candidates(play: Play) -> list[I32]:
    """The secrets, by number, that each board may have; of a solved board the one.

    No two boards have the same secret. Beyond this, boards tell nothing of each other.
    """
    game = play.game
    solved = [game.guess_number(secret) for secret in play.found if secret is not None]
    own = game.secret_of_guess[solved]
    boards = []
    for board, secret in enumerate(play.found):
        fitting = listed_candidates(game, play.turns_on(board))
        boards.append(fitting if secret is not None else fitting[~np.isin(fitting, own)])
    return boards


def fits_mark(game: Game, guess: Any, mark: Any, secrets: I32) -> Bools:
    """Whether each secret gives a guess this mark, or one that a partial mark stands for."""
    return np.isin(game.marks_against(guess, secrets), game.marks_meant(mark))


def opening_parts(rules: Rules, guess: Code) -> dict[Mark, int]:
    """How many secrets give each mark to a guess, in closed form; marks that none gives are absent.

    Inclusion and exclusion. Pin some pegs of the guess, f_c of each color c, and let the other
    pegs of the code be free, r_c of them with color c. However the pegs are placed, f_c + r_c is
    how often the color occurs, and so what guess and code have in common is known. Counting codes
    by f, the number of pegs pinned, counts each code once for every choice of f of its blacks; so
    the codes with b blacks are the alternating sum over f of that count times (f choose b).
    """
    colors = Counter(peg for peg in guess if peg != HOLE)
    return dict(_opening_parts(rules, tuple(sorted(colors.values()))))


@lru_cache(maxsize=64)
def _opening_parts(rules: Rules, numbers: tuple[int, ...]) -> dict[Mark, int]:
    """The result of `opening_parts` for a guess by how often each of its colors occurs."""
    ways = NO_COLORS
    for number in numbers:
        ways = with_color(rules, ways, number)
    return parts_of_ways(rules, ways, len(numbers))


Ways = dict[tuple[int, int], int]
"""Ways to choose pegs, by how many are pinned and free: a digit for each number in common."""

NO_COLORS: Final[Ways] = {(0, 0): 1}

_DIGIT: Final = 128
"""Bits of a digit, which stays below 2 ** 16 * 26 ** 16, the choices of pegs times the codes."""


def with_color(rules: Rules, ways: Ways, number: int) -> Ways:
    """The ways with one more color, which the guess has `number` times."""
    most = 1 if rules.secrets_are_distinct else rules.pegs
    more: Ways = defaultdict(int)
    for (pinned, free), digits in ways.items():
        room = min(most, rules.pegs - pinned - free)
        for pin in range(min(number, room) + 1):
            chosen = digits * comb(number, pin)
            for unpinned in range(room - pin + 1):
                # free pegs of this color are chosen among all free pegs so far
                choices = chosen * comb(free + unpinned, unpinned)
                common = min(number, pin + unpinned)
                more[pinned + pin, free + unpinned] += choices << common * _DIGIT
    return more


def parts_of_ways(rules: Rules, ways: Ways, colors: int) -> dict[Mark, int]:
    """How many secrets give each mark, when the ways hold all colors of the guess."""
    absent = rules.colors - colors
    sizes: dict[tuple[int, int], int] = defaultdict(int)
    for (pinned, free), digits in ways.items():
        rest = rules.pegs - pinned - free
        fill = perm(absent, rest) if rules.secrets_are_distinct else absent**rest
        codes = fill * comb(free + rest, rest)
        for common in range(pinned, rules.pegs + 1):
            number = (digits >> common * _DIGIT) % (1 << _DIGIT) * codes
            for black in range(pinned + 1 if number else 0):
                sign = (-1) ** (pinned - black)
                sizes[black, common] += sign * comb(pinned, black) * number
    return board_pegs(rules).by_mark(sizes)


# How a first guess splits all the codes of a board, counted without listing them. What counts of
# a first guess is how often its colors come: 1122 stands for 2211 and 3545. So there are few
# classes of them on every board up to 16 pegs and 26 colors.


class FirstGuess(NamedTuple):
    """A class of first guesses: the first of them, and how many codes give each mark."""

    guess: Code
    parts: dict[Mark, int]

    @property
    def largest(self) -> int:
        """Size of the largest part."""
        return max(self.parts.values())


def first_guesses(rules: Rules) -> Iterator[FirstGuess]:
    """Every class of first guesses with its parts, those of few colors first."""
    return _extended(rules, (), NO_COLORS)


def _extended(rules: Rules, groups: tuple[int, ...], ways: Ways) -> Iterator[FirstGuess]:
    """Classes of guesses that begin with colors `groups` times each, the most frequent first."""
    holes = rules.pegs - sum(groups)
    if not holes or rules.blank:
        pegs = [color for color, size in enumerate(groups) for _ in range(size)]
        parts = parts_of_ways(rules, ways, len(groups))
        yield FirstGuess(Code([*pegs, *[HOLE] * holes]), parts)
    if len(groups) == rules.colors:
        return
    most = min(holes, groups[-1] if groups else rules.pegs)
    for size in range(min(1, most) if rules.distinct else most, 0, -1):
        yield from _extended(rules, (*groups, size), with_color(rules, ways, size))


# Candidates drawn without listing them. Codes are built peg by peg, many at a time. Where more
# partial codes fit than are kept, those kept are drawn with equal chances among all that fit, at
# every peg anew (stochastic enumeration: Rubinstein 2013, "Stochastic enumeration method for
# counting NP-hard problems"). So every candidate has the same chance to be among those drawn, as
# nearly as the partial codes kept are many; and where all could be kept, the list is complete.
#
# Late in a game on a very large board nearly all partial codes lead nowhere. Then a walk among
# codes meets the candidates (see `kernels.drawing`).


HEAT: Final = 0.6  # a step that raises the error by d is taken with chance exp(-d / HEAT)
WALKS: Final = 20
STEPS: Final = 300_000
EVERY: Final = 200


class Drawn(NamedTuple):
    """Some candidates, or all."""

    codes: U8  # uint8 (n, pegs), different codes in numeric order
    complete: bool  # whether these are all candidates


def build_candidates(
    rules: Rules, history: Turns, rng: np.random.Generator, *, keep: int = 50_000
) -> Drawn:
    """Build candidates peg by peg.

    At most `keep` partial codes are kept at each peg, and as many candidates drawn. The more, the
    more even the draw; time and memory grow with it. None of them and `complete`: the marks
    contradict each other; none and not `complete`: none was met. InputError: a turn that the
    rules do not allow, or `keep` below 1.
    """
    check_whole("keep", keep, 1)
    game = game_of(rules)
    turns = check_turns(history, game)
    if (
        isinstance(game, Mastermind)
        and game.n_secrets <= keep
        and use_numpy(len(turns), game.n_secrets, "drawing")
    ):
        return Drawn(game.secret_codes[listed_candidates(game, turns)], complete=True)
    constraints = _constraints(rules, turns)
    counts = np.zeros((1, len(turns)), np.uint8)
    none = np.zeros((1, rules.pegs), np.uint8)
    partial = compiled.drawing.Partial(none, np.zeros((1, rules.colors), np.uint8), counts, counts)
    complete = True
    for peg in range(rules.pegs):
        chosen = np.flatnonzero(compiled.drawing.fitting(partial, constraints, peg))
        if len(chosen) > keep:
            complete = False
            chosen = np.sort(rng.choice(chosen, keep, replace=False, shuffle=False))
        # a color is less significant than the pegs before it: numeric order stays
        partial = compiled.drawing.extended(partial, constraints, peg, chosen)
    return Drawn(partial.codes, complete)


def meet_candidates(
    rules: Rules, history: Turns, rng: np.random.Generator, *, most: int, steps: int = STEPS
) -> Drawn:
    """Meet at most `most` candidates on walks of `steps` steps among codes; perhaps none."""
    constraints = _constraints(rules, check_turns(history, game_of(rules)))
    codes = np.empty((0, rules.pegs), np.uint8)
    if not constraints.allowed.any(axis=1).all():
        return Drawn(codes, complete=False)
    # rounded, so that every machine takes the same steps
    chances = np.array([round(exp(-rise / HEAT) * 2**31) for rise in range(13)], np.int64)
    for _ in range(WALKS):
        start = _start(rules, constraints.allowed, rng)
        if start is None:
            break
        out = np.empty((max(2 * most // WALKS, 1), rules.pegs), np.uint8)
        state = rng.integers(1, 2**63, 1, np.uint64)
        met = compiled.drawing.wander(constraints, start, state, steps, EVERY, chances, out)
        codes = np.unique(np.concatenate([codes, out[:met]]), axis=0)
    if len(codes) > most:
        codes = codes[np.sort(rng.choice(len(codes), most, replace=False, shuffle=False))]
    return Drawn(codes, complete=False)


def _start(rules: Rules, allowed: Bools, rng: np.random.Generator) -> U8 | None:
    """Any code with allowed colors, without a color twice where that is forbidden."""
    if not rules.secrets_are_distinct:
        return np.array([rng.choice(np.flatnonzero(colors)) for colors in allowed], np.uint8)

    def colors(peg: int) -> list[int]:
        shuffled: list[int] = rng.permutation(np.flatnonzero(allowed[peg])).tolist()
        return shuffled

    pegs_of = assign(rules.pegs, colors, [1] * rules.colors)
    if pegs_of is None:
        return None
    placed = {peg: color for color, pegs in enumerate(pegs_of) for peg in pegs}
    return np.array([placed[peg] for peg in range(rules.pegs)], np.uint8)


def assign(
    n: int, options: Callable[[int], Iterable[int]], room: Sequence[int]
) -> list[list[int]] | None:
    """Items assigned to options: each to one of its own, where an option has limited room.

    Returns the items of each option, or None where not every item can have one. `options` are asked
    anew at each try. Bipartite matching by augmenting paths (Kuhn 1955).
    """
    items: list[list[int]] = [[] for _ in room]

    def place(item: int, tried: set[int]) -> bool:
        for option in options(item):
            if option in tried:
                continue
            tried.add(option)
            if len(items[option]) < room[option]:
                items[option].append(item)
                return True
            for holder in items[option]:
                if place(holder, tried):
                    items[option].remove(holder)
                    items[option].append(item)
                    return True
        return False

    return items if all(place(item, set()) for item in range(n)) else None


def _constraints(rules: Rules, turns: Sequence[Turn]) -> MarkConstraints:
    """Return the constraints of the turns."""
    guesses = np.array([guess for guess, _ in turns], np.uint8).reshape(len(turns), rules.pegs)
    colors = np.arange(rules.colors)
    # an empty hole has nothing in common with a code
    at = guesses[:, :, None] == colors
    need = at.sum(axis=1).astype(np.uint8)
    # of a turn without its blacks the colors are asked, and not their places
    guesses[[mark.places_open for _, mark in turns]] = HOLE
    at = guesses[:, :, None] == colors
    ranges = [mark.ranges(rules.pegs) for _, mark in turns]
    blacks = np.array([black[0] for black, _ in ranges], np.uint8)
    commons = np.array([total for _, total in ranges], np.uint8).reshape(-1, 2)
    if rules.black:
        commons[:] = 0, rules.pegs
    allowed = _allowed(rules, guesses, need, blacks, commons)
    may = (at & allowed).any(axis=2)
    behind = _behind(may & (allowed.sum(axis=1) == 1)), _behind(may)
    return compiled.drawing.MarkConstraints(
        guesses, need, blacks, commons, allowed, *behind, rules.secrets_are_distinct
    )


def _behind(blacks: Bools) -> U8:
    """uint8 (pegs, turns): of bool (turns, pegs), how many are set behind each peg."""
    up_to = np.cumsum(blacks, axis=1)
    return np.ascontiguousarray((up_to[:, -1:] - up_to).T.astype(np.uint8))


def _allowed(rules: Rules, guesses: U8, need: U8, blacks: U8, commons: U8) -> Bools:
    """Which colors each peg may have, as far as single turns tell."""
    allowed = np.ones((rules.pegs, rules.colors), np.bool_)
    for guess, number, black, (fewest, most) in zip(guesses, need, blacks, commons, strict=True):
        if most == 0:
            allowed[:, number > 0] = False
        if fewest == rules.pegs:
            allowed[:, number == 0] = False
        if black == 0:
            pegs = np.flatnonzero(guess != HOLE)
            allowed[pegs, guess[pegs]] = False
    return allowed
