"""Games in Python files: named, marked by a process of their own, and read as text."""

import pickle
from collections import Counter
from itertools import permutations, product
from pathlib import Path

import pytest

import pegwise
from pegwise.errors import CodeError, InputError, MarkError, RulesError
from pegwise.game import game_of
from pegwise.game.words import Lookup, lookup, sgb
from pegwise.game_files import resolve as file
from pegwise.game_files.marks import MarksStore
from pegwise.playing import parse_game, parse_record
from pegwise.reading import parse_turn
from pegwise.trees.store import from_bytes, to_bytes

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
DIGITS = "0123456789"

GAME = """
from pegwise import FiniteGame

def game(n: int = 4, odd: bool = False):
    numbers = range(1, 2 * n, 2) if odd else range(n)
    return FiniteGame(numbers, lambda g, s: "right" if g == s else mark(g, s))

def mark(g, s):
    return "far" if abs(g - s) > 1 else "near"

def nothing():
    return 3
"""


def example(name: str) -> str:
    return str(EXAMPLES / name)


def bagels(guess: str, secret: str) -> str:
    right = sum(g == s for g, s in zip(guess, secret, strict=True))
    both = sum(sign in secret for sign in guess)
    return " ".join(["Fermi"] * right + ["Pico"] * (both - right)) or "Bagels"


CODES = ["".join(code) for code in product("ABCDEF", repeat=3)]


def black(guess: str, secret: str) -> int:
    return sum(map(str.__eq__, guess, secret))


def common(guess: str, secret: str) -> int:
    return sum((Counter(guess) & Counter(secret)).values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "turn", "fitting"),
    [
        (
            "bagels.py",
            "123=fermi pico",
            [c for c in map("".join, permutations(DIGITS, 3)) if bagels("123", c) == "Fermi Pico"],
        ),
        (
            "jotto.py:jotto:words=200",
            "abuse->2",
            [w for w in sgb().secrets[:200] if w != "ABUSE" and common("ABUSE", w) == 2],
        ),
        (
            "mister_mind.py",
            "AAB=XOO",
            [c for c in CODES if (black("AAB", c), common("AAB", c)) == (1, 2)],
        ),
        (
            "no_zero.py",
            "102=1A1B",
            [
                c
                for c in map("".join, permutations(DIGITS, 3))
                if c[0] != "0" and (black("102", c), common("102", c)) == (1, 2)
            ],
        ),
        (
            "two_of_a_color.py",
            "AAA=XX",
            [c for c in CODES if c.count("A") == 2 and max(map(c.count, c)) <= 2],
        ),
        (
            "slots.py",
            "AAB=11",
            [c for c in CODES if black("AAB", c) == 1 and sum(sign in c for sign in "AAB") == 2],
        ),
        ("number.py:number:size=5", "2=more", ["3", "4"]),
        ("number.py:intervals:size=32", "0-3/4-5/6-31=4-5", ["4", "5"]),
        (
            "shapes.py",
            "R1R1R1=11",
            [
                "".join(c)
                for c in product([a + b for a in "RGB" for b in "12"], repeat=3)
                if sum(p[0] == "R" for p in c) == sum(p[1] == "1" for p in c) == 1
            ],
        ),
    ],
)
def test_examples_mark_as_their_rules_say(name: str, turn: str, fitting: list[str]) -> None:
    candidates = pegwise.candidates(example(name), [turn])
    assert fitting
    assert [str(code) for code in candidates] == fitting


def test_codes_may_have_equals_signs() -> None:
    rules = example("nerdle.py")
    turn = parse_turn("9+8=17=GG--GG", game_of(rules))
    assert (str(turn.guess), str(turn.mark)) == ("9+8=17", "GG--GG")
    assert [str(c) for c in pegwise.candidates(rules, "9+8=17=GGGGGG")] == ["9+8=17"]
    game = pegwise.game_of(rules)
    for number in range(game.n_guesses):
        left, _, right = str(game.guess(number)).partition("=")
        assert eval(left) == int(right)
        assert len(left + right) == 5


def test_examples_are_short() -> None:
    files = sorted(EXAMPLES.glob("*.py"))
    assert len(files) == 10
    for path in files:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 25


