"""`pegwise review`, and why a strategy plays what it plays: what guesses cost, tell and leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.reading import (
    asked,
    given_words,
    is_file,
    read_as,
    reader_of,
    reading_options,
    split_rules,
    tell_reading,
)
from pegwise.cli.terminal import NO, standard_input
from pegwise.coach.advice import Adviser, Position
from pegwise.coach.review import review as coach
from pegwise.errors import InputError
from pegwise.game import Code, Turn, game_of
from pegwise.game.names import SEVERAL
from pegwise.game.notation import named
from pegwise.i18n import tr
from pegwise.knowledge.diagnosis import Diagnosis, diagnose
from pegwise.paths import read_text
from pegwise.playing import Play, Record, parse_game
from pegwise.playing.record import MAX_BYTES
from pegwise.reading import GivenRules, Interpretation
from pegwise.search.solver import best_play_within, wants_kernels
from pegwise.strategies import label, naming_the_strategy
from pegwise.telling.advice import (
    best_guesses,
    deduction_words,
    proposal,
    reason_with_criterion,
)
from pegwise.telling.review import review_report

if TYPE_CHECKING:
    from pegwise.coach.advice import Adviser
    from pegwise.coach.review import Review
    from pegwise.strategies import Strategy


# `pegwise review`

_JUDGING: Final = 10.0  # seconds for what best play needs; positions beyond are estimated


@click.command(epilog="Example: pegwise review mygame.txt")
@click.argument("arguments", nargs=-1, required=True, metavar="FILE|[RULES] GUESS=MARK...")
@options.words_options
@reading_options
@click.option(
    "--criterion",
    default="entropy",
    show_default=True,
    metavar="ID",
    help="What makes a guess best: entropy, size, minimax or parts.",
)
@click.option(
    "--guesses",
    default="all",
    show_default=True,
    metavar="all|candidates",
    help="What the best guess is chosen from: your own rule of play.",
)
@options.strategy_option("name", help="Also show what this strategy plays after the same turns.")
@click.option(
    "--why",
    "number",
    type=options.WholeNumber(1, 10**6),
    metavar="TURN",
    help="Show the ten best guesses of this turn, and where the one played ranks.",
)
@options.notation_option
@options.json_option
@click.pass_context
def review(
    ctx: click.Context,
    arguments: tuple[str, ...],
    criterion: str,
    guesses: str,
    name: str | None,
    number: int | None,
    colors: str | None,
    marks: str | None,
    notation: str | None,
    as_json: bool,
) -> None:
    """Review a game, turn by turn; FILE is its record, or - for standard input.

    Turns alone are enough, in the file or in its place: AABC=O DDEF=XX BEEF=XXXX.

    Each guess is best, good, inaccurate, or wasted if its mark was known beforehand. The table has
    the codes possible before and after each turn, the expected information of its guess, and the
    best guess. Luck is the information gained beyond the expected, in bits. Cost is how many
    guesses more than best play it needs on average, if the game can be searched to its end; else
    how much more the best guess tells, looking one step ahead. The exit status is 1 if the marks
    contradict each other.
    """
    file, board = options.ANY_PATH.convert(arguments[0], None, ctx), given_words()
    turns: list[str] = []
    if len(arguments) > 1 or ("=" in arguments[0] and not is_file(arguments[0])):
        several = SEVERAL.fullmatch(arguments[0])
        board, turns = (board, [*arguments]) if several else split_rules(arguments)
    screen = Screen(err=as_json, notation=notation)
    noted: Interpretation | None = None

    def parse(text: str, name: str) -> Record:
        def read(game: GivenRules = board, **choices: Any) -> Record:
            nonlocal noted
            reader = reader_of(game, **{"colors": colors, "marks": marks, **choices})
            record = parse_game(text, name, reader, several=True)
            noted = None if record.boards > 1 else reader.reading
            return record

        record = asked(read)
        if record.colors:
            screen.use(named(record.colors), record.game)
        elif noted is None:
            screen.follow("", record.game)
        else:
            screen.use(noted.notation, record.game)
        return record

    if turns:
        record = parse("\n".join(turns), tr("the turns"))
    elif str(file) == "-":
        record = parse(standard_input().read(), tr("standard input"))
    else:
        record = parse(read_text(file, MAX_BYTES), str(file))
    if number is not None and number > len(record.turns):
        raise InputError("this game has no turn {number}", number=number)
    if record.boards > 1 and (name is not None or number is not None):
        raise InputError("-s and --why are for one secret: leave them out")
    strategy = None if name is None else options.parse_strategy(name, 0)
    made = make_review(record, screen, criterion, guesses)
    plays = [] if strategy is None else guesses_of(strategy, made, screen)
    if as_json:
        document = made.document() | read_as(noted)
        two_numbers = noted is None or noted.two_numbers
        if diagnosis := _diagnosis(made, screen, two_numbers=two_numbers):
            document |= {"explanations": [], **diagnosis.document()}
        for turn, guess in zip(document["turns"], plays, strict=False):
            turn["strategy"] = guess
        options.print_json(document)
    else:
        if noted:
            tell_reading(noted, screen)
        show_review(made, screen, two_numbers=noted is None or noted.two_numbers)
        if strategy is not None:
            show_guesses(strategy, plays, made, screen)
    if number is not None and number <= len(made.turns) + 1:
        before, played = record.play.first(number - 1), record.turns[number - 1].guess
        screen.say()
        if number <= len(made.turns) and made.turns[number - 1].unit == "guesses":
            screen.tell(
                "The table compares by guesses to the end of the game; this list looks one step "
                "ahead, by {criterion}, and may order guesses otherwise.",
                criterion=criterion,
            )
        show_why(before, played, tr("played"), screen, criterion, guesses)
    if not made.consistent:
        ctx.exit(NO)


def make_review(
    record: Record, screen: Screen, criterion: str = "entropy", guesses: str = "all"
) -> Review:
    """The coach's review, with progress where it is slow."""
    solver = best_play_within(_JUDGING)
    with screen.working(tr("reviewing"), record.game) as report:
        made = coach(record, criterion=criterion, guesses=guesses, solver=solver, report=report)
    rules, turns = record.game, made.turns
    if record.boards == 1 and any(
        turn.unit != "guesses" and wants_kernels(rules, turn.before) for turn in turns
    ):
        screen.note(
            "Kernels are not compiled yet: where the cost has a *, it and the best guess are by "
            "one look ahead. 'pegwise compile', once, about a minute, lets them be by best play."
        )
    return made


