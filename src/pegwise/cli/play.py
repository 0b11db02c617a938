"""`pegwise play`: a person finds a hidden code."""

from __future__ import annotations

import contextlib
import secrets
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.reading import (
    colors_option,
    game_screen,
    typed_code,
)
from pegwise.cli.review import explain_choice, make_review, show_review
from pegwise.cli.session import (
    WHY,
    GameSession,
    chosen_file,
    most_option,
    resume_option,
    resumed,
    save_option,
)
from pegwise.coach.advice import Adviser, default_strategy
from pegwise.errors import (
    ContradictionError,
    InputError,
    Phrase,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import (
    HOLE,
    Code,
    Game,
    Turn,
    parse_code,
)
from pegwise.game.hard import check_hard
from pegwise.i18n import tr
from pegwise.knowledge.codemaker import Evil, Hidden, check_named, draw_secrets
from pegwise.playing import Record
from pegwise.search.codemaker import draw_optimal_secret

if TYPE_CHECKING:
    from pegwise.coach.advice import Adviser
    from pegwise.knowledge.codemaker import Codemaker

_CODEMAKERS: Final = ("random", "optimal", "evil")
_MAX_SEED: Final = 10**9


@click.command(cls=options.SecretsCommand, epilog="Example: pegwise play 4x6 --codemaker evil")
@options.rules_argument
@options.jar_option
@options.secrets_option
@click.option(
    "--codemaker",
    default="random",
    show_default=True,
    metavar="random|optimal|evil",
    help="random hides a code; optimal hides hard codes more often; evil always gives the mark "
    "that leaves most codes possible.",
)
@click.option(
    "--seed",
    type=options.WholeNumber(0, 10**20 - 1),
    help="Play this game again; a new one when not given.",
)
@most_option
@options.notation_option
@colors_option
@save_option
@resume_option
@options.json_option
def play(
    rules: Game,
    n_secrets: int,
    codemaker: str,
    seed: int | None,
    max_guesses: int | None,
    notation: str | None,
    colors: str | None,
    save: Path | None,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Find a hidden code.

    Type guesses as letters (AABC), digits (1123) or discs; type help for what else may be typed.
    At the end every guess is reviewed. However you leave, the game is saved.

    With --secrets 4 each guess gets a mark for each of the four codes that is still hidden, as in
    Quordle; with words, the limit is the number of secrets plus five.
    """
    record: Record
    if resume is not None:
        message = Phrase("--resume takes the rules and the codemaker from its file")
        record = resumed(resume, message, "rules", "jar", "n_secrets", "codemaker", "seed")
    elif codemaker not in _CODEMAKERS:
        raise UnknownNameError.of("codemaker", codemaker, _CODEMAKERS)
    elif codemaker == "evil" and seed is not None:
        raise InputError("--seed {seed}: an evil codemaker draws nothing", seed=str(seed))
    elif n_secrets > 1 and codemaker != "random":
        raise InputError(
            "--codemaker {name}: several secrets are drawn at random; leave it out", name=codemaker
        )
    else:
        if codemaker != "evil" and seed is None:
            seed = secrets.randbelow(_MAX_SEED)
        drawn: dict[str, Any] = {"codemaker": codemaker, "seed": seed}
        record = Record(rules, boards=n_secrets, **drawn)
    path = chosen_file(save, resume)
    names = colors or ",".join(record.colors) or None
    screen = game_screen(record.game, notation, names, err=as_json)
    _Play(record, screen, path, max_guesses).play(as_json=as_json)


class _Play(GameSession):
    """A person seeks the code of a codemaker; its marks so far are checked."""

    commands = {  # noqa: RUF012 (as its base declares it)
        "hint": (Phrase("hint"), Phrase("propose a guess")),
        "why": WHY,
        "give up": (Phrase("give up"), Phrase("show the code, which ends the game")),
        **GameSession.commands,
    }

    def __init__(
        self, record: Record, screen: Screen, path: Path | None, max_guesses: int | None
    ) -> None:
        super().__init__(record, screen, path, max_guesses)
        self.codemaker = _codemaker(record)

    def document(self) -> dict[str, Any]:
        record = self.record
        if record.boards > 1:
            return self.boards_document()
        return {
            "rules": self.rules,
            "codemaker": record.codemaker,
            "seed": record.seed,
            "secret": None if record.open else record.secret,
            "turns": self.listed_turns(),
            "solved": record.solved,
        }

    def show_start(self) -> None:
        screen, rules, codemaker = self.screen, self.rules, self.record.codemaker
        if self.record.boards > 1:
            self.show_board(Phrase("Find codes of  {signs}"), Phrase("Find words of  {signs}"))
        else:
            self.show_board(Phrase("Find a code of  {signs}"), Phrase("Find a word of  {signs}"))
        signs = self.mark_signs()
        if rules.marking.listed:
            screen.tell("Find the secret from the marks of your guesses: {signs}.", signs=signs)
        else:
            screen.tell("from the marks of your guesses: {signs}.", signs=signs)
        self.say_boards()
        if rules.alphabet.blank:
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
        for name in self.words():
            with contextlib.suppress(InputError):
                parse_code(name, rules)  # a command that is a guess as well
                code = name.upper()
                screen.note("To guess {code}, type {apart}.", code=code, apart=" ".join(code))
                break
        if self.turns:
            screen.say()
        self.show_turns()

    def show_question(self) -> None:
        self.screen.say()
        if self.asked:
            self.screen.note("Guess {n}, or {help}.", n=self.next_number, help=self.name("help"))
            return
        self.screen.note(
            "Guess {n}, such as {codes}; or {names}.",
            n=self.next_number,
            codes=tr(" or ").join(self.rules.alphabet.examples),
            names=self.names(),
        )

    def take_answer(self, text: str) -> None:
        guess = typed_code(text, self.rules, self.screen)
        check_named(self.rules, self.turns, guess)
        check_hard(self.rules, self.turns, guess, self.screen.notation)
        with self.screen.working(tr("marking"), self.rules) as report:
            answer = self.codemaker.answer(self.turns, guess, report=report)
        turns = (*self.turns, Turn(guess, answer))
        shown = {"secret": self.codemaker.reveal(turns)} if self.play_after(turns).over else {}
        self.update(turns=turns, **shown)
        self.show_turns(len(self.turns))

    def show_end(self) -> None:
        if self.record.boards > 1:
            super().show_end()
        self.screen.say()
        try:
            show_review(make_review(self.record, self.screen), self.screen)
        except TooLargeError as error:
            if not self.record.solved:
                super().show_end()
            code = self.screen.code(self.record.secret or ())
            self.screen.say("The code was {code}", code=code)
            self.screen.tell("There is no review: {error}.", error=error)
        self.show_saved()

    @cached_property
    def _adviser(self) -> Adviser:
        boards = self.record.boards
        return Adviser(default_strategy(self.rules, boards), self.rules, boards)

    def do_hint(self, _rest: str) -> None:
        with self.screen.working(tr("choosing"), self.rules):
            advice = self._adviser.propose(self.turns)
        self.note_hint()
        proposer = tr("proposed by {strategy}", strategy=advice.strategy)
        self.screen.say(f"     {self.screen.code(advice.guess)}   {proposer}")

    def do_why(self, rest: str) -> None:
        explain_choice(self._adviser, self.turns, self.screen, rest)
        self.note_hint()

    def do_give_up(self, _rest: str) -> None:
        self.update(**self.ending(), result="given up")

    def ending(self) -> dict[str, Any]:
        return {"secret": self.codemaker.reveal(self.turns)}


def _codemaker(record: Record) -> Codemaker:
    """The codemaker of a game, with the turns so far."""
    rules, seed, boards = record.game, record.seed, record.boards
    secret: Any = record.secret or ()
    if record.codemaker == "optimal" and seed is not None:
        secret = draw_optimal_secret(rules, seed)
    elif seed is not None:
        drawn = draw_secrets(record.play, seed)
        secret = drawn if boards > 1 else drawn[0]
    codemaker = Evil(rules) if record.codemaker == "evil" else Hidden(rules, secret, boards)
    try:
        codemaker.reveal(record.turns)
    except ContradictionError as error:
        raise InputError(
            "the turns of this game are not its codemaker's: {error}", error=error
        ) from None
    return codemaker
