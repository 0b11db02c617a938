"""What is told of strategies: their options, and why they play what they play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pegwise.errors import Phrase
from pegwise.game import Code, Mark, PlacedMark, Rules
from pegwise.i18n import figure, tr, translated
from pegwise.knowledge.reasoning import deciding_turns
from pegwise.knowledge.sentences import follows_from
from pegwise.strategies.candidates import NO_OTHER

if TYPE_CHECKING:
    from pegwise.game import Turn
    from pegwise.strategies import Explanation, WeighedTable


def option_rows(name: str) -> list[tuple[str, str, str]]:
    """The options of a strategy: each as its default is typed, what it means, and its values."""
    from pegwise.strategies.registry import options

    unknown = Phrase("its package does not say what it means")
    return [
        (
            f"{option.name}={option.written}",
            translated(Phrase(option.meaning) if option.meaning else unknown),
            translated(option.allowed),
        )
        for option in options(name)
    ]


def reason_words(
    explanation: Explanation, rules: Rules | None = None, history: Sequence[Turn] = ()
) -> str:
    """Why a strategy plays a guess, in its own words.

    After the turns of a board it is said too from which of them the only code follows.
    """
    words = [translated(sentence) for sentence in explanation.reason]
    if rules is not None and NO_OTHER in explanation.reason:
        words.append(follows_from(deciding_turns(rules, history)))
    return " ".join(filter(None, words))


def deduction_words(explanation: Explanation) -> str:
    """Sentences about what the strategy concludes from the mark; nothing where none was given."""
    return " ".join(map(translated, explanation.deduction))


def explanation_document(explanation: Explanation) -> dict[str, Any]:
    """An explanation as JSON, its sentences in the language that is spoken now."""
    return explanation.document() | {
        "reason": [translated(sentence) for sentence in explanation.reason],
        "criterion": translated(explanation.criterion),
        "deduction": [translated(sentence) for sentence in explanation.deduction],
    }


def table_words(
    table: WeighedTable, write: Callable[[Any], str] = str
) -> tuple[list[str], list[list[str]]]:
    """The heads and the rows of what a strategy compared."""
    rows = [[_cell(cell, write) for cell in row] for row in table.rows]
    return [tr(head) for head in table.heads], rows


def _cell(cell: Any, write: Callable[[Any], str]) -> str:
    if isinstance(cell, Code | Mark | PlacedMark):
        return write(cell)
    if isinstance(cell, list):
        return " ".join(_cell(each, write) for each in cell)
    if isinstance(cell, bool):
        return tr("yes") if cell else tr("no")
    if isinstance(cell, int | float):
        return figure(cell, "," if isinstance(cell, int) else ",.2f")
    return translated(cell) if isinstance(cell, str) else str(cell)
