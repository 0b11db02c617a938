"""A review as it is sent to somebody: a plain text, and the words of its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pegwise.web.filters import filters, whole
from pegwise.web.language import SOURCE, catalogue

if TYPE_CHECKING:
    from pegwise.coach import Review, TurnReview

__all__ = ["ReviewText"]


class ReviewText:
    """A review in a language.

    Args:
        review: what the coach says.
        language: one of `language.LANGUAGES`.
    """

    def __init__(self, review: Review, language: str = SOURCE) -> None:
        self._review = review
        self._texts = catalogue(language)
        self._number = filters(language)["number"]

    def title(self) -> str:
        """The board, and how the game ended."""
        game, said = self._review.record.rules, self._texts.gettext("{game}: {ending}")
        return said.format(game=game, ending=self._ending())

    def text(self) -> str:
        """The game turn by turn."""
        review, _ = self._review, self._texts.gettext
        head = f"pegwise {review.record.rules}"
        if review.secret is not None:
            head = _("{rules}, secret {secret}").format(rules=head, secret=review.secret)
        lines = [_("{game}: {ending}").format(game=head, ending=self._ending()), ""]
        lines += [self._line(turn) for turn in review.turns]
        if review.turns:
            said = _("Luck {luck}; the guesses cost {cost}.")
            luck, cost = self._bits(review.luck), self._bits(review.cost)
            lines += ["", said.format(luck=luck, cost=cost)]
        if review.turns and not review.estimated:
            most = float(review.cost_in_guesses)
            said = self._texts.ngettext(
                "Against best play to the end they cost {n} guess on average.",
                "Against best play to the end they cost {n} guesses on average.",
                whole(round(most, 2)),
            )
            lines.append(said.format(n=self._number(most, 2)))
        if not review.consistent:
            lines += ["", _("From there on the marks contradict each other.")]
        return "\n".join(lines) + "\n"

    def _ending(self) -> str:
        ngettext, turns = self._texts.ngettext, len(self._review.record.turns)
        said = {
            "solved": ngettext("solved in {n} guess", "solved in {n} guesses", turns),
            "open": ngettext(
                "not finished after {n} guess", "not finished after {n} guesses", turns
            ),
            "given up": ngettext("given up after {n} guess", "given up after {n} guesses", turns),
        }
        return said[self._review.record.result].format(n=turns)

    def _line(self, turn: TurnReview) -> str:
        _ = self._texts.gettext
        parts = [
            f"{turn.number}. {turn.turn.guess} {turn.turn.mark}",
            _("{before} -> {after} ({expected} expected)").format(
                before=self._number(turn.before),
                after=self._number(turn.after),
                expected=self._number(float(turn.played.expected), 1),
            ),
        ]
        if turn.best is not None and turn.cost is not None:
            best = _("best guess") if turn.is_best else _("best {guess} (+{bits})")
            parts.append(best.format(guess=turn.best.guess, bits=self._bits(turn.cost)))
        return "; ".join(parts)

    def _bits(self, value: float) -> str:
        shown = round(value, 2)
        said = self._texts.ngettext("{n} bit", "{n} bits", whole(abs(shown)))
        return said.format(n=self._number(shown, 2))
