"""`pegwise play` and `pegwise solve`: a person decodes, or a strategy does."""

from __future__ import annotations

import contextlib
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.boards import AloneBoards, PlayBoards, SolveBoards
from pegwise.cli.parallel import read_boards, secrets_option
from pegwise.cli.reading import (
    check_form,
    colors_option,
    game_screen,
    read_listed,
    read_typed,
    reading_options,
    split_rules,
    tell_codes,
    tell_reading,
    typed_code,
    typed_mark,
    typed_text,
)
from pegwise.cli.review import explain_choice, make_review, show_reason, show_review
from pegwise.cli.session import (
    GameSession,
    chosen_file,
    contradicted,
    most_option,
    read_number,
    resume_option,
    resumed,
    save_option,
)
from pegwise.coach.advice import Adviser, default_strategy
from pegwise.errors import (
    ContradictionError,
    InputError,
    MarkError,
    PegwiseError,
    Phrase,
    StrategyError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import (
    HOLE,
    Code,
    Mark,
    Rules,
    Turn,
    example_code,
    mark_of,
    parse_code,
    winning_mark,
)
from pegwise.game.hard import check_hard
from pegwise.game.marks import agrees
from pegwise.i18n import tr
from pegwise.knowledge import check_turn, wrong_turns
from pegwise.knowledge.codemaker import Evil, Hidden, check_named, draw_secret
from pegwise.knowledge.diagnosis import diagnose
from pegwise.playing import Record
from pegwise.search.codemaker import draw_optimal_secret
from pegwise.strategies import label
from pegwise.strategies.entrants import names_entrants
from pegwise.telling.advice import explanation_document
from pegwise.telling.position import contradiction, wrong_mark

if TYPE_CHECKING:
    from pegwise.coach.advice import Advice, Adviser
    from pegwise.knowledge.codemaker import Codemaker
    from pegwise.strategies import Strategy

_CODEMAKERS: Final = ("random", "optimal", "evil")
_MAX_SEED: Final = 10**9
_WHY: Final = (
    Phrase("why [ID]"),
    Phrase("show the ten best guesses with their scores, as this strategy sees them"),
)


# `pegwise play`


@click.command(epilog="Example: pegwise play 4x6 --codemaker evil")
@options.rules_argument
@secrets_option
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
    rules: Rules,
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

    With --secrets 4 each guess gets a mark for each of four codes that is still hidden, as in
    Quordle; on words such a game has as many guesses as secrets and five more.
    """
    record: Record
    if resume is not None:
        message = Phrase("--resume takes the rules and the codemaker from its file")
        record = resumed(resume, message, "rules", "n_secrets", "codemaker", "seed")
    elif codemaker not in _CODEMAKERS:
        raise UnknownNameError.of("codemaker", codemaker, _CODEMAKERS)
    elif codemaker == "evil" and seed is not None:
        raise InputError("--seed {seed}: an evil codemaker draws nothing", seed=seed)
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
    screen = game_screen(record.rules, notation, names, err=as_json)
    if record.boards > 1:
        PlayBoards(record, screen, path, max_guesses).play(as_json=as_json)
    _Play(record, screen, path, max_guesses).play(as_json=as_json)


class _Play(GameSession):
    """A person seeks the code of a codemaker; its marks so far are checked."""

    commands: ClassVar = {
        "hint": (Phrase("hint"), Phrase("propose a guess")),
        "why": _WHY,
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
        return {
            "rules": str(self.rules),
            "codemaker": record.codemaker,
            "seed": record.seed,
            "secret": None if record.open else str(record.secret),
            "turns": self.listed_turns(),
            "solved": record.solved,
        }

    def show_start(self) -> None:
        screen, rules, codemaker = self.screen, self.rules, self.record.codemaker
        self.show_board(Phrase("Find a code of  {colors}"), Phrase("Find a word of  {letters}"))
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
        for name in self.words():
            with contextlib.suppress(InputError):
                parse_code(name, rules)  # a command that is a guess as well
                code = name.upper()
                screen.note("To guess {code}, type {apart}.", code=code, apart=" ".join(code))
                break
        if self.turns:
            screen.say()
        for number, turn in enumerate(self.turns, 1):
            screen.say(screen.turn(number, turn))

    def show_question(self) -> None:
        example = example_code(self.rules)
        self.screen.say()
        if self.asked:
            self.screen.note("Guess {n}, or {help}.", n=self.next_number, help=self.name("help"))
            return
        codes = str(example)
        if self.rules.in_digits:
            codes = example.write("digits")
        elif self.rules.words is None:
            codes = tr("{letters} or {digits}", letters=example, digits=example.write("digits"))
        self.screen.note(
            "Guess {n}, such as {codes}; or {names}.",
            n=self.next_number,
            codes=codes,
            names=self.names(),
        )

    def take_answer(self, text: str) -> None:
        guess = typed_code(text, self.rules, self.screen)
        check_named(self.rules, self.turns, guess)
        check_hard(self.rules, self.turns, guess, self.screen.notation)
        with self.screen.working(tr("marking"), self.rules) as report:
            answer = self.codemaker.answer(self.turns, guess, report=report)
        won = {"secret": guess} if answer == winning_mark(self.rules) else {}
        self.update(turns=(*self.turns, Turn(guess, answer)), **won)
        self.screen.say(self.screen.turn(len(self.turns), self.turns[-1]))

    def show_end(self) -> None:
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
        return Adviser(default_strategy(self.rules), self.rules)

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
    rules, seed = record.rules, record.seed
    secret: Sequence[int] = record.secret or ()
    if record.codemaker == "optimal" and seed is not None:
        secret = draw_optimal_secret(rules, seed)
    elif seed is not None:
        secret = draw_secret(rules, seed)
    codemaker = Evil(rules) if record.codemaker == "evil" else Hidden(rules, secret)
    try:
        codemaker.reveal(record.turns)
    except ContradictionError as error:
        raise InputError(
            "the turns of this game are not its codemaker's: {error}", error=error
        ) from None
    return codemaker


# `pegwise solve`


@click.command(epilog="Example: pegwise solve 4x6 -s knuth --secret BEEF")
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] [GUESS=MARK...]", shell_complete=options.complete_rules
)
@options.words_options
@secrets_option
@options.strategy_option(
    "name", help="The strategy: entropy if not given, constraint on boards too large for it."
)
@click.option("--secret", "hidden", metavar="CODE", help="Decode this; else you mark the guesses.")
@most_option
@options.notation_option
@reading_options
@save_option
@resume_option
@options.seed_option
@options.json_option
def solve(
    arguments: tuple[str, ...],
    n_secrets: int,
    name: str | None,
    hidden: str | None,
    max_guesses: int | None,
    notation: str | None,
    colors: str | None,
    marks: str | None,
    save: Path | None,
    resume: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Let a strategy find a code.

    Given the code, it plays alone. Otherwise you hide a code and mark each guess in any notation
    (XXO, 2b1w, 2 1, - for none); type help for what else may be typed. However you leave, the
    game is saved. Turns that were played already are read as by candidates, and go before.

    With --secrets 4 each guess is marked on four boards at once, as in Quordle, until each is
    solved: all marks in a line, --GY- | ----- | G---- | -Y---, or one after the other.
    """
    check_form(marks)
    record: Record
    if resume is not None:
        message = Phrase("--resume takes the rules, secret and seed from its file")
        record = resumed(resume, message, "arguments", "n_secrets", "hidden", "seed")
        name = name or _known(record.codebreaker)
        names = colors or ",".join(record.colors) or None
        screen = game_screen(record.rules, notation, names, err=as_json)
    elif n_secrets > 1:
        record = read_boards(arguments, n_secrets, hidden)
        screen = game_screen(record.rules, notation, colors, err=as_json)
    elif hidden is not None:
        record, screen = _given_game(arguments, hidden, notation, colors, err=as_json)
    else:
        screen = Screen(err=as_json, notation=notation)
        noted = read_typed(*typed_text(arguments), screen, colors, marks)  # marks come later
        tell_reading(noted, screen)
        if colors is not None and not noted.turns:
            screen = game_screen(noted.rules, notation, colors, err=as_json)
        record = Record.of_turns(noted.rules, noted.turns)
    rules = record.rules
    strategy = options.parse_strategy(name, seed) if name else default_strategy(rules)
    path = chosen_file(save, resume)
    if record.boards > 1:
        boards = AloneBoards if record.codemaker == "given" else SolveBoards
        of_boards = boards(record, strategy, screen, path, max_guesses)
        of_boards.form = marks
        of_boards.play(as_json=as_json)
    kind = _Alone if record.codemaker == "given" else _Solve
    session = kind(record, strategy, screen, path, max_guesses)
    session.form = marks
    session.play(as_json=as_json)


def _known(codebreaker: str) -> str:
    """The strategy of a record; InputError for a file or program, which its user has to name."""
    if names_entrants(codebreaker):
        raise InputError(
            "{name} decodes in this game: to run it, name it yourself, as in -s {typed}",
            name=codebreaker,
            typed=shlex.quote(codebreaker),
        )
    return codebreaker


def _given_game(
    arguments: Sequence[str], hidden: str, notation: str | None, colors: str | None, *, err: bool
) -> tuple[Record, Screen]:
    """A game whose code is given; without rules it is of the board that the code is of."""
    told, turns = split_rules(arguments)
    if turns:
        raise InputError("give turns, or --secret and let the machine play; not both")
    rules = told if isinstance(told, Rules) else None
    if rules is None and told is not None:
        rules = options.named_rules(arguments[0] if arguments else None)
    screen = Screen(err=err, notation=notation)
    if rules is None or (colors is None and notation is None):
        read = read_listed([hidden], rules, screen, colors)
        tell_codes(read, screen)
        rules = read.rules
    if colors is not None:
        screen = game_screen(rules, notation, colors, err=err)
    secret = typed_code(hidden, rules, screen, secret=True)
    return Record(rules, secret=secret, codemaker="given"), screen


class _Solve(GameSession):
    """A person hides a code, and marks what the strategy proposes."""

    commands: ClassVar = {
        "guess": (Phrase("guess CODE"), Phrase("play this, not what is proposed")),
        "why": _WHY,
        "change": (Phrase("change TURN MARK"), Phrase("correct the mark of a turn")),
        "secret": (Phrase("secret CODE"), Phrase("show your code, which ends the game")),
        **GameSession.commands,
    }

    form: str | None = None  # the form of marks that was chosen, where several were possible
    chosen: Code | None = None  # what the person plays instead of what is proposed
    explained: tuple[Turn, ...] | None = None  # the turns after which a guess was explained last
    example: str = ""  # the likeliest correction of contradictory marks, as it is typed

    def __init__(
        self,
        record: Record,
        strategy: Strategy,
        screen: Screen,
        path: Path | None,
        max_guesses: int | None,
    ) -> None:
        super().__init__(replace(record, codebreaker=strategy.typed), screen, path, max_guesses)
        self.adviser = Adviser(strategy, record.rules)
        self.player = label(strategy)

    @property
    def secret(self) -> Code | None:
        """The hidden code, as far as it is known."""
        return self.turns[-1].guess if self.record.solved else self.record.secret

    def document(self) -> dict[str, Any]:
        return {
            "rules": str(self.rules),
            "strategy": self.player,
            "secret": None if self.secret is None else str(self.secret),
            "turns": [
                {**turn, "explanation": self.explanation(number)}
                for number, turn in enumerate(self.listed_turns())
            ],
            "solved": self.record.solved,
        }

    def explanation(self, number: int) -> dict[str, Any] | None:
        """Why a turn, counted from 0, was played, as JSON; None where another guess was."""
        turn = self.turns[number]
        with contextlib.suppress(PegwiseError):
            advice = self.adviser.propose(self.turns[:number])
            if advice.guess == turn.guess:
                explained = explanation_document(advice.explain(turn.mark))
                return {"strategy": advice.strategy, **explained}
        return None

    def propose(self) -> Advice:
        """The guess to play now, with why."""
        with self.screen.working(tr("choosing"), self.rules):
            return self.adviser.propose(self.turns)

    def show_reason(self, turns: tuple[Turn, ...], turn: Turn | None = None) -> None:
        """Show why a guess is proposed after some turns, or what its mark tells the strategy."""
        with contextlib.suppress(ContradictionError):  # which is told anyway
            show_reason(self.adviser, turns, self.screen, turn)

    def add(self, turn: Turn) -> None:
        """Add a turn, and show what it told, also to the strategy if the guess is its own."""
        before = self.turns
        self.update(turns=(*before, turn))
        self.show_turns(len(self.turns))
        self.show_reason(before, turn)

    def show_turns(self, first: int = 1) -> None:
        """Show the turns from a number on, and what each told."""
        for number in range(first, len(self.turns) + 1):
            turn = self.screen.turn(number, self.turns[number - 1])
            self.screen.beside(turn, self.effect(self.turns[:number]))

    def show_start(self) -> None:
        screen = self.screen
        self.show_board(Phrase("Hide a code of  {colors}"), Phrase("Hide a word of  {letters}"))
        signs = self.mark_signs()
        screen.tell("and mark what {name} guesses: {signs}.", name=self.player, signs=signs)
        if self.turns:
            screen.say()
            self.show_turns()
            self._explain_contradiction()

    def show_question(self) -> None:
        screen = self.screen
        screen.say()
        if self._contradicted:
            names = self.names("undo", "secret", "save", "help", "quit")
            screen.note("Correct a mark{example}; or {names}.", example=self.example, names=names)
            return
        guess, chooser = self._next()
        if self.chosen is None and self._only(guess):
            chooser = tr("the only code left")
        elif self.chosen is None and self.explained != self.turns:
            self.show_reason(self.turns)
            self.explained = self.turns
        remark = f"   {chooser}" if chooser else ""
        screen.say(f"{len(self.turns) + 1:>2}.  {screen.code(guess)}{remark}")
        if self.asked:
            screen.note("Mark, or {help}.", help=self.name("help"))
            return
        names = self.names()
        if self.rules.placed:
            examples = tr("{letters} or {digits}", letters="GY--G", digits="21002")
            screen.note("Mark each place: {signs}; or {names}.", signs=examples, names=names)
            return
        if self.rules.marked:
            screen.note("Mark as the game writes it; or {names}.", names=names)
            return
        if (words := self.rules.mark_words) is not None:
            screen.note(
                "Mark: {shown}, or {nothing}; or {names}.",
                shown=words.write(2, 0 if self.rules.black else 1),
                nothing=words.nothing,
                names=names,
            )
            return
        signs = tr("XX or 2") if self.rules.black else tr("XXO, 2b1w or 2 1")
        screen.note("Mark: {signs}, - for none; or {names}.", signs=signs, names=names)

    def step(self) -> None:
        if self.rules.n_questions and self.count(self.turns) == 1:
            guess = self._next()[0]  # the game ends: the only secret that is possible is named
            self.show_reason(self.turns)
            self.add(Turn(guess, winning_mark(self.rules)))
        else:
            super().step()

    def take_answer(self, text: str) -> None:
        self._refuse_contradiction(text)
        turn = self._turn(text)
        self._check(turn)
        self.add(turn)
        self.chosen = None
        self._explain_contradiction()

    def _turn(self, text: str) -> Turn:
        """A mark of the proposed guess, or a guess with its mark."""
        if self.rules.mark_words is not None or self.rules.marked:  # may have equals signs
            with contextlib.suppress(MarkError):
                return Turn(self._next()[0], self._mark(text))
        if "=" not in text.strip()[1:]:  # one that begins with it is the sum of a mark
            return Turn(self._next()[0], self._mark(text))
        guess, _, mark = text.rpartition("=") if self.rules.marked else text.partition("=")
        return Turn(self._guess(guess), self._mark(mark))

    def _guess(self, text: str) -> Code:
        """A guess that is typed, which the rules allow now."""
        guess = typed_code(text, self.rules, self.screen)
        check_hard(self.rules, self.turns, guess, self.screen.notation)
        return guess

    def _mark(self, text: str) -> Mark:
        """A mark that is typed; an ambiguous one is asked about, and so no later one is."""
        mark, self.form = typed_mark(text.strip(), self.rules, self.form, self.screen)
        return mark

    def show_end(self) -> None:
        super().show_end()
        wrong = [] if self.secret is None else wrong_turns(self.turns, self.secret, self.rules)
        for number, true in wrong:
            turn, notation = self.turns[number], self.screen.notation
            self.screen.warn(wrong_mark(number, turn, true, self.secret, notation))
        if not (self.record.solved or self.secret is None or wrong):
            self.screen.say("All marks are right.")
        self.show_saved()

    @property
    def used_up(self) -> bool:
        return super().used_up and not self._contradicted  # a mark may still be corrected

    @property
    def _contradicted(self) -> bool:
        """Whether no code fits the marks."""
        candidates = self.count(self.turns)
        if candidates is not None:
            return not candidates
        try:
            self.propose()  # finds one where they cannot be counted
        except ContradictionError:
            return True
        return False

    def _only(self, guess: Code) -> bool:
        """Whether a guess is the only code that is possible."""
        rules = self.rules
        fits = (agrees(turn.mark, mark_of(rules, turn.guess, guess), rules) for turn in self.turns)
        return self.count(self.turns) == 1 and all(fits)

    def _next(self) -> tuple[Code, str]:
        """The next guess, and who chose it if the strategy did not."""
        if self.chosen is not None:
            return self.chosen, tr("your guess")
        advice = self.propose()
        if advice.strategy == self.player:
            return advice.guess, ""
        return advice.guess, tr("proposed by {strategy}", strategy=advice.strategy)

    def _check(self, turn: Turn) -> None:
        """Refuse a mark that the guess cannot get."""
        with self.screen.working(tr("checking"), self.rules):
            check_turn(self.rules, turn, self.screen.notation)

    def _explain_contradiction(self) -> None:
        """Say at once that no code fits, and which mark may be wrong."""
        if not self.record.open or not self._contradicted:
            return
        self.example = ""
        self.screen.say()
        with self.screen.working(tr("looking for the wrong mark"), self.rules) as report:
            diagnosis = diagnose(
                self.rules, self.turns, notation=self.screen.notation, report=report
            )
        show(contradiction(diagnosis, self.screen.notation), self.screen)
        if likely := diagnosis.suspects:
            number, corrected = likely[0].turn + 1, likely[0].instead[0].mark
            mark = self.screen.write_mark(corrected)
            self.example = tr(", for example change {n} {mark}", n=number, mark=mark)

    def _refuse_contradiction(self, typed: str) -> None:
        if self._contradicted:
            raise contradicted(typed)

    def do_guess(self, rest: str) -> None:
        self._refuse_contradiction(f"{self.name('guess')} {rest}".strip())
        if not rest:
            example = self.screen.write(example_code(self.rules))
            raise InputError("say what: guess CODE, for example guess {code}", code=example)
        if "=" in rest:
            self.take_answer(rest)
        else:
            self.chosen = self._guess(rest)

    def do_why(self, rest: str) -> None:
        self._refuse_contradiction(f"{self.name('why')} {rest}".strip())
        explain_choice(self.adviser, self.turns, self.screen, rest)

    def do_change(self, rest: str) -> None:
        number, _, text = rest.partition(" ")
        if not self.turns:
            raise InputError("there is no turn to change yet")
        if not text:
            raise InputError("write change TURN MARK, for example change 1 XO")
        place = read_number(number, len(self.turns)) - 1
        turn = Turn(self.turns[place].guess, self._mark(text))
        self._check(turn)
        before, after = self.turns[:place], self.turns[place + 1 :]
        if turn.mark == winning_mark(self.rules) and after:
            raise InputError("turn {number} did not win: turns follow it", number=number)
        self.update(turns=(*before, turn, *after))
        self.show_turns()
        self._explain_contradiction()

    def do_secret(self, rest: str) -> None:
        secret = typed_code(rest, self.rules, self.screen, secret=True)
        self.update(secret=secret, result="given up")


class _Alone(_Solve):
    """A strategy finds a code that the user gave."""

    saves = False

    def show_start(self) -> None:
        secret = self.screen.code(self.record.secret or ())
        title = tr(
            "{rules}, secret {secret}: {name} decodes.",
            rules=self.rules.named,
            secret=secret,
            name=self.player,
        )
        self.screen.say(f"{title}\n")
        self.show_turns()

    def step(self) -> None:
        self.show_reason(self.turns)
        guess, secret = self.propose().guess, self.record.secret or ()
        if [turn.guess for turn in self.turns].count(guess) > 1:  # and so for ever
            raise StrategyError(
                "{name} {what}",
                name=self.player,
                what=Phrase(
                    "does not find {secret}: it plays {guess} again", secret=secret, guess=guess
                ),
            )
        self.add(Turn(guess, mark_of(self.rules, guess, secret)))

    def show_end(self) -> None:
        GameSession.show_end(self)
