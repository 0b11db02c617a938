"""Slow twins: the plain definitions, in plain Python, against which every kernel is tested.

Nothing of pegwise is imported here. Codes are tuples of color numbers, marks are pairs
(black, white), an empty hole is 26. Where pegwise has a clever method, this file has the stupid
one, and in another formulation where there is one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import ceil, floor, prod
from typing import Any

Code = tuple[int, ...]
Mark = tuple[int, int]
Marking = Callable[[Any, Any], Any]

HOLE = 26


# the game


def placed_mark(guess: Sequence[Any], secret: Sequence[Any]) -> tuple[int, ...]:
    """For every place 2 if right, 1 if elsewhere, 0 if absent, as Wordle counts doubles."""
    marks = [2 if g == s else 0 for g, s in zip(guess, secret, strict=True)]
    rest = [s for g, s in zip(guess, secret, strict=True) if g != s]
    for place, peg in enumerate(guess):
        if not marks[place] and peg in rest:
            marks[place] = 1
            rest.remove(peg)
    return tuple(marks)


def slot_mark(guess: Sequence[Any], secret: Sequence[Any]) -> tuple[int, ...]:
    """For every place 2 if right, 1 if the secret has the color at another place, else 0."""
    marks = []
    for place, peg in enumerate(guess):
        others = [own for at, own in enumerate(secret) if at != place]
        marks.append(2 if secret[place] == peg else 1 if peg in others else 0)
    return tuple(marks)


def mark(guess: Sequence[int], secret: Sequence[int], *, black_only: bool = False) -> Mark:
    """Black and white by striking pegs off, as a person does at the board."""
    open_guess, open_secret = [], []
    black = 0
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            black += 1
        else:
            open_guess.append(g)
            open_secret.append(s)
    if black_only:
        return black, 0
    white = 0
    for g in open_guess:
        if g in open_secret:
            open_secret.remove(g)
            white += 1
    return black, white


def repeats(code: Sequence[int]) -> bool:
    """Whether a color comes twice; empty holes do not count."""
    colors = [peg for peg in code if peg != HOLE]
    return len(set(colors)) < len(colors)


def secrets(pegs: int, colors: int, *, distinct: bool = False) -> list[Code]:
    """All codes that may be hidden, in numeric order."""
    codes = itertools.product(range(colors), repeat=pegs)
    return [code for code in codes if not (distinct and repeats(code))]


def guesses(pegs: int, colors: int, *, distinct: bool = False, blank: bool = False) -> list[Code]:
    """All codes that may be guessed, in numeric order; an empty hole is the largest sign."""
    signs = [*range(colors), *([HOLE] if blank else [])]
    codes = itertools.product(signs, repeat=pegs)
    return [code for code in codes if not (distinct and repeats(code))]


# symmetry


def symmetries(
    pegs: int, colors: int, played: Sequence[Code]
) -> list[tuple[tuple[int, ...], dict[int, int]]]:
    """Every (permutation of pegs, renaming of colors) that leaves each guess played as it is."""
    group = []
    for order in itertools.permutations(range(pegs)):
        for names in itertools.permutations(range(colors)):
            rename = {HOLE: HOLE, **dict(enumerate(names))}
            if all(image(guess, order, rename) == guess for guess in played):
                group.append((order, rename))
    return group


def image(code: Code, order: tuple[int, ...], rename: dict[int, int]) -> Code:
    """A code after its pegs are permuted and its colors renamed."""
    return tuple(rename[code[peg]] for peg in order)


def first_of_class(codes: Sequence[Code], colors: int, played: Sequence[Code]) -> list[Code]:
    """The first code of every class of codes that symmetries carry into each other."""
    group = symmetries(len(codes[0]), colors, played)
    firsts: list[Code] = []
    seen: set[Code] = set()
    for code in sorted(codes):
        if code not in seen:
            firsts.append(code)
            seen.update(image(code, order, rename) for order, rename in group)
    return firsts


# candidates and parts


def alike(guess: Code, codes: set[Code], names: Sequence[Sequence[int]]) -> set[Code]:
    """What exchanges of two names make of a guess that keep a set of codes.

    Names are exchanged within each group, such as all colors, or those of each peg.
    """
    pairs = [pair for group in names for pair in itertools.combinations(group, 2)]
    renamings = [{a: b, b: a} for a, b in pairs]
    kept = [r for r in renamings if {tuple(r.get(n, n) for n in code) for code in codes} == codes]
    reached, new = {guess}, [guess]
    while new:
        code = new.pop()
        images = {tuple(r.get(n, n) for n in code) for r in kept} - reached
        reached |= images
        new += images
    return reached


def consistent(
    codes: Iterable[Code], history: Sequence[tuple[Code, Mark]], *, black_only: bool = False
) -> list[Code]:
    """The codes that would have given every mark of a history."""
    return [
        code
        for code in codes
        if all(mark(guess, code, black_only=black_only) == answer for guess, answer in history)
    ]


def hard_allows(turns: Sequence[tuple[Any, Any]], guess: Sequence[Any]) -> bool:
    """Hard mode as the New York Times plays it, against each turn; every place is marked."""
    for played, marks in turns:
        known: dict[Any, int] = {}
        for place, sign in enumerate(played):
            if marks[place] == 2 and guess[place] != sign:
                return False
            if marks[place] in (1, 2):
                known[sign] = known.get(sign, 0) + 1
        if any(list(guess).count(sign) < times for sign, times in known.items()):
            return False
    return True


def hard_total(
    criterion: str,
    guesses: Sequence[Any],
    candidates: Sequence[Any],
    marking: Marking,
    allows: Callable[[Sequence[tuple[Any, Any]], Any], bool],
    turns: tuple[tuple[Any, Any], ...] = (),
) -> int:
    """Guesses that a one-step strategy needs for all candidates, each from those allowed."""
    pool = [guess for guess in guesses if allows(turns, guess)]
    guess = one_step(criterion, pool, candidates, marking)
    total = len(candidates)
    for answer, part in partition(guess, candidates, marking).items():
        if part != [guess]:
            total += hard_total(
                criterion, guesses, part, marking, allows, (*turns, (guess, answer))
            )
    return total


def best_hard_total(
    guesses: Sequence[Any],
    secrets: Sequence[Any],
    marking: Marking,
    allows: Callable[[Sequence[tuple[Any, Any]], Any], bool],
    *,
    most: int | None = None,
    weights: Mapping[Any, int] | None = None,
    turns: tuple[tuple[Any, Any], ...] = (),
) -> int | None:
    """The smallest total where turns limit the guesses after them, by trying every guess.

    None when `most` guesses are not enough.
    """
    solved: dict[tuple[Any, ...], int | None] = {}

    def least(
        turns: tuple[tuple[Any, Any], ...], candidates: Sequence[Any], budget: int
    ) -> int | None:
        pool = [guess for guess in guesses if allows(turns, guess)]
        key = (tuple(pool), tuple(candidates), budget)
        if key not in solved:
            totals = [total(turns, candidates, guess, budget) for guess in pool]
            solved[key] = min((each for each in totals if each is not None), default=None)
        return solved[key]

    def total(
        turns: tuple[tuple[Any, Any], ...], candidates: Sequence[Any], guess: Any, budget: int
    ) -> int | None:
        parts = partition(guess, candidates, marking)
        if not budget or (len(parts) == 1 and list(candidates) != [guess]):
            return None
        needed = sum(1 if weights is None else weights[each] for each in candidates)
        for answer, part in parts.items():
            if part != [guess]:
                after = least((*turns, (guess, answer)), part, budget - 1)
                if after is None:
                    return None
                needed += after
        return needed

    return least(turns, secrets, len(secrets) if most is None else most)


def partition(guess: Any, candidates: Sequence[Any], marking: Marking) -> dict[Any, list[Any]]:
    """The candidates by the mark that a guess would get."""
    parts: dict[Any, list[Any]] = {}
    for candidate in candidates:
        parts.setdefault(marking(guess, candidate), []).append(candidate)
    return parts


# fixed sets of guesses


def answers(guesses: Iterable[Any], secrets: Iterable[Any], marking: Marking) -> set[Any]:
    """All the different answers that a fixed set of guesses can get."""
    fixed = list(guesses)
    return {tuple(marking(guess, secret) for guess in fixed) for secret in secrets}


def fewest_fixed(guesses: Sequence[Any], secrets: Sequence[Any], marking: Marking) -> int:
    """Size of the smallest set of guesses that gets another answer from every secret."""
    for size in itertools.count():
        for fixed in itertools.combinations(guesses, size):
            if len(answers(fixed, secrets, marking)) == len(secrets):
                return size
    raise AssertionError


def sums_are_apart(columns: Sequence[Sequence[int]]) -> bool:
    """Whether no sum of some columns of signs, each added or subtracted, is zero."""
    for factors in itertools.product((-1, 0, 1), repeat=len(columns)):
        rows = zip(*columns, strict=True)
        sums = [sum(f * sign for f, sign in zip(factors, row, strict=True)) for row in rows]
        if any(factors) and not any(sums):
            return False
    return True


# what is still possible


def joint_marks(
    pegs: int,
    colors: int,
    guesses: Sequence[Code],
    *,
    distinct: bool = False,
    black_only: bool = False,
) -> dict[tuple[Mark, ...], int]:
    """How many secrets give these marks to these guesses, for all marks at once.

    Secrets are built peg by peg; of those begun only the occurrences of each color and the blacks
    are kept.
    """
    begun: dict[tuple[Code, Code], int] = {((0,) * colors, (0,) * len(guesses)): 1}
    for peg in range(pegs):
        longer: dict[tuple[Code, Code], int] = {}
        for (counts, blacks), ways in begun.items():
            for color in range(colors):
                if distinct and counts[color]:
                    continue
                state = (
                    tuple(n + (c == color) for c, n in enumerate(counts)),
                    tuple(b + (g[peg] == color) for b, g in zip(blacks, guesses, strict=True)),
                )
                longer[state] = longer.get(state, 0) + ways
        begun = longer
    joint: dict[tuple[Mark, ...], int] = {}
    for (counts, blacks), ways in begun.items():
        common = [sum(min(n, g.count(c)) for c, n in enumerate(counts)) for g in guesses]
        marks = tuple((b, 0 if black_only else k - b) for b, k in zip(blacks, common, strict=True))
        joint[marks] = joint.get(marks, 0) + ways
    return joint


def repairs(joint: dict[tuple[Mark, ...], int], noted: Sequence[Mark]) -> list[dict[Mark, int]]:
    """For each turn the other marks that secrets give it when they give all others as noted."""
    changes: list[dict[Mark, int]] = [{} for _ in noted]
    for marks, ways in joint.items():
        different = [turn for turn, answer in enumerate(marks) if answer != noted[turn]]
        if len(different) == 1:
            changes[different[0]][marks[different[0]]] = ways
    return changes


def fewest_wrong(joint: dict[tuple[Mark, ...], int], noted: Sequence[Mark]) -> int:
    """The smallest number of marks in which some secret differs from those noted."""
    return min(sum(a != b for a, b in zip(marks, noted, strict=True)) for marks in joint)


# strategies that look one step ahead


@cache
def bits(n: int, digits: int = 40) -> int:
    """n log2 n rounded to the nearest multiple of 2**-digits, as a number of these."""
    with localcontext(prec=70):
        exact = n * Decimal(max(n, 1)).ln() / Decimal(2).ln() * 2**digits
        return int(exact.to_integral_value())


CRITERIA: dict[str, Callable[[list[int]], int]] = {
    "minimax": max,
    "size": lambda sizes: sum(n * n for n in sizes),
    "entropy": lambda sizes: sum(bits(n) for n in sizes),
    "parts": lambda sizes: -len(sizes),
}


def sizes_of(
    guess: Any, candidates: Sequence[Any], marking: Marking, weight: Callable[[Any], int]
) -> list[int]:
    """The sums of weights of the parts, those of 0 left out."""
    parts = partition(guess, candidates, marking).values()
    return [size for part in parts if (size := sum(map(weight, part)))] or [0]


def one_step(
    criterion: str,
    guesses: Sequence[Any],
    candidates: Sequence[Any],
    marking: Marking,
    *,
    then: str | None = None,
    only_candidates: bool = False,
    weight: Callable[[Any], int] = lambda _candidate: 1,
) -> Any:
    """The guess of least score; ties by the second score, a candidate, the first in order."""
    ranks = []
    for number, guess in enumerate(guesses):
        possible = guess in candidates
        if only_candidates and not possible:
            continue
        sizes = sizes_of(guess, candidates, marking, weight)
        score = CRITERIA[criterion](sizes)
        second = CRITERIA[then](sizes) if then else 0
        ranks.append((score, second, not possible, number))
    return guesses[min(ranks)[-1]]


def one_step_at_once(
    criterion: str,
    guesses: Sequence[Any],
    boards: Sequence[Sequence[Any]],
    marking: Marking,
    *,
    only_candidates: bool = False,
    weight: Callable[[Any], int] = lambda _candidate: 1,
) -> Any:
    """The same for several secrets, by listing every way to choose a candidate for each board."""
    for board in boards:
        if len(board) == 1:
            return board[0]
    ways = list(product(*boards))
    ranks = []
    for number, guess in enumerate(guesses):
        possible = any(guess in board for board in boards)
        if only_candidates and not possible:
            continue
        if criterion == "entropy":  # what is rounded is rounded board by board
            score = sum(
                Fraction(
                    CRITERIA[criterion](sizes_of(guess, board, marking, weight)),
                    sum(map(weight, board)),
                )
                for board in boards
            )
        else:
            sizes = sizes_of(
                guess,
                ways,
                lambda guess, way: tuple(marking(guess, secret) for secret in way),
                lambda way: prod(map(weight, way)),
            )
            score = Fraction(CRITERIA[criterion](sizes))
        ranks.append((score, not possible, number))
    return guesses[min(ranks)[-1]]


def tree(
    choose: Callable[[Sequence[Any]], Any],
    candidates: Sequence[Any],
    marking: Marking,
    history: tuple[tuple[Any, Any], ...] = (),
) -> dict[tuple[tuple[Any, Any], ...], Any]:
    """The guess after every history, when a guess depends on the candidates alone."""
    guess = choose(candidates)
    nodes = {history: guess}
    for answer, part in partition(guess, candidates, marking).items():
        if part != [guess]:
            nodes |= tree(choose, part, marking, (*history, (guess, answer)))
    return nodes


def depths(
    choose: Callable[[Sequence[Any]], Any],
    candidates: Sequence[Any],
    marking: Marking,
    played: int = 0,
) -> dict[Any, int]:
    """Number of guesses to find each candidate, when a guess depends on the candidates alone."""
    numbers: dict[Any, int] = {}
    guess = choose(candidates)
    for part in partition(guess, candidates, marking).values():
        if part == [guess]:
            numbers[guess] = played + 1
        else:
            numbers |= depths(choose, part, marking, played + 1)
    return numbers


# trees


def play(
    guesses: Sequence[Any], branches: dict[tuple[int, Any], int], secret: Any, marking: Marking
) -> tuple[list[int], bool]:
    """The nodes that a secret passes, and whether it is found.

    Node k plays guesses[k]; a branch leads from a node and a mark to a node, the root is 0.
    """
    node: int | None = 0
    passed: list[int] = []
    while node is not None:
        passed.append(node)
        if guesses[node] == secret:
            return passed, True
        node = branches.get((node, marking(guesses[node], secret)))
    return passed, False


def best_exchange(trees: Sequence[Any], worth: Sequence[int]) -> tuple[int, int]:
    """The least cost of the trees that others make by exchanging subtrees, and what is sought.

    A tree is a guess, whether it may win, and a tree for each other mark. A guess costs the worth
    of all secrets that need it.
    """
    costs = []
    for guess, wins in {tree[:2] for tree in trees}:
        alike = [branches for first, _, branches in trees if first == guess]
        parts = [best_exchange([after[mark] for after in alike], worth) for mark in alike[0]]
        sought = worth[guess] * wins + sum(weight for _, weight in parts)
        costs.append((sought + sum(cost for cost, _ in parts), sought))
    return min(costs)


# exact search


def best_cost(
    marks: Sequence[Sequence[object]],
    own: Sequence[int],
    cost: Callable[[int, int], tuple[Any, ...]],
    most: int,
    candidates_only: bool = False,
) -> tuple[Any, ...] | None:
    """The smallest sum, number by number, of `cost(secret, guesses)`, by trying everything.

    `marks` has a row for each guess and a column for each secret, `own` the row of each secret.
    None when `most` guesses are not enough.
    """

    @cache
    def least(secrets: frozenset[int], depth: int) -> tuple[Any, ...] | None:
        best = None
        rows = {own[secret] for secret in secrets} if candidates_only else range(len(marks))
        for row in rows if depth <= most else ():
            parts: dict[object, set[int]] = {}
            for secret in secrets:
                if own[secret] != row:
                    parts.setdefault(marks[row][secret], set()).add(secret)
            if any(len(part) == len(secrets) for part in parts.values()):
                continue
            costs = [cost(secret, depth) for secret in secrets if own[secret] == row]
            for part in parts.values():
                after = least(frozenset(part), depth + 1)
                if after is None:
                    break
                costs.append(after)
            else:
                total = tuple(map(sum, zip(*costs, strict=True)))
                best = total if best is None else min(best, total)
        return best

    return least(frozenset(range(len(own))), 1)


def best_total(
    marks: Sequence[Sequence[object]],
    own: Sequence[int],
    weights: Sequence[int],
    *,
    most: int | None = None,
    candidates_only: bool = False,
) -> int | None:
    """The smallest weighted total of guesses over all secrets."""
    limit = len(own) if most is None else most

    def cost(secret: int, depth: int) -> tuple[int]:
        return (weights[secret] * depth,)

    best = best_cost(marks, own, cost, limit, candidates_only)
    return None if best is None else int(best[0])


@cache
def least_by_size(n: int, outside: tuple[int, ...]) -> int:
    """What n codes cost at least where a guess leaves so many outside of its k largest parts.

    `outside` is for k = 1, 2, ... up to 0. A part of a broken size costs what lies between.
    """
    if n <= 1:
        return n
    points = [n - 1, *outside]

    def between(costs: Callable[[int], int], first: int, x: Fraction, last: int) -> Fraction:
        if first == last:
            return Fraction(costs(first))
        return (costs(first) * (last - x) + costs(last) * (x - first)) / (last - first)

    # the rest after k parts: below every straight line between two points
    rests = [
        min(
            between(points.__getitem__, first, Fraction(k), last)
            for first in range(k + 1)
            for last in range(k, len(points))
        )
        for k in range(len(points))
    ]
    sizes = [before - after for before, after in itertools.pairwise(rests)]
    costs = partial(least_by_size, outside=outside)
    return n + ceil(sum(between(costs, floor(x), x, ceil(x)) for x in sizes))


def least_after_two(
    firsts: Sequence[Any], guesses: Sequence[Any], secrets: Sequence[Any], marking: Marking
) -> int:
    """A lower bound of the total: sizes of the parts after two guesses, the first one of a few."""
    rests: list[int] = []
    for guess in guesses:
        parts = partition(guess, secrets, marking)
        parts.pop(marking(guess, guess), None)
        sizes = sorted(map(len, parts.values()), reverse=True)
        rests_of_guess = [sum(sizes[k:]) for k in range(1, len(sizes) + 1)]
        rests = [max(pair) for pair in itertools.zip_longest(rests, rests_of_guess, fillvalue=0)]
    outside = tuple(rests)

    def least(candidates: Sequence[Any], own: Sequence[Any], after: Callable[[Any], int]) -> int:
        totals = []
        for guess in own:
            parts = partition(guess, candidates, marking)
            if len(parts) > 1 or candidates == [guess]:
                parts.pop(marking(guess, guess), None)
                totals.append(len(candidates) + sum(after(part) for part in parts.values()))
        return min(totals)

    def second(part: Sequence[Any]) -> int:
        return least(part, guesses, lambda each: least_by_size(len(each), outside))

    return least(secrets, firsts, second)


# Viaud's formal game


def tau(k: int, candidates: Iterable[Any], guesses: Sequence[Any], marking: Marking) -> int:
    """Viaud's tau_k, word for word."""
    candidates = list(candidates)
    if k == 1:
        return len(candidates)
    return min(
        max(
            (
                tau(k - 1, [s for s in candidates if marking(guess, s) == point], guesses, marking)
                for point in {marking(guess, s) for s in candidates}
            ),
            default=0,
        )
        for guess in guesses
    )


# races


def duel(first: dict[Any, int], second: dict[Any, int], times: dict[Any, int]) -> tuple[int, ...]:
    """Games in which the first, the second and neither is faster; what each saves at most."""
    saved = [second[s] - first[s] for s, count in times.items() for _ in range(count)]
    faster = [gain for gain in saved if gain > 0]
    slower = [-gain for gain in saved if gain < 0]
    ties = len(saved) - len(faster) - len(slower)
    return len(faster), len(slower), ties, max(faster, default=0), max(slower, default=0)


# codes that are drawn from a jar


def draws(jar: Sequence[int], pegs: int, *, distinct: bool = False) -> dict[Code, int]:
    """In how many ways each code is drawn from a jar, each peg put back: draw by draw."""
    contents = [color for color, number in enumerate(jar) for _ in range(number)]
    ways: dict[Code, int] = {}
    for drawn in product(contents, repeat=pegs):
        if not distinct or len(set(drawn)) == pegs:
            ways[drawn] = ways.get(drawn, 0) + 1
    return ways
