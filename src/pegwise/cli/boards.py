"""Games with several secrets at the terminal: the dialogues of `play` and `solve --secrets`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.parallel import show_best, show_boards, show_parallel_review
from pegwise.cli.reading import typed_code, typed_mark
from pegwise.cli.session import GameSession, contradicted, read_number
from pegwise.coach.parallel import ParallelPosition, decision_after, review_parallel
from pegwise.errors import InputError, Phrase, quoted
from pegwise.game import Code, Mark, Rules, Turn, example_code
from pegwise.game.turns import BETWEEN
from pegwise.i18n import figure, tr, trn
from pegwise.knowledge import check_turn
from pegwise.knowledge.diagnosis import diagnose
from pegwise.playing import Play, Record
from pegwise.strategies import label, load
from pegwise.telling.advice import reason_words
from pegwise.telling.position import contradiction

if TYPE_CHECKING:
    from pegwise.strategies import Decision, Strategy

_ALLOWED: Final = 5  # guesses beyond the number of secrets, as Dordle, Quordle and Octordle allow
_WHY: Final = (
    Phrase("why [ID]"),
    Phrase("show the ten best guesses with their scores, as this strategy sees them"),
)


def guesses_allowed(rules: Rules, n: int, max_guesses: int | None) -> int | None:
    """The most guesses: those given, else 9 for Quordle and likewise on words; None for any."""
    on_words = rules.words is not None and rules.placed
    return n + _ALLOWED if max_guesses is None and on_words else max_guesses


class _BoardsSession(GameSession):
    """A game with several secrets in progress: its turns have the marks of all boards."""

    record: Record

    def __init__(
        self,
        record: Record,
        strategy: Strategy,
        screen: Screen,
        path: Path | None,
        max_guesses: int | None,
    ) -> None:
        super().__init__(
            record, screen, path, guesses_allowed(record.rules, record.boards, max_guesses)
        )
        assert record.play.several is not None  # noqa: S101 (of several boards)
        self.game = record.play.several
        self.strategy = strategy
        strategy.begin_parallel(self.game)  # refuses a strategy that seeks one secret
        self._decision = lru_cache(maxsize=8)(self._decided)

    @property
    def hidden(self) -> tuple[int, ...]:
        """The boards that are hidden, from 0."""
        return self.play_of(self.turns).hidden

    def play_of(self, turns: Sequence[Turn]) -> Play:
        """The game after some turns."""
        return replace(self.record.play, turns=tuple(turns))

    def _decided(self, turns: tuple[Turn, ...]) -> Decision:
        return decision_after(self.strategy, self.game, turns)

    def wins(self, turns: Sequence[Turn]) -> bool:
        return self.play_of(turns).over

    def mark_text(self, mark: Any) -> str:
        return BETWEEN.join(self.screen.write_mark(each) for each in mark if each is not None)

    def document(self) -> dict[str, Any]:
        return {
            "rules": self.record.game_name,
            "codebreaker": self.record.codebreaker,
            "secrets": [None if each is None else str(each) for each in self.record.secrets],
            "turns": [
                {
                    "guess": str(turn.guess),
                    "marks": [None if mark is None else str(mark) for mark in turn.marks],
                    "candidates": ParallelPosition(self.game, self.turns[:number]).counts,
                }
                for number, turn in enumerate(self.turns, 1)
            ],
            "solved": self.record.solved,
        }

    def show_rules(self) -> None:
        """Say how many secrets there are, and how many guesses."""
        self.screen.tell("{n} secrets at once, all different: a board each.", n=self.game.n)
        if self.max_guesses is not None:
            self.screen.tell(
                trn("{n} guess is allowed.", "{n} guesses are allowed.", self.max_guesses)
            )

    def show_turns(self, first: int = 1) -> None:
        for number in range(first, len(self.turns) + 1):
            turn, pegs = self.turns[number - 1], self.rules.pegs
            marks = turn.marks
            cells = [" " * pegs if mark is None else self.screen.mark(mark, pegs) for mark in marks]
            line = f"{number:>2}.  {self.screen.code(turn.guess)}   {'  '.join(cells)}"
            self.screen.beside(line, self.codes_left(self.turns[:number]))

    def codes_left(self, turns: tuple[Turn, ...]) -> str:
        """How many codes each board has after turns, and what was found."""
        found = self.play_of(turns).found
        pairs = zip(ParallelPosition(self.game, turns).counts, found, strict=True)
        states = [figure(n, ",") if code is None else self.screen.write(code) for n, code in pairs]
        return tr("codes: {states}", states=BETWEEN.join(states))

    def do_left(self, rest: str) -> None:
        most = read_number(rest, 10_000) if rest else 40
        show_boards(ParallelPosition(self.game, self.turns), self.screen, most)

    def do_why(self, rest: str) -> None:
        name = rest.removeprefix("-s").strip()
        strategy = options.parse_strategy(name, 0) if name else self.strategy
        decision = decision_after(strategy, self.game, self.turns)
        with self.screen.working(tr("choosing"), self.rules):
            explained = decision.explain(write=self.screen.write)
        self.screen.tell(
            "{name} plays {guess}: {why}",
            name=label(strategy),
            guess=self.screen.write(decision.guess),
            why=reason_words(explained, self.rules, ()),
        )
        show_best(self.record, self.screen, explained.criterion)

    def show_end(self) -> None:
        super().show_end()
        for number, secret in enumerate(self.record.secrets, 1):
            if secret is not None:
                code = self.screen.code(secret)
                self.screen.say("Board {n}: {code}", n=number, code=code)


class PlayBoards(_BoardsSession):
    """A person seeks several secrets that are drawn."""

    commands: ClassVar = {
        "hint": (Phrase("hint"), Phrase("propose a guess")),
        "why": _WHY,
        "give up": (Phrase("give up"), Phrase("show the code, which ends the game")),
        **GameSession.commands,
    }

    def __init__(
        self, record: Record, screen: Screen, path: Path | None, max_guesses: int | None
    ) -> None:
        super().__init__(record, load("entropy"), screen, path, max_guesses)
        drawn = self.game.draw(1, record.seed or 0)[0]
        self.drawn = self.game.read_secrets(drawn.tolist())
        turn: Any
        for number, turn in enumerate(record.turns):
            if turn != record.play.first(number).answer(self.drawn, turn.guess):
                raise InputError(
                    "the turns of this game are not its codemaker's: {error}", error=turn
                )

    def show_start(self) -> None:
        self.show_board(Phrase("Find codes of  {colors}"), Phrase("Find words of  {letters}"))
        self.screen.tell("from the marks of your guesses: {signs}.", signs=self.mark_signs())
        self.show_rules()
        if self.turns:
            self.screen.say()
            self.show_turns()

    def show_question(self) -> None:
        self.screen.say()
        code = self.screen.write(example_code(self.rules))
        if self.asked:
            self.screen.note("Guess {n}, or {help}.", n=self.next_number, help=self.name("help"))
        else:
            self.screen.note(
                "Guess {n}, such as {codes}; or {names}.",
                n=self.next_number,
                codes=code,
                names=self.names(),
            )

    def take_answer(self, text: str) -> None:
        guess = typed_code(text, self.rules, self.screen)
        turns = (*self.turns, self.record.play.answer(self.drawn, guess))
        self.update(turns=turns, **({"secret": self.drawn} if self.wins(turns) else {}))
        self.show_turns(len(self.turns))

    def do_hint(self, _rest: str) -> None:
        with self.screen.working(tr("choosing"), self.rules):
            guess = self.screen.code(self._decision(self.turns).guess)
        self.note_hint()
        proposer = tr("proposed by {strategy}", strategy=label(self.strategy))
        self.screen.say(f"     {guess}   {proposer}")

    def do_why(self, rest: str) -> None:
        super().do_why(rest)
        self.note_hint()

    def do_give_up(self, _rest: str) -> None:
        self.update(**self.ending(), result="given up")

    def ending(self) -> dict[str, Any]:
        return {"secret": self.drawn}

    def show_end(self) -> None:
        super().show_end()
        self.screen.say()
        show_parallel_review(review_parallel(self.record), self.screen)
        self.show_saved()


class SolveBoards(_BoardsSession):
    """A person marks what the strategy proposes, on every board that is hidden."""

    commands: ClassVar = {
        "guess": (Phrase("guess CODE"), Phrase("play this, not what is proposed")),
        "why": _WHY,
        "change": (Phrase("change TURN MARKS"), Phrase("correct the marks of a turn")),
        **GameSession.commands,
    }

    form: str | None = None  # the form of marks that was chosen, where several were possible

    def __init__(
        self,
        record: Record,
        strategy: Strategy,
        screen: Screen,
        path: Path | None,
        max_guesses: int | None,
    ) -> None:
        record = replace(record, codebreaker=strategy.typed)
        super().__init__(record, strategy, screen, path, max_guesses)
        self.chosen: Code | None = None  # what the person plays instead of what is proposed
        self.marks: list[Mark] = []  # those of the first boards, typed one after the other
        self.explained: tuple[Turn, ...] | None = None  # the turns after which it was told why

    def show_start(self) -> None:
        name = label(self.strategy)
        self.show_board(Phrase("Hide codes of  {colors}"), Phrase("Hide words of  {letters}"))
        self.screen.tell(
            "and mark what {name} guesses: {signs}.", name=name, signs=self.mark_signs()
        )
        self.show_rules()
        if self.turns:
            self.screen.say()
            self.show_turns()
            self._explain_contradiction()

    @property
    def next_guess(self) -> Code:
        """The guess that is played now."""
        if self.chosen is not None:
            return self.chosen
        with self.screen.working(tr("choosing"), self.rules):
            guess: Code = self._decision(self.turns).guess
        return guess

    @property
    def used_up(self) -> bool:
        return super().used_up and not self.impossible  # a mark may still be corrected

    @property
    def impossible(self) -> bool:
        """Whether the marks of some board contradict each other."""
        return not all(ParallelPosition(self.game, self.turns).counts)

    def show_question(self) -> None:
        screen = self.screen
        screen.say()
        if self.impossible:
            names = self.names("undo", "change", "left", "save", "help", "quit")
            screen.note("Correct the marks of a turn; or {names}.", names=names)
            return
        boards = [str(board + 1) for board in self.hidden]
        if self.marks:
            screen.note("Mark of board {n}, or {help}.", n=boards[len(self.marks)], help=self.help)
            return
        guess = self.next_guess
        if self.chosen is None and self.explained != self.turns:
            with screen.working(tr("choosing"), self.rules):
                explained = self._decision(self.turns).explain(write=screen.write)
            screen.note("     " + reason_words(explained, self.rules, ()))
            self.explained = self.turns
        remark = "" if self.chosen is None else f"   {tr('your guess')}"
        screen.say(f"{len(self.turns) + 1:>2}.  {screen.code(guess)}{remark}")
        if len(boards) == 1:
            screen.note("Mark of board {n}, or {help}.", n=boards[0], help=self.help)
        elif self.asked:
            screen.note(
                "Marks of boards {boards}, or {help}.", boards=", ".join(boards), help=self.help
            )
        else:
            screen.note(
                "Marks of boards {boards} in a line, as in {marks}, or one after the other; or "
                "{names}.",
                boards=", ".join(boards),
                marks=self._example(len(boards)),
                names=self.names(),
            )

    def _example(self, n: int) -> str:
        """Marks of so many boards, without hyphens, where lines could break."""
        if self.rules.marked:
            return BETWEEN.join(["..."] * min(n, 3))
        two = ["21002"[: self.rules.pegs], "0"] if self.rules.placed else ["XX", "X"]
        return BETWEEN.join([*two, "..."] if n > 2 else two)

    @property
    def help(self) -> str:
        """The word that shows what may be typed."""
        return self.name("help")

    def take_answer(self, text: str) -> None:
        if self.impossible:
            raise contradicted(text)
        if not self.rules.marked and "=" in text.strip()[1:]:
            *_, turn = self.record.play.read([text]).turns
            self.add(turn)
            return
        guess, hidden = self.next_guess, self.hidden
        marks = [*self.marks, *self._read(text, guess, len(hidden) - len(self.marks))]
        if len(marks) < len(hidden):
            self.marks = marks
            return
        self.add(self.record.play.place(guess, marks))

    def _read(self, text: str, guess: Code, n: int) -> list[Mark]:
        """Marks that are typed for at most `n` boards; ambiguous ones are asked about."""
        pieces = self.record.play.split_marks(text, n)
        if len(pieces) > n:
            raise InputError(
                "{text}: {given} marks, but {n} boards are left to mark",
                text=quoted(text.strip()),
                given=len(pieces),
                n=n,
            )
        marks = []
        for piece in pieces:
            mark, self.form = typed_mark(piece, self.rules, self.form, self.screen)
            if mark.partial:
                raise InputError("the mark {mark} is not noted in full", mark=mark)
            check_turn(self.rules, (guess, mark), self.screen.notation)
            marks.append(mark)
        return marks

    def add(self, turn: Turn) -> None:
        """Add a turn, and show what it told."""
        self.update(turns=(*self.turns, turn))
        self.chosen, self.marks = None, []
        self.show_turns(len(self.turns))
        self._explain_contradiction()

    def _explain_contradiction(self) -> None:
        """Say at once which board no code fits, and which mark may be wrong."""
        counts = ParallelPosition(self.game, self.turns).counts
        for board, count in enumerate(counts):
            if count:
                continue
            own = self.record.play.turns_on(board)
            self.screen.warn("Board {n}:", n=board + 1)
            diagnosis = diagnose(self.rules, own, notation=self.screen.notation)
            show(contradiction(diagnosis, self.screen.notation), self.screen)

    def do_undo(self, rest: str) -> None:
        if self.marks:
            self.marks = []
            self.screen.say("The marks that were typed for this guess are taken back.")
            return
        self.chosen = None
        super().do_undo(rest)

    def do_guess(self, rest: str) -> None:
        if not rest:
            example = self.screen.write(example_code(self.rules))
            raise InputError("say what: guess CODE, for example guess {code}", code=example)
        if "=" in rest and not self.rules.marked:
            self.take_answer(rest)
            return
        self.chosen, self.marks = typed_code(rest, self.rules, self.screen), []

    def do_change(self, rest: str) -> None:
        number, _, text = rest.partition(" ")
        if not self.turns:
            raise InputError("there is no turn to change yet")
        if not text:
            raise InputError("write change TURN MARKS, for example change 1 XO | -")
        place = read_number(number, len(self.turns)) - 1
        before, after = self.turns[:place], self.turns[place + 1 :]
        guess, old = self.turns[place]
        n = len(self.play_of(before).hidden)
        marks = self._read(text, guess, n)
        if len(marks) < n:
            raise InputError("{text}: give {n} marks, with | between them", text=quoted(text), n=n)
        changed = self.play_of(before).place(guess, marks)
        found = [self.play_of((*before, turn)).found for turn in (changed, Turn(guess, old))]
        if found[0] != found[1] and after:
            raise InputError(
                "turn {number} found another board, and turns follow it: take them back first",
                number=place + 1,
            )
        self.update(turns=(*before, changed, *after))
        self.marks = []
        self.show_turns()
        self._explain_contradiction()

    def show_end(self) -> None:
        super().show_end()
        self.show_saved()


class AloneBoards(_BoardsSession):
    """A strategy finds secrets that the user gave."""

    saves = False
    form: str | None = None

    def show_start(self) -> None:
        title = tr(
            "{rules}, secret {secret}: {name} decodes.",
            rules=self.record.game_name,
            secret=self.mark_or_codes(self.record.secret or ()),
            name=label(self.strategy),
        )
        self.screen.say(f"{title}\n")

    def mark_or_codes(self, codes: Sequence[Any]) -> str:
        """Codes with a stroke between them."""
        return BETWEEN.join(map(self.screen.write, codes))

    def show_question(self) -> None:
        """Nothing is asked."""

    def take_answer(self, text: str) -> None:
        """Nothing is typed."""

    def step(self) -> None:
        with self.screen.working(tr("choosing"), self.rules):
            guess = self._decision(self.turns).guess
        turn = self.record.play.answer(self.record.secrets, guess)
        self.update(turns=(*self.turns, turn))
        self.show_turns(len(self.turns))

    def show_end(self) -> None:
        GameSession.show_end(self)
