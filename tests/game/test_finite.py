"""Any finite game: a word list with Wordle's marks, a positional game, a weighing puzzle."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pegwise.errors import CodeError, InputError, MarkError, TooLargeError
from pegwise.game import FiniteGame, all_secrets, board_game
from pegwise.game import finite as games
from pegwise.game.game import check_table_size
from pegwise.game.rules import Rules
from pegwise.progress import Progress
from pegwise.strategies import load
from pegwise.trees import build
from tests import naive

SECRETS = ["crane", "slate", "trace", "crate", "react", "stare", "tears", "rates", "aster"]
SECRETS += ["angle", "eagle", "geese"]
GUESSES = sorted([*SECRETS, "adieu", "soare", "lolly", "tests", "eerie"])

DIGITS = str.maketrans(".yg", "012")


def wordle(guess: str, secret: str) -> str:
    """Wordle's mark: `g` in place, `y` in the word elsewhere (each letter once), `.` absent."""
    return "".join(".yg"[sign] for sign in naive.placed_mark(guess, secret))


@pytest.fixture
def words() -> FiniteGame:
    return FiniteGame(SECRETS, wordle, GUESSES, name="words")


def test_a_game_tells_how_far_its_table_is() -> None:
    steps: list[Progress] = []
    FiniteGame(SECRETS, wordle, GUESSES, report=steps.append)
    assert [(step.done, step.total) for step in steps] == [(k, 17) for k in range(1, 18)]


@pytest.mark.parametrize(
    "change",
    [
        np.array,  # texts
        list,
        lambda row: np.array([int(mark.translate(DIGITS), 3) for mark in row]),
        lambda row: np.array([-int(mark.translate(DIGITS), 3) for mark in row]),
    ],
)
def test_all_marks_of_a_guess_at_once(words: FiniteGame, change: Callable[..., Any]) -> None:
    def marks(guess: str, secrets: list[str]) -> Any:
        return change([wordle(guess, secret) for secret in secrets])

    game = FiniteGame(SECRETS, marks, GUESSES, vectorized=True)
    assert np.array_equal(game.table, words.table)
    assert [game.mark_number(game.mark(k)) for k in range(words.n_marks)] == [*range(words.n_marks)]
    assert {type(game.mark(0))} <= {str, int}
    table = FiniteGame(SECRETS, np.array([marks(guess, SECRETS) for guess in GUESSES]), GUESSES)
    assert np.array_equal(table.table, words.table)
    with pytest.raises(InputError, match="fails on the guess 'adieu': ValueError: 3 marks for 12"):
        FiniteGame(SECRETS, lambda _guess, _secrets: [1, 2, 3], GUESSES, vectorized=True)


def test_a_word_list(words: FiniteGame) -> None:
    assert (words.n_secrets, words.n_guesses) == (12, 17)
    assert words.mark(words.winning) == "ggggg"
    assert [words.secret(number) for number in range(12)] == SECRETS
    assert [words.guess(number) for number in words.guess_of_secret] == SECRETS
    for number, guess in enumerate(GUESSES):
        assert words.guess_number(guess) == number
        assert [words.mark(m) for m in words.marks(number)] == [wordle(guess, s) for s in SECRETS]
        assert [words.mark_of(guess, s) for s in SECRETS] == [wordle(guess, s) for s in SECRETS]
        some = words.marks(number, np.array([3, 1], np.int32))
        assert some.tolist() == words.table[number, [3, 1]].tolist()
    assert words.mark_pairs(all_secrets(words), all_secrets(words)).shape == (12,)
    secret_of_guess = [SECRETS.index(guess) if guess in SECRETS else -1 for guess in GUESSES]
    assert words.secret_of_guess.tolist() == secret_of_guess


def test_pickling_keeps_everything(words: FiniteGame) -> None:
    game = FiniteGame(SECRETS, wordle, GUESSES, name="weighted", weights=range(1, 13))
    twin = pickle.loads(pickle.dumps(game))
    assert repr(twin) == repr(game) == "FiniteGame('weighted', 12 secrets, 17 guesses)"
    assert (twin.table == game.table).all()
    assert twin.weights.tolist() == list(range(1, 13))
    assert twin.mark(twin.winning) == "ggggg"
    assert twin.mark_of("adieu", "crane") == wordle("adieu", "crane")


def same(guess: object, secret: object) -> bool:
    return guess == secret


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([], same), "toy: a game needs at least one secret"),
        (([], same, []), "toy: a game needs at least one secret"),
        ((["a", "b", "a"], same), "toy: secret 'a' is given twice"),
        ((["a"], same, ["a", "b", "b"]), "toy: guess 'b' is given twice"),
        ((["a", "b"], same, ["a"]), "toy: the secret 'b' is not among the guesses"),
        (([["a"]], same), "toy: secret ['a'] is not hashable"),
        ((["a"], same, [["a"]]), "toy: guess ['a'] is not hashable"),
        (
            (["a", "b"], lambda g, s: [g == s]),
            "toy: the marks [[True], [False]] of 'a' are not all",
        ),
        ((["a", "b"], [[1]]), "toy: a table of marks needs 2 rows, one for each guess, of 2 marks"),
        ((["a", "b"], [[1, 0], [0]]), "needs 2 rows"),
        ((["a", "b"], np.eye(3)), "needs 2 rows"),
        ((["a", "b"], 7), "needs 2 rows"),
        ((["a", "b"], np.zeros((2, 2, 2))), "of 'a' are not all hashable"),
        ((["a", "b"], lambda g, s: 7), "but 'a' against 'b' gets 7"),
        ((["a", "b"], lambda g, s: 1 / 0), "fails on the guess 'a': ZeroDivisionError: division"),
        ((["a", "b"], [[1, 0], [0, 2]]), "but 'b' against 'b' gets 2"),
        ((["a"], [[1], [1]], ["a", "x"]), "but 'x' against 'a' gets 1"),
    ],
)
def test_games_that_are_refused(arguments: tuple[object, ...], says: str) -> None:
    with pytest.raises(InputError) as caught:
        FiniteGame(*arguments, name="toy")  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_what_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match="a table of marks for 40000 guesses by 40000 secrets"):
        FiniteGame(range(40_000), same)
    with pytest.raises(TooLargeError, match=r"4x6: a table .* too large \(at most 5 bytes\)"):
        check_table_size("4x6", 2, 3, most=5)
    with pytest.raises(TooLargeError, match="6x9: a table of marks for 531441 guesses by 531441"):
        _ = board_game(Rules.parse("6x9")).table
    monkeypatch.setattr(games, "MAX_MARKS", 3)
    with pytest.raises(TooLargeError, match="finite game: more than 3 different marks"):
        FiniteGame(range(3), lambda g, s: g - s)


def test_what_a_game_does_not_know(words: FiniteGame) -> None:
    with pytest.raises(CodeError, match="'zzzzz' is not a guess of words"):
        words.guess_number("zzzzz")
    with pytest.raises(CodeError, match="'adieu' is not a secret of words"):
        words.mark_of("crane", "adieu")
    with pytest.raises(MarkError, match=r"'ggg' is not a mark of words; known: '.*, \.\.\."):
        words.mark_number("ggg")


def test_weights_of_a_finite_game() -> None:
    with pytest.raises(InputError, match="give one whole number for each of 2 secrets"):
        FiniteGame("ab", same, weights=[1, 2, 3])
    tree = build(FiniteGame("ab", same, weights=[1, 3]), load("first"))
    assert tree.total == 1 * 1 + 3 * 2
