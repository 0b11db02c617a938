"""Trees as text: a table, a graph for Graphviz, Viaud's lines; and a tree in any form is read.

D. Viaud, Une formalisation du jeu de Mastermind, RAIRO 13(3), 1979, p. 320-321, prints the game of
each secret, guess and mark in turn, down to the winning mark. Guesses are digits from 1, marks are
black and white pegs as two digits: `3211 02 2144 10 2432 12 2323 40`. A scan sets several columns
beside each other, and misreads signs (`+0` for `40`); these are mended and reported. What was
mended still has to verify.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import InputError, Phrase, TreeFileError, quoted
from pegwise.game import HOLE, Code, Game, GameLike, Mark, Rules, board_game, game_of
from pegwise.game.marks import mark_pairs
from pegwise.paths import TREE_SUFFIXES, write_whole
from pegwise.reading import check_mark
from pegwise.trees.irving import (
    at_line,
    largest_rules,
    print_code,
    printed_rules,
    read_code,
    read_irving,
    write_irving,
)
from pegwise.trees.store import MAGIC, in_pieces, open_tree, read_from
from pegwise.trees.tree import NodeList, Reading, Tree, check_tree

_MISREAD: Final = str.maketrans("+OoQlI|!ZSB", "40001111258")  # signs that scanners take for digits
_FROM_ZERO: Final = str.maketrans("0123456789", "ABCDEFGHIJ")

_MAX_PRINTED: Final = 1 << 28  # bytes of a printed tree
_NESTED: Final = re.compile(r"\s*[0-9]+\s*\(")
_TABLE: Final = re.compile(r"\s*([XO-]+[ \t]+)*X+\s*[0-9]+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]")
# a guess and a mark, with the signs that a scanner makes of digits
_LINE: Final = re.compile(
    r"^\s*[0-9A-Z.]+[ \t]+([0-9+OoQlI|!ZSB]{2}|[0-9]+,[0-9]+)([ \t]|$)", re.MULTILINE
)


def save_tree(tree: Tree, path: Path | str) -> None:
    """Write a tree into a file, in the format of its suffix; it appears whole or not at all.

    Args:
        tree: the tree.
        path: ends in .tree, .txt or .viaud (Viaud's lines), .irving, .csv, .json, .dot or .gv.

    Raises:
        InputError: no tree, or no such suffix.
        TreeFileError: the tree is malformed, or its game has no form in such a file.
        OutputError: the path cannot be written.

    Examples:
        >>> pegwise.save_tree(pegwise.build("3x3", "first"), "first.tree")
        >>> pegwise.load_tree("first.tree").total
        89
    """
    check_tree(tree)
    form = TREE_SUFFIXES.get(Path(path).suffix.lower())
    if form is None or form == "svg":
        raise InputError(
            "cannot tell the format from {output}: end it in {suffixes}",
            output=repr(str(path)),
            suffixes=", ".join(key for key, form in TREE_SUFFIXES.items() if form != "svg"),
        )
    write_whole(Path(path), in_format(tree, form), shared=True)


def load_tree(path: Path | str, game: GameLike | None = None) -> Tree:
    """Read a tree from a file in any format that has whole trees.

    Args:
        path: the file; its content tells its format: a tree file, JSON, Viaud's lines, Irving's or
            Knuth's notation.
        game: the board of a printed tree; guessed from its content when None.

    Raises:
        TreeFileError: the file is damaged, truncated, foreign or unreadable.
        InputError: the file says that it is of another board.

    Examples:
        >>> pegwise.save_tree(pegwise.build("3x3", "first"), "first.json")
        >>> pegwise.load_tree("first.json").worst
        5
    """
    return read_tree(path, None if game is None else game_of(game)).tree


def read_tree(path: Path | str, game: Game | None = None) -> Reading:
    """A tree as `load_tree` reads it, with what its reader noticed and mended."""
    with open_tree(Path(path)) as file:
        reading = read(file, str(path), game)
    if reading.notation == "viaud":  # which names no strategy
        reading.tree.strategy = Path(path).stem
    return reading


def read(file: BinaryIO, name: str, game: Game | None = None) -> Reading:
    """Read a tree in any format from a seekable file; errors call it `name`."""
    start = file.read(len(MAGIC))
    if not start:
        raise TreeFileError("{name} is empty", name=repr(name))
    file.seek(0)
    if MAGIC.startswith(start):
        tree = read_from(file, name)
        if game is not None and tree.game.name != game.name:
            raise InputError(
                "{name} is a tree of {game}, not of {rules}",
                name=repr(name),
                game=tree.game.name,
                rules=game,
            )
        return Reading(tree, "pegwise")
    rules = None if game is None else game.rules or Rules.parse(game.name)
    data = file.read(_MAX_PRINTED + 1)
    foreign = Phrase("{name} is neither a pegwise tree file nor a printed tree", name=repr(name))
    if len(data) > _MAX_PRINTED:
        raise TreeFileError(foreign)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TreeFileError(foreign) from None
    try:
        if _NESTED.match(text):
            return read_irving(text, rules)
        if _TABLE.match(text):
            return read_table(text, rules)
        if text.lstrip().startswith("{"):
            return read_json(text, rules)
        if _LINE.search(text):
            return read_viaud(text, rules)
    except InputError as error:
        raise TreeFileError("{name}: {error}", name=repr(name), error=error) from None
    raise TreeFileError(
        "{foreign}: it has neither lines of guesses and marks (1122 40) nor a nested strategy "
        "(1296 (1122: ...)",
        foreign=foreign,
    )


def to_csv(tree: Tree) -> str:
    """A table (RFC 4180) with a line for each secret, in the game's order.

    Columns: `secret`, `guesses` (how many it takes), then `guess_1`, `mark_1`, `guess_2`, ... up
    to the deepest secret; cells after the winning mark are empty.
    """
    game, games = tree.game, tree.games()
    table = io.StringIO()
    out = csv.writer(table, lineterminator="\r\n")
    heads = [f"{what}_{turn + 1}" for turn in range(games.shape[1]) for what in ("guess", "mark")]
    out.writerow(["secret", "guesses", *heads])
    marks = [str(game.mark(number)) for number in range(game.n_marks)]
    for secret, cells in enumerate(_turns(tree, games, str, marks)):
        empty = [""] * (len(heads) - len(cells))
        out.writerow([str(game.secret(secret)), len(cells) // 2, *cells, *empty])
    return table.getvalue()


def _turns(
    tree: Tree, games: I32, write: Callable[[Any], str], marks: list[str]
) -> Iterator[list[str]]:
    """Guess and mark in turn, in words, of every game (see `Tree.games`)."""
    nodes = tree.nodes
    guesses = {n: write(tree.game.guess(n)) for n in np.unique(nodes.guess).tolist()}
    for game in games:
        path = game[game >= 0]
        answers = [*nodes.mark[path[1:]].tolist(), tree.game.winning]
        turns = zip(nodes.guess[path].tolist(), answers, strict=True)
        yield [word for guess, mark in turns for word in (guesses[guess], marks[mark])]


def to_json(tree: Tree) -> str:
    """A JSON document: what the tree is, and its nodes in a list `tree`, breadth first.

    A node is a row of `Tree.rows`.
    """
    return json.dumps({**tree.document(), "tree": tree.rows()}, ensure_ascii=False) + "\n"


def read_json(text: str, rules: Rules | None = None) -> Reading:
    """The tree of a document that `to_json` wrote, or of nested objects.

    Such an object has a guess, and for each of its marks the rest: `{"1122": {"40": {}, "02":
    {"3344": ...}}}`. The rest is a text, or an object without marks, where its guess wins; nothing
    where the mark does.

    Raises:
        TreeFileError: no such document, or one that is damaged.
        InputError: a game that has no rules, or another one than `rules`; no guess, no mark.
    """
    try:
        document = json.loads(text)
        if isinstance(document, dict) and len(document) == 1 and "tree" not in document:
            games = list(_nested_games(document, (), ()))
            return Reading(_tree_of(games, rules or _guess_rules(games), "nested")[0], "nested")
        name, rows = document["rules"], document["tree"]
        strategy, options = str(document["strategy"]), dict(document["options"])
        nodes = [(row["guess"], row["parent"], row["mark"], bool(row["wins"])) for row in rows]
        parents = [-1 if parent is None else index(parent) for _, parent, *_ in nodes]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise TreeFileError("this JSON document is not a tree, or is damaged") from None
    game = game_of(str(name))
    if rules is not None and game.name != str(rules):
        raise InputError("it is a tree of {game}, not of {rules}", game=game.name, rules=rules)
    before = [parent < node for node, parent in enumerate(parents)]
    if not nodes or parents[0] != -1 or min([0, *parents[1:]]) < 0 or not all(before):
        raise TreeFileError("this JSON document is not a tree, or is damaged")
    listed = NodeList()
    for (guess, _, mark, wins), parent in zip(nodes, parents, strict=True):
        number = 0 if parent < 0 else game.mark_number(str(mark))
        listed.add(parent, number, game.guess_number(str(guess)), wins=wins)
    return Reading(Tree(game, listed.nodes(game), strategy, options), "json")


def _nested_games(
    rest: object, guesses: tuple[str, ...], marks: tuple[Mark, ...]
) -> Iterator[_PrintedGame]:
    """The games of nested objects, after some turns; they stand in line 1."""
    if isinstance(rest, str):
        rest = {rest: None}
    if not rest and marks and marks[-1] == Mark(len(guesses[-1])):
        yield _PrintedGame(1, guesses, marks)
        return
    if not isinstance(rest, dict) or len(rest) != 1:
        raise TreeFileError("{text} is not a guess with its marks", text=quoted(rest))
    ((guess, after),) = rest.items()
    if not after:
        yield _PrintedGame(1, (*guesses, guess), (*marks, Mark(len(guess))))
        return
    if not isinstance(after, dict):
        raise TreeFileError("{text} is not a guess with its marks", text=quoted(rest))
    for place, (mark, following) in enumerate(after.items(), 1):
        yield from _nested_games(following, (*guesses, guess), (*marks, _read_mark(mark, 1, place)))


def to_dot(tree: Tree) -> str:
    """A directed graph in Graphviz's language (`dot -Tsvg`).

    Every node shows its guess and how many codes are left; a dashed frame is a guess that cannot
    be the secret; every edge shows its mark.
    """
    game, nodes = tree.game, tree.nodes
    lines = [
        "digraph tree {",
        f"  label={_text(f'{game.name}, {tree.strategy}')};",
        "  rankdir=LR;",
        "  node [shape=box, fontname=monospace];",
        "  edge [fontname=monospace];",
    ]
    for node, (guess, parent, mark, wins) in enumerate(
        zip(*(array.tolist() for array in nodes), strict=True)
    ):
        style = "" if wins else ", style=dashed"
        label = f"{game.guess(guess)}\n{tree.node_sizes[node]}"
        lines.append(f"  n{node} [label={_text(label)}{style}];")
        if parent >= 0:
            lines.append(f"  n{parent} -> n{node} [label={_text(str(game.mark(mark)))}];")
    return "\n".join([*lines, "}", ""])


def _text(label: str) -> str:
    """A quoted string; a new line in it is one in the picture."""
    escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


@dataclass(frozen=True, slots=True)
class _PrintedGame:
    """One line's game as it was read."""

    line: int
    guesses: tuple[str, ...]
    marks: tuple[Mark, ...]


def write_viaud(tree: Tree) -> str:
    """A tree of a board as lines, each secret's game on one, in the order of their marks.

    Marks of ten pegs and more are written with a comma: `10,2`.
    """
    rules = printed_rules(tree, "Viaud's lines")
    games = tree.games()
    # the mark that ends a game comes first, as in print: -1 is where no node follows
    keys = np.where(games < 0, -1, tree.nodes.mark[games].astype(np.int64))
    marks = [_mark_text(mark, rules.pegs) for mark in rules.marking.legal]
    lines = _turns(tree, games[np.lexsort(keys.T[::-1])], lambda c: print_code(c, rules), marks)
    return "".join(f"{' '.join(line)}\n" for line in lines)


def read_viaud(text: str, rules: Rules | None = None) -> Reading:
    """A tree from Viaud's lines, one or several games a line.

    Empty lines, lines that begin with `#` and fences of three backticks are skipped. So is the text
    of a page or a whole article before the first game and after the last, which is reported. The
    board is guessed from the lines when it is None.
    """
    slips: dict[tuple[str, str], list[int]] = {}
    lines, around = _lines_of_games(text)
    games = list(_games(lines, slips))
    if not games:
        raise TreeFileError("it has no lines")
    tree, mended = _tree_of(games, rules or _guess_rules(games), "viaud-lines")
    if around:
        mended.append(Phrase("text around the games left out, lines {lines}", lines=around))
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
    return Reading(tree, "viaud", tuple(mended))


def read_table(text: str, rules: Rules | None = None) -> Reading:
    """A tree from a table of turns, as github.com/arfst23/Mastermind prints them.

    Its first line has the marks. Every other line has its name, the turn, a guess in digits from 0,
    and for each mark the next guess, which wins, or `>` and the name of the line that continues, or
    hyphens.
    """
    games = list(_table_games(text))
    return Reading(_tree_of(games, rules or _guess_rules(games), "table")[0], "table")


def _table_games(text: str) -> Iterator[_PrintedGame]:
    heads, *lines = text.strip().splitlines()
    marks = [Mark(head.count("X"), head.count("O")) for head in heads.split()]
    turns: dict[str, tuple[int, list[str]]] = {}
    for line, content in enumerate(lines, 2):
        name, *cells = content.split() or [""]
        turns[name] = line, [c if c[0] == ">" else c.translate(_FROM_ZERO) for c in cells[1:]]
    first = next(filter(None, turns), "")
    waiting: list[tuple[str, tuple[str, ...], tuple[Mark, ...]]] = [(first, (), ())]
    while waiting:
        name, guesses, answers = waiting.pop()
        line, cells = turns.pop(name, (0, []))
        if len(cells) != len(marks) + 1:
            raise TreeFileError(
                "the table has no line {name} with a guess and {n} answers, or two lines continue "
                "there",
                name=quoted(name),
                n=len(marks),
            )
        guess, *cells = cells
        for mark, cell in zip(marks, cells, strict=True):
            if cell.startswith(">"):
                waiting.append((cell[1:], (*guesses, guess), (*answers, mark)))
            elif cell == guess:
                yield _PrintedGame(line, (*guesses, guess), (*answers, mark))
            elif cell.strip("-"):
                marks_to_end = (*answers, mark, Mark(len(cell)))
                yield _PrintedGame(line, (*guesses, guess, cell), marks_to_end)


def _tree_of(games: list[_PrintedGame], rules: Rules, name: str) -> tuple[Tree, list[str]]:
    """The tree of these games, and what of them is told twice."""
    game = board_game(rules)
    numbers: dict[str, int] = {}
    mark_numbers = {mark: number for number, mark in enumerate(rules.marking.legal)}
    nodes = NodeList()
    lines_of: list[int] = []
    children: dict[tuple[int, int], int] = {}
    mended: list[str] = []
    for printed in games:
        node, answer, line = -1, 0, printed.line
        for turn, (guess, mark) in enumerate(zip(printed.guesses, printed.marks, strict=True), 1):
            if guess not in numbers:
                numbers[guess] = game.guess_number(read_code(guess, rules, line))
            if (node, answer) not in children:
                children[node, answer] = nodes.add(node, answer, numbers[guess])
                lines_of.append(line)
            node = children[node, answer]
            if nodes.guess[node] != numbers[guess]:
                raise TreeFileError(
                    "line {line} plays {guess} in turn {turn}, where line {line_before} plays "
                    "{guess_before} after the same marks",
                    line=line,
                    guess=guess,
                    turn=turn,
                    line_before=lines_of[node],
                    guess_before=print_code(game.guess(nodes.guess[node]), rules),
                )
            if mark not in mark_numbers:
                with at_line(line):
                    check_mark(mark, game)
            answer = mark_numbers[mark]
        if nodes.wins[node]:
            repeated = Phrase("line {line} repeats line {before}: read once")
            mended.append(Phrase(repeated, line=line, before=lines_of[node]))
        nodes.wins[node], lines_of[node] = True, line
    return Tree(game, nodes.nodes(game), name), mended


def _lines_of_games(text: str) -> tuple[list[tuple[int, str]], str]:
    """The lines from the first game to the last, numbered from 1, and which text is around them.

    Comments, fences and empty lines are left out, and are no text.
    """
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith(("#", "```"))
    ]
    words = (line.split()[0] for _, line in lines if _LINE.match(line))
    first = _mend(next(words, ""), is_mark=False)
    # all games begin with the same guess: a line with it is one of them, however damaged the rest
    games = [
        place
        for place, (_, line) in enumerate(lines)
        if _LINE.match(line) or _mend(line.split()[0], is_mark=False) == first
    ]
    if not games:
        return lines, ""
    before, after = lines[: games[0]], lines[games[-1] + 1 :]
    around = ", ".join(
        str(part[0][0]) if len(part) == 1 else f"{part[0][0]}-{part[-1][0]}"
        for part in (before, after)
        if part
    )
    return lines[games[0] : games[-1] + 1], around


