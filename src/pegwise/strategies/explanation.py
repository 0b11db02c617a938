"""Why a strategy plays a guess, in its own words: attempt, result, deduction, criterion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pegwise.errors import Phrase
from pegwise.i18n import translated

Write = Callable[[Any], str]
"""How codes and marks are written: in letters, digits, discs."""

NO_REASON: Final = Phrase("This strategy gives no reason for its guess.")


@dataclass(frozen=True, slots=True)
class WeighedTable:
    """The guesses that a strategy compared before it chose, best first.

    Attributes:
        heads: the names of the columns.
        rows: a cell for each column: a code, a mark, a text, a number, or a list of codes.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A guess as its strategy explains it, and what the strategy concludes from the mark.

    The sentences are English phrases, which `pegwise.i18n.translated` says in another language.

    Attributes:
        attempt: the guess.
        reason: why it is played, sentence by sentence.
        details: what more is said of the reason where it is asked for outside a game.
        criterion: the rule that chose it, as the strategy names it; "" where it names none.
        result: the mark; None where none was given.
        deduction: what the strategy concludes from the mark, sentence by sentence.
        agreeing: how many codes agree with this mark and those before; None where the strategy
            keeps no list of them, or no mark was given.
        figures: the numbers behind the sentences, by name.
        ranked_by: the criterion by which the strategy compares guesses one step ahead, a name of
            `criteria.CRITERIA`; "" where it does not.
        guesses: the guesses that it compares so: `all` or `candidates`.
    """

    attempt: Any
    reason: tuple[Phrase, ...] = (NO_REASON,)
    details: tuple[Phrase, ...] = ()
    criterion: str = ""
    result: Any = None
    deduction: tuple[Phrase, ...] = ()
    agreeing: int | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    ranked_by: str = ""
    guesses: str = "all"

    @property
    def gives_reason(self) -> bool:
        """Whether the strategy says why."""
        return self.reason != (NO_REASON,)

    def document(self) -> dict[str, Any]:
        """The explanation as JSON, its sentences in the language that is spoken now."""
        return {
            "attempt": self.attempt,
            "reason": [*map(translated, self.reason)],
            "details": [*map(translated, self.details)],
            "criterion": translated(self.criterion),
            "result": self.result,
            "deduction": [*map(translated, self.deduction)],
            "figures": self.figures,
            "agreeing": self.agreeing,
            "ranked_by": self.ranked_by or None,
        }
