"""Codemakers: one that hides a code, an evil one that puts off choosing it, people who slip.

A codemaker is a pure function of rules, secret and history, as a strategy is: asked again, it
answers the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from pegwise.errors import CodeError, ContradictionError, MarkError, Phrase, quoted
from pegwise.game import (
    HOLE,
    Code,
    Codes,
    Game,
    GameLike,
    Mark,
    Notation,
    Secrets,
    Turn,
    Turns,
    game_of,
)
from pegwise.game.marks import pegs_changed
from pegwise.game.notation import LETTERS
from pegwise.knowledge.candidates import candidates, count, fits_mark, parts, weighed_parts
from pegwise.playing import Play
from pegwise.progress import Progress, Report, silent
from pegwise.reading import check_mark, check_turns


class Hidden:
    """Hides a code on each board and marks by it; CodeError where the rules do not allow it."""

    def __init__(self, rules: Game, secret: Any, boards: int = 1) -> None:
        self.rules = rules
        self.start = Play(game_of(rules), boards)
        self.secrets = self.start.read_secrets(secret)

    def answer(self, history: Sequence[Turn], guess: Code, *, report: Report = silent) -> Mark:  # noqa: ARG002
        """The mark that the secret gives; of several boards `Marks`, of those that are open."""
        if self.start.boards == 1:
            return self.rules.marking.mark(guess, self.secrets[0])
        return self.start.after(*history).answer(self.secrets, guess).mark

    def reveal(self, history: Sequence[Turn]) -> Any:
        """The secret, of several boards `Secrets`; ContradictionError if it gives other marks."""
        for number, turn in enumerate(history):
            true = Turn(turn.guess, self.answer(history[:number], turn.guess))
            pairs = zip(turn.marks, true.marks, strict=True)
            if not all(self.rules.marking.agrees(noted, mark) for noted, mark in pairs):
                raise ContradictionError("{turn} is not a mark of this codemaker", turn=turn)
        return self.secrets if self.start.boards > 1 else self.secrets[0]


class Evil:
    """Always gives the mark that leaves most candidates; among equals, the least helpful one.

    It never contradicts itself: some code has given every mark, so in the end it must lose. The
    least helpful mark is the first by black, then white.
    """

    def __init__(self, rules: Game) -> None:
        self.rules = rules

    def answer(self, history: Sequence[Turn], guess: Code, *, report: Report = silent) -> Mark:
        """The mark after which most candidates are possible; ContradictionError where none is."""
        sizes = parts(self.rules, history, guess, report=report)
        if not sizes:
            raise ContradictionError("no secret of {game} gives these marks", game=self.rules)
        # in the order of `legal_marks`, and so the first of equals is the least helpful
        return max(sizes, key=sizes.__getitem__)

    def reveal(self, history: Sequence[Turn]) -> Code:
        """The first code that would have given all these marks."""
        for code in Codes(candidates(self.rules, history, 1)):
            return code
        raise ContradictionError("no secret of {game} gives these marks", game=self.rules)


Codemaker = Hidden | Evil
"""The codemakers: who marks the guesses."""


def draw_secret(rules: Game, seed: int) -> Code:
    """A secret at random, as likely as its weight; the same for the same rules and seed."""
    text = f"{rules} {seed}".encode()
    drawn = int.from_bytes(hashlib.blake2b(text, digest_size=32).digest())
    if rules.weights is None:
        return rules.alphabet.secret(drawn % rules.n_secrets)
    ends = np.cumsum(rules.weights)
    number = np.searchsorted(ends, drawn % int(ends[-1]), side="right")
    secret: Code = rules.secret(int(number))
    return secret


def draw_secrets(play: Play, seed: int) -> Secrets:
    """The secret of each board, drawn as `draw_secret`; of several as `Parallel.draw`."""
    if play.several is not None:
        return play.several.read_secrets(play.several.draw(1, seed)[0].tolist())
    return Secrets((draw_secret(play.game, seed),))


def check_named(rules: Game, history: Sequence[Turn], guess: Code) -> None:
    """Refuse a guess that names a secret too early, where a game ends when the secret is known."""
    game = game_of(rules)
    if game.guess_number(guess) >= game.n_open_guesses and (possible := count(game, history)) > 1:
        raise CodeError(
            "{guess} names a secret, and {n:,} are still possible: ask until only one is",
            guess=quoted(guess.write()),
            n=possible,
        )


# Marks that no secret gives.


@lru_cache(maxsize=1024)
def possible_marks(rules: Game, guess: Code) -> tuple[Mark, ...]:
    """The marks that some secret gives to a guess, in the order of `legal_marks`."""
    return tuple(parts(rules, (), guess))


def check_turn(rules: Game, turn: tuple[Code, Mark], notation: Notation = LETTERS) -> None:
    """Refuse a turn whose mark no secret gives to its guess, with the nearest that can happen.

    The MarkError is written in this notation.
    """
    guess = rules.alphabet.check(turn[0])
    possible = possible_marks(rules, guess)
    mark, marking = check_mark(turn[1], rules), rules.marking
    marks = marking.completions(mark)
    if not set(marks).isdisjoint(possible):
        return
    if marking.listed:
        raise MarkError(
            "mark {mark} cannot happen for {guess}: no secret of {rules} gives it; possible: "
            "{proposals}",
            mark=notation.mark(mark),
            guess=notation.code(guess),
            rules=rules.named,
            proposals=", ".join(map(notation.mark, possible)),
        )
    if by_other_words(rules, (guess, mark)):
        return
    near = [near for near in marking.nearest(marks[0], len(marking.legal)) if near in possible]
    raise MarkError(
        "mark {mark} cannot happen for {guess}: {why}; nearest possible: {proposals}",
        mark=notation.mark(mark),
        guess=notation.code(guess),
        why=_why_impossible(marks[0], guess, possible, rules),
        proposals=", ".join(map(notation.mark, near[:3])),
    )


def by_other_words(rules: Game, turn: tuple[Code, Mark]) -> bool:
    """Whether a word that need not be in the list would give the mark of a turn; of words alone."""
    guess, mark = turn
    marking = rules.marking
    return rules.alphabet.are_words and any(
        marking.can_give(guess, each) for each in marking.completions(mark)
    )


def _why_impossible(mark: Mark, guess: Code, possible: tuple[Mark, ...], rules: Game) -> Phrase:
    """The reason in words, the simplest that applies."""
    if game_of(rules).board is None:
        return Phrase("no secret of {rules} gives it", rules=rules.named)
    most, fewest = (pick(map(sum, possible)) for pick in (max, min))
    if sum(mark) > most:
        return Phrase(
            "no secret of {rules} has more than {most} pegs in common with it",
            rules=rules.named,
            most=most,
        )
    if sum(mark) < fewest:
        return Phrase(
            "every secret of {rules} has {fewest} or more pegs in common with it",
            rules=rules.named,
            fewest=fewest,
        )
    if mark.white and len(set(guess)) == 1 and HOLE not in guess:
        return Phrase("it has one color only, so that what is right in color is in place too")
    return Phrase("no secret of {rules} gives it", rules=rules.named)


# Slips: marks that contradict others. The model: one mark is wrong, in any turn alike, and the
# secret is any code alike. Each peg by which the noted mark differs from the true one (a black
# taken for a white is one peg) makes a slip `_RARER` times rarer, and so does a win that is
# overlooked. A turn is then as likely to be the wrong one as the sum, over all marks that it may
# have had instead, of
#
#     codes that fit the history with that mark  x  chance that this mark is noted as it was.
#
# How the guesses were chosen does not matter, as long as it was from the noted marks alone. This
# is what is likely; once the secret is shown, `wrong_turns` is what happened.

_RARER: Final = 32


@dataclass(frozen=True, slots=True)
class Alternative:
    """A mark that a turn may have had instead, and how many codes fit the history with it."""

    mark: Mark
    count: int


@dataclass(frozen=True, slots=True)
class Suspect:
    """A turn whose mark, changed alone, makes the history possible.

    Attributes:
        turn: its number, from 1.
        mark: the mark that was noted.
        instead: what it may have been, most likely first.
    """

    turn: int
    mark: Mark
    instead: tuple[Alternative, ...]


def suspects(game: GameLike, turns: Turns, *, report: Report = silent) -> list[Suspect]:
    """The turns that may be the wrong one of a contradictory history, most likely first.

    Of turns that are equally likely, the earlier comes first. Nothing if some code fits the
    history, or if no change of one mark helps. Errors as `count`.

    Examples:
        >>> [suspect.turn for suspect in pegwise.suspects("4x6", "AABB=XXX AABC=-")]
        [2, 1]
    """
    game = game_of(game)
    played = check_turns(turns, game)
    chances: dict[Suspect, Fraction] = {}
    for number, (guess, noted) in enumerate(played):
        done = Progress(number, len(played), "turns")
        others = played[:number] + played[number + 1 :]
        # a listener may stop the counting
        again = partial(_again, report, done)
        sizes = parts(game, others, guess, report=again)
        weights = sizes if game.weights is None else weighed_parts(game, others, guess)
        report(Progress(number + 1, len(played), "turns"))
        if not sizes.keys().isdisjoint(game.marking.completions(noted)):  # nothing contradicts
            return []
        if sizes:
            likely = {mark: n * _chance(mark, noted, game) for mark, n in weights.items()}
            marks = sorted(sizes, key=lambda mark: (-likely[mark], mark))
            instead = tuple(Alternative(mark, sizes[mark]) for mark in marks)
            chances[Suspect(number + 1, noted, instead)] = sum(likely.values(), Fraction())
    return sorted(chances, key=lambda suspect: -chances[suspect])


def _again(report: Report, step: Progress, _counted: Progress) -> None:
    report(step)


@lru_cache(maxsize=4096)
def _chance(true: Mark, noted: Mark, rules: Game) -> Fraction:
    """How likely it is that this true mark is noted as the other one."""

    def rarity(mark: Mark) -> Fraction:
        return Fraction(1, _RARER ** pegs_changed(true, mark))

    *_, win = rules.marking.legal
    wrong = sum((rarity(mark) for mark in rules.marking.legal if mark != true), Fraction())
    # of a mark that was noted in part, all that agree with it
    noted_so = sum(map(rarity, rules.marking.completions(noted)), Fraction())
    return noted_so / wrong / (_RARER if true == win else 1)


_LISTED: Final = 2_000_000  # secrets of a game where each is asked how many marks it contradicts


def fewest_wrong(rules: Game, history: Turns) -> int:
    """The smallest number of marks that must be wrong: 0 if some code fits the history.

    On a board too large to list it is a lower bound: of contradictory parts of the history, each
    as small as can be, that share no turn, each holds a wrong mark. Errors as `count`.
    """
    turns = check_turns(history, rules)
    if rules.n_secrets <= _LISTED:
        game = game_of(rules)
        secrets = np.arange(game.n_secrets, dtype=np.int32)
        wrong = np.zeros(game.n_secrets, np.int32)
        for guess, mark in turns:
            wrong += ~fits_mark(game, guess, mark, secrets)
        return int(wrong.min())
    fewest, rest = 0, list(turns)
    while not count(rules, rest):
        part = list(rest)
        for turn in rest:
            # a turn stays in the part if what remains fits without it
            part.remove(turn)
            if count(rules, part):
                part.append(turn)
        for turn in part:
            rest.remove(turn)
        fewest += 1
    return fewest


def wrong_turns(game: Game, turns: Turns, secret: Code) -> list[tuple[int, Mark]]:
    """The turns that were marked wrong, now that the secret is known: number from 1, true mark.

    CodeError, MarkError: what the rules do not allow.
    """
    hidden = Hidden(game, secret)
    played = check_turns(turns, game)
    true = [hidden.answer((), turn.guess) for turn in played]
    return [
        (number, mark)
        for number, (turn, mark) in enumerate(zip(played, true, strict=True), 1)
        if not game.marking.agrees(turn.mark, mark)
    ]
