"""Irving's nested notation: a guess, and for each mark how many codes are left and what follows.

R. W. Irving, Towards an optimum Mastermind strategy, J. Recreational Mathematics 11(2), 1978-79.
Marks are in order of their black pegs and, within these, from most white pegs to none:

    state      = count                    0; or 1, the one code left, which is then played
               | count (guess)            every mark leaves one code, which is then played
               | count (guess*)           the guess is none of the codes left; else as above
               | count (guess: states)    what follows each mark, 0 or 1 for the winning one
               | count LETTER             written out below, as LETTER = (guess: states)

Knuth (The computer as Master Mind, J. Recreational Mathematics 9(1), 1976-77, figure 1) has one
state more, the 0 of the mark that cannot happen; plain counts of 2 (play either); and `(guessx)`
where some mark leaves two codes. In his figure `x` says nothing about whether the guess is a
candidate. The reader takes both, whatever the flags, and reports flags that do not fit.
"""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final, Never

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import InputError, Phrase, TreeFileError, quoted
from pegwise.game import (
    HOLE,
    Code,
    Rules,
    all_secrets,
    board_game,
    parse_code,
)
from pegwise.trees.tree import NodeList, Reading, Tree

MAX_NESTING: Final = 150  # states within states, at most


def printed_rules(tree: Tree, notation: str) -> Rules:
    """The rules of a tree to print; InputError where its game is not a board."""
    if tree.game.board is not None:
        return tree.game.board
    raise InputError(
        "a tree of {game} cannot be written in {notation}: only trees of a board can; write it "
        "as a tree file, CSV or Graphviz",
        game=tree.game.name,
        notation=notation,
    )


def print_code(code: Code, rules: Rules) -> str:
    """A code in digits (0 is the tenth color), or in letters on boards of more colors."""
    return code.write("digits" if rules.colors <= 10 else "letters")


@contextmanager
def at_line(line: int) -> Iterator[None]:
    """Let errors in a printed tree name their line."""
    try:
        yield
    except InputError as error:
        raise TreeFileError("line {line}: {error}", line=line, error=error) from None


def read_code(text: str, rules: Rules, line: int) -> Code:
    """The code that `print_code` wrote in this line."""
    with at_line(line):
        return parse_code(text, rules)


def largest_rules(guess: str, line: int) -> Rules:
    """Rules of all guesses that have as many pegs as this one."""
    if not 1 <= len(guess) <= 16:
        raise TreeFileError(
            "line {line}: {pegs} pegs; a code has 1 to 16", line=line, pegs=len(guess)
        )
    return Rules(len(guess), 26, blank=True)


def print_order(rules: Rules) -> list[int]:
    """Numbers of the marks as they are printed, the winning one last."""
    marks = list(rules.marking.legal)
    return [marks.index(mark) for mark in sorted(marks, key=lambda m: (m.black, -m.white))]


def write_irving(tree: Tree) -> str:
    """A tree of a board in nested notation, laid out as the program mmstrat prints it.

    Replies to the first guess that leave p(p + 3)/2 codes or more, p being the number of pegs,
    are written out below, under letters.
    """
    rules = printed_rules(tree, "nested notation")
    if (deepest := int(tree.node_depths.max())) > MAX_NESTING:
        raise InputError(
            "a tree {deepest} guesses deep is not written in nested notation (at most {most}); "
            "write it as a tree file or in Viaud's lines",
            deepest=deepest,
            most=MAX_NESTING,
        )
    nodes, sizes = tree.nodes, tree.node_sizes
    order = print_order(rules)
    # marks with as many black pegs end with a semicolon, the list with the bracket
    ends = [";" if not rules.marking.legal[mark].white else "," for mark in order[:-1]] + [")"]
    states = [""] * len(tree)
    written_out: list[str] = []
    for node in range(len(tree) - 1, -1, -1):
        children = tree.children(node)
        guess = print_code(tree.game.guess(int(nodes.guess[node])), rules)
        star = "" if nodes.wins[node] else "*"
        if not children and nodes.wins[node] and node:
            states[node] = "1"
            continue
        if all(states[child] == "1" for child in children):
            states[node] = f"{sizes[node]} ({guess}{star})"
            continue
        following = {int(nodes.mark[child]): states[child] for child in children}
        if not node:
            written_out = _write_out(following, order, rules)
        following[tree.game.winning] = "1" if nodes.wins[node] else "0"
        printed = (
            f" {following.get(mark, '0')}{end}" for mark, end in zip(order, ends, strict=True)
        )
        states[node] = f"{sizes[node]} ({guess}:{''.join(printed)}"
    return "".join(f"{state}\n\n" for state in [states[0], *written_out])


def _write_out(following: dict[int, str], order: list[int], rules: Rules) -> list[str]:
    """Definitions of the larger states after the first guess; a letter takes the place of each."""
    definitions: list[str] = []
    for mark in order:
        count, _, body = following.get(mark, "").partition(" ")
        large = ":" in body and int(count) >= rules.pegs * (rules.pegs + 3) // 2
        if large and len(definitions) < len(ascii_uppercase):
            letter = ascii_uppercase[len(definitions)]
            following[mark] = count + letter
            definitions.append(f"{letter} = {body}")
    return definitions


