"""The worked figures of Forget's document.

Source: Jean Forget, perl5-decodeur-Mastermind, description of the decoder: the edition of 2025,
and where a comment says so that of 2026, which adds examples, a sample of candidates, and results
over all secrets of 4x6.
"""

import itertools
import math

import numpy as np
import pytest

from pegwise.game import Code, Mark, Rules, Turn, mastermind, parse_code, parse_mark, parse_turn
from pegwise.strategies.base import mark_codes
from pegwise.strategies.forget import (
    Endgame,
    Forget,
    ForgetEntropy,
    ForgetMinimax,
    Opening,
    OpeningMove,
    interlude,
)
from pegwise.strategies.forget.opening import evenly
from pegwise.trees import build
from tests import naive
from tests.boards import marking_of, secrets_of

BOTH = [ForgetEntropy, ForgetMinimax]
WIDE = Rules(4, 26)


def turns(rules: Rules, text: str) -> tuple[Turn, ...]:
    """Turns written as `ABCD XO, EFGH -`."""
    return tuple(parse_turn(turn.strip().replace(" ", "="), rules) for turn in text.split(","))


def after(strategy: Forget, rules: Rules, text: str) -> OpeningMove | Endgame:
    """The state after turns, which have to be what the strategy plays."""
    state: OpeningMove | Endgame = strategy.begin(mastermind(rules))
    for guess, answer in turns(rules, text):
        assert state.guess == guess
        state = state.after(answer)
    return state


def opened(rules: Rules, history: tuple[Turn, ...]) -> Opening:
    """The opening that begins a history."""
    opening = Opening.of(rules)
    for turn in history:
        if opening.over:
            break
        assert opening.guess == turn.guess
        opening = opening.after(turn.mark)
    return opening


def candidates(rules: Rules, text: str) -> list[str]:
    """The candidates after turns of which the first are an opening."""
    history = turns(rules, text)
    return written(interlude(opened(rules, history), history).codes)


def written(codes: np.ndarray) -> list[str]:
    return [str(Code(code)) for code in codes.tolist()]


def naive_candidates(rules: Rules, history: tuple[Turn, ...]) -> list[str]:
    codes = naive.consistent(secrets_of(rules), history, black_only=rules.black)
    return [str(Code(code)) for code in codes]


def sizes(guess: str, among: list[str]) -> dict[str, int]:
    """The parts of a guess by the plain definition, by mark."""
    codes = [parse_code(code, WIDE) for code in among]
    parts = naive.partition(parse_code(guess, WIDE), codes, marking_of(WIDE))
    return {str(Mark(*answer)): len(part) for answer, part in parts.items()}


def bits(parts: dict[str, int]) -> float:
    """The entropy of a partition."""
    n = sum(parts.values())
    return -sum(k / n * math.log2(k / n) for k in parts.values())


# the opening


def test_opening_guesses() -> None:
    def swept(rules: Rules) -> list[str]:
        return [str(guess) for guess in Opening.of(rules).unplayed]

    assert swept(WIDE) == ["ABCD", "EFGH", "IJKL", "MNOP", "QRST", "UVWX", "YZAB"]
    assert swept(Rules(4, 6)) == ["ABCD", "EFAB"]
    assert swept(Rules(6, 4)) == ["ABCDAB"]
    assert swept(Rules(5, 8)) == ["ABCDE", "FGHAB"]


def test_only_the_first_and_the_last_opening_guess_share_colors() -> None:
    for pegs, colors in itertools.product(range(1, 8), range(1, 27)):
        if pegs <= colors:
            swept = Opening.of(Rules(pegs, colors)).unplayed
            assert {color for guess in swept for color in guess} == set(range(colors))
            for (i, first), (j, second) in itertools.combinations(enumerate(swept), 2):
                assert not set(first) & set(second) or (i, j) == (0, len(swept) - 1)


@pytest.mark.parametrize(
    "text",
    [
        "ABCD O, EFGH X, IJKL OO",  # four marks
        "ABCD O, EFGH X, IJKL O",  # three
        "ABCD XXX",
        "ABCD XXXX",  # a win by chance
        "ABCD -, EFGH -, IJKL -, MNOP -, QRST -, UVWX O, YZUV O",  # all colors seen
    ],
)
def test_the_opening_is_over(text: str) -> None:
    history = turns(WIDE, text)
    assert not opened(WIDE, history[:-1]).over
    assert opened(WIDE, history).over


def test_a_mark_of_nothing_removes_colors() -> None:
    # the example of the edition of 2026
    rules = Rules(4, 10)
    history = turns(rules, "ABCD -, EFGH -, IJIJ XOO")
    opening = opened(rules, history)
    assert opening.colors == (8, 9)
    assert not opening.concatenated
    assert candidates(rules, "ABCD -, EFGH -, IJIJ XOO") == naive_candidates(rules, history)


# the interlude


def test_the_guess_that_wraps_round_stays_out_of_the_synthetic_turn() -> None:
    # the secret of this example of 2026 would be lost: its A and B would count twice
    rules = Rules(4, 6)
    history = turns(rules, "ABCD XX, EFAB OOO")
    assert [str(turn.guess) for turn in opened(rules, history).concatenated] == ["ABCD"]
    assert "ABEE" in candidates(rules, "ABCD XX, EFAB OOO")


# the worked figures, 4x26


