"""Games that a strategy decodes: alone, or together with a person who marks its guesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from pegwise.cli.board import Screen
from pegwise.cli.completion import strategy_names
from pegwise.cli.dialogue import Command, Dialogue, read_number, refuse_rest
from pegwise.cli.options import json_option, parse_strategy, print_json, rules_argument, seed_option
from pegwise.cli.session import (
    SavedGame,
    Sitting,
    check_free,
    read_open,
    resume_option,
    save_option,
)
from pegwise.cli.terminal import announce_compilation
from pegwise.errors import ContradictionError, InputError, TooLargeError
from pegwise.game import Code, Mark, Record, Rules, Turn, mark, parse_code, parse_mark, parse_turn
from pegwise.i18n import tr, trn

if TYPE_CHECKING:
    from pegwise.coach import Advice
    from pegwise.strategies import Strategy


class Decoding(Sitting):
    """A game that a strategy decodes.

    Args:
        record: the game as it begins or goes on.
        strategy: who decodes.
        screen: where it is shown.
        saved: where it is kept; None for nowhere.

    Raises:
        StrategyError: the strategy cannot play this board.
        MissingExtraError: its extra is not installed.
    """

    def __init__(
        self, record: Record, strategy: Strategy, screen: Screen, saved: SavedGame | None
    ) -> None:
        from pegwise.coach import Adviser
        from pegwise.strategies import label

        super().__init__(record, screen, saved)
        self.begun = replace(record, codebreaker=label(strategy))
        self.secret = record.secret
        self.strategy = strategy
        self.adviser = Adviser(strategy, record.rules)

    @property
    def name(self) -> str:
        """Who decodes, as typed on the command line."""
        return self.begun.codebreaker

    def record(self) -> Record:
        return replace(self.begun, turns=self.turns, result=self.result, secret=self.secret)

    def document(self) -> dict[str, Any]:
        secret = self.turns[-1].guess if self.result == "solved" else self.secret
        return {
            "rules": str(self.rules),
            "strategy": self.name,
            "secret": None if secret is None else str(secret),
            "turns": self.listed_turns(),
            "solved": self.result == "solved",
        }

    def propose(self) -> Advice:
        """What to play now."""
        with self.screen.working(tr("choosing"), self.rules):
            return self.adviser.propose(self.turns)

    def add(self, turn: Turn) -> None:
        """Add a turn, and show what it told."""
        self.turns = (*self.turns, turn)
        if turn.mark == Mark(self.rules.pegs):
            self.result = "solved"
        self.show_turn(len(self.turns))

    def show_turn(self, number: int) -> None:
        """A turn, and what it told."""
        shown = self.screen.turn(number, self.turns[number - 1])
        self.screen.beside(shown, self.told(self.turns[:number]))

    def show_turns(self) -> None:
        """All turns so far."""
        for number in range(1, len(self.turns) + 1):
            self.show_turn(number)


class Alone(Decoding):
    """A strategy finds a code that pegwise was given."""

    def show_start(self) -> None:
        secret = self.screen.code(self.secret or ())
        said = tr(
            "{rules}, secret {secret}: {name} decodes.",
            rules=self.rules,
            secret=secret,
            name=self.name,
        )
        self.screen.say(said + "\n")
        self.show_turns()

    def step(self) -> None:
        guess = self.propose().guess
        self.add(Turn(guess, mark(guess, self.secret or (), black_only=self.rules.black)))

    def show_end(self) -> None:
        self.screen.say("\n" + _found(len(self.turns)))


class Together(Decoding, Dialogue):
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
        from pegwise.pictures.words import rules_words

        screen = self.screen
        words = rules_words(self.rules)
        n = self.rules.n_secrets
        screen.tell(tr("{rules}: {words}; {n:,} codes.", rules=self.rules, words=words, n=n))
        screen.say(tr("Hide a code of  {colors}", colors=screen.palette(self.rules)))
        signs = tr("X for each peg in its place")
        if not self.rules.black:
            signs += tr(", O for each peg right in color only")
        screen.tell(tr("and mark what {name} guesses: {signs}.", name=self.name, signs=signs))
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
            screen.note(
                tr("Correct a mark{example}; or {names}.", example=self.example, names=names)
            )
            return
        guess, by = self._next()
        other = "" if by == self.name else f"   {by}"
        if self.count(self.turns) == 1 and self.chosen is None:
            other = "   " + tr("the only code left")
        screen.say(f"{len(self.turns) + 1:>2}.  {screen.code(guess)}{other}")
        signs = tr("XX or 2") if self.rules.black else tr("XXO, 2b1w or 2 1")
        screen.note(tr("Mark: {signs}, - for none; or {names}.", signs=signs, names=self.names()))

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

        screen = self.screen
        secret = self.turns[-1].guess if self.result == "solved" else self.secret
        if self.result == "solved":
            screen.say("\n" + _found(len(self.turns)))
        wrong = [] if secret is None else wrong_turns(self.turns, secret, self.rules)
        for number, true in wrong:
            turn = self.turns[number]
            screen.warn(
                tr(
                    "Turn {n}, {guess}, was marked {mark}; {secret} gives {true}.",
                    n=number + 1,
                    guess=turn.guess,
                    mark=turn.mark,
                    secret=secret,
                    true=true,
                )
            )
        if self.result == "given up" and not wrong:
            screen.say(tr("All marks are right."))
        self.show_saved()

    @property
    def _contradicted(self) -> bool:
        """Whether no code fits the marks."""
        left = self.count(self.turns)
        if left is not None:
            return not left
        try:
            self.propose()  # finds one where they cannot be counted
        except ContradictionError:
            return True
        return False

    def _next(self) -> tuple[Code, str]:
        """What is played now, and who chose it."""
        if self.chosen is not None:
            return self.chosen, tr("your guess")
        advice = self.propose()
        own = advice.strategy == self.name
        proposer = tr("proposed by {strategy}", strategy=advice.strategy)
        return advice.guess, self.name if own else proposer

    def _check(self, turn: Turn) -> None:
        """Refuse a mark that the guess cannot get."""
        from pegwise.knowledge import check_turn

        with self.screen.working(tr("checking"), self.rules):
            check_turn(self.rules, turn)

    def _explain_contradiction(self) -> None:
        """Say at once that no code fits, and which mark may be wrong."""
        if self.result != "open" or not self._contradicted:
            return
        from pegwise.cli.candidates import explain
        from pegwise.knowledge import suspects

        self.example = ""
        self.screen.say()
        try:
            with self.screen.working(tr("looking for the wrong mark"), self.rules) as report:
                found = suspects(self.rules, self.turns, report=report)
            lines = explain(self.rules, self.turns, found)
        except TooLargeError:
            found = []
            lines = [tr("No code of {rules} fits these marks.", rules=self.rules)]
        for line in lines:
            self.screen.warn(line)
        if found:
            self.example = tr(
                ", for example change {n} {mark}",
                n=found[0].turn + 1,
                mark=found[0].instead[0].mark,
            )

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
        from pegwise.cli.why import show_why

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
        if turn.mark == Mark(self.rules.pegs):
            if after:
                raise InputError(
                    "turn {number} did not win: the game went on after it", number=number
                )
            self.result = "solved"
        self.turns = (*before, turn, *after)
        self.show_turns()
        self._explain_contradiction()

    def _secret(self, rest: str) -> None:
        self.secret = parse_code(rest, self.rules, secret=True)
        self.result = "given up"


def _found(number: int) -> str:
    return trn("Found with {n} guess.", "Found with {n} guesses.", number)


# `pegwise solve`: the machine decodes, alone or with the marks of a person.


@click.command(epilog="Example: pegwise solve 4x6 -s knuth --secret BEEF")
@rules_argument
@click.option(
    "-s",
    "--strategy",
    "name",
    metavar="ID[:OPTION=VALUE,...]",
    shell_complete=strategy_names,
    help="Who decodes: entropy when not given; constraint on boards too large for it.",
)
@click.option("--secret", "hidden", metavar="CODE", help="Decode this; else you mark the guesses.")
@save_option
@resume_option
@seed_option
@json_option
@click.pass_context
def solve(
    ctx: click.Context,
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
        for parameter in ("rules", "hidden", "seed"):
            if ctx.get_parameter_source(parameter) is not ParameterSource.DEFAULT:
                raise InputError("--resume goes on with the rules, secret and seed of its file")
        record = read_open(resume, "solve")
        rules, name = record.rules, name or record.codebreaker
    elif hidden is not None:
        secret = parse_code(hidden, rules, secret=True)
        record = Record(rules, secret=secret, codemaker="given")
    strategy = parse_strategy(name, seed) if name else default_strategy(rules)
    if save is not None and save != resume:
        check_free(save)
    announce_compilation()
    screen = Screen(err=as_json)
    path = save or resume
    game: Decoding
    if record.codemaker == "given":
        game = Alone(record, strategy, screen, SavedGame(path) if path else None)
    else:
        game = Together(record, strategy, screen, SavedGame(path))
    status = game.run()
    if as_json:
        print_json(game.document())
    ctx.exit(status)
