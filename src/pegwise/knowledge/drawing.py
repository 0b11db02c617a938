"""Candidates drawn without listing them: on boards of any size, all of them where they are few.

Codes are built peg by peg, many at a time. Where more partial codes fit than are kept, those kept
are drawn with equal chances among all that fit, at every peg anew (stochastic enumeration:
Rubinstein 2013, "Stochastic enumeration method for counting NP-hard problems"). So every candidate
has the same chance to be among those drawn, as nearly as the partial codes kept are many; and
where all partial codes could be kept, the list is complete.

Late in a game on a very large board nearly all partial codes lead nowhere. Then a walk among
codes meets the candidates (see `kernels.drawing`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise.arrays import U8, Bools
from pegwise.errors import InputError
from pegwise.game import HOLE, Rules, Turn, check_turns, mastermind
from pegwise.kernels import small
from pegwise.knowledge.candidates import listed_candidates

Turns = Sequence[tuple[Any, Any]]

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
    if keep < 1:
        raise InputError("keep={keep}: keep at least 1 partial code", keep=keep)
    turns = check_turns(history, rules)
    game = mastermind(rules)
    if game.n_secrets <= keep and small(len(turns), game.n_secrets, "drawing"):
        return Drawn(game.secret_codes[listed_candidates(game, turns)], complete=True)
    from pegwise.kernels.drawing import Partial, extended, fitting

    asked = _asked(rules, turns)
    counts = np.zeros((1, len(turns)), np.uint8)
    none = np.zeros((1, rules.pegs), np.uint8)
    partial = Partial(none, np.zeros((1, rules.colors), np.uint8), counts, counts)
    complete = True
    for peg in range(rules.pegs):
        chosen = np.flatnonzero(fitting(partial, asked, peg))
        if len(chosen) > keep:
            complete = False
            chosen = np.sort(rng.choice(chosen, keep, replace=False, shuffle=False))
        # a color is less significant than the pegs before it: numeric order stays
        partial = extended(partial, asked, peg, chosen)
    return Drawn(partial.codes, complete)


def meet_candidates(
    rules: Rules, history: Turns, rng: np.random.Generator, *, most: int, steps: int = STEPS
) -> Drawn:
    """Meet at most `most` candidates on walks of so many steps among codes; perhaps none."""
    from pegwise.kernels.drawing import wander

    asked = _asked(rules, check_turns(history, rules))
    codes = np.empty((0, rules.pegs), np.uint8)
    if not asked.allowed.any(axis=1).all():
        return Drawn(codes, complete=False)
    # rounded, so that every machine takes the same steps
    chances = np.array([round(math.exp(-rise / HEAT) * 2**31) for rise in range(13)], np.int64)
    for _ in range(WALKS):
        start = _start(rules, asked.allowed, rng)
        if start is None:
            break
        out = np.empty((max(2 * most // WALKS, 1), rules.pegs), np.uint8)
        state = rng.integers(1, 2**63, 1, np.uint64)
        met = wander(asked, start, state, steps, EVERY, chances, out)
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
    """Items assigned to options: each to one of its own, where an option has room for so many.

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


def _asked(rules: Rules, turns: Sequence[Turn]) -> Any:
    """What the turns ask, as `kernels.drawing.Asked`."""
    from pegwise.kernels.drawing import Asked

    guesses = np.array([guess for guess, _ in turns], np.uint8).reshape(len(turns), rules.pegs)
    colors = np.arange(rules.colors)
    # an empty hole has nothing in common with a code
    at = guesses[:, :, None] == colors
    need = at.sum(axis=1).astype(np.uint8)
    blacks = np.array([mark.black for _, mark in turns], np.uint8)
    commons = np.array([(sum(mark), sum(mark)) for _, mark in turns], np.uint8).reshape(-1, 2)
    if rules.black:
        commons[:] = 0, rules.pegs
    allowed = _allowed(rules, guesses, need, blacks, commons)
    may = (at & allowed).any(axis=2)
    behind = _behind(may & (allowed.sum(axis=1) == 1)), _behind(may)
    return Asked(guesses, need, blacks, commons, allowed, *behind, rules.secrets_are_distinct)


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
