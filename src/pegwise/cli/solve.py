"""`pegwise solve`: a strategy finds a code that a person hides, or that is given."""

from __future__ import annotations

import contextlib
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.reading import (
    check_form,
    game_screen,
    read_listed,
    read_typed,
    reading_options,
    split_rules,
    tell_codes,
    tell_reading,
    typed_boards,
    typed_code,
    typed_mark,
    typed_text,
)
from pegwise.cli.review import explain_choice, show_reason
from pegwise.cli.session import (
    WHY,
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
    quoted,
)
from pegwise.game import (
    Code,
    Game,
    Mark,
    Turn,
    game_of,
)
from pegwise.game.hard import check_hard
from pegwise.game.turns import BETWEEN
from pegwise.i18n import tr
from pegwise.knowledge import check_turn, wrong_turns
from pegwise.knowledge.codemaker import draw_secret
from pegwise.knowledge.diagnosis import diagnose
from pegwise.playing import Record
from pegwise.strategies import label
from pegwise.strategies.entrants import names_entrants
from pegwise.strategies.registry import names_tree
from pegwise.telling.position import contradiction, wrong_mark

if TYPE_CHECKING:
    from pegwise.coach.advice import Advice, Adviser
    from pegwise.strategies import Strategy


_RANDOM: Final = "random"


