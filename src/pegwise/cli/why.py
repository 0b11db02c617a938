"""Why a strategy plays what it plays: its best guesses, its domains, its stage and its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.errors import Phrase, TooLargeError
from pegwise.game import Code, Rules, Turn
from pegwise.i18n import figure, tr, translated, trn
from pegwise.knowledge.reasoning import deciding_turns
from pegwise.knowledge.sentences import follows_from

if TYPE_CHECKING:
    from pegwise.coach import Adviser, Ranking, Split
    from pegwise.strategies.forget import Endgame, OpeningMove, PoolRanking


def explain_choice(adviser: Adviser, turns: Sequence[Turn], screen: Screen, name: str) -> None:
    """Show the best guesses as the strategy that is named sees them, and what is proposed."""
    from pegwise.coach.advice import Adviser, criterion_of
    from pegwise.strategies import options_of

    name = name.removeprefix("-s").strip()
    strategy = options.parse_strategy(name, 0) if name else adviser.strategy
    if strategy.card.id == "constraint":
        show_domains(adviser.rules, turns, screen)
    own = Adviser(strategy, adviser.rules) if name else adviser
    if show_stage(own, turns, screen, table=True):
        return
    with screen.working(tr("choosing"), adviser.rules):
        guess = adviser.propose(turns).guess
    criterion = criterion_of(strategy)
    only = str(options_of(strategy).get("guesses", "all"))
    show_why(adviser.rules, turns, guess, tr("proposed"), screen, criterion, only)


# the best guesses of a position

_COUNT: Final = 10
_ROOM: Final = 56  # columns of the widest table, but for the pegs of a code

_RANK_HEADS: Final = (
    Phrase(""), Phrase("guess"), Phrase("bits"), Phrase("exp."), Phrase("largest"),
    Phrase("marks"), Phrase("win?"), Phrase(""),
)  # fmt: skip
_CRITERIA: Final = {
    "entropy": Phrase("the most bits"),
    "size": Phrase("the fewest codes expected to be left"),
    "minimax": Phrase("the smallest largest part"),
    "parts": Phrase("the most different marks"),
}


def show_why(
    rules: Rules,
    history: Sequence[Turn],
    guess: Code,
    word: str,
    screen: Screen,
    criterion: str,
    only: str,
) -> None:
    """Show the ten best guesses by a criterion, and how this one, marked by a word, ranks.

    Where there are too many candidates to weigh guesses, it is shown alone.
    """
    from pegwise.coach import Position, rank

    position = Position(rules, history)
    if position.count == 1:
        words = follows_from(deciding_turns(rules, history))
        screen.say(f"{tr('No other code is possible.')} {words}")
        return
    splits: list[Split] = []
    how = ""
    try:
        with screen.working(tr("comparing guesses"), rules):
            ranking = rank(position, criterion, only, _COUNT)
    except TooLargeError as error:
        screen.tell(f"{translated(error)}.")
    else:
        splits += ranking.splits
        words = _CRITERIA[criterion]
        screen.tell("The best guesses by {name}: {words}.", name=criterion, words=words)
        how = _compared(ranking)
    ranks = [str(number) for number in range(1, len(splits) + 1)]
    if guess not in [split.guess for split in splits]:
        splits.append(position.split(guess))
        ranks.append("")
    sign = f"<- {word}" if screen.width >= _ROOM + rules.pegs else "<-"
    rows = [
        [
            place,
            screen.write(split.guess),
            figure(split.bits, ".2f"),
            expected(split),
            figure(split.largest, ","),
            str(len(split.parts)),
            tr("yes") if split.possible else tr("no"),
            sign if split.guess == guess else "",
        ]
        for place, split in zip(ranks, splits, strict=True)
    ]
    heads = [tr(head) for head in _RANK_HEADS]
    screen.table(heads, rows, [split.guess for split in splits], (1, 7))
    screen.note(
        "bits: to be expected; exp.: codes expected to be left; largest: most codes that can "
        "be left; marks: different marks possible; win?: whether it could be the code. {how}",
        how=how,
    )


def show_domains(rules: Rules, history: Sequence[Turn], screen: Screen) -> None:
    """Show what the constraints leave open of each color."""
    from pegwise.strategies.simple import domains

    with screen.working(tr("narrowing down"), rules) as report:
        places, occurrences = domains(rules, history, report=report)
    screen.tell("What the constraints leave open of each color:")
    rows = [
        ["", str(Code([color])), _ranges([hole + 1 for hole in holes]), _ranges(numbers)]
        for color, (holes, numbers) in enumerate(zip(places, occurrences, strict=True))
    ]
    heads = ["", tr("color"), tr("places"), tr("occurrences")]
    screen.table(heads, rows, [[color] for color in range(rules.colors)], (1, 2, 3))


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers: `1-3, 5`."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    spans = zip(starts, ends, strict=True)
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans) or "-"


def _compared(ranking: Ranking) -> str:
    """Which guesses were compared, and how."""
    n = ranking.weighed
    how = tr("{n:,} possible codes were compared", n=n)
    if ranking.complete:
        how = tr("{n:,} guesses were compared", n=n)
    if not ranking.exact:
        how += tr(", on a sample of the codes first")
    if ranking.kinds:
        how += tr("; of those that are alike but for names of colors or order of places, one")
    return f"{how}."


def expected(split: Split) -> str:
    """How many codes can be expected to stay possible."""
    expected = float(split.expected)
    return figure(expected, ",.0f" if expected >= 1000 else ".1f")


# the stages of Forget's decoder

_LINES: Final = 30  # about so many answers are shown of the guesses that he weighs
_CODES: Final = 5  # so many codes are shown behind an answer, and so many equal guesses

_POOL_HEADS: Final = (
    Phrase(""), Phrase("guess"), Phrase("bits"), Phrase("largest"), Phrase("mark"),
    Phrase("number"), Phrase("codes"),
)  # fmt: skip


def show_stage(
    adviser: Adviser, turns: Sequence[Turn], screen: Screen, *, table: bool = False
) -> bool:
    """Show the stage of Forget's decoder, and the table of what it weighs if asked for.

    False where there was none to show: another strategy has none, nor has his after an opening that
    is not his.
    """
    if not adviser.strategy.card.id.startswith("forget-"):
        return False
    from pegwise.strategies.forget import Endgame, OpeningMove

    try:
        with screen.working(tr("choosing"), adviser.rules):
            state = adviser.decision_after(turns)
        if isinstance(state, OpeningMove):
            _show_opening(state, screen)
        elif isinstance(state, Endgame):
            if state.turns == state.opening.turns:
                _show_interlude(state, screen)
            _show_endgame(state, screen, table=table)
    except TooLargeError as error:
        screen.note(f"{translated(error)}.")
        return False
    return isinstance(state, OpeningMove | Endgame)


def _show_opening(state: OpeningMove, screen: Screen) -> None:
    opening = state.opening
    screen.note(
        "Opening: the marks add up to {total} ({enough} would end it); still to be played: "
        "{colors}.",
        total=opening.total,
        enough=opening.rules.pegs - 1,
        colors=screen.write(Code(opening.colors[opening.seen :])),
    )


def _show_interlude(state: Endgame, screen: Screen) -> None:
    from pegwise.strategies.forget import generations

    built = [*generations(state.opening, state.turns)]
    synthetic = tr("no synthetic turn")
    if (turn := state.opening.synthetic) is not None:
        written = f"{screen.write(turn.guess)} {turn.mark}"
        synthetic = tr("the synthetic turn is {turn}", turn=written)
    screen.note(
        "Interlude: {synthetic}; codes built from the last peg on: {sizes}.",
        synthetic=synthetic,
        sizes=", ".join(figure(len(codes), ",") for codes, _ in built),
    )


def _show_endgame(state: Endgame, screen: Screen, *, table: bool) -> None:
    n, unplayed = len(state.rows), len(state.pool.unplayed)
    if n == 1:
        screen.note("Endgame: one code is left.")
        return
    ranking = state.rank()
    weighed, equals = len(ranking.candidates), ranking.equal - 1
    pool = trn("{n:,} code", "{n:,} codes", weighed)
    if weighed < n:
        pool = tr("a sample of {n:,} codes", n=weighed)
    if unplayed:
        pool += trn(
            " and {n} opening guess not played", " and {n} opening guesses not played", unplayed
        )
    best = _split(ranking, 0)
    screen.note(
        "Endgame: {pool} are weighed by {criterion}; {guess} has {bits} bits, and leaves {largest} "
        "at most; {equal}.",
        pool=pool,
        criterion=state.lead,
        guess=screen.write(best.guess),
        bits=figure(best.bits, ".2f"),
        largest=figure(best.largest, ","),
        equal=trn(
            "{n} is equal to it ({codes})",
            "{n} are equal to it ({codes})",
            equals,
            codes=_some([Code(code) for code in ranking.guesses[1 : ranking.equal]], screen),
        )
        if equals
        else tr("none is equal to it"),
    )
    if table:
        _show_pool(ranking, screen)


def _show_pool(ranking: PoolRanking, screen: Screen) -> None:
    """Show the best guesses, the codes behind each answer, and what the answers tell."""
    rows: list[list[str]] = []
    codes: list[Code] = []
    for place in range(len(ranking.guesses)):
        if len(rows) >= _LINES:
            break
        split = _split(ranking, place)
        first = [str(place + 1), screen.write(split.guess), figure(split.bits, ".2f")]
        first.append(figure(split.largest, ","))
        codes.append(split.guess)
        for mark, behind in ranking.parts(place).items():
            rows.append([*first, str(mark), figure(len(behind), ","), _some(behind, screen)])
            first = [""] * len(first)
            codes.append(Code(()))
        codes.pop()
    screen.table([tr(head) for head in _POOL_HEADS], rows, codes, (1, 4, 6))


def _split(ranking: PoolRanking, place: int) -> Split:
    """The guess of a place, with the sizes of its parts."""
    from pegwise.coach.advice import Split

    sizes = tuple((mark, len(codes)) for mark, codes in ranking.parts(place).items())
    guess = Code(ranking.guesses[place])
    return Split(guess, sizes, bool((ranking.candidates == guess).all(axis=1).any()))


def _some(codes: Sequence[Code], screen: Screen) -> str:
    """Some codes, the first of them where there are many."""
    more = ["..."] if len(codes) > _CODES else []
    return " ".join([*(screen.write(code) for code in codes[:_CODES]), *more])
