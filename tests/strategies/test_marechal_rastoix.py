"""The three classical strategies of Maréchal and Rastoix."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import ContradictionError, StrategyError, TooLargeError
from pegwise.game import Code, FiniteGame, Mark, Rules, board_game, game_of
from pegwise.knowledge.codemaker import draw_secret
from pegwise.strategies import Decision
from pegwise.strategies.marechal_rastoix import (
    ColorByColor,
    MarechalRastoix1,
    MarechalRastoix2,
    MarechalRastoix3,
)
from pegwise.trees import build
from pegwise.trees.build import play
from tests import naive_strategies
from tests.boards import codes_of

STRATEGIES: list[type[ColorByColor]] = [MarechalRastoix1, MarechalRastoix2, MarechalRastoix3]
READINGS = {
    "marechal-rastoix-1": {},  # listing 2
    "marechal-rastoix-2": {"infer": True, "restart": True},
    "marechal-rastoix-2:restart=false": {"infer": True},
    "marechal-rastoix-2:infer=false": {"restart": True},
    "marechal-rastoix-2:infer=false,restart=false,repeat=false": {"repeat": False},
    "marechal-rastoix-2:infer=false,repeat=false": {"restart": True, "repeat": False},
    "marechal-rastoix-2:repeat=false": {"infer": True, "restart": True, "repeat": False},
    "marechal-rastoix-3": {"look_ahead": True, "infer": True},
    "marechal-rastoix-3:infer=false": {"look_ahead": True},  # listing 3
}

numbered = pytest.mark.parametrize("number", [0, 1, 2], ids=["1", "2", "3"])


# the report's walk-through of secret 1 3 2 1 5; turn 7 stands there as 3 black, 3 white, which
# five pegs cannot give
WALK_THROUGH = """
    11111 2 0
    12222 2 0
    11222 2 1
    12122 1 2
    12212 3 0
    12212 3 0
    12313 2 2
    13213 4 0
    13213 4 0
    13214 4 0
    13214 4 0
    13215 5 0
"""


@pytest.mark.parametrize("rules", ["5x5", "5x6", "5x20"])
def test_walk_through(rules: str) -> None:
    secret = Code([0, 2, 1, 0, 4])
    written = [
        f"{guess.write('digits')} {black} {white}"
        for guess, (black, white) in play(rules, MarechalRastoix1(), secret)
    ]
    assert written == [line.strip() for line in WALK_THROUGH.strip().splitlines()]
    # criterion 3 saves each repeated guess, criterion 4 the count of the absent color 4
    third = [guess.write("digits") for guess, _ in play("5x5", MarechalRastoix3(), secret)]
    assert third == [line[:5] for line in dict.fromkeys(written)]


@pytest.mark.parametrize("name", READINGS)
@given(data=st.data(), pegs=st.integers(1, 6), colors=st.integers(1, 9), distinct=st.booleans())
def test_plays_as_the_listing(
    name: str, data: st.DataObject, pegs: int, colors: int, distinct: bool
) -> None:
    rules = Rules(pegs, colors, distinct_secrets=distinct and colors >= pegs)
    secret = data.draw(codes_of(rules, secret=True))
    played = play(rules, name, secret)
    assert played == naive_strategies.color_by_color(secret, colors, **READINGS[name])


@pytest.mark.parametrize(
    ("rules", "figures"),
    [
        ("4x8", [(47482, 17), (45053, 14), (32839, 12)]),
        ("4x8,distinct-secrets", [(21336, 17), (19936, 14), (14366, 12)]),
        ("6x4", [(45662, 18), (48631, 17), (35375, 14)]),
    ],
)
def test_totals(rules: str, figures: list[tuple[int, int]]) -> None:
    """What docs/marechal-rastoix.md prints, of the boards of the report's protocol but 4x20."""
    trees = [build(board_game(Rules.parse(rules)), strategy()) for strategy in STRATEGIES]
    assert [(tree.total, tree.worst) for tree in trees] == figures


@numbered
@pytest.mark.parametrize("rules", ["16x26", "13x13,distinct-secrets", "10x12,blank"])
def test_boards_too_large_to_list(number: int, rules: str) -> None:
    game, strategy = board_game(Rules.parse(rules)), STRATEGIES[number]()
    assert play(game, strategy, draw_secret(game_of(game.rules), number))
    with pytest.raises(TooLargeError, match=rules):
        strategy.compile(game)


@numbered
def test_games_that_do_not_suit(number: int) -> None:
    strategy = STRATEGIES[number]()
    with pytest.raises(StrategyError, match="distinct-secrets"):
        strategy.begin(board_game(Rules.parse("4x6,distinct")))
    with pytest.raises(StrategyError):
        strategy.begin(board_game(Rules.parse("4x6,black")))
    words = FiniteGame(["ab", "ba"], lambda guess, secret: guess == secret, name="two words")
    with pytest.raises(StrategyError, match="two words"):
        strategy.begin(words)
    with pytest.raises(StrategyError):
        strategy.compile(words)
    # a code of one peg repeats no color and gets no white mark
    assert build(board_game(Rules.parse("1x3,black")), strategy).total == 6
    assert build(board_game(Rules.parse("1x3,distinct")), strategy).total == 6


def answered(number: int, rules: str, *marks: tuple[int, int]) -> Decision:
    decision = STRATEGIES[number]().begin(board_game(Rules.parse(rules)))
    for answer in marks:
        decision = decision.after(answer)
    return decision


@pytest.mark.parametrize(
    ("number", "rules", "marks"),
    [
        # AAAA cannot get a white mark
        (0, "4x6", [(1, 1)]),
        # ABBB tells of one B, so that AABB cannot tell of two
        (0, "4x6", [(2, 0), (1, 2), (2, 2)]),
        # the guess AABB is repeated, and gets another mark
        (0, "4x6", [(2, 0), (2, 0), (3, 0), (2, 0)]),
        # the one A is in no hole
        (0, "4x6", [(1, 0), (0, 1), (0, 1), (0, 1), (0, 1)]),
        # no color is left
        (0, "4x2", [(0, 0), (0, 0)]),
        (2, "4x3", [(1, 0), (1, 0), (0, 0)]),
        # two A and three B are too many
        (2, "4x6", [(2, 0), (2, 2)]),
        # no color comes twice
        (1, "4x8,distinct-secrets", [(2, 0)]),
        (1, "4x8,distinct-secrets", [(1, 0), (3, 0)]),
    ],
)
def test_contradictions(number: int, rules: str, marks: list[tuple[int, int]]) -> None:
    answered(number, rules, *marks[:-1])
    with pytest.raises(ContradictionError, match=rules):
        answered(number, rules, *marks)


def test_a_won_game_stays_won() -> None:
    decision = answered(0, "4x6", (4, 0))
    assert str(decision.guess) == "AAAA"
    assert str(decision.after((4, 0)).guess) == "AAAA"


@numbered
@given(marks=st.lists(st.sampled_from(Rules(4, 6).marking.legal[:-1]), min_size=40, max_size=40))
def test_any_marks_come_to_an_end(number: int, marks: list[Mark]) -> None:
    game = board_game(Rules.parse("4x6"))
    decision = STRATEGIES[number]().begin(game)
    with pytest.raises(ContradictionError):
        for answer in marks:
            game.guess_number(decision.guess)
            decision = decision.after(answer)
