"""Marks that contradict each other: which of them may be wrong, and what they may have been.

The model: one mark is a *slip*, in any turn alike, and the secret is any code alike. Each peg by
which the noted mark differs from the true one (a black taken for a white is one peg) makes a slip
`_RARER` times rarer, and so does a win that is overlooked. A turn is then as likely to be the
wrong one as the sum, over all marks that it may have had instead, of

    codes that fit the history with that mark  x  chance that this mark is noted as it was.

How the guesses were chosen does not matter, as long as whoever chose them knew only the marks as
noted. All this says what is likely, never what happened; when the secret is shown, `wrong_turns`
says that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from pegwise.game import Code, Mark, Rules, Turns, as_rules, check_code, check_turns, legal_marks
from pegwise.game import mark as mark_of
from pegwise.game.marks import pegs_changed
from pegwise.knowledge.candidates import count, parts
from pegwise.progress import Progress, Report, silent

_RARER: Final = 32


@dataclass(frozen=True, slots=True)
class Alternative:
    """A mark that a turn may have had instead.

    Attributes:
        mark: the mark.
        count: how many codes fit the history with it.
    """

    mark: Mark
    count: int


@dataclass(frozen=True, slots=True)
class Suspect:
    """A turn whose mark, changed alone, makes the history possible.

    Attributes:
        turn: its place in the history, from 0.
        mark: the mark that was noted.
        instead: what it may have been, most likely first.
    """

    turn: int
    mark: Mark
    instead: tuple[Alternative, ...]


def suspects(rules: Rules | str, history: Turns, *, report: Report = silent) -> list[Suspect]:
    """The turns that may be the wrong one of a contradictory history, most likely first.

    Of turns that are equally likely, the earlier comes first.

    Returns:
        Nothing if some code fits the history, or if no change of one mark helps.

    Raises:
        CodeError, MarkError, TooLargeError: as `count`.
    """
    rules = as_rules(rules)
    turns = check_turns(history, rules)
    found: list[tuple[Fraction, Suspect]] = []
    for number, (guess, noted) in enumerate(turns):
        others = turns[:number] + turns[number + 1 :]
        left = parts(rules, others, guess)
        report(Progress(number + 1, len(turns), "turns"))
        if noted in left:  # nothing contradicts
            return []
        if not left:
            continue
        likely = {mark: codes * _chance(mark, noted, rules) for mark, codes in left.items()}
        best = sorted(left, key=lambda mark: (-likely[mark], mark))
        instead = tuple(Alternative(mark, left[mark]) for mark in best)
        found.append((sum(likely.values(), Fraction()), Suspect(number, noted, instead)))
    return [suspect for _, suspect in sorted(found, key=lambda pair: -pair[0])]


@lru_cache(maxsize=4096)
def _chance(true: Mark, noted: Mark, rules: Rules) -> Fraction:
    """How likely it is that this true mark is noted as the other one."""
    *_, win = legal_marks(rules)
    wrong = sum((_rarity(true, mark) for mark in legal_marks(rules) if mark != true), Fraction())
    return _rarity(true, noted) / wrong / (_RARER if true == win else 1)


def _rarity(true: Mark, noted: Mark) -> Fraction:
    return Fraction(1, _RARER ** pegs_changed(true, noted))


def fewest_wrong(rules: Rules, history: Turns) -> int:
    """The smallest number of marks that must be wrong: 0 if some code fits the history.

    Every contradictory part of the history holds a wrong mark. So the fewest marks that meet all
    such parts found so far are struck out; if the rest still contradicts itself, it holds one
    more such part, as small as can be; and so on.

    Raises:
        CodeError, MarkError, TooLargeError: as `count`.
    """
    turns = check_turns(history, rules)
    cores: list[frozenset[int]] = []
    while True:
        struck = _fewest_meeting(cores)
        left = [number for number in range(len(turns)) if number not in struck]
        if count(rules, [turns[number] for number in left]):
            return len(struck)
        # a turn stays in the core if the rest fits without it
        for number in tuple(left):
            without = [other for other in left if other != number]
            if not count(rules, [turns[other] for other in without]):
                left = without
        cores.append(frozenset(left))


def _fewest_meeting(cores: Sequence[frozenset[int]]) -> frozenset[int]:
    """The smallest set that has something in common with each of these."""
    members = sorted(frozenset(chain.from_iterable(cores)))
    return next(
        frozenset(chosen)
        for size in range(len(members) + 1)
        for chosen in combinations(members, size)
        if all(core.intersection(chosen) for core in cores)
    )


def wrong_turns(history: Turns, secret: Code, rules: Rules) -> list[tuple[int, Mark]]:
    """The turns that were marked wrong, now that the secret is known.

    Returns:
        For each of them its place in the history, from 0, and its true mark.

    Raises:
        CodeError: a secret or a guess that the rules do not allow; MarkError: a mark likewise.
    """
    hidden = check_code(secret, rules, secret=True)
    found = []
    for number, (guess, noted) in enumerate(check_turns(history, rules)):
        true = mark_of(guess, hidden, black_only=rules.black)
        if noted != true:
            found.append((number, true))
    return found
