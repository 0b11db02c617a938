"""Viaud's lines: the game of each secret, guess and mark in turn, down to the winning mark.

D. Viaud, Une formalisation du jeu de Mastermind, RAIRO 13(3), 1979, p. 320-321. Guesses are
digits from 1, marks are black and white pegs as two digits: `3211 02 2144 10 2432 12 2323 40`.
A scan sets several columns beside each other, and misreads signs (`+0` for `40`); these are
mended and reported. What was mended still has to verify.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pegwise.errors import InputError, Phrase, TreeFileError, quoted
from pegwise.game import HOLE, Code, Mark, Rules, legal_marks, mastermind
from pegwise.game.marks import check_mark, mark_pairs
from pegwise.trees.notations import PrintedNodes, Reading, as_printed, board_of, from_print
from pegwise.trees.tree import Tree

_MISREAD: Final = str.maketrans("+OoQlI|!ZSB", "40001111258")
"""Signs that scanners take for digits."""


@dataclass(frozen=True, slots=True)
class _PrintedGame:
    """One line's game as it was read."""

    line: int
    guesses: tuple[str, ...]
    marks: tuple[Mark, ...]


def write_viaud(tree: Tree) -> str:
    """A tree of a board as lines, each secret's game on one, in the order of their marks.

    Marks of ten pegs and more are written with a comma: `10,2`.

    Raises:
        InputError: the tree is not of a board.
    """
    rules = board_of(tree, "Viaud's lines")
    nodes = tree.nodes
    games = tree.games()
    # the mark that ends a game comes first, as in print: -1 is where no node follows
    keys = np.where(games < 0, -1, nodes.mark[games].astype(np.int64))
    guesses = {
        number: as_printed(tree.game.guess(number), rules)
        for number in np.unique(nodes.guess).tolist()
    }
    marks = [_mark_text(mark, rules.pegs) for mark in legal_marks(rules)]
    lines = []
    for game in games[np.lexsort(keys.T[::-1])].tolist():
        turns = [node for node in game if node >= 0]
        answers = [marks[int(nodes.mark[node])] for node in turns[1:]] + [marks[-1]]
        lines.append(
            " ".join(
                f"{guesses[int(nodes.guess[node])]} {mark}"
                for node, mark in zip(turns, answers, strict=True)
            )
        )
    return "\n".join([*lines, ""])


def read_viaud(text: str, rules: Rules | None = None) -> Reading:
    """A tree from Viaud's lines, one or several games a line.

    Args:
        text: empty lines, lines that begin with `#` and fences of three backticks are skipped.
        rules: the board; guessed from the lines when None.

    Raises:
        TreeFileError: a line that is no game, or two that play differently after the same turns.
    """
    slips: dict[tuple[str, str], list[int]] = {}
    games = list(_games(text, slips))
    if not games:
        raise TreeFileError("it has no lines")
    rules = rules or _guess_rules(games)
    game = mastermind(rules)
    numbers: dict[str, int] = {}
    mark_numbers = {mark: number for number, mark in enumerate(legal_marks(rules))}
    nodes = PrintedNodes()
    children: dict[tuple[int, int], int] = {}
    mended: list[str] = []
    for printed in games:
        node, answer, line = -1, 0, printed.line
        for turn, (guess, mark) in enumerate(zip(printed.guesses, printed.marks, strict=True), 1):
            if guess not in numbers:
                numbers[guess] = game.guess_number(from_print(guess, rules, line))
            if (node, answer) not in children:
                children[node, answer] = nodes.add(node, answer, numbers[guess], line)
            node = children[node, answer]
            if nodes.guess[node] != numbers[guess]:
                raise TreeFileError(
                    "line {line} plays {guess} in turn {turn}, where line {other_line} plays "
                    "{other} after the same marks",
                    line=line,
                    guess=guess,
                    turn=turn,
                    other_line=nodes.line[node],
                    other=as_printed(game.guess(nodes.guess[node]), rules),
                )
            if mark not in mark_numbers:
                raise TreeFileError("line {line}: {why}", line=line, why=_why_not(mark, rules))
            answer = mark_numbers[mark]
        if nodes.wins[node]:
            mended.append(
                Phrase(
                    "line {line} repeats line {before}: read once",
                    line=line,
                    before=nodes.line[node],
                )
            )
        nodes.wins[node], nodes.line[node] = True, line
    mended += [
        Phrase(
            "{was} read as {now} in line {lines}"
            if len(lines) == 1
            else "{was} read as {now} in lines {lines}",
            was=repr(was),
            now=repr(now),
            lines=", ".join(map(str, lines)),
        )
        for (was, now), lines in slips.items()
    ]
    return Reading(nodes.tree(game, "viaud-lines"), "viaud", tuple(mended))


