"""Strategies that look one step ahead: each guess splits the candidates into parts, by mark.

The guess with the least score by a criterion is played (see `criteria`). Ties go to a second
criterion if there is one, then to a candidate before a code that cannot win, then to the first in
numeric order (Knuth 1976).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from typing import ClassVar

import numpy as np

from pegwise.arrays import I32, I64, Bools
from pegwise.errors import InputError, StrategyError, UnknownNameError
from pegwise.game import FiniteGame, Game, Mastermind, Rules, all_secrets, mastermind
from pegwise.game.game import check_listed
from pegwise.kernels.marking import Signatures, best_guess
from pegwise.kernels.onestep import grow as kernels
from pegwise.kernels.onestep.board import (
    BoardArrays,
    Criteria,
    Scratch,
    class_floors,
    make_board,
    make_scratch,
)
from pegwise.kernels.symmetry import representatives
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import CandidateStrategy, Card, History, Nodes
from pegwise.strategies.criteria import CRITERIA, Criterion, entropy_shift, table_size, worths


class OneStep(CandidateStrategy):
    """Play the guess that scores best by one criterion.

    Args:
        guesses: `all` codes that may be guessed, or only `candidates`.
        then: second criterion for ties (`minimax`, `size`, `entropy`, `parts`), or `none`.

    Raises:
        InputError: another value.
    """

    criterion: ClassVar[Criterion]

    def __init__(self, *, guesses: str = "all", then: str = "none") -> None:
        if guesses not in {"all", "candidates"}:
            raise InputError(
                "guesses={guesses}: write guesses=all or guesses=candidates", guesses=repr(guesses)
            )
        if then not in {"none", *CRITERIA}:
            raise UnknownNameError.of("second criterion", then, ["none", *CRITERIA])
        self.only_candidates = guesses == "candidates"
        self.second = None if then in {"none", self.criterion.id} else CRITERIA[then]
        self.options = {
            **({"guesses": guesses} if self.only_candidates else {}),
            **({"then": self.second.id} if self.second else {}),
        }

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        """The guess of least score."""
        if isinstance(game, Mastermind):
            return self._choose_on_board(game, candidates, history)
        if isinstance(game, FiniteGame):
            return self._choose_from_table(game, candidates)
        raise StrategyError("{id} needs a game with a table of marks", id=self.card.id)

    def _choose_on_board(self, game: Mastermind, candidates: I32, history: History) -> int:
        board, played = board_of(game.rules), _guesses(history)
        return kernels.choose_one(
            candidates,
            _colors_of(board, played),
            _classes(game.rules, played),
            board,
            self.criteria(game, len(candidates)),
            scratch_for(game.rules, len(candidates)),
        )

    def _choose_from_table(self, game: FiniteGame, candidates: I32) -> int:
        second = self.second or self.criterion
        return int(
            best_guess(
                game.table,
                candidates,
                game.secret_of_guess,
                game.guess_of_secret,
                game.n_marks,
                self.only_candidates,
                self.criterion.table(game.n_secrets),
                self.criterion.additive,
                second.table(game.n_secrets),
                second.additive,
                self.second is not None,
            )
        )

    def follow(self, game: Game, candidates: I32, history: History) -> Nodes | None:
        """All nodes from there on, by the kernels where the game is a board."""
        if not isinstance(game, Mastermind):
            return None
        criteria = self.criteria(game, len(candidates))
        return _grow_from(game, candidates, _guesses(history), criteria)

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes | None:
        """The whole tree, grown by the kernels where the game is a board."""
        if not isinstance(game, Mastermind):
            return None
        check_listed(game.name, game.n_guesses)
        return _grow(game, self.criteria(game), threads, report)

    def criteria(self, game: Mastermind, candidates: int | None = None) -> Criteria:
        """What the kernels minimise, among so many candidates or all secrets."""
        second = self.second or self.criterion
        n, rules = game.n_secrets, game.rules
        largest = n if candidates is None else candidates
        return Criteria(
            worth=self.criterion.table(n, largest),
            additive=self.criterion.additive,
            floors=_floors(
                self.criterion, entropy_shift(n), table_size(n, largest), rules.pegs, rules.black
            ),
            second=second.table(n, largest),
            second_additive=second.additive,
            has_second=self.second is not None,
            only_candidates=self.only_candidates,
        )


@lru_cache(maxsize=32)
def _floors(criterion: Criterion, digits: int, largest: int, pegs: int, black: bool) -> I64:
    return class_floors(worths(criterion, digits, largest), criterion.additive, pegs, black)


class Knuth(OneStep):
    """The smallest largest part: the worst case of the next mark."""

    criterion = CRITERIA["minimax"]
    card = Card(
        id="knuth",
        name="Minimax",
        authors="Donald E. Knuth",
        year=1976,
        source="The computer as Master Mind, Journal of Recreational Mathematics 9(1), p. 1-6",
        about=(
            "Plays the guess whose largest part is smallest: whatever the mark, as few candidates "
            "as possible stay. On 4 pegs and 6 colors it never needs more than five guesses."
        ),
        traits=frozenset({"any-game"}),
    )


class Irving(OneStep):
    """The smallest expected number of candidates left."""

    criterion = CRITERIA["size"]
    card = Card(
        id="irving",
        name="Expected size",
        authors="Robert W. Irving",
        year=1978,
        source=(
            "Towards an optimum Mastermind strategy, "
            "Journal of Recreational Mathematics 11(2), p. 81-87"
        ),
        about=(
            "Plays the guess after which the expected number of candidates, each part weighed by "
            "its own chance, is smallest."
        ),
        traits=frozenset({"any-game"}),
    )


class Entropy(OneStep):
    """The most information expected from the next mark."""

    criterion = CRITERIA["entropy"]
    card = Card(
        id="entropy",
        name="Entropy",
        authors="E. Neuwirth",
        year=1982,
        source="Some strategies for Mastermind, Zeitschrift für Operations Research 26, B257-B278",
        about=(
            "Plays the guess whose mark tells most, in bits: the entropy of the partition is "
            "largest, so the expected uncertainty that stays is smallest."
        ),
        traits=frozenset({"any-game"}),
    )


class Parts(OneStep):
    """The most parts: the most different marks possible."""

    criterion = CRITERIA["parts"]
    card = Card(
        id="parts",
        name="Most parts",
        authors="Barteld Kooi",
        year=2005,
        source="Yet another Mastermind strategy, ICGA Journal 28(1), p. 13-20",
        about=(
            "Plays the guess that can get the most different marks. The sizes of the parts do not "
            "matter; still it is the best of the classical one-step methods on 4 pegs, 6 colors."
        ),
        traits=frozenset({"any-game"}),
    )


# Boards as the kernels read them, and trees that the kernels grow.

ONE_THREAD = 10_000
"""Boards of up to so many secrets are grown on the calling thread: another would cost more."""

_FEW_GUESSES = 2_000
"""Up to so many guesses, equal second guesses are not worth sorting out."""

_TO_THE_END = 1_000_000
"""More levels than any tree has."""

REPORT_EVERY = 0.2
"""Seconds between reports of progress."""

EVERYTHING = np.zeros(0, np.bool_)
"""No choice of guesses: look at all."""


@lru_cache(maxsize=4)
def board_of(rules: Rules) -> BoardArrays:
    """The arrays that the kernels read."""
    game = mastermind(rules)
    return make_board(
        game.guess_codes,
        game.secret_codes,
        game.guess_of_secret,
        rules.colors,
        Signatures(*game.guess_signatures),
        Signatures(*game.secret_signatures),
        game.mark_ids,
        repeats_allowed=not rules.distinct,
        black=rules.black,
    )


def scratch_for(rules: Rules, candidates: int) -> Scratch:
    """Memory of one thread for sets of up to so many candidates."""
    return make_scratch(rules.pegs, rules.colors, len(board_of(rules).members), candidates)


@lru_cache(maxsize=16)
def equal_guesses(rules: Rules, played: tuple[int, ...]) -> Bools:
    """Of guesses that no symmetry tells apart after these ones, the first: bool (guesses).

    Worth its time for the first two guesses of a game; later hardly any symmetry is left.
    """
    codes = mastermind(rules).guess_codes
    return representatives(codes, rules.colors, codes[list(played)])


def _classes(rules: Rules, played: tuple[int, ...]) -> Bools:
    """The guesses to look at: bool (guesses), or `EVERYTHING`."""
    return equal_guesses(rules, played) if len(played) < 2 else EVERYTHING


def _guesses(history: History) -> tuple[int, ...]:
    return tuple(guess for guess, _ in history)


def _colors_of(board: BoardArrays, played: tuple[int, ...]) -> int:
    """The set of colors that some guesses have, as bits."""
    used = 0
    for guess in played:
        used |= int(board.members[board.group[board.slot[guess]]])
    return used


def _grow(game: Mastermind, criteria: Criteria, threads: int, report: Report) -> Nodes:
    """The tree of a one-step strategy, the same for any number of threads.

    An exception from `report`, or KeyboardInterrupt, stops the work.
    """
    if game.n_secrets <= ONE_THREAD:
        nodes = _grow_from(game, all_secrets(game), (), criteria)
    else:
        nodes = _grow_by_level(game, criteria, threads, report)
    report(Progress(game.n_secrets, game.n_secrets, "secrets"))
    return nodes


def _grow_from(
    game: Mastermind, candidates: I32, played: tuple[int, ...], criteria: Criteria
) -> Nodes:
    """A part of that tree, on this thread, in as few calls of the kernels as possible.

    Args:
        game: the board.
        candidates: int32 (n), secrets still possible, ascending; n at least 1.
        played: the guesses that led to them, by number.
        criteria: what is minimised.
    """
    rules, board = game.rules, board_of(game.rules)
    grown = kernels.make_growth(len(candidates))
    grown.secrets[:] = candidates
    if len(candidates) == 1:
        grown.guess[0] = game.guess_of_secret[candidates[0]]
        return _nodes(grown)
    level = kernels.make_root(len(candidates), game.n_marks)
    level.used[0] = _colors_of(board, played)
    classes = _classes(rules, played)
    rest = (board, criteria, scratch_for(rules, len(candidates)))
    if not played and game.n_guesses > _FEW_GUESSES:
        level = kernels.grow(grown, level, classes, *rest, 1)
        classes = equal_guesses(rules, (int(grown.guess[0]),))
    kernels.grow(grown, level, classes, *rest, _TO_THE_END)
    return _nodes(grown)


def _grow_by_level(game: Mastermind, criteria: Criteria, threads: int, report: Report) -> Nodes:
    """Level by level, the open nodes of each shared out among threads."""
    board = board_of(game.rules)
    grown = kernels.make_growth(game.n_secrets)
    level = kernels.make_root(game.n_secrets, game.n_marks)
    first: tuple[int, ...] = ()
    depth = 0
    with ThreadPoolExecutor(threads) as pool:
        while len(level.node):
            kernels.largest_first(level)
            classes = equal_guesses(game.rules, first) if depth < 2 else EVERYTHING
            largest = int(level.size.max())
            jobs = [
                pool.submit(
                    kernels.work,
                    grown,
                    level,
                    classes,
                    board,
                    criteria,
                    scratch_for(game.rules, largest),
                )
                for _ in range(min(threads, len(level.node)))
            ]
            try:
                while wait(jobs, timeout=REPORT_EVERY).not_done:
                    report(Progress(_secrets_done(grown, level), game.n_secrets, "secrets"))
            except BaseException:
                level.next[0] = len(level.node)  # no thread takes another node
                raise
            for job in jobs:
                job.result()
            level = kernels.close_level(grown, level, board)
            grown.secrets[:] = grown.next_secrets
            first = (int(grown.guess[0]),)
            depth += 1
    return _nodes(grown)


def _secrets_done(grown: kernels.Growth, level: kernels.Level) -> int:
    """Secrets that some node wins, those of the nodes of this level that are done included."""
    done = level.parts[level.order[: int(level.next[0])]]
    return int(grown.n_won[0] + (done[:, :-1] == 1).sum() + (done[:, -1] == 1).sum())


def _nodes(grown: kernels.Growth) -> Nodes:
    """What has grown, without the room for more."""
    count = int(grown.nodes[0])
    return Nodes(
        grown.guess[:count].copy(),
        grown.parent[:count].copy(),
        grown.mark[:count].copy(),
        grown.wins[:count].copy(),
    )
