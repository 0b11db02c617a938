"""Codes, marks, rules, races, reviews and reasons in plain words, for all faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from pegwise.arena.results import by_mean
from pegwise.errors import PegwiseError, Phrase
from pegwise.game import HOLE, Code, Mark, PartialMark, PlacedMark, Record, Rules, Word, WordList
from pegwise.game.rules import rules_title
from pegwise.i18n import duration, figure, tr, translated, trn
from pegwise.knowledge.reasoning import deciding_turns
from pegwise.knowledge.sentences import follows_from
from pegwise.strategies.candidates import NO_OTHER

if TYPE_CHECKING:
    from pegwise.arena.results import RaceResults, Standing
    from pegwise.coach.review import Review, TurnReview
    from pegwise.game import Turn
    from pegwise.strategies import Explanation, WeighedTable
    from pegwise.trees.losses import Loss

SQUARES: Final = {"best": "🟩", "good": "🟦", "inaccurate": "🟨", "wasted": "🟥", None: "⬜"}
"""The words for guesses as signs, for a line that gives no guess away."""


def codes(number: int) -> str:
    """A number of codes: `1,296 codes`, `1 code`."""
    return trn("{n:,} code", "{n:,} codes", number)


def cost_words(cost: float, unit: str) -> str:
    """The cost of a choice by the yardstick, as `0.06 guesses`; never 0 if it costs."""
    least = 0 < cost < 0.005
    # as many as are shown, for the plural
    n: Any = 0.01 if least else round(cost, 2)
    words = {
        "guesses": trn("{n:.2f} guess", "{n:.2f} guesses", n),
        "bits": trn("{n:.2f} bit", "{n:.2f} bits", n),
        "codes": trn("{n:.2f} code", "{n:.2f} codes", n),
        "largest": trn(
            "{n:,.0f} code in the largest part", "{n:,.0f} codes in the largest part", n
        ),
        "parts": trn("{n:,.0f} part", "{n:,.0f} parts", n),
    }[unit]
    return f"≤ {words}" if least else words


def ended_words(record: Record) -> str:
    """How a game ended: `solved in 5 guesses`."""
    n = len(record.turns)
    return {
        "solved": trn("solved in {n} guess", "solved in {n} guesses", n),
        "open": trn("not finished after {n} guess", "not finished after {n} guesses", n),
        "lost": trn("not found in {n} guess", "not found in {n} guesses", n),
        "given up": trn("given up after {n} guess", "given up after {n} guesses", n),
    }[record.result]


def _with_hints(record: Record) -> str:
    """How a game ended, and how many of its guesses were made by hints."""
    ended, n = ended_words(record), sum(turn <= len(record.turns) for turn in record.hinted)
    return f"{ended}, {trn('{n} by a hint', '{n} by hints', n)}" if n else ended


def guess_verdict(verdict: str | None) -> str:
    """The coach's word for a guess."""
    return {
        "best": tr("best"),
        "good": tr("good"),
        "inaccurate": tr("inaccurate"),
        "wasted": tr("wasted"),
    }.get(verdict or "", "?")


def review_title(review: Review) -> str:
    """How a game ended, and how its guesses were: `solved in 3 guesses (2 best, 1 good)`."""
    ended = _with_hints(review.record)
    counts = Counter(str(turn.verdict) for turn in review.turns)
    numbers = {
        "best": trn("{n} best", "{n} best", counts["best"]),
        "good": trn("{n} good", "{n} good", counts["good"]),
        "inaccurate": trn("{n} inaccurate", "{n} inaccurate", counts["inaccurate"]),
        "wasted": trn("{n} wasted", "{n} wasted", counts["wasted"]),
    }
    if words := ", ".join(words for verdict, words in numbers.items() if counts[verdict]):
        return tr("{ended} ({words})", ended=ended, words=words)
    return ended


def review_words(review: Review) -> str:
    """A review in a sentence, which begins with how the game ended."""
    ended, reviewed = review_title(review), review.turns
    if not reviewed:
        return f"{ended}."
    choices = tr("the choices cost nothing")
    if not review.costs:
        choices = tr("too many codes were possible to look for the best guesses")
    elif any(review.costs.values()):
        costs = [cost_words(cost, unit) for unit, cost in review.costs.items() if cost]
        choices = tr("the choices cost {cost}", cost=" + ".join(costs))
    if any(turn.unit is None for turn in reviewed) and review.costs:
        choices = tr("{choices} where that is known", choices=choices)
    return tr("{ended}; {choices}, and {luck}.", ended=ended, choices=choices, luck=_luck(review))


def _luck(review: Review) -> str:
    if review.record.codemaker == "evil":
        return tr("the evil codemaker chose the marks")
    if not (luck := round(review.luck, 2)):
        return tr("luck was even")
    bits = cost_words(abs(luck), "bits")
    return tr("luck gave {bits}", bits=bits) if luck > 0 else tr("luck took {bits}", bits=bits)


def luck_note(review: Review) -> str:
    """A sentence that explains luck, and what else it may be with this codemaker."""
    note = tr("Luck is what the mark told beyond what this same guess could be expected to.")
    return {
        "evil": tr("The evil codemaker chose every mark, so none of it is luck."),
        "optimal": tr(
            "{note} The optimal codemaker draws some codes more often, which is not counted.",
            note=note,
        ),
    }.get(review.record.codemaker, note)


def review_line(review: Review) -> str:
    """A line to share, which tells neither the secret nor a guess; hints have no color."""
    record = review.record
    squares = "".join(
        SQUARES[None if number in record.hinted else turn.verdict]
        for number, turn in enumerate(review.turns, 1)
    )
    name, what = f"pegwise {rules_title(record.rules)}", _with_hints(record)
    return tr("{name}: {what}", name=name, what=what) + f" {squares}"