def _games(text: str, slips: dict[tuple[str, str], list[int]]) -> Iterator[_PrintedGame]:
    """The games of all lines; `slips` collects the lines where a word was mended."""
    for line, content in enumerate(text.splitlines(), 1):
        if content.lstrip().startswith(("#", "```")):
            continue
        guesses: list[str] = []
        marks: list[Mark] = []
        for number, word in enumerate(content.split()):
            is_mark = len(guesses) > len(marks)
            mended = _mend(word, is_mark=is_mark)
            if mended != word:
                slips.setdefault((word, mended), []).append(line)
            if not is_mark:
                guesses.append(mended)
                continue
            marks.append(_read_mark(mended, line, number + 1))
            if marks[-1] == (len(guesses[0]), 0):
                yield _PrintedGame(line, tuple(guesses), tuple(marks))
                guesses, marks = [], []
        if guesses:
            pegs = len(guesses[0])
            raise TreeFileError(
                "line {line} ends with {word}, before the winning mark {mark}",
                line=line,
                word=quoted(content.split()[-1]),
                mark=_mark_text(Mark(pegs), pegs),
            )


def _mend(word: str, *, is_mark: bool) -> str:
    """A word with signs that a scanner misread; codes in letters are left alone."""
    if word.isdecimal() or not (is_mark or any(sign.isdecimal() for sign in word)):
        return word
    mended = word.translate(_MISREAD)
    return mended if re.fullmatch(r"[0-9.]+|[0-9]+,[0-9]+", mended) else word


def _read_mark(word: str, line: int, place: int) -> Mark:
    pair = re.fullmatch("([0-9])([0-9])|([0-9]{1,2}),([0-9]{1,2})", word)
    if pair is None:
        raise TreeFileError(
            "line {line}: word {place}, {word}, is no mark; write black and white pegs as two "
            "digits (12)",
            line=line,
            place=place,
            word=quoted(word),
        )
    black, white = filter(None, pair.groups())
    return Mark(int(black), int(white))


def _mark_text(mark: Mark, pegs: int) -> str:
    return f"{mark.black},{mark.white}" if pegs > 9 else f"{mark.black}{mark.white}"


def _why_not(mark: Mark, rules: Rules) -> str:
    try:
        check_mark(mark, rules)
    except InputError as error:
        return error.phrase
    return Phrase("mark {mark} cannot happen", mark=mark)


def _guess_rules(games: list[_PrintedGame]) -> Rules:
    """The board that lines were written for: every secret of it ends one of them."""
    pegs = len(games[0].guesses[0])
    if not 1 <= pegs <= 16:
        raise TreeFileError(
            "line {line}: {pegs} pegs; a code has 1 to 16", line=games[0].line, pegs=pegs
        )
    free = Rules(pegs, 26, blank=True)
    codes: dict[str, Code] = {}
    for game in games:
        for guess in game.guesses:
            if guess not in codes:
                codes[guess] = from_print(guess, free, game.line)
    secrets = [codes[game.guesses[-1]] for game in games]
    secrets_repeat = any(len(set(secret)) < pegs for secret in secrets)
    guesses_repeat = any(
        len(set(filled)) < len(filled)
        for filled in ([peg for peg in code if peg != HOLE] for code in codes.values())
    )
    used = {peg for code in codes.values() for peg in code}
    rules = Rules(
        pegs,
        max(used - {HOLE}, default=0) + 1,
        distinct=pegs > 1 and not guesses_repeat,
        distinct_secrets=guesses_repeat and not secrets_repeat,
        blank=HOLE in used,
    )
    return replace(rules, black=True) if _hides_white(games, codes) else rules


def _hides_white(games: list[_PrintedGame], codes: dict[str, Code]) -> bool:
    """Whether no mark has a white peg, though by the plain definition some would."""
    if any(mark.white for game in games for mark in game.marks):
        return False
    turns = [(codes[guess], codes[game.guesses[-1]]) for game in games for guess in game.guesses]
    guesses, secrets = (np.array(side, np.uint8) for side in zip(*turns, strict=True))
    return bool(mark_pairs(guesses, secrets)[1].any())
