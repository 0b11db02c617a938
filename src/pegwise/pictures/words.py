"""Codes, marks, rules, races, reviews and reasons in plain words, for all faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from pegwise.errors import PegwiseError, Phrase, TooLargeError
from pegwise.game import HOLE, Code, Mark, PlacedMark, Record, Rules, Turn, Word, WordList
from pegwise.i18n import figure, tr, trn

if TYPE_CHECKING:
    from pegwise.arena.results import RaceResults, Standing
    from pegwise.coach import Review, Split, TurnReview
    from pegwise.strategies import Card, Decision
    from pegwise.strategies.forget import Endgame, OpeningMove, PoolRanking
    from pegwise.strategies.marechal_rastoix import ColorDecision

SQUARES: Final = {"best": "🟩", "good": "🟦", "inaccurate": "🟨", "wasted": "🟥", None: "⬜"}
"""The words for guesses as signs, for a line that gives no guess away."""


def codes(number: int) -> str:
    """A number of codes: `1,296 codes`, `1 code`."""
    return trn("{n:,} code", "{n:,} codes", number)


def cost_words(cost: float, unit: str) -> str:
    """What a choice costs by the yardstick of the coach: `0.06 guesses`; never 0 if it costs."""
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


def guess_verdict(verdict: str | None) -> str:
    """The coach's word for a guess."""
    return {
        "best": tr("best"),
        "good": tr("good"),
        "inaccurate": tr("inaccurate"),
        "wasted": tr("wasted"),
    }.get(verdict or "", "?")


def review_words(review: Review) -> str:
    """A review in a sentence, which begins with how the game ended."""
    ended, reviewed = ended_words(review.record), review.turns
    if not reviewed:
        return f"{ended}."
    counts = Counter(str(turn.verdict) for turn in reviewed)
    numbers = {
        "best": trn("{n} best", "{n} best", counts["best"]),
        "good": trn("{n} good", "{n} good", counts["good"]),
        "inaccurate": trn("{n} inaccurate", "{n} inaccurate", counts["inaccurate"]),
        "wasted": trn("{n} wasted", "{n} wasted", counts["wasted"]),
    }
    if words := ", ".join(words for verdict, words in numbers.items() if counts[verdict]):
        ended = tr("{ended} ({words})", ended=ended, words=words)
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
    """What luck is, and what else it may be with this codemaker."""
    note = tr("Luck is what the mark told beyond what this same guess could be expected to.")
    return {
        "evil": tr("The evil codemaker chose every mark, so none of it is luck."),
        "optimal": tr(
            "{note} The optimal codemaker draws some codes more often, which is not counted.",
            note=note,
        ),
    }.get(review.record.codemaker, note)


def review_line(review: Review) -> str:
    """A line to share, which tells neither the secret nor a guess."""
    squares = "".join(SQUARES[turn.verdict] for turn in review.turns)
    name = f"pegwise {review.record.rules}"
    return tr("{name}: {what}", name=name, what=ended_words(review.record)) + f" {squares}"


def review_text(review: Review) -> str:
    """A review as plain text."""
    head = f"pegwise {review.record.rules}"
    if review.secret is not None:
        head = tr("{rules}, secret {secret}", rules=head, secret=review.secret)
    lines = [tr("{name}: {what}", name=head, what=review_words(review)), ""]
    lines += [_turn_line(turn) for turn in review.turns]
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
    cost = cost_words(turn.above or 0.0, turn.unit)
    return line + ", " + tr("best {guess} (+{cost})", guess=turn.answer, cost=cost)


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
    if rules is not None and rules.black:
        return tr("{black} exact", black=mark.black)
    return tr("{black} exact, {white} misplaced", black=mark.black, white=mark.white)


def guess_words(guess: Any) -> str:
    """A guess of any game: letter by letter if it is a code."""
    return code_words(guess) if isinstance(guess, Code) else str(guess)


