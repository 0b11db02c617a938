"""Codes that are drawn from a jar of pegs: weights, and what they change of advice and reviews."""

import math
import pickle
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pegwise
from pegwise.errors import InputError, RulesError
from pegwise.game.jar import write_jar
from pegwise.knowledge import suspects
from pegwise.knowledge.codemaker import draw_secret
from tests import naive

JARS = st.lists(st.integers(1, 4), min_size=2, max_size=3)


def jar_game(jar: list[int], pegs: int, flags: str = "") -> pegwise.Game:
    return pegwise.game_of(f"{pegs}x{len(jar)},{write_jar(tuple(jar))}{flags}")


@given(jar=JARS, flags=st.sampled_from(["", ",distinct", ",slots", ",black"]))
def test_a_code_weighs_as_often_as_it_is_drawn(jar: list[int], flags: str) -> None:
    pegs = 2 if "distinct" in flags else 3
    game = jar_game(jar, pegs, flags)
    ways = naive.draws(jar, pegs, distinct="distinct" in flags)
    total = sum(ways.values())
    weights = game.frequencies()
    assert game.n_secrets == len(ways)
    for number in range(game.n_secrets):
        share = weights[number] / weights.sum()
        assert share == pytest.approx(ways[tuple(game.secret(number))] / total)
    assert game.bits == pytest.approx(-sum(n / total * math.log2(n / total) for n in ways.values()))


def test_the_text_says_it() -> None:
    game = pegwise.game_of("4x3,black,a4b2c1")
    assert (game.name, game.jar) == ("4x3,A4B2C1,black", "A4B2C1")
    assert game == pegwise.game_of(str(game)) != pegwise.game_of("4x3,black")
    assert pickle.loads(pickle.dumps(game)) is game
    assert eval(repr(game), {"game_of": pegwise.game_of}) == game
    assert pegwise.Rules(4, 3, jar="A4B2C1").n_secrets == 81
    same = pegwise.game_of("4x3,A2B2C2")
    assert set(same.frequencies().tolist()) == {1}


@pytest.mark.parametrize(
    "text",
    [
        "4x6,A4B2C1",
        "4x3,A4B2",
        "4x3,A4B2D1",
        "4x3,A4B2C0",
        "4x3,A4B2C100",
        "4x3,A4B2B1",
        "4x3,A4B2C1,A1B1C1",
        "4x3,A40B2C1",
    ],
)
def test_jars_that_are_refused(text: str) -> None:
    with pytest.raises(RulesError):
        pegwise.game_of(text)


def test_no_weights_beside_a_jar() -> None:
    with pytest.raises(InputError):
        pegwise.game_of("2x2,A1B2", [1, 1, 1, 1])
    with pytest.raises(InputError):
        pegwise.game_of("2x2,slots,A1B2", [1, 1, 1, 1])
    for codemaker in ("optimal", "evil"):
        with pytest.raises(InputError):
            pegwise.Record(pegwise.game_of("2x2,A1B2"), codemaker=codemaker)


@given(jar=JARS, data=st.data())
def test_what_a_guess_tells(jar: list[int], data: st.DataObject) -> None:
    """Bits and expected codes, each code as likely as it is drawn."""
    game = jar_game(jar, 3)
    ways = naive.draws(jar, 3)
    codes = st.sampled_from(sorted(ways))
    guesses, secret = data.draw(st.lists(codes, min_size=2, max_size=2)), data.draw(codes)
    turn = pegwise.Turn(pegwise.Code(guesses[0]), game.mark_of(guesses[0], secret))
    fitting = [c for c in ways if naive.mark(guesses[0], c) == naive.mark(guesses[0], secret)]
    total = sum(ways[code] for code in fitting)
    parts = Counter(naive.mark(guesses[1], code) for code in fitting)
    weights: Counter[tuple[int, int]] = Counter()
    for code in fitting:
        weights[naive.mark(guesses[1], code)] += ways[code]
    split = pegwise.Position(game, [turn]).split(guesses[1])
    assert {tuple(mark): size for mark, size in split.parts} == parts
    assert split.bits == pytest.approx(
        sum(n / total * math.log2(total / n) for n in weights.values()), abs=1e-12
    )
    assert float(split.expected) == pytest.approx(
        sum(n / total * parts[mark] for mark, n in weights.items())
    )


def test_the_best_guess_counts_the_jar() -> None:
    """By weight, as `entropy` plays: of a jar that is nearly all A, other guesses are best."""
    game = pegwise.game_of("3x3,A8B1C1")
    best = pegwise.rank(game, limit=game.n_guesses)
    assert not best.kinds
    tree = pegwise.build(game, "entropy")
    assert best.best.guess == game.guess(int(tree.nodes.guess[0]))
    bits = [split.bits for split in best.splits]
    assert bits == sorted(bits, reverse=True)
    assert best.best.guess != pegwise.rank("3x3").best.guess


def test_a_review_counts_the_jar() -> None:
    game = pegwise.game_of("3x3,A8B1C1")
    record = pegwise.Record.of_turns(game, "AAB=XX AAC=XX AAA=XXX")
    first, second, last = pegwise.review(record).turns
    ways = naive.draws([8, 1, 1], 3)
    fits = sum(n for code, n in ways.items() if naive.mark((0, 0, 1), code) == (2, 0))
    assert first.bits == pytest.approx(math.log2(1000 / fits))
    assert first.luck == pytest.approx(first.bits - first.played.bits)
    assert first.unit == "bits"  # best play is searched for codes that are alike
    assert 0 <= (first.luck_share or 0) <= 1
    assert second.best is not None
    assert last.verdict == "best"


def test_secrets_are_drawn_from_the_jar() -> None:
    game = pegwise.game_of("2x2,A3B1")
    drawn = Counter(str(draw_secret(game, seed)) for seed in range(1600))
    assert drawn["AA"] == pytest.approx(900, abs=90)  # 9 of 16, more than four deviations
    assert drawn["BB"] == pytest.approx(100, abs=45)
    puzzles = [pegwise.puzzle("2x3,A90B1C1", level=1, seed=seed).solution for seed in range(5)]
    assert sum(str(code) == "AA" for code in puzzles) >= 3


def test_suspects_count_the_jar() -> None:
    """A mark that likely codes give is the likelier slip."""
    turns = "AB=- AC=-"  # without the first turn BB fits, without the second CC
    assert [suspect.turn for suspect in suspects("2x3", turns)] == [1, 2]
    assert [suspect.turn for suspect in suspects("2x3,A20B1C5", turns)] == [2, 1]


def test_trees_keep_the_jar(tmp_path: Path) -> None:
    game = pegwise.game_of("3x3,A3B2C1")
    tree = pegwise.find_optimum(game).tree
    path = tmp_path / "jar.tree"
    pegwise.save_tree(tree, path)
    read = pegwise.load_tree(path)
    assert (read.game, read.total) == (game, tree.total)
    pegwise.verify(read)


def test_an_agent_is_told_of_the_jar() -> None:
    env = pegwise.text_environment("3x3,A3B2C1", seed=1, reward="bits")
    assert "3 A 2 B 1 C" in env.task
    assert 0 < env.answer("[ABC]").reward < 3
