"""Games at the terminal: the file of a game, the game in progress, and the dialogue."""

from __future__ import annotations

import contextlib
import difflib
import math
import shlex
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count as counting
from pathlib import Path
from typing import Any, Final, NoReturn

import click
from click.core import ParameterSource

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.candidates import show_boards
from pegwise.cli.reading import ask_number
from pegwise.cli.signals import exit_status, interruptible
from pegwise.cli.terminal import read_line, to_stderr, tolerate
from pegwise.errors import (
    DataFileError,
    InputError,
    OutputError,
    PegwiseError,
    Phrase,
    TooLargeError,
    quoted,
    system_reason,
)
from pegwise.game import Game, Turn
from pegwise.game.jar import jar_pegs
from pegwise.game.turns import BETWEEN
from pegwise.i18n import figure, tr, translated, trn
from pegwise.kept import GAMES
from pegwise.knowledge import candidates, count, weight
from pegwise.knowledge.candidates import board_candidates
from pegwise.knowledge.chances import chances
from pegwise.paths import check_home, locked, make_folder
from pegwise.playing import Play, Record, load_record
from pegwise.playing.record import PERSON
from pegwise.progress import TimeLimit
from pegwise.strategies.entrants import names_entrants
from pegwise.telling.blocks import CodeList
from pegwise.telling.position import chances_table
from pegwise.telling.words import rules_words

_ENDED: Final = {
    "solved": Phrase("solved"), "lost": Phrase("lost"), "given up": Phrase("given up")
}  # fmt: skip
_CODEMAKERS: Final = {"play": ("given", "random", "optimal", "evil"), "solve": (PERSON, "given")}

save_option = options.path_option("--save", help="Keep the game here, not among your own data.")
most_option = click.option(
    "--max-guesses",
    type=options.WholeNumber(1, 10**6),
    help="The most guesses; after them the game is over.",
)


def _unfinished(ctx: click.Context) -> list[tuple[Path, Record]]:
    """The games of the command that are not finished, among the user's own data, newest first."""
    command, games = ctx.info_name or "", []
    with contextlib.suppress(FileNotFoundError):
        paths = [path for path in GAMES.store().path.iterdir() if f"-{command}-" in path.name]
        for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
            with contextlib.suppress(DataFileError):
                record = load_record(path)
                if record.open and _command(record) == command:
                    games.append((path, record))
            if len(games) == _OFFERED:
                break
    return games