def rules_words(rules: Rules) -> str:
    """Rules in words: `4 pegs, 6 colors, colors may repeat`."""
    if rules.words is not None:
        return ", ".join([_list_words(rules.words), *_mark_kinds(rules)])
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
    return ", ".join([*parts, *_mark_kinds(rules)])


def _list_words(words: WordList) -> str:
    """`words of 5 letters`, and how many more may be guessed."""
    of_letters = trn("words of {n} letter", "words of {n} letters", words.n_letters)
    if more := len(words.guesses) - len(words.secrets):
        also = trn("{n:,} more may be guessed", "{n:,} more may be guessed", more)
        return f"{of_letters}, {also}"
    return of_letters


def _mark_kinds(rules: Rules) -> list[str]:
    """What is special about the marks."""
    kinds = {"black": tr("only black marks"), "placed": tr("a mark for every place")}
    return [words for flag, words in kinds.items() if getattr(rules, flag)]


def rules_words_of(name: str) -> str:
    """The words for a game's name: its rules where they are a board's, else the name itself."""
    try:
        return rules_words(Rules.parse(name))
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
    """What the races of a protocol compare: titles of tables, and their rows.

    A row has the name of a strategy, and its figure in each race.
    """
    names = dict.fromkeys(s.strategy for results in races for s in results.standings)
    for title, show in _FIGURES:
        columns = [{s.strategy: show(s) for s in results.standings} for results in races]
        if any(any(column.values()) for column in columns):
            yield tr(title), [[name, *(c.get(name, "·") for c in columns)] for name in names]


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


# why a strategy plays a guess

_CODES: Final = 5
"""Equal guesses that are named."""

_REASONS: Final = {
    "first": Phrase("It is the first code, in numeric order, that agrees with all marks."),
    "random": Phrase("It is drawn from the codes that agree with all marks ({count})."),
    "constraint": Phrase("It is a code that agrees with all marks; any other would do as well."),
    "knuth": Phrase("No guess leaves fewer codes in the worst case: {largest}."),
    "irving": Phrase("No guess leaves fewer codes on average: {expected}."),
    "entropy": Phrase("No guess tells more: {bits} bits on average."),
    "parts": Phrase("No guess has more different marks: {parts}."),
    "sampling": Phrase(
        "Of the guesses that were weighed it is best; it tells {bits} bits on average."
    ),
    "optimal": Phrase("No other guess leads to fewer guesses on average; that is proven."),
    "optimal-worst": Phrase(
        "It belongs to a tree of the smallest worst case; no such tree needs fewer guesses."
    ),
    "viaud": Phrase("No other guess leads to fewer guesses in the worst case."),
}
"""By the id of a card."""


def reason(decision: Decision, card: Card, rules: Rules, history: Sequence[Turn]) -> str:
    """Why a strategy plays its next guess; nothing where that is not known."""
    from pegwise.coach import Position
    from pegwise.knowledge.reasoning import deciding_turns
    from pegwise.knowledge.sentences import follows_from
    from pegwise.strategies.forget import Endgame, OpeningMove
    from pegwise.strategies.marechal_rastoix import ColorDecision

    if isinstance(decision, OpeningMove | Endgame):
        return " ".join(stage(decision))
    if isinstance(decision, ColorDecision):
        return _plan(decision)
    try:
        position = Position(rules, history)
        if position.count == 1:
            words = follows_from(deciding_turns(rules, history))
            return f"{tr('No other code is possible.')} {words}".rstrip()
        split = position.split(decision.guess)
    except TooLargeError:
        return ""
    if "fixed" in card.traits:
        return tr("This guess was fixed beforehand: the marks do not change it.")
    if card.id not in _REASONS:
        return ""
    why = tr(
        str(_REASONS[card.id]),
        count=figure(split.candidates, ","),
        largest=figure(split.largest, ","),
        expected=figure(float(split.expected), ",.1f"),
        bits=figure(split.bits, ".2f"),
        parts=figure(len(split.parts)),
    )
    if "consistent" in card.traits:
        return why
    could = tr("It could be the code.") if split.possible else tr("It cannot be the code.")
    return f"{why} {could}"


