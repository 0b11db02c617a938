"""Why a strategy plays what it plays: its best guesses, its domains, its stage and its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.errors import Phrase, TooLargeError
from pegwise.game import Code, Rules, Turn
from pegwise.i18n import figure, tr, translated
from pegwise.knowledge.reasoning import deciding_turns
from pegwise.knowledge.sentences import follows_from

if TYPE_CHECKING:
    from pegwise.coach import Adviser, Ranking, Split
    from pegwise.strategies.forget import PoolRanking


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
    heads = ["", tr("guess"), tr("bits"), tr("exp."), tr("largest"), tr("marks"), tr("win?"), ""]
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


def show_stage(
    adviser: Adviser, turns: Sequence[Turn], screen: Screen, *, table: bool = False
) -> bool:
    """Show the stage of Forget's decoder, and the table of what it weighs if asked for.

    False where there was none to show: another strategy has none, nor has his after an opening that
    is not his.
    """
    if not adviser.strategy.card.id.startswith("forget-"):
        return False
    from pegwise.pictures.reasons import stage
    from pegwise.strategies.forget import Endgame, OpeningMove

    try:
        with screen.working(tr("choosing"), adviser.rules):
            state = adviser.decision_after(turns)
        if isinstance(state, OpeningMove | Endgame):
            for words in stage(state, screen.write):
                screen.note(words)
        if table and isinstance(state, Endgame) and len(state.candidates) > 1:
            _show_pool(state.rank(), screen)
    except TooLargeError as error:
        screen.note(f"{translated(error)}.")
        return False
    return isinstance(state, OpeningMove | Endgame)


def _show_pool(ranking: PoolRanking, screen: Screen) -> None:
    """Show the best guesses, the codes behind each answer, and what the answers tell."""
    from pegwise.pictures.reasons import some, split_of

    rows: list[list[str]] = []
    codes: list[Code] = []
    for place in range(len(ranking.guesses)):
        if len(rows) >= _LINES:
            break
        split = split_of(ranking, place)
        parts = ranking.parts(place)
        first = [str(place + 1), screen.write(split.guess), figure(split.bits, ".2f")]
        first.append(figure(split.largest, ","))
        for mark, behind in parts.items():
            rows.append([*first, str(mark), figure(len(behind), ","), some(behind, screen.write)])
            first = [""] * len(first)
        codes += [split.guess, *[Code(())] * (len(parts) - 1)]
    heads = ["", tr("guess"), tr("bits"), tr("largest"), tr("mark"), tr("number"), tr("codes")]
    screen.table(heads, rows, codes, (1, 4, 6))
