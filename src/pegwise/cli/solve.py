"""`pegwise solve`: a strategy decodes, alone or with the marks of a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.session import (
    Command,
    Dialogue,
    GameSession,
    SavedGame,
    read_number,
    refuse_rest,
    resume_option,
    resumed,
    save_option,
    saved_game,
)
from pegwise.cli.terminal import announce_compilation
from pegwise.errors import ContradictionError, InputError, Phrase, TooLargeError
from pegwise.game import Code, Mark, Record, Rules, Turn, mark, parse_code, parse_mark, parse_turn
from pegwise.i18n import tr, trn

if TYPE_CHECKING:
    from pegwise.coach import Advice
    from pegwise.strategies import Strategy


@click.command(epilog="Example: pegwise solve 4x6 -s knuth --secret BEEF")
@options.rules_argument
@click.option(
    "-s",
    "--strategy",
    "name",
    metavar="ID[:OPTION=VALUE,...]",
    shell_complete=options.strategy_names,
    help="Who decodes: entropy when not given; constraint on boards too large for it.",
)
@click.option("--secret", "hidden", metavar="CODE", help="Decode this; else you mark the guesses.")
@save_option
@resume_option
@options.seed_option
@options.json_option
def solve(
    rules: Rules,
    name: str | None,
    hidden: str | None,
    save: Path | None,
    resume: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Let a strategy find a code.

    Given the code, it plays alone. Otherwise you hide a code and mark each guess in any notation
    (XXO, 2b1w, 2 1, - for none); type help for what else may be typed. Left in any way, the game
    is saved.
    """
    from pegwise.coach import default_strategy

    record = Record(rules)
    if resume is not None:
        message = Phrase("--resume goes on with the rules, secret and seed of its file")
        record = resumed(resume, message, "rules", "hidden", "seed")
        rules, name = record.rules, name or record.codebreaker
    elif hidden is not None:
        secret = parse_code(hidden, rules, secret=True)
        record = Record(rules, secret=secret, codemaker="given")
    strategy = options.parse_strategy(name, seed) if name else default_strategy(rules)
    saved = saved_game(save, resume)
    announce_compilation()
    screen = Screen(err=as_json)
    if record.codemaker != "given":
        _Together(record, strategy, screen, saved).play(as_json=as_json)
    _Alone(record, strategy, screen, saved if saved.chosen else None).play(as_json=as_json)


class _Decoding(GameSession):
    """A game that a strategy decodes."""

    def __init__(
        self, record: Record, strategy: Strategy, screen: Screen, saved: SavedGame | None
    ) -> None:
        from pegwise.coach import Adviser
        from pegwise.strategies import label

        super().__init__(replace(record, codebreaker=label(strategy)), screen, saved)
        self.strategy = strategy
        self.adviser = Adviser(strategy, record.rules)

    @property
    def name(self) -> str:
        """Who decodes, as typed on the command line."""
        return self.record.codebreaker

    @property
    def secret(self) -> Code | None:
        """The hidden code, as far as it is known."""
        return self.turns[-1].guess if self.record.solved else self.record.secret

    def document(self) -> dict[str, Any]:
        return {
            "rules": str(self.rules),
            "strategy": self.name,
            "secret": None if self.secret is None else str(self.secret),
            "turns": self.listed_turns(),
            "solved": self.record.solved,
        }

    def propose(self) -> Advice:
        """What to play now."""
        with self.screen.working(tr("choosing"), self.rules):
            return self.adviser.propose(self.turns)

    def add(self, turn: Turn) -> None:
        """Add a turn, and show what it told."""
        self.update(turns=(*self.turns, turn))
        self.show_turn(len(self.turns))

    def show_turn(self, number: int) -> None:
        """Show a turn, and what it told."""
        turn = self.screen.turn(number, self.turns[number - 1])
        self.screen.beside(turn, self.effect(self.turns[:number]))

    def show_turns(self) -> None:
        """Show all turns so far."""
        for number in range(1, len(self.turns) + 1):
            self.show_turn(number)

    def show_end(self) -> None:
        n = len(self.turns)
        if self.record.solved:
            self.screen.say("\n" + trn("Found with {n} guess.", "Found with {n} guesses.", n))


class _Alone(_Decoding):
    """A strategy finds a code that the user gave."""

    def show_start(self) -> None:
        secret = self.screen.code(self.record.secret or ())
        title = tr(
            "{rules}, secret {secret}: {name} decodes.",
            rules=self.rules,
            secret=secret,
            name=self.name,
        )
        self.screen.say(f"{title}\n")
        self.show_turns()

    def step(self) -> None:
        guess, secret = self.propose().guess, self.record.secret or ()
        self.add(Turn(guess, mark(guess, secret, black_only=self.rules.black)))