def read_irving(text: str, rules: Rules | None = None) -> Reading:
    """A tree from nested notation, Irving's or Knuth's; the board is guessed when it is None."""
    parser = _Parser(text)
    root = parser.parse()
    rules = rules or _guess_rules(root, parser.states)
    reader = _Reader(rules, parser.definitions)
    reader.follow(root, all_secrets(reader.game), -1, 0)
    if not reader.nodes.guess:
        raise TreeFileError("line {line}: no first guess is printed", line=root.line)
    if unused := sorted(set(parser.definitions) - reader.used):
        raise TreeFileError(
            "{unused} is written out below, but no state names it", unused=repr(unused[0])
        )
    tree = Tree(reader.game, reader.nodes.nodes(reader.game), "nested-notation")
    notation = "knuth" if reader.is_knuth else "irving"
    return Reading(tree, notation, tuple(reader.mended), tuple(reader.problems))


@dataclass(slots=True)
class _State:
    """A state as it was read."""

    line: int
    count: int  # -1 where it is written out below
    guess: str = ""
    flag: str = ""
    states: list[_State] | None = None
    letter: str = ""  # under which it is written out below


class _Parser:
    """Text to states, whatever they mean."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.breaks = [place for place, sign in enumerate(text) if sign == "\n"]
        self.states: list[_State] = []
        self.definitions: dict[str, _State] = {}

    def parse(self) -> _State:
        """The first state; `definitions` then has those written out below."""
        root = self.state(0)
        while letter := self.take("[A-Z]"):
            if letter in self.definitions:
                self.fail(Phrase("{letter} is written out twice", letter=repr(letter)))
            self.need("=")
            self.need("(")
            self.definitions[letter] = self.bracket(self.new(-1), 0)
        if self.place < len(self.text.rstrip()):
            self.fail(Phrase("expected a letter and '=', or the end"))
        return root

    @property
    def line(self) -> int:
        return bisect.bisect_left(self.breaks, self.place) + 1

    def new(self, count: int) -> _State:
        self.states.append(_State(self.line, count))
        return self.states[-1]

    def state(self, nesting: int) -> _State:
        count = self.take("[0-9]+", Phrase("expected the number of codes left"))
        state = self.new(int(count[:9]))
        if letter := self.take("[A-Z]"):
            state.letter = letter
            return state
        return self.bracket(state, nesting) if self.take("[(]") else state

    def bracket(self, state: _State, nesting: int) -> _State:
        """The guess of a state and what follows its marks, up to the closing bracket."""
        if nesting > MAX_NESTING:
            self.fail(Phrase("states are nested deeper than {most}", most=MAX_NESTING))
        state.guess = self.take("[0-9A-Z.]+", Phrase("expected a guess"))
        state.flag = self.take("[*x]")
        if self.take(":"):
            state.states = [self.state(nesting + 1)]
            while self.take("[,;]"):
                state.states.append(self.state(nesting + 1))
        self.need(")")
        return state

    def take(self, pattern: str, expected: Phrase | None = None) -> str:
        """Take the next token if it matches; else "", or an error where it is expected."""
        match = re.compile(rf"\s*({pattern})").match(self.text, self.place)
        if match is None:
            return self.fail(expected) if expected else ""
        self.place = match.end()
        return match[1]

    def need(self, sign: str) -> None:
        self.take(re.escape(sign), Phrase("expected {sign}", sign=repr(sign)))

    def fail(self, why: Phrase) -> Never:
        near = " ".join(self.text[self.place : self.place + 20].split())
        raise TreeFileError(
            "line {line}: {why}, but {text}",
            line=self.line,
            why=why,
            text=quoted(near) if near else Phrase("it ends"),
        )


class _Reader:
    """States to nodes, by following the candidates."""

    def __init__(self, rules: Rules, definitions: dict[str, _State]) -> None:
        self.rules = rules
        self.game = board_game(rules)
        self.order = print_order(rules)
        self.definitions = definitions
        self.nodes = NodeList()
        self.used: set[str] = set()
        self.is_knuth = False
        self.mended: list[str] = []
        self.problems: list[str] = []

    def follow(
        self, state: _State, candidates: I32, parent: int, mark: int, nesting: int = 0
    ) -> None:
        """Add what is played after a mark that leaves these candidates, if anything is said."""
        if nesting > MAX_NESTING:
            raise TreeFileError(
                "line {line}: states are nested deeper than {most}",
                line=state.line,
                most=MAX_NESTING,
            )
        if state.count not in {len(candidates), -1}:
            counts = Phrase("line {line} counts {counted}, but {remaining}{at}")
            self.problem(state, counts, candidates, counted=_codes(state.count))
        if letter := state.letter:
            written_out = letter in self.definitions
            if letter in self.used or not written_out:
                why = Phrase("line {line}: {letter} is named a second time")
                if not written_out:
                    why = Phrase("line {line}: {letter} is nowhere written out")
                raise TreeFileError(Phrase(why, line=state.line, letter=repr(letter)))
            self.used.add(letter)
            self.follow(self.definitions[letter], candidates, parent, mark, nesting)
            return
        if not state.guess:
            self.either(candidates, state, parent, mark)
            return
        guess = self.game.guess_number(read_code(state.guess, self.rules, state.line))
        parts = self.parts(guess, candidates)
        wins = parts.pop(self.game.winning, None) is not None
        node = self.nodes.add(parent, mark, guess, wins=wins)
        if state.states is None:
            self.check_flag(state, parts, wins=wins)
            for answer, part in parts.items():
                self.either(part, state, node, answer)
            return
        nothing = np.zeros(0, np.int32)
        for answer, following in self.listed(state, wins=wins):
            self.follow(following, parts.get(answer, nothing), node, answer, nesting + 1)

    def listed(self, state: _State, *, wins: bool) -> Iterator[tuple[int, _State]]:
        """The marks of a list, but for the winning one, with the states that follow."""
        states = list(state.states or [])
        if len(states) == len(self.order) + 1 and self.rules.marking.impossible:
            # Knuth counts the mark of pegs - 1 black and one white, third from the end
            self.is_knuth = True
            if states.pop(-3).count:
                raise TreeFileError(
                    "line {line}: codes are left after an impossible mark", line=state.line
                )
        if len(states) != len(self.order):
            raise TreeFileError(
                "line {line}: {n_states} marks follow {guess}, but {rules} has {n_order}",
                line=state.line,
                n_states=len(states),
                guess=state.guess,
                rules=self.rules,
                n_order=len(self.order),
            )
        last = states.pop()
        if last.count != wins or last.guess or last.letter:
            claim = Phrase("line {line} says {count} for the winning mark of {guess}, {truth}")
            cannot = Phrase("which cannot be the secret there")
            truth = Phrase("which may be the secret there") if wins else cannot
            values = {"line": last.line, "count": last.count, "guess": state.guess}
            self.problems.append(Phrase(claim, **values, truth=truth))
        return zip(self.order, states, strict=False)

    def either(self, candidates: I32, state: _State, parent: int, mark: int) -> None:
        """Add one or two candidates, played in their order."""
        if len(candidates) > 2:
            silent = Phrase("line {line} does not say what to play when {remaining}{at}")
            self.problem(state, silent, candidates)
            return
        for position, secret in enumerate(candidates.tolist()):
            guess = int(self.game.guess_of_secret[secret])
            parent = self.nodes.add(parent, mark, guess, wins=True)
            mark = next(iter(self.parts(guess, candidates[position + 1 :])), 0)

    def parts(self, guess: int, candidates: I32) -> dict[int, I32]:
        marks = self.game.mark_pairs(np.full(len(candidates), guess, np.int32), candidates)
        return {mark: candidates[marks == mark] for mark in np.unique(marks).tolist()}

    def check_flag(self, state: _State, parts: dict[int, I32], *, wins: bool) -> None:
        """Report flags of a guess in brackets that do not fit; the play stays the same."""
        star, x = state.flag == "*", state.flag == "x"
        pairs = any(len(part) == 2 for part in parts.values())
        self.is_knuth |= x
        for wrong, template in (
            (star and wins, Phrase("line {line}: {guess}* may be the secret; read as {guess}")),
            (x and not pairs, Phrase("line {line}: {guess}x leaves no pair; read as {guess}")),
            (pairs and not x, Phrase("line {line}: {guess} is without its x; read as {guess}x")),
        ):
            if wrong:
                self.mended.append(Phrase(template, line=state.line, guess=state.guess))

    def problem(self, state: _State, template: Phrase, candidates: I32, **values: object) -> None:
        """Report a state that does not fit its candidates."""
        n = len(candidates)
        remaining = Phrase("{n} code is left" if n == 1 else "{n} codes are left", n=n)
        at = Phrase(" at {guess}", guess=state.guess) if state.guess else ""
        self.problems.append(
            Phrase(template, line=state.line, remaining=remaining, at=at, **values)
        )


def _codes(count: int) -> Phrase:
    return Phrase("{n} code" if count == 1 else "{n} codes", n=count)


def _guess_rules(root: _State, states: list[_State]) -> Rules:
    """The board of a printed tree, from its number of secrets and its guesses."""
    largest = largest_rules(root.guess, root.line)
    pegs = largest.pegs
    guesses = [
        [peg for peg in read_code(state.guess, largest, state.line) if peg != HOLE]
        for state in states
        if state.guess
    ]
    repeat = any(len(set(guess)) < len(guess) for guess in guesses)
    blank = any(len(guess) < pegs for guess in guesses)
    black = root.states is not None and len(root.states) == pegs + 1 and pegs > 1
    marks = "black" if black else ""
    for colors in range(1, 27):
        if colors**pegs == root.count:
            return Rules(pegs, colors, blank=blank, marks=marks)
        if colors >= pegs and math.perm(colors, pegs) == root.count:
            return Rules(pegs, colors, not repeat, repeat, blank=blank, marks=marks)
    raise TreeFileError(
        "{codes} of {pegs} pegs fit no board; say by its rules which one it is",
        codes=_codes(root.count),
        pegs=pegs,
    )