def _games(
    lines: list[tuple[int, str]], slips: dict[tuple[str, str], list[int]]
) -> Iterator[_PrintedGame]:
    """The games of numbered lines; `slips` collects the lines in which a word was mended."""
    for line, content in lines:
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
            "line {line}: word {place}, {word}, is not a mark; write black and white pegs as "
            "two digits (12)",
            line=line,
            place=place,
            word=quoted(word),
        )
    black, white = filter(None, pair.groups())
    return Mark(int(black), int(white))


def _mark_text(mark: Mark, pegs: int) -> str:
    return f"{mark.black},{mark.white}" if pegs > 9 else f"{mark.black}{mark.white}"


def _guess_rules(games: list[_PrintedGame]) -> Rules:
    """The board that lines were written for: every secret of it ends one of them."""
    largest = largest_rules(games[0].guesses[0], games[0].line)
    pegs = largest.pegs
    codes: dict[str, Code] = {}
    for game in games:
        for guess in game.guesses:
            if guess not in codes:
                codes[guess] = read_code(guess, largest, game.line)
    secrets_repeat = any(len(set(codes[game.guesses[-1]])) < pegs for game in games)
    filled = [[peg for peg in code if peg != HOLE] for code in codes.values()]
    guesses_repeat = any(len(set(colors)) < len(colors) for colors in filled)
    used = {peg for code in codes.values() for peg in code}
    black = False
    if not any(mark.white for game in games for mark in game.marks):
        turns = [
            (codes[guess], codes[game.guesses[-1]]) for game in games for guess in game.guesses
        ]
        guesses, secrets = (np.array(side, np.uint8) for side in zip(*turns, strict=True))
        # by the plain definition some mark would have a white peg
        black = bool(mark_pairs(guesses, secrets)[1].any())
    return Rules(
        pegs,
        max(used - {HOLE}, default=0) + 1,
        distinct=pegs > 1 and not guesses_repeat,
        distinct_secrets=guesses_repeat and not secrets_repeat,
        blank=HOLE in used,
        marks="black" if black else "",
    )


_WRITERS: Final = {
    "viaud": write_viaud,
    "irving": write_irving,
    "csv": to_csv,
    "json": to_json,
    "dot": to_dot,
}


def in_format(tree: Tree, form: str) -> list[bytes]:
    """A tree in a format of `TREE_SUFFIXES` but `svg`, in pieces."""
    return in_pieces(tree) if form == "tree" else [_WRITERS[form](tree).encode()]