@pytest.mark.slow
def test_options_names_and_errors(tmp_path: Path) -> None:
    path = tmp_path / "near.py"
    path.write_text(GAME, encoding="utf-8")
    game = pegwise.game_of(f"{path}:game")
    assert [str(game.secret(number)) for number in range(4)] == ["0", "1", "2", "3"]
    assert [game.mark_number(mark) for mark in ("near", "FAR", "right")][2] == game.winning
    assert str(game.mark_of("0", "3")) == "far"
    odd = pegwise.game_of(f"{path}:game:n=2,odd=yes")
    assert pegwise.game_of(f"{path}:game:n=2:odd=yes") == odd
    assert [str(odd.secret(number)) for number in range(2)] == ["1", "3"]
    assert pegwise.game_of(str(path)).n_secrets == 4  # the name `game` goes without saying
    for text in (":nothing", ":other", ":game:n=x", ":game:m=1", ":game,placed", ":game@00000000"):
        with pytest.raises(InputError):
            pegwise.game_of(f"{path}{text}")
    with pytest.raises(CodeError):
        game.guess_number("4")
    with pytest.raises(MarkError):
        game.mark_number("wide")
    with pytest.raises(RulesError):
        pegwise.game_of(str(tmp_path / "none.py"))
    path.write_text("1 / 0", encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        pegwise.game_of(str(path))


@pytest.mark.slow
def test_a_tree_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "near.py"
    path.write_text(GAME, encoding="utf-8")
    tree = pegwise.build(f"{path}:game", "parts")
    assert pegwise.verify(tree).total == tree.total
    stored = to_bytes(tree)
    assert from_bytes(stored).total == tree.total
    path.write_text(GAME.replace("> 1", "> 2"), encoding="utf-8")
    with pytest.raises(InputError):
        from_bytes(stored)


def test_a_record_names_its_file(tmp_path: Path) -> None:
    rules = example("bagels.py")
    record = pegwise.Record(
        game_of(rules),
        tuple(parse_turn(t, game_of(rules)) for t in ("123=Bagels", "450=Fermi")),
    )
    assert parse_record(record.write()) == record
    noted = parse_game(f"rules: {example('bagels.py')}\n123 = bagels\n450=Fermi")
    assert noted == record


def test_finite_games_read_turns_as_text() -> None:
    codes = list(product("RBY", repeat=2))
    game = pegwise.FiniteGame(codes, lambda g, s: (black(g, s), common(g, s)))
    assert game.guess_number("rb") == codes.index(("R", "B"))
    assert pegwise.candidates(game, ["RB=02"]) == [("B", "R")]
    named = pegwise.FiniteGame([1, 2], abs_difference, write_guess="no. {}".format)
    assert named.guess_number("No.2") == 1


def abs_difference(guess: int, secret: int) -> int:
    return abs(guess - secret)


def test_files_can_be_forbidden() -> None:
    token = lookup.set(Lookup(files=False))
    try:
        with pytest.raises(RulesError):
            game_of(example("bagels.py"))
    finally:
        lookup.reset(token)


SLOW = """
import time
from pathlib import Path
from pegwise import FiniteGame

def slow(n: int = 60, wrong: int = -1):
    limit = int((Path(__file__).parent / "limit.txt").read_text())

    def mark(guess, secret):
        time.sleep(0.001)
        if guess == wrong:
            raise ValueError("no mark")
        return min(abs(guess - secret), limit)

    return FiniteGame(range(n), mark)
"""


@pytest.mark.slow
def test_slow_marks_are_made_on_all_cores_and_kept(tmp_path: Path) -> None:
    path, limit = tmp_path / "slow.py", tmp_path / "limit.txt"
    path.write_text(SLOW, encoding="utf-8")
    limit.write_text("5", encoding="utf-8")
    game = pegwise.game_of(str(path))
    marks = [min(abs(g - s), 5) for g in range(60) for s in range(60)]
    written = [str(game.mark(number)) for number in game.table.ravel().tolist()]
    assert written == list(map(str, marks))
    store = MarksStore.of(path, SLOW, ("", ""))
    kept = store.load()
    assert kept is not None
    assert (kept.table == game.table).all()
    assert str(limit) in kept.files
    limit.write_text("6", encoding="utf-8")  # a file that the game reads
    assert store.load() is None
    limit.write_text("5", encoding="utf-8")
    path = store.folder.path / store.key
    path.write_bytes(path.read_bytes()[:-100])
    assert store.load() is None


@pytest.mark.slow
def test_an_error_on_another_core_is_told(tmp_path: Path) -> None:
    path = tmp_path / "slow.py"
    path.write_text(SLOW, encoding="utf-8")
    (tmp_path / "limit.txt").write_text("5", encoding="utf-8")
    with pytest.raises(InputError):
        game_of(f"{path}:slow:wrong=55")


@pytest.mark.slow
def test_games_are_sent_by_their_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "sent_by_text", False)
    path = tmp_path / "numbers.py"
    path.write_text((EXAMPLES / "no_zero.py").read_text(encoding="utf-8"), encoding="utf-8")
    whole = game_of(f"{path}:no_zero:digits=2")
    assert len(pickle.dumps(whole)) > whole.n_secrets**2  # as a cluster needs it
    file.send_games_by_text()
    rules = game_of(f"{path}:no_zero:digits=3")
    sent = pickle.dumps(rules)
    assert len(sent) < 1000
    received = pickle.loads(sent)
    assert received == rules
    assert str(received.mark_of("102", "123")) == "1A1B"
    assert received.codes is pickle.loads(pickle.dumps(received)).codes  # loaded once