@click.command(
    cls=options.SecretsCommand, epilog="Example: pegwise solve 4x6 -s knuth --secret BEEF"
)
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] [GUESS=MARK...]", shell_complete=options.complete_rules
)
@options.words_options
@options.jar_option
@options.secrets_option
@options.strategy_option(
    "name", help="The strategy: entropy if not given, constraint on boards too large for it."
)
@click.option(
    "--secret",
    "hidden",
    metavar="CODE|random",
    help="Decode this, or a code that is drawn; else you mark the guesses.",
)
@most_option
@options.notation_option
@reading_options
@save_option
@resume_option
@options.seed_option
@options.json_option
@click.pass_context
def solve(
    ctx: click.Context,
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
        record = resumed(resume, message, "arguments", "jar", "n_secrets", "hidden", "seed")
        name = name or _known(record.codebreaker)
        names = colors or ",".join(record.colors) or None
        screen = game_screen(record.game, notation, names, err=as_json)
    elif n_secrets > 1:
        record = _typed_record(arguments, n_secrets, hidden)
        screen = game_screen(record.game, notation, colors, err=as_json)
    elif hidden is not None:
        drawn = ctx.get_parameter_source("seed") is ParameterSource.COMMANDLINE
        seed = seed if drawn or hidden != _RANDOM else secrets.randbelow(10**9)
        record, screen = _given_game(arguments, hidden, notation, colors, seed=seed, err=as_json)
    else:
        screen = Screen(err=as_json, notation=notation)
        noted = read_typed(*typed_text(arguments), screen, colors, marks)  # marks come later
        tell_reading(noted, screen)
        if colors is not None and not noted.turns:
            screen = game_screen(noted.game, notation, colors, err=as_json)
        record = Record.of_turns(noted.game, noted.turns)
    rules = record.game
    strategy = options.parse_strategy(name, seed) if name else default_strategy(rules)
    path = chosen_file(save, resume)
    kind = _Alone if record.codemaker == "given" else _Solve
    session = kind(record, strategy, screen, path, max_guesses)
    session.form = marks
    session.play(as_json=as_json)


def _known(codebreaker: str) -> str:
    """The strategy of a record; InputError for a file or program, which its user has to name."""
    if names_entrants(codebreaker) or names_tree(codebreaker):
        raise InputError(
            "{name} decodes in this game: to run it, name it yourself, as in -s {typed}",
            name=codebreaker,
            typed=shlex.quote(codebreaker),
        )
    return codebreaker


def _typed_record(arguments: Sequence[str], boards: int, hidden: str | None) -> Record:
    """The game with several secrets that is typed: with turns, or with the secrets."""
    play = typed_boards(arguments, boards)
    rules = play.game
    if hidden is None:
        return Record(rules, play.turns, "solved" if play.over else "open", boards=boards)
    if play.turns:
        raise InputError("give turns, or --secret and let the machine play; not both")
    secrets: Any = play.read_secrets(hidden)
    return Record(rules, secret=secrets, codemaker="given", boards=boards)


def _given_game(
    arguments: Sequence[str],
    hidden: str,
    notation: str | None,
    colors: str | None,
    *,
    seed: int,
    err: bool,
) -> tuple[Record, Screen]:
    """A game whose code is given; without rules it is of the board that the code is of."""
    told, turns = split_rules(arguments)
    if turns:
        raise InputError("give turns, or --secret and let the machine play; not both")
    rules = told if isinstance(told, Game) else None
    if rules is None and told is not None:
        rules = options.named_rules(arguments[0] if arguments else None)
    screen = Screen(err=err, notation=notation)
    if hidden == _RANDOM:
        rules = game_of("4x6") if rules is None else rules
        screen = game_screen(rules, notation, colors, err=err)
        return Record(rules, secret=draw_secret(rules, seed), codemaker="given"), screen
    if rules is None or (colors is None and notation is None):
        read = read_listed([hidden], rules, screen, colors)
        tell_codes(read, screen)
        rules = read.rules
    if colors is not None:
        screen = game_screen(rules, notation, colors, err=err)
    secret = typed_code(hidden, rules, screen, secret=True)
    return Record(rules, secret=secret, codemaker="given"), screen


class _Solve(GameSession):
    """A person hides a code on each board, and marks what the strategy proposes."""

    commands = {  # noqa: RUF012 (as its base declares it)
        "guess": (Phrase("guess CODE"), Phrase("play CODE instead of the proposed guess")),
        "why": WHY,
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
        self.adviser = Adviser(strategy, record.game, record.boards)
        self.player = label(strategy)
        self.marks: list[Mark] = []  # those of the first open boards, typed one after the other
        if record.boards > 1:
            of_boards = Phrase("change TURN MARKS"), Phrase("correct the marks of a turn")
            others = {name: usage for name, usage in self.commands.items() if name != "secret"}
            self.commands = {**others, "change": of_boards}

    @property
    def secret(self) -> Code | None:
        """The hidden code, as far as it is known."""
        return self.turns[-1].guess if self.record.solved else self.record.secret

    def document(self) -> dict[str, Any]:
        if self.record.boards > 1:
            return self.boards_document()
        return {
            "rules": self.rules,
            "strategy": self.player,
            "secret": self.secret,
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
                return {"strategy": advice.strategy, **advice.explain(turn.mark).document()}
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
        if self.record.boards > 1:
            self.show_board(Phrase("Hide codes of  {signs}"), Phrase("Hide words of  {signs}"))
        else:
            self.show_board(Phrase("Hide a code of  {signs}"), Phrase("Hide a word of  {signs}"))
        signs = self.mark_signs()
        if self.rules.marking.listed:
            screen.tell(
                "Choose a secret, and mark what {name} guesses: {signs}.",
                name=self.player,
                signs=signs,
            )
        else:
            screen.tell("and mark what {name} guesses: {signs}.", name=self.player, signs=signs)
        self.say_boards()
        if self.turns:
            screen.say()
            self.show_turns()
            self._explain_contradiction()

    def show_question(self) -> None:
        screen = self.screen
        screen.say()
        if self._contradicted:
            offered = ["undo", "change", "left", "save", "help", "quit"]
            if self.record.boards == 1:
                offered = ["undo", "secret", "save", "help", "quit"]
            names = self.names(*offered)
            screen.note("Correct a mark{example}; or {names}.", example=self.example, names=names)
            return
        if self.marks:
            self._ask_boards()
            return
        guess, chooser = self._next()
        if self.chosen is None and self._only(guess):
            chooser = tr("the only code left")
        elif self.chosen is None and self.explained != self.turns:
            self.show_reason(self.turns)
            self.explained = self.turns
        remark = f"   {chooser}" if chooser else ""
        screen.say(f"{len(self.turns) + 1:>2}.  {screen.code(guess)}{remark}")
        if self.record.boards > 1:
            self._ask_boards()
            return
        if self.asked:
            screen.note("Mark, or {help}.", help=self.name("help"))
            return
        prompt, names = tr(self.rules.marking.prompt), self.names()
        screen.note("{prompt}; or {names}.", prompt=prompt, names=names)

    def _ask_boards(self) -> None:
        """Ask for the marks of the boards that are open, all or from the next one on."""
        boards = [str(board + 1) for board in self.boards.hidden]
        named, helped = ", ".join(boards), self.name("help")
        if self.marks or len(boards) == 1:
            n = boards[len(self.marks)]
            self.screen.note("Mark of board {n}, or {help}.", n=n, help=helped)
        elif self.asked:
            self.screen.note("Marks of boards {boards}, or {help}.", boards=named, help=helped)
        else:
            self.screen.note(
                "Marks of boards {boards} in a line, as in {marks}, or one after the other; or "
                "{names}.",
                boards=named,
                marks=self._marks_example(len(boards)),
                names=self.names(),
            )

    def _marks_example(self, n: int) -> str:
        """The marks of several boards, without hyphens, where lines could break."""
        return BETWEEN.join([*self.rules.marking.examples, "..."][: max(n, 2)])

    def step(self) -> None:
        if self.rules.n_questions and self.count(self.turns) == 1:
            guess = self._next()[0]  # the game ends: the only secret that is possible is named
            self.show_reason(self.turns)
            self.add(Turn(guess, self.rules.marking.winning))
        else:
            super().step()

    def take_answer(self, text: str) -> None:
        self._refuse_contradiction(text)
        turn = self._turn(text) if self.record.boards == 1 else self._turn_on_boards(text)
        if turn is None:  # the marks of the other boards follow
            return
        self.add(turn)
        self.chosen, self.marks = None, []
        self._explain_contradiction()

    def _turn_on_boards(self, text: str) -> Turn | None:
        """The marks of a guess on several boards; None where only the first ones were typed."""
        if not self.rules.marking.listed and "=" in text.strip()[1:]:
            return self.boards.read([text]).turns[-1]
        guess, n = self._next()[0], len(self.boards.hidden)
        self.marks += self._marks(text, guess, n - len(self.marks))
        if len(self.marks) < n:
            return None
        marks, self.marks = self.marks, []
        return self.boards.place(guess, marks)

    def _marks(self, text: str, guess: Code, n: int) -> list[Mark]:
        """The marks of a guess that are typed for at most `n` boards."""
        pieces = self.boards.split_marks(text, n) if self.record.boards > 1 else [text]
        if len(pieces) > n:
            raise InputError(
                "{text}: {given} marks, but {n} boards are left to mark",
                text=quoted(text.strip()),
                given=len(pieces),
                n=n,
            )
        marks = list(map(self._mark, pieces))
        for mark in marks:
            if mark.partial and self.record.boards > 1:
                raise InputError("the mark {mark} is not noted in full", mark=mark)
            self._check_mark(Turn(guess, mark))
        return marks

    def _turn(self, text: str) -> Turn:
        """A mark of the proposed guess, or a guess with its mark, that it can get."""
        turn = self._typed_turn(text)
        self._check_mark(turn)
        return turn

    def _typed_turn(self, text: str) -> Turn:
        if self.rules.marking.holds_equals:
            with contextlib.suppress(MarkError):
                return Turn(self._next()[0], self._mark(text))
        if "=" not in text.strip()[1:]:  # one that begins with it is the sum of a mark
            return Turn(self._next()[0], self._mark(text))
        guess, mark = self.rules.marking.split(text)
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
        secret = self.secret if self.record.boards == 1 else None
        wrong = [] if secret is None else wrong_turns(self.rules, self.turns, secret)
        for number, true in wrong:
            turn, notation = self.turns[number - 1], self.screen.notation
            self.screen.warn(wrong_mark(number, turn, true, self.secret, notation))
        if not (self.record.solved or secret is None or wrong):
            self.screen.say("All marks are right.")
        self.show_saved()

    @property
    def used_up(self) -> bool:
        return super().used_up and not self._contradicted  # a mark may still be corrected

    @property
    def _contradicted(self) -> bool:
        """Whether no code fits the marks of some board."""
        if self.record.boards > 1:
            return not all(self.counts(self.turns))
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
        if self.record.boards > 1:
            return False
        rules = self.rules
        fits = (
            rules.marking.agrees(turn.mark, rules.mark_of(turn.guess, guess)) for turn in self.turns
        )
        return self.count(self.turns) == 1 and all(fits)

    def _next(self) -> tuple[Code, str]:
        """The next guess, and who chose it if the strategy did not."""
        if self.chosen is not None:
            return self.chosen, tr("your guess")
        advice = self.propose()
        if advice.strategy == self.player:
            return advice.guess, ""
        return advice.guess, tr("proposed by {strategy}", strategy=advice.strategy)

    def _check_mark(self, turn: Turn) -> None:
        """Refuse a mark that the guess cannot get."""
        with self.screen.working(tr("checking"), self.rules):
            check_turn(self.rules, turn, self.screen.notation)

    def _explain_contradiction(self) -> None:
        """Say at once that no code fits, and which mark may be wrong."""
        if not self.record.open or not self._contradicted:
            return
        self.example = ""
        self.screen.say()
        for board, candidates in enumerate(self.counts(self.turns)):
            if not candidates:
                self._diagnose(board)

    def _diagnose(self, board: int) -> None:
        """Say which marks of a board may be wrong."""
        if self.record.boards > 1:
            self.screen.warn("Board {n}:", n=board + 1)
        with self.screen.working(tr("looking for the wrong mark"), self.rules) as report:
            diagnosis = diagnose(
                self.rules,
                self.boards.turns_on(board),
                notation=self.screen.notation,
                report=report,
            )
        show(contradiction(diagnosis, self.screen.notation), self.screen)
        if (likely := diagnosis.suspects) and self.record.boards == 1:
            number, corrected = likely[0].turn, likely[0].instead[0].mark
            mark = self.screen.write_mark(corrected)
            self.example = tr(", for example change {n} {mark}", n=number, mark=mark)

    def _refuse_contradiction(self, typed: str) -> None:
        if self._contradicted:
            raise contradicted(typed)

    def do_guess(self, rest: str) -> None:
        self._refuse_contradiction(f"{self.name('guess')} {rest}".strip())
        if not rest:
            example = self.screen.write(self.rules.alphabet.example)
            raise InputError("say what: guess CODE, for example guess {code}", code=example)
        if "=" in rest and not (self.record.boards > 1 and self.rules.marking.listed):
            self.take_answer(rest)
        else:
            self.chosen, self.marks = self._guess(rest), []

    def do_undo(self, rest: str) -> None:
        if self.marks:
            self.marks = []
            self.screen.say("The marks that were typed for this guess are taken back.")
            return
        self.chosen = None
        super().do_undo(rest)

    def do_why(self, rest: str) -> None:
        self._refuse_contradiction(f"{self.name('why')} {rest}".strip())
        explain_choice(self.adviser, self.turns, self.screen, rest)

    def do_change(self, rest: str) -> None:
        number, _, text = rest.partition(" ")
        if not self.turns:
            raise InputError("there is no turn to change yet")
        several = self.record.boards > 1
        if not text and several:
            raise InputError("write change TURN MARKS, for example change 1 XO | -")
        if not text:
            raise InputError("write change TURN MARK, for example change 1 XO")
        place = read_number(number, len(self.turns)) - 1
        before, old, after = self.boards.first(place), self.turns[place], self.turns[place + 1 :]
        n = len(before.hidden)
        marks = self._marks(text, old.guess, n)
        if len(marks) < n:
            raise InputError("{text}: give {n} marks, with | between them", text=quoted(text), n=n)
        turn = before.place(old.guess, marks)
        if after and before.after(turn).found != before.after(old).found:
            if not several:
                raise InputError("turn {number} did not win: turns follow it", number=number)
            raise InputError(
                "turn {number} found another board, and turns follow it: take them back first",
                number=number,
            )
        self.update(turns=(*before.turns, turn, *after))
        self.marks = []
        self.show_turns()
        self._explain_contradiction()

    def do_secret(self, rest: str) -> None:
        secret = typed_code(rest, self.rules, self.screen, secret=True)
        self.update(secret=secret, result="given up")


class _Alone(_Solve):
    """A strategy finds a code that the user gave."""

    saves = False

    def show_start(self) -> None:
        secrets = self.record.secrets
        write = self.screen.code if self.record.boards == 1 else self.screen.write
        title = tr(
            "{rules}, secret {secret}: {name} decodes.",
            rules=self.record.game_name,
            secret=BETWEEN.join(map(write, secrets)),
            name=self.player,
        )
        self.screen.say(f"{title}\n")
        self.show_turns()

    def step(self) -> None:
        self.show_reason(self.turns)
        guess, secret = self.propose().guess, self.record.secret
        if [turn.guess for turn in self.turns].count(guess) > 1:  # and so for ever
            raise StrategyError(
                "{name} {what}",
                name=self.player,
                what=Phrase(
                    "does not find {secret}: it plays {guess} again", secret=secret, guess=guess
                ),
            )
        self.add(self.boards.answer(self.record.secrets, guess))

    def show_end(self) -> None:
        GameSession.show_end(self)
