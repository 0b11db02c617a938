"""Several secrets at once: the game, what people write of it, and who plays it."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import pegwise
from pegwise.arena import Race
from pegwise.coach.advice import Position
from pegwise.compute.backends import Processes
from pegwise.errors import (
    CodeError,
    ContradictionError,
    DataFileError,
    InputError,
    MarkError,
    RulesError,
    StrategyError,
    TooLargeError,
)
from pegwise.game import FiniteGame, Game, Rules, WordList, as_parallel, game_of
from pegwise.game.names import parallel
from pegwise.game.parallel import Parallel
from pegwise.game.turns import Marks
from pegwise.game.words import sgb, use_words
from pegwise.playing import Play, Record, parse_game, parse_record
from pegwise.progress import Progress
from pegwise.strategies import load
from pegwise.strategies.parallel import ParallelDecision
from tests import naive

WORDS = WordList.of("some-words", sgb().secrets[:16], sgb().secrets[40:60])


@pytest.fixture(autouse=True)
def _lists() -> None:
    use_words(WORDS)


def test_a_game_is_named_by_its_rules_and_the_number_of_secrets() -> None:
    quordle = parallel("wordle", 4)
    assert quordle == as_parallel("wordle*4") == as_parallel(quordle)
    assert quordle.name == "wordle*4"
    assert as_parallel(str(quordle)) == quordle
    assert quordle.n_secrets == 5757 * 5756 * 5755 * 5754
    assert as_parallel("wordle") is None


@pytest.mark.parametrize("text", ["4x6*0", "4x6*1", "4x6*101", "2x2*5", "2x3,hard*2", "0x6*2"])
def test_a_game_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        as_parallel(text)


def test_secrets_are_drawn_distinct_and_by_their_weights() -> None:
    game = Parallel(game_of(Rules(2, 2), [0, 1, 5, 0]), 2)
    assert {frozenset(row) for row in game.draw(50, 3).tolist()} == {frozenset({1, 2})}
    rows = parallel("2x3", 9).draw(20, 1)
    assert all(sorted(row) == list(range(9)) for row in rows.tolist())
    with pytest.raises(InputError):
        Parallel(game_of(Rules(2, 2), [0, 1, 5, 0]), 3)


@pytest.mark.parametrize(
    "text",
    [
        "CRANE=--GY- | ----- | G---- | -Y---",
        "CRANE = --GY-;-;G----;-Y---",
        "crane=00210,0,20000,01000",
        "CRANE=--GY- ----- G---- -Y---",
    ],
)
def test_marks_are_read_however_they_are_set_apart(text: str) -> None:
    (turn,) = Play.of("wordle*4", text).turns
    assert str(turn) == "CRANE=--GY- | ----- | G---- | -Y---"


def test_a_solved_board_gets_no_more_marks() -> None:
    play = Play.of("4x6*2", "AABB=XXXX|O ABCD=XO DDEF=XXXX")
    turns = play.turns
    assert [turn.marks[0] is None for turn in turns] == [False, True, True]
    assert play.found == (turns[0].guess, turns[2].guess)
    assert play.over
    assert play.first(1).hidden == (1,)
    assert [len(play.turns_on(board)) for board in range(2)] == [1, 3]
    assert play == Play.of("4x6*2", map(str, turns)) == Play.of("4x6*2", turns)
    assert play.first(1).answer(play.found, turns[1].guess).marks == Marks((None, (0, 1)))


def test_a_play_of_one_board_is_the_same() -> None:
    play = Play.of("4x6", "AABB=O ABCD=XO")
    assert [turn.marks for turn in play.turns] == [(turn.mark,) for turn in play.turns]
    assert (play.boards, play.name, play.hidden, play.several) == (1, "4x6", (0,), None)
    secrets = play.read_secrets("DDEF")
    won = play.after(play.answer(secrets, secrets[0]))
    assert won.over
    assert won.found == secrets
    assert won.turns_on(0) == won.turns


@pytest.mark.parametrize(
    "turns",
    [
        "AABB=X O",  # one mark, or two
        "AABB=2 1",
        "AABB=XO",
        "AABB=X|O|-",
        "AABB=X|",
        "AABB=XXXX|XXXX",
        "AABB=XXXX|- AABB=XXXX",
        "AABB=XXXX|- CCDD=XXXX CCDE=X",
        "AABB",
        "AABB X O",
        "",
        "AABB=X?|O",
        "AABB=Z|O",
        "AAGB=X|O",
        5,
        [("AABB",)],
    ],
)
def test_what_is_no_turn_is_refused(turns: Any) -> None:
    if turns == "":
        assert Play.of("4x6*2", turns).turns == ()
        return
    with pytest.raises(InputError):
        Play.of("4x6*2", turns)


def test_what_takes_one_secret_refuses_several() -> None:
    games: tuple[Any, ...] = ("4x6*2", parallel("4x6", 2))
    for use in (pegwise.game_of, pegwise.count, pegwise.bounds):
        for game in games:
            with pytest.raises(RulesError):
                use(game)
    with pytest.raises(RulesError):
        pegwise.build("4x6*2", "knuth")
    for strategy in ("random", "optimal", "sampling"):
        with pytest.raises(StrategyError):
            pegwise.play("2x3*2", strategy, "AA|BB")


# who plays: against a listing of every way to hide the secrets


def compared(guess: int, secret: int) -> int:
    return (guess > secret) - (guess < secret)


GAMES: list[tuple[Any, int]] = [
    ("2x3", 2),
    ("2x4,distinct", 2),
    ("3x2", 3),
    ("2x3,black", 2),
    ("2x3,placed", 2),
    ("some-words,placed", 2),
    (game_of(Rules(2, 3), [1, 2, 3, 4, 5, 6, 7, 8, 9]), 2),
    (FiniteGame(range(1, 12), compared), 2),
]


def naive_boards(game: Game, turns: Any, n: int) -> list[list[int]]:
    """The candidates of each hidden board, by number."""
    won = {
        game.guess(game.guess_number(guess))
        for guess, marks in turns
        for mark in marks
        if mark is not None and game.mark_number(mark) == game.winning
    }
    boards = []
    for board in range(n):
        seen = [(g, marks[board]) for g, marks in turns if marks[board] is not None]
        if any(game.mark_number(mark) == game.winning for _, mark in seen):
            continue
        fits = [
            s
            for s in range(game.n_secrets)
            if game.secret(s) not in won
            and all(game.mark_of(guess, game.secret(s)) == mark for guess, mark in seen)
        ]
        boards.append(fits)
    return boards


@pytest.mark.parametrize("given", GAMES, ids=lambda given: str(given))
@pytest.mark.parametrize("strategy", ["knuth", "irving", "entropy", "parts"])
def test_a_guess_is_the_best_of_a_listing(strategy: str, given: tuple[Any, int]) -> None:
    game = parallel(*given)
    own, draw = game.game, Random(str(given[1]) + strategy)
    candidates = draw.random() < 0.5
    choose = load(strategy, guesses="candidates" if candidates else "all")
    secrets = game.read_secrets(game.draw(1, draw.randrange(1000))[0].tolist())
    decision = choose.begin_parallel(game)
    criterion = choose.criterion.id  # type: ignore[attr-defined]
    weights = own.frequencies()

    def weight(guess: int) -> int:
        return int(weights[own.secret_of_guess[guess]])

    play = Play.of(game)
    while not play.over:
        turns = play.turns
        boards = naive_boards(own, turns, game.n)
        best = naive.one_step_at_once(
            criterion,
            range(own.n_guesses),
            [[int(own.guess_of_secret[s]) for s in board] for board in boards],
            lambda guess, secret: own.mark_of(own.guess(guess), own.guess(secret)),
            only_candidates=candidates,
            weight=weight,
        )
        assert decision.guess == own.guess(best), turns
        guess = decision.guess
        if draw.random() < 0.5 and len(turns) < 3:
            guess = own.guess(draw.randrange(own.n_guesses))
        play = play.after(play.answer(secrets, guess))
        decision = decision.instead(guess, play.turns[-1].mark)  # type: ignore[assignment]


def test_bits_of_several_boards_are_those_of_all_ways_together() -> None:
    game = parallel("2x4", 2)
    position = Position(game, "AB=X|O CC=-|-")
    ways = list(itertools.product(*pegwise.candidates(position.play)))
    for guess in ("AC", "DB", "AA"):
        split = position.split(guess)
        code = split.guess
        sizes = naive.sizes_of(
            code,
            ways,
            lambda guess, way: tuple(pegwise.mark(guess, secret) for secret in way),
            lambda _way: 1,
        )
        shares = np.array(sizes) / len(ways)
        assert split.bits == pytest.approx(-(shares * np.log2(shares)).sum())
        assert split.expected == sum(size * size for size in sizes) / len(ways)
        assert (split.largest, split.n_parts) == (max(sizes), len(sizes))


def test_a_game_that_contradicts_itself_has_no_guess() -> None:
    game = parallel("2x3", 2)
    decision = load("entropy").begin_parallel(game)
    assert isinstance(decision, ParallelDecision)
    for turn in Play.of(game, "AA=XX|- AB=-").turns:
        decision = decision.instead(*turn)
    assert [code.write() for code in decision.game.read_secrets(decision.boards[1].tolist())] == [
        "CC"
    ]
    with pytest.raises(ContradictionError):
        _ = decision.instead("CC", Marks((None, (0, 0)))).guess


def test_large_boards_are_refused() -> None:
    with pytest.raises(TooLargeError):
        load("entropy").begin_parallel(parallel("6x9", 2))


# play, races, positions, reviews, records


def test_a_strategy_plays_until_the_last_secret_is_found() -> None:
    turns = pegwise.play("4x6*2", "entropy", "AABB|DEFF")
    assert [turn.guess.write() for turn in turns][-2:] == ["AABB", "DEFF"]
    for secrets in ("AABB", "AABB|AABB", "AABB|GGGG", ["AABB", "AABC", "AABD"]):
        with pytest.raises(CodeError):
            pegwise.play("4x6*2", "entropy", secrets)


def test_a_race_of_every_way_counts_what_plays_need() -> None:
    results = pegwise.race("2x3*2", ["irving", "knuth"])
    secrets = [code.write() for code in pegwise.candidates("2x3")]
    for standing in results.standings:
        lengths = [
            len(pegwise.play("2x3*2", standing.strategy, way))
            for way in itertools.permutations(secrets, 2)
        ]
        assert (standing.total, standing.worst) == (sum(lengths), max(lengths))
        assert standing.secrets == 72
        assert results.depths[standing.strategy].tolist() == lengths
    assert results.duels[0].ties + results.duels[0].first_faster <= 72


@pytest.mark.slow
def test_a_race_that_is_stopped_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["pegwise.arena.race"], "LONG", 0)

    def entered(folder: Path | None = tmp_path) -> Race:
        return Race("3x4*2", ["parts", "knuth"], games=120, seed=3, folder=folder)

    def stop(step: Progress) -> None:
        if step.done > 120:
            raise KeyboardInterrupt

    stopped, again = entered(), entered()
    with pytest.raises(KeyboardInterrupt):
        stopped.run(report=stop)
    assert [standing.strategy for standing in stopped.results.standings] == ["parts"]
    assert [name for name, _ in stopped.results.skipped] == ["knuth"]
    reports: list[Progress] = []
    again.where = Processes(2)
    results = again.run(report=reports.append)
    assert reports[0].done > 120  # all of `parts` are stored, and a piece of `knuth`
    whole = entered(None).run()
    for name in ("parts", "knuth"):
        assert results.depths[name].tolist() == whole.depths[name].tolist()
    again.forget()
    assert list(tmp_path.iterdir()) == []


def test_drawn_races_repeat_themselves_and_count_games_beyond_a_limit() -> None:
    game = parallel("3x4", 2)
    one, other = (Race(game, ["parts"], games=40, seed=7, max_guesses=4).run() for _ in range(2))
    depths = one.depths["parts"]
    assert (depths == other.depths["parts"]).all()
    assert f"{(depths > 4).sum()} of 40" in one.standings[0].notes[0]
    assert one.standings[0].interval is not None
    wrong: tuple[dict[str, Any], ...] = (
        {"games": 0},
        {"games": 5, "seed": -1},
        {"games": 5, "strategies": ["parts", "parts"]},
    )
    for options in wrong:
        with pytest.raises(InputError):
            Race(game, **options)
    with pytest.raises(TooLargeError):
        pegwise.race("4x6*2", ["parts"])
    with pytest.raises(InputError):
        pegwise.race(game, ["parts"], games=5, played=5)


def test_the_best_guesses_of_a_position_begin_with_that_of_the_strategy() -> None:
    position = Position("3x4*2", ["ABC=XO|O"])
    assert position.counts == tuple(map(len, pegwise.candidates(position.play)))
    for name, criterion in (("entropy", "entropy"), ("knuth", "minimax"), ("parts", "parts")):
        best = pegwise.rank(position, criterion=criterion, limit=3).splits
        decision = load(name).begin_parallel(parallel("3x4", 2))
        for turn in position.turns:
            decision = decision.instead(*turn) or decision
        assert best[0].guess == decision.guess
        scores = [split.score(criterion) for split in best]
        assert scores == sorted(scores)
    with pytest.raises(InputError):
        pegwise.rank(position, criterion="luck")


def test_a_review_adds_up_what_the_boards_told() -> None:
    turns = pegwise.play("3x4*2", "entropy", "ABB|CDA")
    record = Record(game_of(Rules(3, 4)), tuple(turns), "solved", boards=2)
    review = pegwise.review(record)
    assert [turn.cost for turn in review.turns] == [0.0] * len(turns)
    assert review.turns[-1].counts_after == (1, 1)
    told = sum(turn.bits for turn in review.turns)
    assert told >= 2 * np.log2(63)  # a board cannot have what was found on the other
    assert review.consistent
    assert review.document()["secrets"] == ["ABB", "CDA"]


def test_records_are_read_as_they_are_written() -> None:
    turns = pegwise.play("4x6*2", "entropy", "AABB|DEFF")
    fields: tuple[dict[str, Any], ...] = (
        {"turns": turns, "result": "solved", "secret": "AABB|DEFF", "codemaker": "given"},
        {"game": "wordle", "turns": ["CRANE=- - - --Y--"], "boards": 4},
        {
            "game": "2x3",
            "turns": [("AB", "X|O")],
            "result": "given up",
            "secret": ("AA", "BC"),
            "colors": ("red", "tan", "sky"),
        },
    )
    common: dict[str, Any] = {"game": "4x6", "boards": 2}
    whole, part, named = (Record(**(common | each)) for each in fields)
    for record in (whole, part, named):
        assert parse_record(record.write()) == record
    with pytest.raises(DataFileError):  # the page takes one secret
        parse_game(part.write())
    for before, after in (
        ("solved", "open"),
        ("AABB | DEFF", "AABB | DEFE"),
        ("AABB | DEFF", "AABB"),
        ("4x6*2", "4x6*3"),
        ("4x6*2", "4x6"),
        ("XXXX |", "XXX |"),
    ):
        with pytest.raises(DataFileError):
            parse_record(whole.write().replace(before, after))


def test_a_mark_may_not_find_one_secret_twice() -> None:
    with pytest.raises(MarkError):
        Play.of("2x3*2", [("AA", [(2, 0), (2, 0)])])
    assert game_of("2x3").n_secrets == 9