def _plan(decision: ColorDecision) -> str:
    """What a guess of the color-by-color method asks."""
    plan = decision.plan
    if plan.n_settled == len(plan.holes):
        return tr("All places are known.")
    filler = Code([plan.filler])
    if plan.hole < 0:
        return tr("All open places get {color}: the mark tells how often it occurs.", color=filler)
    return tr(
        "{color} is tried at place {place}, with {filler} in the other open places: it is right "
        "there if no peg is misplaced.",
        color=Code([plan.color]),
        place=plan.hole + 1,
        filler=filler,
    )


# the stages of Forget's decoder


def stage(state: OpeningMove | Endgame, write: Callable[[Any], str] = str) -> Iterator[str]:
    """The stage of a game, and what is weighed; codes as `write` writes them.

    TooLargeError: too many candidates to weigh all of them.
    """
    from pegwise.strategies.forget import OpeningMove, generations

    opening = state.opening
    if isinstance(state, OpeningMove):
        yield tr(
            "Opening: the marks add up to {total} ({enough} would end it); still to be played: "
            "{colors}.",
            total=opening.total,
            enough=opening.rules.pegs - 1,
            colors=write(Code(opening.colors[opening.seen :])),
        )
        return
    if state.turns == opening.turns:
        synthetic = tr("no synthetic turn")
        if (turn := opening.synthetic) is not None:
            written = f"{write(turn.guess)} {turn.mark}"
            synthetic = tr("the synthetic turn is {turn}", turn=written)
        built = generations(opening, state.turns)
        yield tr(
            "Interlude: {synthetic}; codes built from the last peg on: {sizes}.",
            synthetic=synthetic,
            sizes=", ".join(figure(len(codes), ",") for codes, _ in built),
        )
    yield _endgame(state, write)


def _endgame(state: Endgame, write: Callable[[Any], str]) -> str:
    n = len(state.candidates)
    if n == 1:
        return tr("Endgame: one code is left.")
    ranking, unplayed = state.rank(), len(state.pool.unplayed)
    weighed, equals = len(ranking.candidates), ranking.equal - 1
    pool = trn("{n:,} code", "{n:,} codes", weighed)
    if state.sampled:
        pool = tr("a sample of {n:,} codes", n=weighed)
    if unplayed:
        pool += trn(
            " and {n} opening guess not played", " and {n} opening guesses not played", unplayed
        )
    best = split_of(ranking, 0)
    return tr(
        "Endgame: {pool} are weighed by {criterion}; {guess} has {bits} bits, and leaves {largest} "
        "at most; {equal}.",
        pool=pool,
        criterion=state.lead,
        guess=write(best.guess),
        bits=figure(best.bits, ".2f"),
        largest=(
            tr("{n:,} of the sample", n=best.largest)
            if state.sampled
            else figure(best.largest, ",")
        ),
        equal=trn(
            "{n} is equal to it ({codes})",
            "{n} are equal to it ({codes})",
            equals,
            codes=some([Code(code) for code in ranking.guesses[1 : ranking.equal]], write),
        )
        if equals
        else tr("none is equal to it"),
    )


def split_of(ranking: PoolRanking, place: int) -> Split:
    """The guess of a place, with the sizes of its parts."""
    from pegwise.coach import Split

    sizes = tuple((mark, len(codes)) for mark, codes in ranking.parts(place).items())
    guess = Code(ranking.guesses[place])
    return Split(guess, sizes, bool((ranking.candidates == guess).all(axis=1).any()))


def some(codes: Sequence[Code], write: Callable[[Any], str]) -> str:
    """Some codes, the first of them where there are many."""
    more = ["..."] if len(codes) > _CODES else []
    return " ".join([*map(write, codes[:_CODES]), *more])
