"""What pictures say aloud: codes, marks and rules in plain words, for labels and captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pegwise.errors import PegwiseError
from pegwise.game import HOLE, Code, Mark, Rules
from pegwise.i18n import figure, tr, trn

if TYPE_CHECKING:
    from pegwise.arena.results import RaceResults, Standing


def codes(number: int) -> str:
    """A number of codes: `1,296 codes`, `1 code`."""
    return trn("{n:,} code", "{n:,} codes", number)


def cost_words(cost: float, unit: str) -> str:
    """What a choice costs by the yardstick of the coach: `0.06 guesses`."""
    # as many as are shown, for the plural
    n: Any = round(cost, 2)
    return {
        "guesses": trn("{n:.2f} guess", "{n:.2f} guesses", n),
        "bits": trn("{n:.2f} bit", "{n:.2f} bits", n),
        "codes": trn("{n:.2f} code", "{n:.2f} codes", n),
        "largest": trn("{n:,.0f} code", "{n:,.0f} codes", n),
        "parts": trn("{n:,.0f} part", "{n:,.0f} parts", n),
    }[unit]


def duration(seconds: float) -> str:
    """A time with two figures that matter: `0.4 ms`, `12 ms`, `3.1 s`, `2 min 5 s`."""
    if seconds < 0.00995:
        return f"{figure(1000 * seconds, '.1f')} ms"
    if seconds < 0.9995:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 59.95:
        return f"{figure(seconds, '.1f')} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{figure(minutes, ',')} min {rest} s"


def code_words(code: Sequence[int]) -> str:
    """A code letter by letter: `A B hole D`."""
    return " ".join(tr("hole") if peg == HOLE else str(Code([peg])) for peg in code)


def mark_words(mark: Mark, rules: Rules | None = None) -> str:
    """A mark in words: `2 exact, 1 misplaced`; without the latter where only black is given."""
    if rules is not None and rules.black:
        return tr("{black} exact", black=mark.black)
    return tr("{black} exact, {white} misplaced", black=mark.black, white=mark.white)


def guess_words(guess: Any) -> str:
    """A guess of any game: letter by letter if it is a code."""
    return code_words(guess) if isinstance(guess, Code) else str(guess)


def rules_words(rules: Rules) -> str:
    """Rules in words: `4 pegs, 6 colors, colors may repeat`."""
    if rules.distinct:
        repeats = tr("no color twice")
    elif rules.distinct_secrets:
        repeats = tr("no color twice in the secret")
    else:
        repeats = tr("colors may repeat")
    pegs, colors = rules.pegs, rules.colors
    parts = [trn("{n} peg", "{n} pegs", pegs), trn("{n} color", "{n} colors", colors), repeats]
    if rules.blank:
        parts.append(tr("guesses may leave holes"))
    if rules.black:
        parts.append(tr("only black marks"))
    return ", ".join(parts)


def rules_words_of(name: str) -> str:
    """The words for a game's name: its rules where they are a board's, else the name itself."""
    try:
        return rules_words(Rules.parse(name))
    except PegwiseError:
        return name


def histogram_words(histogram: Sequence[int]) -> str:
    """How many games took how many guesses: `1 in 1, 6 in 2`."""
    return ", ".join(tr("{n:,} in {k}", n=won, k=k) for k, won in enumerate(histogram, 1) if won)


def played(results: RaceResults) -> str:
    """Against what a race was run: `every secret, 1,296 in all`, `1,000 drawn games, seed 1`."""
    if results.games is None:
        return tr("every secret, {n:,} in all", n=results.secrets)
    return trn(
        "{n:,} drawn game, seed {seed}",
        "{n:,} drawn games, seed {seed}",
        results.games,
        seed=results.seed,
    )


def game_duration(standing: Standing) -> str:
    """The processor time of a game that a strategy really played; nothing where none was."""
    played = standing.played
    return tr("{ms:,.3f} ms", ms=1000 * played.seconds) if played else ""


def strategy_name(name: str, label: str) -> str:
    """The name of a strategy with the options of its label: `Minimax (then=entropy)`."""
    options = label.partition(":")[2]
    return f"{name} ({options.replace(',', ', ')})" if options else name


def strategy_names(standings: Iterable[Standing]) -> dict[str, str]:
    """The name of every strategy by its label, each one different."""
    names = {
        standing.strategy: strategy_name(tr(standing.card.name), standing.strategy)
        for standing in standings
    }
    shared = Counter(names.values())
    return {
        label: name if shared[name] == 1 else f"{name} ({label})" for label, name in names.items()
    }