class _Together(_Decoding, Dialogue):
    """A person hides a code, and marks what the strategy proposes."""

    chosen: Code | None = None
    """What the person plays instead of what is proposed."""

    example: str = ""
    """The likeliest correction of contradictory marks, as it is typed."""

    def own_commands(self) -> Mapping[str, Command]:
        return {
            "guess": Command(tr("guess CODE"), tr("play this, not what is proposed"), self._guess),
            "why": Command(tr("why"), tr("show the ten best guesses with their scores"), self._why),
            "change": Command(
                tr("change TURN MARK"), tr("correct the mark of a turn"), self._change
            ),
            "secret": Command(
                tr("secret CODE"), tr("show your code, which ends the game"), self._secret
            ),
        }

    def show_start(self) -> None:
        screen = self.screen
        self.show_board()
        screen.say("Hide a code of  {colors}", colors=screen.palette(self.rules))
        signs = self.mark_signs()
        screen.tell("and mark what {name} guesses: {signs}.", name=self.name, signs=signs)
        if self.turns:
            screen.say()
            self.show_turns()
            self._explain_contradiction()

    def show_question(self) -> None:
        screen = self.screen
        screen.say()
        if self._contradicted:
            commands = self.commands()
            names = ", ".join(
                commands[name].name for name in ("undo", "secret", "save", "help", "quit")
            )
            screen.note("Correct a mark{example}; or {names}.", example=self.example, names=names)
            return
        guess, chooser = self._next()
        if self.count(self.turns) == 1 and self.chosen is None:
            chooser = tr("the only code left")
        remark = f"   {chooser}" if chooser else ""
        screen.say(f"{len(self.turns) + 1:>2}.  {screen.code(guess)}{remark}")
        signs = tr("XX or 2") if self.rules.black else tr("XXO, 2b1w or 2 1")
        screen.note("Mark: {signs}, - for none; or {names}.", signs=signs, names=self.names())

    def take_answer(self, text: str) -> None:
        self._refuse_contradiction()
        if "=" in text:
            turn = parse_turn(text, self.rules)
        else:
            turn = Turn(self._next()[0], parse_mark(text, self.rules))
        self._check(turn)
        self.add(turn)
        self.chosen = None
        self._explain_contradiction()

    def show_end(self) -> None:
        from pegwise.knowledge import wrong_turns

        super().show_end()
        wrong = [] if self.secret is None else wrong_turns(self.turns, self.secret, self.rules)
        for number, true in wrong:
            turn = self.turns[number]
            self.screen.warn(
                "Turn {n}, {guess}, was marked {mark}; {secret} gives {true}.",
                n=number + 1,
                guess=turn.guess,
                mark=turn.mark,
                secret=self.secret,
                true=true,
            )
        if self.record.result == "given up" and not wrong:
            self.screen.say("All marks are right.")
        self.show_saved()

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

    def _next(self) -> tuple[Code, str]:
        """What is played now, and who chose it if the strategy did not."""
        if self.chosen is not None:
            return self.chosen, tr("your guess")
        advice = self.propose()
        if advice.strategy == self.name:
            return advice.guess, ""
        return advice.guess, tr("proposed by {strategy}", strategy=advice.strategy)

    def _check(self, turn: Turn) -> None:
        """Refuse a mark that the guess cannot get."""
        from pegwise.knowledge import check_turn

        with self.screen.working(tr("checking"), self.rules):
            check_turn(self.rules, turn)

    def _explain_contradiction(self) -> None:
        """Say at once that no code fits, and which mark may be wrong."""
        if not self.record.open or not self._contradicted:
            return
        from pegwise.cli.review import explain
        from pegwise.knowledge import suspects

        self.example = ""
        self.screen.say()
        try:
            with self.screen.working(tr("looking for the wrong mark"), self.rules) as report:
                likely = suspects(self.rules, self.turns, report=report)
            lines = explain(self.rules, self.turns, likely)
        except TooLargeError:
            likely = []
            lines = [tr("No code of {rules} fits these marks.", rules=self.rules)]
        for line in lines:
            self.screen.warn(line)
        if likely:
            number, corrected = likely[0].turn + 1, likely[0].instead[0].mark
            self.example = tr(", for example change {n} {mark}", n=number, mark=corrected)

    def _refuse_contradiction(self) -> None:
        if self._contradicted:
            raise InputError("no code fits the marks: correct one first, or take a turn back")

    def _guess(self, rest: str) -> None:
        self._refuse_contradiction()
        if "=" in rest:
            self.take_answer(rest)
        else:
            self.chosen = parse_code(rest, self.rules)

    def _why(self, rest: str) -> None:
        from pegwise.cli.review import show_why

        refuse_rest(rest, "why")
        self._refuse_contradiction()
        show_why(self.strategy, self.rules, self.turns, self.propose().guess, self.screen)

    def _change(self, rest: str) -> None:
        number, _, text = rest.partition(" ")
        if not self.turns:
            raise InputError("there is no turn to change yet")
        if not text:
            raise InputError("write change TURN MARK, for example change 1 XO")
        place = read_number(number, len(self.turns)) - 1
        turn = Turn(self.turns[place].guess, parse_mark(text, self.rules))
        self._check(turn)
        before, after = self.turns[:place], self.turns[place + 1 :]
        if turn.mark == Mark(self.rules.pegs) and after:
            raise InputError("turn {number} did not win: the game went on after it", number=number)
        self.update(turns=(*before, turn, *after))
        self.show_turns()
        self._explain_contradiction()

    def _secret(self, rest: str) -> None:
        self.update(secret=parse_code(rest, self.rules, secret=True), result="given up")
