"""What is told of races: against what they were run, what strategies need, and what they lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pegwise.arena.results import by_mean
from pegwise.errors import Phrase
from pegwise.i18n import duration, figure, tr, trn

if TYPE_CHECKING:
    from pegwise.arena.results import RaceResults, Standing
    from pegwise.trees.losses import Loss


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


_FIGURES: Final[tuple[tuple[Phrase, Callable[[Standing], str]], ...]] = (
    (Phrase("Guesses on average"), lambda standing: figure(standing.mean, ".3f")),
    (Phrase("Guesses at most"), lambda standing: figure(standing.worst, ",")),
    (Phrase("Processor time of a game that is played"), game_duration),
    (Phrase("Time to work out the tree"), lambda standing: duration(standing.seconds)),
)


def compared(races: Sequence[RaceResults]) -> Iterator[tuple[str, list[list[str]]]]:
    """Tables that compare the races of a protocol: titles and rows.

    A row has the name of a strategy, and its figure in each race.
    """
    names = dict.fromkeys(s.strategy for results in races for s in results.standings)
    for title, show in _FIGURES:
        columns = [{s.strategy: show(s) for s in results.standings} for results in races]
        if any(any(column.values()) for column in columns):
            yield tr(title), [[name, *(c.get(name, "·") for c in columns)] for name in names]


def loss_title(results: RaceResults) -> str:
    """A title for the figures of `loss_rows`."""
    if results.games is None:
        return tr("Guesses lost, in all and by turn; how many guesses are best, or as good")
    return tr("Guesses lost in a game, in all and by turn; how many guesses are best, or as good")


def loss_rows(results: RaceResults) -> tuple[list[str], list[list[str]]]:
    """A head and the cells of each strategy, the best first; a cell is empty where nothing is lost.

    A turn that was not solved has a question mark, and what is known of the total a plus.
    """
    names = [standing.strategy for standing in by_mean(results.standings)]
    lost = {name: results.lost[name] for name in names if name in results.lost}
    longest = max(len(each.by_turn) for each in lost.values())
    drawn = results.games is not None
    heads = [tr("strategy"), tr("lost"), *(["95 %"] if drawn else [])]
    heads += [*map(str, range(1, longest + 1))]
    heads += [tr("best\n%"), tr("as good\n%"), tr("cannot\nwin %")]
    rows = []
    for name, each in lost.items():
        total = figure(each.mean, ".3f") if drawn else figure(each.total, ",")
        row = [name, total + ("+" if each.accounted < 1 else "")]
        if drawn:
            low, high = each.interval or (0.0, 0.0)
            row.append(f"±{figure((high - low) / 2, '.3f')}" if each.interval else "")
        for turn in range(longest):
            n = each.by_turn[turn] if turn < len(each.by_turn) else 0
            if n is None:
                row.append("?")
            else:
                shown = figure(n / (each.games or 1), ".2f") if drawn else figure(n, ",")
                row.append(shown if n else "")
        shares = (each.best, each.as_good, each.inconsistent)
        rows.append([*row, *(figure(100 * share, ".0f") for share in shares)])
    return heads, rows


def loss_words(loss: Loss) -> str:
    """A sentence about the loss of a guess in a position."""
    return tr(
        "{guess} after {turns} ({n:,} codes left) loses {cost}; {best} is best",
        guess=loss.guess,
        turns=" ".join(loss.turns) or tr("no turn"),
        n=loss.candidates,
        cost=loss.cost,
        best=loss.best,
    )


def unsolved_words(results: RaceResults) -> list[str]:
    """How much is accounted for, a sentence for each strategy with positions not solved."""
    return [
        tr(
            "{name}: {share} % of its guesses are accounted for, from the last turn on; the other "
            "positions were not solved in the time given.",
            name=name,
            share=figure(100 * each.accounted, ".1f"),
        )
        for name, each in results.lost.items()
        if each.accounted < 1
    ]


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
