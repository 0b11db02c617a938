"""What is told of races: standings, games by number of guesses, pairs, losses, and protocols.

A strategy is named by its label, as it is typed, unless names are passed: see `strategy_names`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pegwise.arena.results import by_mean, duels_by_rank, fewest, safest
from pegwise.errors import Phrase
from pegwise.game import Game
from pegwise.game.rules import MAX_LISTED
from pegwise.i18n import duration, figure, tr, translated, trn
from pegwise.knowledge.sentences import in_sequence
from pegwise.telling.blocks import NONE, Bars, Block, Cell, Head, Report, Sentence, Table, heads
from pegwise.telling.words import rules_named, rules_words_of

if TYPE_CHECKING:
    from pegwise.arena.race import Protocol
    from pegwise.arena.results import RaceResults, Standing
    from pegwise.trees.losses import Loss, Losses

Names = Mapping[str, str]
"""What strategies are called, by their labels."""

_ALL_PAIRS: Final = 4  # of more strategies, only the pairs with the best one are listed
_POSITIONS: Final = 3  # of each strategy, those that cost most


def results_report(results: RaceResults) -> Report:
    """A race: standings, games by number of guesses, pairs, who did not race, and losses."""
    return Report.of(_results_blocks(results))


def results_text(results: RaceResults) -> str:
    """The report of a race as text, with its tables in columns."""
    return results_report(results).text(aligned=True).rstrip("\n")


def _results_blocks(results: RaceResults) -> Iterator[Block]:
    standings = by_mean(results.standings)
    yield Sentence(title_words(results), "heading")
    if standings:
        weighted = results.weighted and results.games is None
        yield standings_block(standings, weighted=weighted)
        yield Sentence(verdict(results))
        yield from map(Sentence, remarks(results))
        if weighted:
            words = tr(
                "Mean and total count each code as often as its weight says, the plain mean "
                "counts it once."
            )
            yield Sentence(words)
        yield Sentence(tr("Games won with 1, 2, ... guesses"), "title")
        yield counts_block(standings)
    if results.duels:
        yield from _pairs_blocks(results, standings)
    yield from _reasons_blocks(results)
    if results.lost:
        yield from _losses_blocks(results)


def protocol_report(protocol: Protocol, races: Sequence[RaceResults]) -> Report:
    """Standings under each of the rules of a protocol, then figures across them.

    Strategies stand in the order of the protocol.
    """
    return Report.of(_protocol_blocks(protocol, races))


def _protocol_blocks(protocol: Protocol, races: Sequence[RaceResults]) -> Iterator[Block]:
    yield Sentence(f"{tr(protocol.name)} ({tr(protocol.source)})", "heading")
    for results in races:
        yield Sentence(title_words(results), "title")
        if standings := in_order(results):
            yield standings_block(standings)
        yield from _reasons_blocks(results)
    finished = [results for results in races if results.standings]
    if len(finished) > 1:
        for table in compared(finished):
            yield Sentence(table.caption, "title")
            yield table._replace(caption="")


def _remark(name: str, what: str) -> str:
    return tr("{name}: {what}", name=name, what=what)


def title_words(results: RaceResults) -> str:
    """The rules of a race, by name and in words, and against what it was run."""
    words, name = rules_words_of(results.rules), rules_named(results.rules)
    named = name if words == results.rules else f"{name} ({words})"
    return tr("{name}: {played}", name=named, played=played(results))


def played(results: RaceResults) -> str:
    """Against what a race was run: `every secret, 1,296 in all`, `1,000 drawn games, seed 1`."""
    if results.games is None:
        return tr("every secret, {n:,} in all", n=results.secrets)
    return trn(
        "{n:,} drawn game, seed {seed}",
        "{n:,} drawn games, seed {seed}",
        results.games,
        seed=str(results.seed),
    )


def game_duration(standing: Standing) -> str:
    """The processor time of a game that a strategy really played; nothing where none was."""
    played = standing.played
    return tr("{ms:,.3f} ms", ms=1000 * played.seconds) if played else ""


def figure_words(standing: Standing, names: Names | None = None) -> str:
    """Mean and worst of a strategy in words."""
    return tr(
        "{strategy}: mean {mean:.3f}, worst {worst}",
        strategy=_named(standing.strategy, names),
        mean=standing.mean,
        worst=standing.worst,
    )


_FIGURES: Final[tuple[tuple[Phrase, Callable[[Standing], str]], ...]] = (
    (Phrase("Guesses on average"), lambda standing: figure(standing.mean, ".3f")),
    (Phrase("Guesses at most"), lambda standing: figure(standing.worst, ",")),
    (Phrase("Processor time of a game that is played"), game_duration),
    (Phrase("Time to work out the tree"), lambda standing: duration(standing.seconds)),
)


def compared(races: Sequence[RaceResults], names: Names | None = None) -> Iterator[Table]:
    """Tables that compare the races of a protocol: a figure of each strategy in each race."""
    labels = dict.fromkeys(s.strategy for results in races for s in results.standings)
    rules = [results.rules.replace(",", ",\n").replace("-", "-\n") for results in races]
    heads = (Head(tr("strategy")), *(Head(each, "number") for each in rules))
    for title, show in _FIGURES:
        columns = [{s.strategy: show(s) for s in results.standings} for results in races]
        if any(any(column.values()) for column in columns):
            rows = tuple(
                (_named(label, names), *(column.get(label) or NONE for column in columns))
                for label in labels
            )
            yield Table(heads, rows, tr(title), divided=True)


def histograms_words() -> str:
    """What the chart of a race shows, for those who do not see it."""
    return tr("Histograms of guesses, one for each strategy; the numbers are in the table.")


def means_words() -> str:
    """What the chart of a protocol shows, for those who do not see it."""
    return tr("Bars of means, longest games and times; the numbers are in the tables below.")


def in_order(results: RaceResults) -> list[Standing]:
    """Strategies that have won a game, in the order of the race."""
    return [standing for standing in results.standings if any(standing.histogram)]


def standings_block(
    standings: Sequence[Standing], names: Names | None = None, *, weighted: bool = False
) -> Table:
    """The figures of strategies that have won a game, and a histogram; the best stands out.

    Of weighted secrets the mean of each secret counted once stands too.
    """
    exact = any(standing.exact for standing in standings)
    columns: list[tuple[Head, Callable[[Standing], Cell]]] = [
        (Head(tr("strategy")), lambda s: _named(s.strategy, names)),
    ]
    if any(standing.failure for standing in standings):
        columns.append((_number(tr("codes\nfound")), lambda s: figure(s.secrets, ",")))
    columns.append((_number(tr("mean")), lambda s: figure(s.mean, ".3f")))
    if any(standing.interval for standing in standings):
        columns.append((_number("95 %"), lambda s: half_interval(s.interval)))
    else:
        columns.append((_number(tr("total")), lambda s: figure(s.total, ",")))
    columns.append((_number(tr("worst")), lambda s: figure(s.worst, ",")))
    if exact:
        columns += [
            (
                _number(tr("exact\nmean"), 2),
                lambda s: figure(s.exact.mean, ".3f") if s.exact else "",
            ),
            (
                _number(tr("exact\nworst"), 2),
                lambda s: figure(s.exact.worst, ",") if s.exact else "",
            ),
        ]
    if weighted:
        columns.append((_number(tr("plain\nmean")), lambda s: figure(s.plain_mean, ".3f")))
    if any(standing.played for standing in standings):
        columns.append((_number(tr("each\ngame"), 2), game_duration))
    columns.append((_number(tr("time"), 2), lambda s: duration(s.seconds)))
    worst = max(standing.worst for standing in standings)
    # bars stand rather than times, but exact figures rather than bars
    columns.append((Head(f"1-{worst}", "bars", 4 if exact else 1), lambda s: Bars(s.histogram)))
    best = fewest(standings)[0]
    return Table(
        tuple(head for head, _ in columns),
        tuple(tuple(show(standing) for _, show in columns) for standing in standings),
        best=standings.index(best),
    )


def _number(text: str, spare: int = 0) -> Head:
    return Head(text, "number", spare)


def _named(label: str, names: Names | None) -> str:
    return label if names is None else names.get(label, label)


def half_interval(interval: tuple[float, float] | None) -> str:
    """Half of an interval, as it stands beside its middle; "" for none."""
    return f"±{figure((interval[1] - interval[0]) / 2, '.3f')}" if interval else ""


def counts_block(standings: Sequence[Standing], names: Names | None = None) -> Table:
    """How many games each strategy has won with 1, 2, ... guesses, from the fewest of any on."""
    longest = max(len(standing.histogram) for standing in standings)
    start = min(k for standing in standings for k, won in enumerate(standing.histogram) if won)
    heads = [Head(tr("strategy")), *(_number(str(k + 1)) for k in range(start, longest))]
    rows = []
    for standing in standings:
        counts = [*standing.histogram, *[0] * (longest - len(standing.histogram))]
        cells = [figure(won, ",") if won else NONE for won in counts[start:]]
        rows.append((_named(standing.strategy, names), *cells))
    return Table(tuple(heads), tuple(rows), divided=True)


def verdict(results: RaceResults, names: Names | None = None, *, stopped: bool = False) -> str:
    """The strategies with the fewest guesses on average, with the fewest at worst, the fastest.

    Of a race that was stopped, strategies have not played the same games.
    """
    if stopped:
        return tr("The race was stopped: each strategy with the games that it has played.")
    standings = by_mean(results.standings)
    best, safe = fewest(standings), safest(standings)
    first, *others = [_named(standing.strategy, names) for standing in best]
    mean = figure(best[0].mean, ".3f")
    named = in_sequence([first, *others])
    average = tr("Fewest on average: {best}, {mean}.", best=named, mean=mean)
    if best[0].interval is not None and others:
        average = tr(
            "Fewest on average: {best}, {mean}, but these games do not tell it apart from "
            "{others}.",
            best=first,
            mean=mean,
            others=in_sequence(others),
        )
    worst = tr(
        "Fewest at worst: {safest}, {worst:,}.",
        safest=in_sequence(_named(standing.strategy, names) for standing in safe),
        worst=safe[0].worst,
    )
    if (fast := fastest(standings)) is None:
        return f"{average} {worst}"
    quick = tr(
        "Fastest: {strategy}, {time} of processor time a game.",
        strategy=_named(fast.strategy, names),
        time=game_duration(fast),
    )
    return f"{quick} {average} {worst}"


def fastest(standings: Iterable[Standing]) -> Standing | None:
    """The one that takes the least time for a game; None where none was really played."""
    timed = (standing for standing in standings if standing.played and not standing.failure)
    return min(timed, key=lambda s: s.played.seconds if s.played else 0.0, default=None)


def identical_words(results: RaceResults, names: Names | None = None) -> list[str]:
    """A sentence for all strategies that play the same tree."""
    return [
        tr("The same tree: {names}", names=in_sequence(_named(label, names) for label in labels))
        for labels in results.identical
    ]


def remarks(results: RaceResults, names: Names | None = None) -> Iterator[str]:
    """Sentences on what is to be known of strategies that have won a game."""
    for standing in by_mean(results.standings):
        for note in standing.notes:
            yield _remark(_named(standing.strategy, names), translated(note))
    yield from identical_words(results, names)


def reasons(results: RaceResults, names: Names | None = None) -> list[tuple[str, str]]:
    """The strategies that miss codes or did not race, grouped by the reason."""
    together: dict[str, list[str]] = {}
    told = [(s.strategy, s.failure) for s in by_mean(results.standings) if s.failure]
    for label, why in [*told, *results.skipped]:
        together.setdefault(translated(why), []).append(_named(label, names))
    return [(in_sequence(labels), why) for why, labels in together.items()]


def reason_words(results: RaceResults, names: Names | None = None) -> list[str]:
    """The `reasons` in sentences."""
    return [_remark(name, why) for name, why in reasons(results, names)]


def reasons_title(results: RaceResults) -> str:
    """A title for `reasons`."""
    if any(standing.failure for standing in results.standings):
        return tr("Not raced, or not every code found")
    return tr("Not raced")


def _reasons_blocks(results: RaceResults) -> Iterator[Block]:
    if told := reason_words(results):
        yield Sentence(reasons_title(results), "title")
        yield from map(Sentence, told)


def pairs_words(results: RaceResults) -> str:
    """What the figures of pairs are."""
    if results.games is None:
        return tr(
            "on how many secrets one needs fewer guesses than the other, and by how many at most"
        )
    return tr("in how many games one needs fewer guesses than the other, and by how many at most")


def _pairs_blocks(results: RaceResults, standings: Sequence[Standing]) -> Iterator[Block]:
    """The pairs, or of many strategies those with the best one."""
    best, few = standings[0].strategy, len(standings) <= _ALL_PAIRS
    title = tr("Pair by pair")
    pairs = duels_by_rank(results.duels, standings)
    if not few:
        title = tr("{strategy} against each (all pairs: --report, --json)", strategy=best)
        pairs = [duel for duel in pairs if duel.first == best]
    yield Sentence(tr("{name}: {what}", name=title, what=pairs_words(results)), "title")
    faster, by, equal = tr("faster"), tr("by"), tr("equal")
    heads = (
        Head(tr("first"), spare=0 if few else 2),  # the title has the name
        *(_number(faster), _number(by, 1), _number(equal), _number(faster), _number(by, 1)),
        Head(tr("second")),
    )
    rows = []
    for duel in pairs:
        first, second = duel.first_by_at_most or NONE, duel.second_by_at_most or NONE
        won = [figure(n, ",") for n in (duel.first_faster, duel.ties, duel.second_faster)]
        rows.append((duel.first, won[0], str(first), *won[1:], str(second), duel.second))
    yield Table(heads, tuple(rows))


def loss_title(results: RaceResults) -> str:
    """A title for the figures of `losses_block`."""
    if results.games is None:
        return tr("Guesses lost, in all and by turn; how many guesses are best, or as good")
    return tr("Guesses lost in a game, in all and by turn; how many guesses are best, or as good")


def losses_block(results: RaceResults, names: Names | None = None) -> Table:
    """The guesses that each strategy has lost, the best strategy first."""
    labels = [standing.strategy for standing in by_mean(results.standings)]
    lost = {label: results.lost[label] for label in labels if label in results.lost}
    return losses_table(lost, names)


def losses_table(lost: Mapping[str, Losses], names: Names | None = None) -> Table:
    """The guesses that are lost by each label, over every code or all in games that were drawn.

    A turn that was not solved has a question mark, and what is known of the total a plus.
    """
    longest = max(len(each.by_turn) for each in lost.values())
    drawn = any(each.games is not None for each in lost.values())
    heads = [tr("lost"), *(["95 %"] if drawn else []), *map(str, range(1, longest + 1))]
    heads += [tr("best\n%"), tr("as good\n%"), tr("cannot\nwin %")]
    rows = []
    for label, each in lost.items():
        total = figure(each.mean, ".3f") if drawn else figure(each.total, ",")
        row = [_named(label, names), total + ("+" if each.accounted < 1 else "")]
        if drawn:
            row.append(half_interval(each.interval) or NONE)
        for turn in range(longest):
            n = each.by_turn[turn] if turn < len(each.by_turn) else 0
            shown = "?"
            if n is not None:
                shown = figure(n / (each.games or 1), ".2f") if drawn else figure(n, ",")
            row.append(NONE if n == 0 else shown)
        shares = (each.best, each.as_good, each.inconsistent)
        rows.append((*row, *(figure(100 * share, ".0f") for share in shares)))
    return Table((Head(tr("strategy")), *map(_number, heads)), tuple(rows), divided=True)


def _losses_blocks(results: RaceResults) -> Iterator[Block]:
    """Guesses lost by turn, and for each strategy the positions that cost most."""
    yield Sentence(loss_title(results), "title")
    yield losses_block(results)
    yield from map(Sentence, unsolved_words(results))
    for name, told in costly_words(results):
        yield from (Sentence(_remark(name, what)) for what in told)


def costly_words(
    results: RaceResults, names: Names | None = None
) -> Iterator[tuple[str, list[str]]]:
    """For each strategy that loses a sentence for each of the positions that cost most."""
    for label, losses in results.lost.items():
        if losses.positions:
            yield _named(label, names), [*map(loss_words, losses.positions[:_POSITIONS])]


def loss_words(loss: Loss) -> str:
    """A sentence about the loss of a guess in a position."""
    return tr(
        "{guess} after {turns} ({n:,} codes left) loses {cost} guesses; {best} is best",
        guess=loss.guess,
        turns=" ".join(loss.turns) or tr("no turn"),
        n=loss.candidates,
        cost=loss.cost,
        best=loss.best,
    )


def unsolved_words(results: RaceResults, names: Names | None = None) -> list[str]:
    """How much is accounted for, a sentence for each strategy with positions not solved."""
    return [
        _remark(_named(label, names), accounted_words(each.accounted))
        for label, each in results.lost.items()
        if each.accounted < 1
    ]


def accounted_words(share: float) -> str:
    """The share of the guesses of a strategy whose losses are known."""
    return tr(
        "{share} % of its guesses are accounted for, from the last turn on; the other positions "
        "were not solved in the time given.",
        share=figure(100 * share, ".1f"),
    )


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


def plan_report(rules: Game, plan: Mapping[str, Any]) -> Report:
    """What whole trees would need, by the document of `arena.plan.plan`."""
    return Report.of(_plan_blocks(rules, plan))


def _plan_blocks(rules: Game, plan: Mapping[str, Any]) -> Iterator[Block]:
    yield Sentence(tr("{rules}: {n:,} secrets; nothing is played", rules=rules, n=rules.n_secrets))
    memory, free = _gib(plan["memory"]), _gib(plan["free"])
    yield Sentence(tr("memory: {n} GiB, and at most as much for each worker", n=memory))
    enough = tr("this machine has {free} GiB free, which is enough", free=free)
    if not plan["enough"]:
        enough = tr(
            "this machine has {free} GiB free, which is not enough: take one with {n} GiB",
            free=free,
            n=_gib(plan["memory"] + 2**30),
        )
    yield Sentence(enough)
    if not plan["listed"]:
        words = tr(
            "boards of more than {most:,} codes are not listed: draw games instead (--games N)",
            most=MAX_LISTED,
        )
        yield Sentence(words)
    pieces = tr(
        "A tree in pieces, by number of workers: the least number of pieces, and the most "
        "secrets in one."
    )
    yield Sentence(pieces, "title")
    yield Table(
        heads(tr("workers"), tr("pieces"), tr("secrets"), words=()),
        tuple(
            tuple(figure(row[key], ",") for key in ("workers", "least", "largest"))
            for row in plan["pieces"]
        ),
    )


def _gib(size: int) -> str:
    return figure(size / 2**30, ",.1f")