def guesses_of(strategy: Strategy, review: Review, screen: Screen) -> list[Code | None]:
    """Guesses of a strategy after the turns before each; None where it cannot go on from them."""
    rules, turns = review.record.game, review.record.turns
    adviser = Adviser(strategy, rules)
    guesses: list[Code | None] = []
    game = game_of(rules)
    with screen.working(tr("choosing"), rules), naming_the_strategy(strategy, game):
        for number in range(len(review.turns)):
            decision = adviser.decision_after(turns[:number])
            guesses.append(None if decision is None else rules.alphabet.check(decision.guess))
    return guesses


def show_guesses(
    strategy: Strategy, guesses: Sequence[Code | None], review: Review, screen: Screen
) -> None:
    """Show them beside those that were played, in a line."""
    words = []
    for turn, guess in zip(review.turns, guesses, strict=True):
        what = tr("as played") if guess == turn.turn.guess else tr("cannot go on")
        if guess not in (None, turn.turn.guess):
            what = screen.write(guess)
        words.append(f"{turn.number}. {what}")
    screen.tell(
        "After the same turns {name} plays: {guesses}.",
        name=label(strategy),
        guesses=", ".join(words),
    )


def show_review(review: Review, screen: Screen, *, two_numbers: bool = True) -> None:
    """Print a review; `two_numbers` tells whether marks may have been two numbers."""
    show(
        review_report(
            review, _diagnosis(review, screen, two_numbers=two_numbers), screen.notation
        ).blocks,
        screen,
    )


def _diagnosis(review: Review, screen: Screen, *, two_numbers: bool) -> Diagnosis | None:
    """What is wrong with the marks; None where some code fits them."""
    record = review.record
    if review.consistent or record.boards > 1:
        return None
    with screen.working(tr("looking for the wrong mark"), record.game) as report:
        return diagnose(
            record.game,
            record.turns,
            notation=screen.notation,
            two_numbers=two_numbers,
            report=report,
        )


# why a guess is proposed


def explain_choice(adviser: Adviser, turns: Sequence[Turn], screen: Screen, name: str) -> None:
    """Show the best guesses as the strategy that is named sees them, and what is proposed."""
    name = name.removeprefix("-s").strip()
    boards = adviser.play.boards
    own = Adviser(options.parse_strategy(name, 0), adviser.game, boards) if name else adviser
    with screen.working(tr("choosing"), adviser.game):
        proposed = adviser.propose(turns).guess
        advice = own.propose(turns)
    if advice.strategy != label(own.strategy):
        asked, departure = label(own.strategy), own.departure(turns)
        if departure is not None:
            number, guess = departure
            screen.tell(
                "{asked} plays {guess} in turn {n}, and takes no other guess there; turns stand in "
                "the order in which they were played. {name} answers instead.",
                asked=asked,
                guess=screen.write(guess),
                n=number,
                name=advice.strategy,
            )
        else:
            screen.tell(
                "{asked} cannot continue after these turns; {name} answers instead.",
                asked=asked,
                name=advice.strategy,
            )
    with screen.working(tr("choosing"), adviser.game):
        position = Position(adviser.play, turns)
        blocks = [*proposal(advice, position, proposed, screen.write)]
    show(blocks, screen)


def show_reason(
    adviser: Adviser, turns: Sequence[Turn], screen: Screen, turn: Turn | None = None
) -> None:
    """Show why the guess after some turns is played, or what the strategy concludes of its mark.

    Nothing is shown where the strategy gives no reason, where the turn has another guess, and
    where all that is concluded is how many codes agree, which stands beside the turn.
    """
    if turn is not None and (len(turn.marks) > 1 or turn.mark.partial):
        return
    with screen.working(tr("choosing"), adviser.game):
        advice = adviser.propose(turns)
        if turn is not None and turn.guess != advice.guess:
            return
        explanation = advice.explain(turn and turn.mark, write=screen.write)
    if turn is None and explanation.gives_reason:
        screen.note("     " + reason_with_criterion(explanation, adviser.game, turns))
    elif turn is not None and explanation.agreeing is None and explanation.deduction:
        screen.note("     -> " + deduction_words(explanation))


def show_why(
    play: Play,
    guess: Code,
    word: str,
    screen: Screen,
    criterion: str,
    only: str,
) -> None:
    """Show the ten best guesses by a criterion, and how this one, marked by a word, stands."""
    position = Position(play)
    with screen.working(tr("comparing guesses"), play.game):
        blocks = [*best_guesses(position, guess, word, criterion=criterion, guesses=only)]
    show(blocks, screen)
