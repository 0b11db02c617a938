"""The option `--secrets` of commands: games and turns that are typed, and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.reading import split_rules
from pegwise.cli.terminal import standard_input
from pegwise.coach.advice import STRATEGIES, rank
from pegwise.coach.parallel import ParallelPosition
from pegwise.errors import InputError
from pegwise.game import Code, Notation, Rules, as_game
from pegwise.game.parallel import MAX_BOARDS
from pegwise.game.reading.codes import check_colors
from pegwise.game.turns import BETWEEN
from pegwise.i18n import figure, tr, trn
from pegwise.playing import Play, Record

if TYPE_CHECKING:
    from pegwise.coach.parallel import ParallelReview

secrets_option: Final = click.option(
    "--secrets",
    "n_secrets",
    type=options.WholeNumber(1, MAX_BOARDS),
    default=1,
    metavar="N",
    help="Seek so many secrets at once: wordle --secrets 4 is Quordle.",
)

_COUNT: Final = 10


def read_boards(arguments: Sequence[str], n: int, secrets: str | None = None) -> Record:
    """The game with `n` secrets of `RULES GUESS=MARKS...`, marked by a person; or of the secrets.

    `-` in place of turns reads standard input.
    """
    told, typed = split_rules(arguments)
    if typed and not isinstance(told, Rules):
        raise InputError("several secrets need RULES before the turns, as in wordle")
    rules = told if isinstance(told, Rules) else options.named_rules(None)
    text = ("\n" if rules.marked else " ").join(typed)
    if typed == ["-"]:
        text = standard_input().read()
    play = Play(as_game(rules), n)
    if secrets is not None:
        if typed:
            raise InputError("give turns, or --secret and let the machine play; not both")
        given: Any = play.read_secrets(secrets)
        return Record(rules, secret=given, codemaker="given", boards=n)
    play = play.read(text)
    return Record(rules, play.turns, "solved" if play.over else "open", boards=n)


def show_candidates(
    record: Record, screen: Screen, limit: int, *, colors: str | None, as_json: bool
) -> bool:
    """Count and list the codes of each board; whether each has some."""
    if colors is not None:
        screen.use(
            Notation("names", names=check_colors(colors.split(","), record.rules)), record.rules
        )
    else:
        screen.follow("", record.rules)
    position = ParallelPosition(record.play)
    if as_json:
        turns = [{"guess": str(t.guess), "mark": str(t.mark)} for t in record.turns]
        boards = [
            {"count": len(codes), "codes": [str(code) for code in codes[:limit]]}
            for codes in position.candidates
        ]
        options.print_json({"rules": record.game_name, "history": turns, "boards": boards})
    else:
        show_boards(position, screen, limit)
    return all(position.counts)


def show_boards(position: ParallelPosition, screen: Screen, most: int) -> None:
    """The codes that each board may have."""
    found = position.play.found
    for number, (secret, codes) in enumerate(zip(found, position.candidates, strict=True), 1):
        if secret is not None:
            screen.say("Board {n} is solved: {code}", n=number, code=screen.write(secret))
            continue
        screen.say("Board {n}: {count} codes", n=number, count=figure(len(codes), ","))
        screen.columns([screen.write(code) for code in codes[:most]])
        if len(codes) > most:
            screen.note("... and {n:,} more", n=len(codes) - most)


def show_best(record: Record, screen: Screen, criterion: str) -> None:
    """The ten best guesses by a criterion."""
    position = ParallelPosition(record.play)
    criterion = criterion if criterion in STRATEGIES else "entropy"
    with screen.working(tr("comparing guesses"), record.rules):
        splits = rank(position, criterion, count=_COUNT).splits
    rows: list[list[str | Code]] = [
        [
            str(number),
            split.guess,
            figure(split.bits, ".2f"),
            figure(float(split.expected), ",.1f"),
            figure(split.largest, ","),
            figure(split.n_parts, ","),
            ", ".join(map(str, split.possible)) or tr("no"),
        ]
        for number, split in enumerate(splits, 1)
    ]
    heads = ["", tr("guess"), tr("bits"), tr("exp."), tr("largest"), tr("marks"), tr("boards")]
    screen.table(heads, rows, (1, 6))
    screen.note(
        "bits: to be expected of all boards together; exp., largest: ways to choose a code for "
        "each board that are expected to be left, or can be; marks: different ones possible; "
        "boards: those whose code it could be."
    )


def show_parallel_review(review: ParallelReview, screen: Screen) -> None:
    """A review as a table."""
    record = review.record
    solved = sum(each is not None for each in record.play.found)
    screen.tell(
        trn(
            "{rules}: {solved} of {boards} boards solved with {n} guess.",
            "{rules}: {solved} of {boards} boards solved with {n} guesses.",
            len(record.turns),
            rules=record.game_name,
            solved=solved,
            boards=record.boards,
        )
    )
    if review.turns:
        heads = [
            "#",
            tr("guess"),
            tr("codes left"),
            tr("exp."),
            tr("bits"),
            tr("luck"),
            tr("best"),
            tr("cost"),
        ]
        rows: list[list[str | Code]] = []
        for turn in review.turns:
            rows.append(
                [
                    str(turn.number),
                    turn.turn.guess,
                    BETWEEN.join(figure(n, ",") for n in turn.after),
                    figure(turn.played.bits, ".2f"),
                    figure(turn.bits, ".2f"),
                    figure(round(turn.luck, 2) + 0.0, "+.2f"),
                    "" if turn.best is turn.played else turn.best.guess,
                    figure(turn.cost, ".2f"),
                ]
            )
        screen.say()
        screen.table(heads, rows, (1, 2, 6))
        screen.note(
            "codes left: of each board after the turn; exp.: bits to be expected of this guess, of "
            "all boards together; luck: bits beyond that; cost: bits that the best guess would "
            "have told more on average ({criterion}).",
            criterion=review.criterion,
        )
    if not review.consistent:
        screen.warn("The marks of turn {n} contradict those before.", n=len(review.turns) + 1)
