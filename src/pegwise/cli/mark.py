"""`pegwise mark` and `explain`: the mark of a guess, and what marks tell, step by step."""

from __future__ import annotations

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.candidates import say_contradiction
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import (
    asked,
    colors_option,
    game_screen,
    read_as,
    read_position,
    reading_options,
    tell_reading,
    typed_code,
)
from pegwise.cli.terminal import NO
from pegwise.errors import ContradictionError, InputError
from pegwise.game import Code, Game, game_of
from pegwise.game.marks import placed_mark
from pegwise.game.rules import Rules
from pegwise.i18n import tr
from pegwise.knowledge import count
from pegwise.knowledge.reasoning import LEVELS, MOST_CODES, reason
from pegwise.knowledge.sentences import document
from pegwise.reading.codes import infer_codes, signs_of
from pegwise.telling.reasoning import explained, mark_told


@click.command(epilog="Example: pegwise mark AABB ABCD")
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] GUESS SECRET", shell_complete=options.complete_rules
)
@options.words_options
@options.notation_option
@colors_option
@options.json_option
def mark(
    arguments: tuple[str, ...],
    notation: str | None,
    colors: str | None,
    as_json: bool,
) -> None:
    """Mark a guess against a secret: black and white pegs, and why, peg by peg.

    Without RULES any two codes of one length do; the mark does not depend on the board.
    """
    *first, guess_text, secret_text = arguments if len(arguments) > 1 else ("", "")
    if not guess_text or len(first) > 1:
        raise InputError("write a guess and a secret: pegwise mark [RULES] GUESS SECRET")
    listed = options.listed_words()
    if first or listed is not None:
        rules = options.named_rules(first[0] if first else None)
    else:
        rules = _any_board(guess_text, secret_text)
    screen = game_screen(rules, notation, colors, err=as_json)
    guess = _marked_code(guess_text, rules, screen)
    secret = _marked_code(secret_text, rules, screen, secret=True)
    answer = rules.mark_of(guess, secret)
    told = {"rules": rules, "guess": guess, "secret": secret, "mark": answer}
    counts = rules.marking.counts(answer)
    if not counts:  # a table has no pegs
        if as_json:
            options.print_json(told)
        else:
            screen.say(str(answer))
        return
    if as_json:
        pegs = {"black": counts[0], "white": sum(counts[1:])}
        options.print_json(told | pegs | {"placed": placed_mark(guess, secret)})
        return
    show(mark_told(rules, guess, secret, answer), screen)


def _marked_code(text: str, rules: Game, screen: Screen, *, secret: bool = False) -> Code:
    """A code that is typed; any word of the right length, listed or not."""
    if rules.alphabet.are_words:
        return rules.alphabet.read_any(text)
    return typed_code(text, rules, screen, secret=secret)


def _any_board(*texts: str) -> Game:
    """A board for both codes, by their letters, digits or discs, whatever these stand for."""
    signs = [each for each in map(signs_of, texts) if each is not None and each.kind == "letters"]
    if len(signs) == len(texts) and len({len(each.signs) for each in signs}) == 1:
        return game_of(
            Rules(len(signs[0].signs), 26, blank=any("." in each.signs for each in signs))
        )
    return asked(lambda **_choices: infer_codes(texts).rules)


@click.command(epilog="Example: pegwise explain 4x6 AABB=XO CCDD=-")
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] GUESS=MARK...", shell_complete=options.complete_rules
)
@options.words_options
@reading_options
@options.notation_option
@options.json_option
def explain(
    arguments: tuple[str, ...],
    colors: str | None,
    marks: str | None,
    notation: str | None,
    as_json: bool,
) -> None:
    """Deduce, step by step, what some turns tell, as a person reasons.

    The easiest step comes first. On boards up to 5x8 cases are tried too, so that
    everything that follows is found; on larger boards only the steps that need no case. Turns are
    read as by candidates.
    """
    screen = Screen(notation=notation)
    noted = read_position(arguments, screen, colors, marks)
    rules, history = noted.game, noted.turns
    if not history and not rules.marking.listed:
        told = {"rules": rules.named, "turn": rules.example_turn}
        raise InputError("give some turns, as in {rules} {turn}", **told)
    if not as_json:
        tell_reading(noted, screen)
    most = LEVELS if rules.n_secrets <= MOST_CODES else LEVELS - 2
    try:
        steps = reason(rules, history, most)
        with progress_bar(tr("Counting")) as report:
            fitting = count(rules, history, report=report)
    except ContradictionError:
        fitting = 0
    if not fitting:
        say_contradiction(noted, screen, as_json=as_json)
        click.get_current_context().exit(NO)
    if as_json:
        options.print_json(
            {
                "rules": rules,
                "count": fitting,
                "steps": [document(step, rules, history) for step in steps],
                **read_as(noted),
            }
        )
        return
    show(explained(steps, fitting, rules, history, screen.notation), screen)
