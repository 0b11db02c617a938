"""`pegwise play`: a person decodes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli.board import Screen
from pegwise.cli.options import WholeNumber, json_option, rules_argument
from pegwise.cli.session import (
    Command,
    Dialogue,
    SavedGame,
    refuse_rest,
    resume_option,
    resumed,
    save_option,
    saved_game,
)
from pegwise.cli.terminal import announce_compilation
from pegwise.errors import ContradictionError, InputError, Phrase, TooLargeError, UnknownNameError
from pegwise.game import HOLE, Code, Mark, Record, Rules, Turn, parse_code
from pegwise.i18n import tr

if TYPE_CHECKING:
    from pegwise.coach import Adviser
    from pegwise.knowledge.codemaker import Codemaker
_CODEMAKERS: Final = ("random", "optimal", "evil")
_MAX_SEED: Final = 10**9


@click.command(epilog="Example: pegwise play 4x6 --codemaker evil")
@rules_argument
@click.option(
    "--codemaker",
    default="random",
    show_default=True,
    metavar="random|optimal|evil",
    help="random hides a code; optimal hides codes that are hard to find more often; evil always "
    "answers so that most codes stay possible.",
)
@click.option(
    "--seed",
    type=WholeNumber(0, 10**20 - 1),
    help="Play this game again; a new one when not given.",
)
@save_option
@resume_option
@json_option
def play(
    rules: Rules,
    codemaker: str,
    seed: int | None,
    save: Path | None,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Find a hidden code.

    Type guesses as letters (AABC), digits (1123) or discs; type help for what else may be typed.
    At the end every guess is reviewed. Left in any way, the game is saved.
    """
    if resume is None:
        record = _new_game(rules, codemaker, seed)
    else:
        message = Phrase("--resume goes on with the rules and the codemaker of its file")
        record = resumed(resume, message, "rules", "codemaker", "seed")
    saved = saved_game(save, resume)
    announce_compilation()
    _Play(record, Screen(err=as_json), saved).play(as_json=as_json)


def _new_game(rules: Rules, codemaker: str, seed: int | None) -> Record:
    if codemaker not in _CODEMAKERS:
        raise UnknownNameError.of("codemaker", codemaker, _CODEMAKERS)
    if codemaker == "evil":
        if seed is not None:
            raise InputError("--seed {seed}: an evil codemaker draws nothing", seed=seed)
        return Record(rules, codemaker=codemaker)
    drawn = secrets.randbelow(_MAX_SEED) if seed is None else seed
    return Record(rules, codemaker=codemaker, seed=drawn)


class _Play(Dialogue):
    """A person seeks the code of a codemaker; its marks so far are checked."""

    def __init__(self, record: Record, screen: Screen, saved: SavedGame) -> None:
        super().__init__(record, screen, saved)
        self.codemaker = _codemaker(record)

    def document(self) -> dict[str, Any]:
        record = self.record
        return {
            "rules": str(self.rules),
            "codemaker": record.codemaker,
            "seed": record.seed,
            "secret": None if record.open else str(record.secret),
            "turns": self.listed_turns(),
            "solved": record.solved,
        }

    def own_commands(self) -> Mapping[str, Command]:
        return {
            "hint": Command(tr("hint"), tr("propose a guess"), self._hint),
            "give up": Command(
                tr("give up"), tr("show the code, which ends the game"), self._give_up
            ),
        }

    def show_start(self) -> None:
        screen, rules, codemaker = self.screen, self.rules, self.record.codemaker
        self.show_board()
        screen.say("Find a code of  {colors}", colors=screen.palette(rules))
        screen.tell("from the marks of your guesses: {signs}.", signs=self.mark_signs())
        if rules.blank:
            holed = Code((HOLE, *(peg % rules.colors for peg in range(rules.pegs - 1))))
            screen.tell("A dot leaves a hole of a guess empty, as in {code}.", code=holed)
        if codemaker == "optimal":
            screen.tell(
                "The codemaker is optimal: it draws the code so that no strategy needs fewer "
                "guesses on average than the value of the game."
            )
        if codemaker == "evil":
            screen.tell(
                "The codemaker is evil: it puts off choosing the code, and always gives the "
                "mark that leaves most codes possible. It never contradicts itself."
            )
        if words := [name.upper() for name in self.words() if _is_code(name, rules)]:
            screen.note("To guess {code}, type {apart}.", code=words[0], apart=" ".join(words[0]))
        if self.turns:
            screen.say()
        for number, turn in enumerate(self.turns, 1):
            screen.say(screen.turn(number, turn))

    def show_question(self) -> None:
        example = Code(peg % self.rules.colors for peg in range(self.rules.pegs))
        self.screen.say()
        self.screen.note(
            "Guess {n}, such as {code} or {digits}; or {names}.",
            n=len(self.turns) + 1,
            code=example,
            digits=example.write("digits"),
            names=self.names(),
        )

    def take_answer(self, text: str) -> None:
        guess = parse_code(text, self.rules)
        with self.screen.working(tr("marking"), self.rules) as report:
            mark = self.codemaker.answer(self.turns, guess, report=report)
        turn = Turn(guess, mark)
        won = {"secret": guess} if mark == Mark(self.rules.pegs) else {}
        self.update(turns=(*self.turns, turn), **won)
        self.screen.say(self.screen.turn(len(self.turns), turn))

    def show_end(self) -> None:
        from pegwise.cli.review import make_review, show_review

        self.screen.say()
        try:
            show_review(make_review(self.record, self.screen), self.screen)
        except TooLargeError as error:
            code = self.screen.code(self.record.secret or ())
            self.screen.say("The code was {code}", code=code)
            self.screen.tell("There is no review: {error}.", error=error)
        self.show_saved()

    @cached_property
    def _adviser(self) -> Adviser:
        from pegwise.coach import Adviser, default_strategy

        return Adviser(default_strategy(self.rules), self.rules)

    def _hint(self, rest: str) -> None:
        refuse_rest(rest, "hint")
        with self.screen.working(tr("choosing"), self.rules):
            advice = self._adviser.propose(self.turns)
        proposer = tr("proposed by {strategy}", strategy=advice.strategy)
        self.screen.say(f"     {self.screen.code(advice.guess)}   {proposer}")

    def _give_up(self, rest: str) -> None:
        refuse_rest(rest, "give up")
        self.update(secret=self.codemaker.reveal(self.turns), result="given up")


def _codemaker(record: Record) -> Codemaker:
    """The codemaker of a game, with the turns so far."""
    from pegwise.knowledge.codemaker import Evil, Hidden, draw_secret

    codemaker: Codemaker
    if record.codemaker == "evil":
        codemaker = Evil(record.rules)
    elif record.codemaker == "optimal" and record.seed is not None:
        from pegwise.search.players import draw_optimal_secret

        codemaker = Hidden(record.rules, draw_optimal_secret(record.rules, record.seed))
    elif record.seed is not None:
        codemaker = Hidden(record.rules, draw_secret(record.rules, record.seed))
    else:
        codemaker = Hidden(record.rules, record.secret or ())
    try:
        codemaker.reveal(record.turns)
    except ContradictionError as error:
        raise InputError(
            "the turns of this game are not its codemaker's: {error}", error=error
        ) from None
    return codemaker


def _is_code(word: str, rules: Rules) -> bool:
    """Whether a word is a guess as well."""
    try:
        parse_code(word, rules)
    except InputError:
        return False
    return True