def review_text(review: Review) -> str:
    """A review as plain text."""
    head = f"pegwise {rules_title(review.record.rules)}"
    if review.secret is not None:
        head = tr("{rules}, secret {secret}", rules=head, secret=review.secret)
    lines = [tr("{name}: {what}", name=head, what=review_words(review)), ""]
    lines += [_turn_line(turn) for turn in review.turns]
    if broken := [missed_words(turn) for turn in review.turns if turn.missed is not None]:
        lines += ["", *broken]
    if not review.consistent:
        turn = len(review.turns) + 1
        lines += ["", tr("The marks contradict each other from turn {n} on.", n=turn)]
    return "\n".join(lines) + "\n"


def _turn_line(turn: TurnReview) -> str:
    guess, mark = turn.turn
    codes = tr(
        "{before:,} -> {after:,} ({expected:,.1f} expected)",
        before=turn.before,
        after=turn.after,
        expected=float(turn.played.expected),
    )
    line = f"{turn.number}. {guess} {mark}; {codes}"
    if turn.verdict is not None:
        line += f"; {guess_verdict(turn.verdict)}"
    if turn.unit is None or turn.answer is None or turn.is_best:
        return line
    cost = cost_words(turn.excess or 0.0, turn.unit)
    return line + ", " + tr("best {guess} (+{cost})", guess=turn.answer, cost=cost)


def missed_words(turn: TurnReview) -> str:
    """A sentence on what a guess does not use where the rules are hard."""
    return tr("Turn {n}: {why}.", n=turn.number, why=tr(turn.missed or ""))


def code_words(code: Sequence[int]) -> str:
    """A code letter by letter: `A B hole D`; a word as it is."""
    if isinstance(code, Word):
        return code.write()
    return " ".join(tr("hole") if peg == HOLE else str(Code([peg])) for peg in code)


def mark_words(mark: Mark, rules: Rules | None = None) -> str:
    """A mark in words: `2 exact, 1 misplaced`; without the latter where only black is given.

    A mark by place is said place by place: `right, elsewhere, absent`.
    """
    if isinstance(mark, PlacedMark):
        return ", ".join((tr("absent"), tr("elsewhere"), tr("right"))[place] for place in mark)
    if isinstance(mark, PartialMark):
        if mark.total is not None:
            return tr("{n} exact or misplaced", n=mark.total)
        return trn(
            "{n} exact, the misplaced not noted", "{n} exact, the misplaced not noted", mark.black
        )
    exact = trn("{n} exact", "{n} exact", mark.black)
    if rules is not None and rules.black:
        return exact
    return f"{exact}, " + trn("{n} misplaced", "{n} misplaced", mark.white)


def guess_words(guess: Any) -> str:
    """A guess of any game: letter by letter if it is a code."""
    return code_words(guess) if isinstance(guess, Code) else str(guess)


def rules_words(rules: Rules) -> str:
    """Rules in words: `4 pegs, 6 colors, colors may repeat`."""
    if rules.n_questions:
        return tr(
            "{secrets:,} secrets, {questions:,} questions; the last guess names the secret, once "
            "it is the only one possible",
            secrets=rules.n_secrets,
            questions=rules.n_questions,
        )
    if rules.words is not None and rules.marked:
        return tr(
            "a game with marks of its own: {secrets:,} secrets, {guesses:,} guesses, {marks} marks",
            secrets=rules.n_secrets,
            guesses=rules.n_guesses,
            marks=len(rules.words.written_marks),
        ) + "".join(f", {kind}" for kind in _mark_kinds(rules))
    if rules.words is not None:
        return ", ".join([_list_words(rules.words), *_mark_kinds(rules)])
    if rules.distinct:
        repeats = tr("no color twice")
    elif rules.distinct_secrets:
        repeats = tr("no color twice in the secret")
    else:
        repeats = tr("colors may repeat")
    pegs, colors = rules.pegs, rules.colors
    if rules.in_digits:
        digits = tr("{n} digits from {first} to {last}", n=pegs, first=int(colors < 10), last=9)
        return ", ".join([digits, tr("no digit twice") if rules.distinct else repeats])
    parts = [trn("{n} peg", "{n} pegs", pegs), trn("{n} color", "{n} colors", colors), repeats]
    if rules.blank:
        parts.append(tr("guesses may leave holes"))
    return ", ".join([*parts, *_mark_kinds(rules)])


def _list_words(words: WordList) -> str:
    """`words of 5 letters`, and how many more may be guessed."""
    of_letters = trn("words of {n} letter", "words of {n} letters", words.n_letters)
    if more := len(words.guesses) - len(words.secrets):
        also = trn("{n:,} more may be guessed", "{n:,} more may be guessed", more)
        return f"{of_letters}, {also}"
    return of_letters


def _mark_kinds(rules: Rules) -> list[str]:
    """Words for special kinds of marks, and of guesses."""
    kinds = {
        "black": tr("only black marks"),
        "placed": tr("a mark for every place"),
        "hard": tr("guesses must use the marks"),
    }
    return [words for flag, words in kinds.items() if getattr(rules, flag)]


def rules_words_of(name: str) -> str:
    """The words for a game's name: its rules where they are a board's, else the name itself."""
    try:
        return rules_words(Rules.parse(name))
    except PegwiseError:
        return name


def rules_named(name: str) -> str:
    """A game's name as it is shortest, where it has rules: `wordle` for `sgb,placed`."""
    try:
        return Rules.parse(name).named
    except PegwiseError:
        return name


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: `knuth, irving and parts`."""
    *others, last = names
    return tr("{others} and {last}", others=", ".join(others), last=last) if others else last


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


# what strategies lose against best play


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


# why a strategy plays a guess


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
