"""Marks that are wrong: those that no secret gives, and slips, which contradict other marks.

The model of a slip: one mark is wrong, in any turn alike, and the secret is any code alike. Each
peg by which the noted mark differs from the true one (a black taken for a white is one peg) makes
a slip `_RARER` times rarer, and so does a win that is overlooked. A turn is then as likely to be
the wrong one as the sum, over all marks that it may have had instead, of

    codes that fit the history with that mark  x  chance that this mark is noted as it was.

How the guesses were chosen does not matter, as long as it was from the noted marks alone. This is
what is likely; once the secret is shown, `wrong_turns` is what happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from pegwise.errors import MarkError, Phrase
from pegwise.game import (
    HOLE,
    Code,
    Mark,
    Rules,
    Turns,
    as_rules,
    check_code,
    check_mark,
    check_turns,
    legal_marks,
    nearest_marks,
)
from pegwise.game import mark as mark_of
from pegwise.game.marks import pegs_changed
from pegwise.knowledge.candidates import count, opening_parts, parts
from pegwise.progress import Progress, Report, silent

_RARER: Final = 32


def possible_marks(rules: Rules, guess: Code) -> tuple[Mark, ...]:
    """The marks that some secret gives to a guess, in the order of `legal_marks`.

    Raises:
        CodeError: the rules do not allow this guess.
    """
    return _possible_marks(rules, check_code(guess, rules))


@lru_cache(maxsize=1024)
def _possible_marks(rules: Rules, guess: Code) -> tuple[Mark, ...]:
    return tuple(opening_parts(rules, guess))


def check_turn(rules: Rules, turn: tuple[Code, Mark]) -> None:
    """Refuse a turn whose mark no secret gives to its guess.

    Raises:
        CodeError: the rules do not allow the guess.
        MarkError: the mark cannot happen, in general or for this guess, with the reason and the
            nearest marks that can.
    """
    guess = check_code(turn[0], rules)
    possible = _possible_marks(rules, guess)
    if turn[1] in possible:
        return
    mark = check_mark(turn[1], rules)
    near = [
        near for near in nearest_marks(mark, rules, len(legal_marks(rules))) if near in possible
    ]
    raise MarkError(
        "mark {mark} cannot happen for {guess}: {why}; nearest possible: {proposals}",
        mark=mark,
        guess=guess,
        why=_why_impossible(mark, guess, possible, rules),
        proposals=", ".join(map(str, near[:3])),
    )


def _why_impossible(mark: Mark, guess: Code, possible: tuple[Mark, ...], rules: Rules) -> Phrase:
    """The reason in words, the simplest that applies."""
    most, fewest = (pick(map(sum, possible)) for pick in (max, min))
    if sum(mark) > most:
        return Phrase(
            "no secret of {rules} has more than {most} pegs in common with it",
            rules=rules,
            most=most,
        )
    if sum(mark) < fewest:
        return Phrase(
            "every secret of {rules} has at least {fewest} pegs in common with it",
            rules=rules,
            fewest=fewest,
        )
    if mark.white and len(set(guess)) == 1 and HOLE not in guess:
        return Phrase("it has one color only, so that what is right in color is in place too")
    return Phrase("no secret of {rules} gives it", rules=rules)


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
    chances: dict[Suspect, Fraction] = {}
    for number, (guess, noted) in enumerate(turns):
        sizes = parts(rules, turns[:number] + turns[number + 1 :], guess)
        report(Progress(number + 1, len(turns), "turns"))
        if noted in sizes:  # nothing contradicts
            return []
        if sizes:
            likely = {mark: size * _chance(mark, noted, rules) for mark, size in sizes.items()}
            marks = sorted(sizes, key=lambda mark: (-likely[mark], mark))
            instead = tuple(Alternative(mark, sizes[mark]) for mark in marks)
            chances[Suspect(number, noted, instead)] = sum(likely.values(), Fraction())
    return sorted(chances, key=lambda suspect: -chances[suspect])


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

    def contradict(numbers: Sequence[int]) -> bool:
        return not count(rules, [turns[number] for number in numbers])

    cores: list[frozenset[int]] = []
    while True:
        struck = _fewest_meeting(cores)
        core = [number for number in range(len(turns)) if number not in struck]
        if not contradict(core):
            return len(struck)
        # a turn stays in the core if the rest fits without it
        for number in tuple(core):
            without = [k for k in core if k != number]
            if contradict(without):
                core = without
        cores.append(frozenset(core))


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
    true_marks = [
        (noted, mark_of(guess, hidden, black_only=rules.black))
        for guess, noted in check_turns(history, rules)
    ]
    return [(number, true) for number, (noted, true) in enumerate(true_marks) if noted != true]