def _chosen_game(ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    """The path that was typed, or that of the unfinished game that is chosen."""
    if path != _CHOOSE or ctx.resilient_parsing:
        return path
    command = ctx.info_name or ""
    games = _unfinished(ctx)
    if not games:
        raise InputError("there is no unfinished game of {command}", command=f"pegwise {command}")
    for number, (file, record) in enumerate(games, 1):
        when = f"{datetime.fromtimestamp(file.stat().st_mtime):%Y-%m-%d %H:%M}"
        played = trn("{n} turn", "{n} turns", len(record.turns))
        to_stderr(f"{number:>3}. {when}  {record.game_name}, {played}")
    tolerate(sys.stdin)
    chosen = ask_number(Phrase("Which one, 1 to {n}? "), len(games))
    if chosen is None:
        raise InputError(
            "choose one: pegwise {command} --resume {path}",
            command=command,
            path=shlex.quote(str(games[0][0])),
        )
    return games[chosen - 1][0]


_OFFERED: Final = 20  # unfinished games that are listed
_CHOOSE: Final = Path()
"""What `--resume` is without a path."""
resume_option = options.path_option(
    "--resume",
    is_flag=False,
    flag_value=str(_CHOOSE),
    callback=_chosen_game,
    help="Continue an unfinished game; without FILE, choose among those that are kept.",
)


# the file of a game


def _command(record: Record) -> str:
    return "play" if record.codebreaker == PERSON else "solve"


def _to_resume(record: Record, path: Path) -> str:
    words = ["pegwise", _command(record), "--resume", str(path)]
    if names_entrants(record.codebreaker):  # its file is read or run for who names it
        words += ["-s", record.codebreaker]
    return shlex.join(words)


def _to_review(path: Path) -> str:
    return f"pegwise review {shlex.quote(str(path))}"


def resumed(path: Path, message: str, *fixed: str) -> Record:
    """The unfinished game in a file, of the command that runs.

    Raises:
        DataFileError: as `load_record`.
        InputError: `message`, if one of the `fixed` options was used too; or the game is over, or
            was begun with the other command.
    """
    context = click.get_current_context()
    if any(context.get_parameter_source(name) is not ParameterSource.DEFAULT for name in fixed):
        raise InputError(message)
    _hold(path)
    record = load_record(path)
    command = context.info_name or ""
    about = {"path": repr(str(path)), "command": command}
    if not record.open:
        raise InputError(
            "the game in {path} is over ({result}): {review}",
            **about,
            result=_ENDED[record.result],
            review=_to_review(path),
        )
    if command != _command(record):
        resume = _to_resume(record, path)
        raise InputError(
            "the game in {path} was not begun with {command}: {resume}", **about, resume=resume
        )
    if record.codemaker not in _CODEMAKERS[command]:
        raise InputError(
            "the game in {path} cannot be continued with {command}: its codemaker is {codemaker}",
            **about,
            codemaker=record.codemaker,
        )
    return record


def _reason_to_keep(path: Path) -> Phrase | None:
    """Why the file at a path is not to be written over, if it is not."""
    try:
        record = load_record(path)
    except DataFileError:
        return Phrase("the file exists and is not a record of a game; choose another name")
    if record.open:
        return Phrase(
            "it holds a game that is not finished; continue it ({command}), or choose another name",
            command=_to_resume(record, path),
        )
    if PERSON in (record.codebreaker, record.codemaker):
        return Phrase(
            "it holds a game that is over ({command}); choose another name",
            command=_to_review(path),
        )
    return None


def check_free(path: Path) -> None:
    """Refuse to write over anything but a finished game that no person played."""
    if path.is_file() and (reason := _reason_to_keep(path)):
        name = repr(str(path))
        raise OutputError("cannot write {path}: {reason}", path=name, reason=reason)
    options.check_writable(path)


_PRIVATE: Final = 0o600


def _new_file(record: Record) -> Path:
    """An empty file in the data directory, named by time, command and rules."""
    folder = GAMES.store().path
    name = f"{_command(record)}-{record.game.file_name.replace(',', '-')}"
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{name}"
    try:
        make_folder(folder)
        for number in counting(1):
            path = folder / (f"{stem}-{number}.txt" if number > 1 else f"{stem}.txt")
            with contextlib.suppress(FileExistsError):
                path.touch(_PRIVATE, exist_ok=False)
                return path
    except OSError as error:
        check_home(error, folder)
        raise OutputError(
            "cannot write in {folder}: {reason}",
            folder=repr(str(folder)),
            reason=system_reason(error),
        ) from error
    raise AssertionError("there are always more names")


def chosen_file(save: Path | None, resume: Path | None) -> Path | None:
    """The file of a game by the options of its command."""
    if save is not None and save != resume:
        check_free(save)
        _hold(save)
    return save or resume


def _hold(path: Path) -> None:
    """Let no other process play the game of a file until this command ends; OutputError if so."""
    refusal = Phrase(
        "the game in {path} is being played by another process: go on there, or leave it first"
    )
    click.get_current_context().with_resource(locked(path, refusal))


# the game

_ALLOWED: Final = 5  # guesses beyond the number of secrets, as Dordle, Quordle and Octordle allow
_PATIENCE: Final = 10.0  # seconds that counting may take before the game goes on without
_SHOWN: Final = 40  # codes that are shown where no number is given
_MOST_SHOWN: Final = 10_000
_LISTED_MARKS: Final = 10  # marks of a game of its own that its introduction shows
_LAST: Final = 10**18  # the place of marks that are words, after those that are numbers


WHY: Final = (
    Phrase("why [ID]"),
    Phrase("show the ten best guesses with their scores, as this strategy sees them"),
)
"""The usage of a command of games, and what it does."""


class PlayerLeft(BaseException):
    """The player leaves the game."""


class GameSession(ABC):
    """A game in progress: its record, where it is shown, and where it is saved.

    A person answers, or types a command that a method `do_NAME` obeys. Without a path the game is
    saved in a new file in the data directory, from the first turn on.
    """

    commands: Mapping[str, tuple[str, str]] = {
        "left": (Phrase("left [N]"), Phrase("show the codes that are still possible")),
        "chances": (Phrase("chances"), Phrase("show how likely each color is in each place")),
        "board": (Phrase("board"), Phrase("show the turns again")),
        "undo": (Phrase("undo"), Phrase("take the last turn back")),
        "save": (Phrase("save FILE"), Phrase("keep the game in this file from now on")),
        "help": (Phrase("help"), Phrase("show what may be typed")),
        "quit": (Phrase("quit"), Phrase("leave, as q and exit do; the game stays saved")),
    }
    """The commands, their usage and what they do; words in upper case are arguments."""

    asked = False  # whether a question has said what may be typed

    saves = True  # whether the game is saved without a path too

    def __init__(
        self, record: Record, screen: Screen, path: Path | None, max_guesses: int | None
    ) -> None:
        if max_guesses is not None and len(record.turns) >= max_guesses:
            n = len(record.turns)
            raise InputError(
                "--max-guesses {most}: this game has come to turn {n} already",
                most=max_guesses,
                n=n,
            )
        as_in_quordle = record.game.alphabet.are_words and record.game.marking.cells
        if max_guesses is None and record.boards > 1 and as_in_quordle:
            max_guesses = record.boards + _ALLOWED
        self.record = record
        self.hinted = set(record.hinted)  # numbers of the turns for which a hint was asked
        self.screen = screen
        self.path = path
        self.named = path is not None
        self.written: Record | None = None
        self.max_guesses = max_guesses
        self._unsaved = ""
        self._counts: dict[tuple[Turn, ...], int | None] = {}

    @property
    def boards(self) -> Play:
        """The boards, and the turns on them."""
        return self.record.play

    @property
    def rules(self) -> Game:
        """The board."""
        return self.record.game

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far."""
        return self.record.turns

    @property
    def next_number(self) -> str:
        """The number of the next guess, and of how many."""
        number = len(self.turns) + 1
        return (
            str(number)
            if self.max_guesses is None
            else tr("{n} of {most}", n=number, most=self.max_guesses)
        )

    @property
    def used_up(self) -> bool:
        """Whether no guess is allowed any more."""
        return len(self.turns) == self.max_guesses

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The game as it is, as JSON."""

    def ending(self) -> dict[str, Any]:
        """Fields that the record of a game has if it ends unsolved."""
        return {}

    @abstractmethod
    def show_start(self) -> None:
        """Say what is played."""

    def show_end(self) -> None:
        """Say how many guesses were enough, or were not."""
        n = len(self.turns)
        if self.record.solved:
            self.screen.say("\n" + trn("Found with {n} guess.", "Found with {n} guesses.", n))
        elif self.used_up:
            unsolved = trn("Not found with {n} guess.", "Not found with {n} guesses.", n)
            self.screen.say(f"\n{unsolved}")
        if self.record.boards == 1 or self.record.codemaker == "given":
            return
        for number, secret in enumerate(self.record.secrets, 1):
            if secret is not None:
                code = self.screen.code(secret)
                self.screen.say("Board {n}: {code}", n=number, code=code)

    def run(self) -> int:
        """Play until the game is over, or is left; the exit status."""
        try:
            self.show_start()
            self.keep()
            with interruptible():
                while self.record.open:
                    self.step()
                    self.keep()
                self.show_end()
        except PlayerLeft:
            self._say_goodbye()
        except KeyboardInterrupt:
            self._say_goodbye("\n")
            return exit_status()
        except (OSError, PegwiseError):
            self._say_goodbye()
            raise
        return 0

    def play(self, *, as_json: bool) -> NoReturn:
        """Run the game, print its document if asked for, and end the command."""
        status = self.run()
        if as_json:
            options.print_json(self.document())
        if self._unsaved and not status and self.named:
            stale: str = ""
            if self.written is not None:
                n = len(self.written.turns)
                stale = Phrase("; the file holds its first {n} turns", n=n)
            raise OutputError(
                "the game is not saved: {error}{stale}", error=self._unsaved, stale=stale
            )
        click.get_current_context().exit(status)

    def update(self, **changes: Any) -> None:
        """Change fields of the record; a last turn that wins solves the game."""
        turns = changes.get("turns", self.turns)
        if self.play_after(turns).over:
            changes["result"] = "solved"
        most = len(turns) + (changes.get("result", self.record.result) == "open")
        changes["hinted"] = tuple(sorted(n for n in self.hinted if n <= most))
        self.record = replace(self.record, **changes)
        if self.record.open and self.used_up:
            self.update(**self.ending(), result="lost")

    def play_after(self, turns: Sequence[Turn]) -> Play:
        """The boards after these turns."""
        return replace(self.boards, turns=tuple(turns))

    def note_hint(self) -> None:
        """Note that a hint was asked for the next turn, which may be played another day."""
        self.hinted.add(len(self.turns) + 1)
        self.update()

    def show_board(self, code: str, word: str) -> None:
        """Name the board, say how many codes it has, and what to do with one, or with a word."""
        n, words = self.rules.n_secrets, rules_words(self.rules)
        rules = self.rules.named
        self.screen.tell("{rules}: {words}; {n:,} codes.", rules=rules, words=words, n=n)
        if not self.rules.marking.listed:
            find = word if self.rules.alphabet.are_words else code
            self.screen.say(str(find), signs=self.screen.palette(self.rules))
        if self.rules.jar and (pegs := jar_pegs(self.rules.jar)):
            self.screen.say("The jar:  {pegs}", pegs=self.screen.compact(pegs))

    def say_boards(self) -> None:
        """Where several secrets are sought, say how many there are, and how many guesses."""
        if self.record.boards == 1:
            return
        self.screen.tell("{n} secrets at once, all different: a board each.", n=self.record.boards)
        if self.max_guesses is not None:
            self.screen.tell(
                trn("{n} guess is allowed.", "{n} guesses are allowed.", self.max_guesses)
            )

    def mark_signs(self) -> str:
        """A sentence that explains the signs of a mark, or the marks of a game that lists them."""
        if listed := self.rules.marking.listed:
            names = [*map(str, listed)]
            names.sort(key=lambda name: int(name) if name.isdecimal() else _LAST)
            more = [] if len(names) <= _LISTED_MARKS else ["..."]
            return ", ".join([*names[:_LISTED_MARKS], *more])
        return tr(self.rules.marking.signs)

    def keep(self) -> None:
        """Save the game as it is; if this fails, the user is warned and plays on."""
        try:
            self._save()
            self._unsaved = ""
        except OutputError as error:
            if not self._unsaved:
                self.screen.warn("The game is not saved: {error}.", error=error)
            self._unsaved = translated(error)

    def _save(self) -> None:
        """Write the game as it is; OutputError if that fails."""
        record = replace(self.record, colors=self.screen.notation.own_names)
        if record == self.written or not (self.named or self.saves):
            return
        if record.turns or self.named or self.written:
            if self.path is None:
                self.path = _new_file(record)
                _hold(self.path)
            content, kept = record.write().encode(), GAMES.store()
            if self.path.parent == kept.path:
                kept.put(self.path.name, content)
            else:
                options.write_file(self.path, content)
            self.written = record

    def counts(self, turns: tuple[Turn, ...]) -> tuple[int | None, ...]:
        """How many codes each board may have after these turns; None where they are not counted."""
        if self.record.boards == 1:
            return (self.count(turns),)
        return tuple(map(len, board_candidates(self.play_after(turns))))

    def count(self, turns: tuple[Turn, ...]) -> int | None:
        """How many codes one board may have after these turns; None where they are not counted."""
        # more turns tell more cases apart: a board that was too large stays so
        if turns and self._counts.get(turns[:-1], 0) is None:
            return None
        if turns not in self._counts:
            try:
                with self.screen.working(tr("counting"), self.rules) as report:
                    limit = TimeLimit(_PATIENCE, report)
                    self._counts[turns] = count(self.rules, turns, report=limit)
            except TooLargeError:
                self._counts[turns] = None
        return self._counts[turns]

    def effect(self, turns: tuple[Turn, ...]) -> str:
        """A sentence about the last of these turns: `276 of 1,296 codes left, 2.23 bits`."""
        if self.record.boards > 1:
            pairs = zip(self.counts(turns), self.play_after(turns).found, strict=True)
            states = [
                figure(n or 0, ",") if code is None else self.screen.write(code)
                for n, code in pairs
            ]
            return tr("codes: {states}", states=BETWEEN.join(states))
        before, after = self.count(turns[:-1]), self.count(turns)
        if before is None or after is None:
            return tr("too many codes to count")
        if not after:
            return tr("no code left")
        return tr(
            "{after:,} of {before:,} codes left, {bits:.2f} bits",
            after=after,
            before=before,
            bits=math.log2(weight(self.rules, turns[:-1]) / weight(self.rules, turns))
            if self.rules.weights is not None
            else math.log2(before / after),
        )

    def listed_turns(self) -> list[dict[str, Any]]:
        """The turns as JSON, with the number of candidates after each."""
        counts = [self.counts(self.turns[:number]) for number in range(1, len(self.turns) + 1)]
        if self.record.boards == 1:
            return [
                {"guess": turn.guess, "mark": turn.mark, "candidates": count}
                for turn, (count,) in zip(self.turns, counts, strict=True)
            ]
        return [
            {"guess": turn.guess, "marks": turn.marks, "candidates": each}
            for turn, each in zip(self.turns, counts, strict=True)
        ]

    def boards_document(self) -> dict[str, Any]:
        """A game with several secrets as it is, as JSON."""
        record = self.record
        return {
            "rules": record.game_name,
            "codebreaker": record.codebreaker,
            "secrets": record.secrets,
            "turns": self.listed_turns(),
            "solved": record.solved,
        }

    def show_saved(self) -> None:
        """Say where the game is, now that it is over."""
        self.keep()
        if self.path is not None and not self._unsaved:
            self.screen.say(_saved_to_review(self.path))

    def _say_goodbye(self, before: str = "") -> None:
        """Say on standard error, which may be closed, how to go on."""
        if not (self.named or self.saves):
            return
        with contextlib.suppress(PegwiseError):
            self._save()  # a turn may have been taken just before
        record, path = self.written, self.path
        if record is None or path is None:
            line = tr("No turn was played, so there is nothing to save.")
            if self._unsaved:
                line = tr("The game is not saved: {error}.", error=self._unsaved)
        elif record.open:
            command = _to_resume(record, path)
            command += "" if self.max_guesses is None else f" --max-guesses {self.max_guesses}"
            line = tr("The game is saved. To continue it: {command}", command=command)
        else:
            line = _saved_to_review(path)
        with contextlib.suppress(OSError):
            to_stderr(before + line)

    @abstractmethod
    def show_question(self) -> None:
        """Ask; the first time say what may be typed."""

    @abstractmethod
    def take_answer(self, text: str) -> None:
        """Take typed text that is no command, or raise PegwiseError."""

    def name(self, command: str) -> str:
        """The word that is typed for a command, in the language that is spoken."""
        usage, _ = self.commands[command]
        return " ".join(word for word in tr(usage).split() if word.islower())

    def names(self, *commands: str) -> str:
        """Some commands in a row, or all but the one that shows the turns again."""
        all_of_them = [command for command in self.commands if command != "board"]
        return ", ".join(map(self.name, commands or all_of_them))

    def show_turns(self, first: int = 1) -> None:
        """Show the turns from a number on; of several boards, how many codes each may have."""
        for number in range(first, len(self.turns) + 1):
            turn = self.screen.turn(number, self.turns[number - 1])
            if self.record.boards > 1:
                self.screen.beside(turn, self.effect(self.turns[:number]))
            else:
                self.screen.say(turn)

    def words(self) -> Mapping[str, str]:
        """The commands by their names in English and in the language that is spoken."""
        return {word: name for name in self.commands for word in (name, self.name(name))}

    def step(self) -> None:
        """Ask, and do it or say why not; raises PlayerLeft if the player leaves."""
        self.show_question()
        self.asked = True
        line = read_line("> ", err=self.screen.err)
        if not line:
            raise PlayerLeft
        typed = line.strip()
        try:
            for word, name in self.words().items():
                if typed.lower() == word or typed.lower().startswith(f"{word} "):
                    self._obey(name, typed[len(word) :].strip())
                    return
            if typed == "?":
                self.do_help("")
            elif typed:
                self._take_answer(typed)
        except PegwiseError as error:
            self.screen.warn(translated(error))

    def _obey(self, name: str, rest: str) -> None:
        usage, _ = self.commands[name]
        if rest and usage.islower():
            raise InputError(
                "{command} takes no argument, not {rest}", command=name, rest=quoted(rest)
            )
        getattr(self, f"do_{name.replace(' ', '_')}")(rest)

    def _take_answer(self, typed: str) -> None:
        """Take an answer; where it is none, propose the command that was nearly typed."""
        try:
            self.take_answer(typed)
        except InputError as error:
            if typed.lower() in {"q", "exit"}:  # no code of this board
                raise PlayerLeft from None
            near = difflib.get_close_matches(typed.lower(), self.words(), n=1, cutoff=0.7)
            hint = Phrase(" (did you mean {near}?)", near=repr(near[0])) if near else ""
            raise InputError("{error}{hint}", error=error, hint=hint) from None

    def do_left(self, rest: str) -> None:
        most = read_number(rest, _MOST_SHOWN) if rest else _SHOWN
        if self.record.boards > 1:
            show_boards(self.boards, self.screen, most)
            return
        total = self.count(self.turns)
        with self.screen.working(tr("listing"), self.rules) as report:
            codes = candidates(self.rules, self.turns, most, report=report)
        if total is None:
            self.screen.say("There are too many codes to count; the first {n}:", n=len(codes))
        else:
            possible = trn("{n:,} code is possible:", "{n:,} codes are possible:", total)
            self.screen.say(possible if total else tr("No code is possible."))
        more = ""
        if total is not None and total > len(codes):
            more = tr("... and {n:,} more; for example left 200", n=total - len(codes))
        show([CodeList(tuple(codes), total or len(codes), more)], self.screen)

    def do_chances(self, _rest: str) -> None:
        if self.record.boards > 1:
            raise InputError("chances are of one secret")
        with self.screen.working(tr("Counting"), self.rules) as report:
            table = chances_table(chances(self.rules, self.turns, report=report))
        show([table], self.screen)

    def do_board(self, _rest: str) -> None:
        if not self.turns:
            raise InputError("no turn was played yet")
        self.show_turns()

    def do_undo(self, _rest: str) -> None:
        if not self.turns:
            raise InputError("there is no turn to take back")
        last = self.turns[-1]
        turn = f"{self.screen.write(last.guess)}={self.screen.write_mark(last.mark)}"
        self.update(turns=self.turns[:-1])
        self.screen.say("Turn {n}, {turn}, is taken back.", n=len(self.turns) + 1, turn=turn)

    def do_save(self, rest: str) -> None:
        if not rest:
            raise InputError("say where: save FILE, for example save mygame.txt")
        path = Path(rest).expanduser()
        if path != self.path:
            check_free(path)
            _hold(path)
        before = self.path, self.named, self.written
        self.path, self.named, self.written = path, True, None
        try:
            self._save()
        except OutputError:
            self.path, self.named, self.written = before
            raise
        self.screen.say("Saved; from now on every turn is kept in {path}.", path=repr(str(path)))

    def do_help(self, _rest: str) -> None:
        rows = [(tr(usage), tr(about)) for usage, about in self.commands.values()]
        width = max(len(usage) for usage, _ in rows)
        for usage, about in rows:
            self.screen.beside(f"  {usage:{width}}", about)

    def do_quit(self, _rest: str) -> None:
        raise PlayerLeft


def _saved_to_review(path: Path) -> str:
    return tr("The game is saved. To review it: {command}", command=_to_review(path))


def contradicted(typed: str) -> InputError:
    """That nothing but a correction is taken while no code fits the marks."""
    return InputError(
        "{typed} is not taken: no code fits the marks; correct one first, or take a turn back",
        typed=quoted(typed),
    )


def read_number(text: str, most: int) -> int:
    """A whole number from 1 to `most`, or InputError."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= most):
        raise InputError(
            "{text}: write a whole number from 1 to {most}", text=quoted(text), most=most
        )
    return int(text)