def test_after_three_blacks_a_hundred_candidates() -> None:
    listed = candidates(WIDE, "ABCD XXX")
    assert len(listed) == 100
    for place in range(4):
        rest = "ABCD"[:place] + "ABCD"[place + 1 :]
        assert sum(code[:place] + code[place + 1 :] == rest for code in listed) == 25
    alike = [code for code in listed if len(set(code)) == 4]
    assert len(alike) == 88
    for code in alike:
        parts = sizes(code, listed)
        assert parts == {"XXXX": 1, "XXX": 24, "XXO": 3, "XX": 72}
        assert f"{bits(parts):.2f}" == "1.05"
    for code in set(listed) - set(alike):
        assert bits(sizes(code, listed)) < 1.05


def test_what_is_played_after_three_blacks() -> None:
    # ABCE among candidates alone, as printed; but of the unplayed guesses YZAB tells more
    for strategy in BOTH:
        assert str(after(strategy(unplayed=False), WIDE, "ABCD XXX").guess) == "ABCE"
        assert str(after(strategy(), WIDE, "ABCD XXX").guess) == "YZAB"
    parts = sizes("YZAB", candidates(WIDE, "ABCD XXX"))
    assert parts == {"OO": 46, "O": 46, "OOO": 4, "XO": 4}
    assert f"{bits(parts):.2f}" == "1.40"


def test_guesses_that_can_no_longer_win() -> None:
    listed = candidates(WIDE, "ABCD XXX, ABCE XXX")
    assert listed == [f"ABC{color}" for color in "ABCFGHIJKLMNOPQRSTUVWXYZ"]
    for code in listed:
        assert sizes(code, listed) == {"XXXX": 1, "XXX": 23}
    for code in ("IJKL", "MNOP", "QRST", "UVWX", "FGHI"):
        assert sizes(code, listed) == {"X": 1, "O": 3, "-": 20}
    for strategy in BOTH:
        history = turns(WIDE, "ABCD XXX, ABCE XXX")
        state = Endgame.of(strategy(), mastermind(WIDE), opened(WIDE, history), history)
        unplayed = ["EFGH", "IJKL", "MNOP", "QRST", "UVWX", "YZAB"]
        assert [str(code) for code in state.pool.unplayed] == unplayed
        assert str(state.guess) == "IJKL"
        # the table that he weighs: IJKL, MNOP, QRST and UVWX are equal
        ranking = state.rank()
        assert [str(Code(guess)) for guess in ranking.guesses[: ranking.equal]] == unplayed[1:5]
        parts = {str(mark): len(codes) for mark, codes in ranking.parts(0).items()}
        assert parts == {"-": 20, "O": 3, "X": 1}


def test_a_sample_of_2000() -> None:
    # figures of the edition of 2026, measured with a sample of 2000
    text = "ABCD O, EFGH O, IJKL O"
    entropy, minimax = (after(strategy(), WIDE, text) for strategy in BOTH)
    assert isinstance(entropy, Endgame)
    assert [str(entropy.guess), str(minimax.guess)] == ["RAJG", "FRBJ"]
    assert not entropy.tabled
    # one color of each group, in a hole that is not its own, and one of the 14 others; or one
    # of these colors twice
    assert len(entropy.candidates) == 9720 == 4 * 14 * 6 * 3**3 + 3 * 12 * 2 * 3**2 * 1
    sample = entropy.candidates[evenly(9720, 2000)]
    for guess, largest, information in [
        ("RAJG", 782, 2.33432868885235),
        ("FRBJ", 725, 2.25283449338101),
    ]:
        parts = np.bincount(mark_codes(entropy.game, parse_code(guess, WIDE), sample))
        parts = parts[parts > 0]
        assert parts.max() == largest
        assert math.log2(2000) - (parts * np.log2(parts)).sum() / 2000 == pytest.approx(
            information, abs=1e-12
        )
    # `all` weighs all, as the edition of 2025 does
    every = after(ForgetEntropy(limit="all"), WIDE, text)
    assert isinstance(every, Endgame)
    assert (str(every.guess), len(every.rank().candidates)) == ("BGLM", 9720)
    following = [entropy.after(parse_mark(text, WIDE)) for text in ("XX", "-")]
    assert [len(state.rows) for state in following] == [218, 3883]


@pytest.mark.parametrize(
    ("guess", "information", "largest"),
    [("ABCD", 3.0567, ("OO", 312)), ("ABCC", 3.0437, ("O", 276)), ("AABB", 2.8851, ("-", 256))],
)
def test_first_guesses_of_4x6(guess: str, information: float, largest: tuple[str, int]) -> None:
    game = mastermind("4x6")
    marks = game.marks(game.guess_number(parse_code(guess, game.rules)))
    parts = {
        str(game.mark(number)): size for number, size in enumerate(np.bincount(marks).tolist())
    }
    # the document cuts digits off: 3,05 and 3,04
    assert bits({mark: n for mark, n in parts.items() if n}) == pytest.approx(information, abs=1e-4)
    assert max(parts.items(), key=lambda part: part[1]) == largest


# over all secrets


def test_all_secrets_of_4x6() -> None:
    # published in the edition of 2026; equal scores are told apart there by rounding errors,
    # so that the means change a little from run to run
    entropy, minimax = (build(strategy(), mastermind("4x6")) for strategy in BOTH)
    assert entropy.histogram() == [1, 8, 92, 499, 628, 67, 1]
    assert minimax.histogram() == [1, 7, 91, 484, 635, 77, 1]
    assert entropy.mean == pytest.approx(4.49691358024691, abs=0.02)
    assert minimax.mean == pytest.approx(4.52546296296296, abs=0.02)
    # 223 and 195 secrets there
    better = entropy.depths() < minimax.depths(), minimax.depths() < entropy.depths()
    assert [int(each.sum()) for each in better] == [209, 183]
