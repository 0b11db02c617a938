"""What else may be wrong with a history that no code fits, against every code by hand."""

from pegwise.game import Rules, game_of
from pegwise.game.rules import list_secrets
from pegwise.knowledge import check_turn, count
from pegwise.knowledge.explanations import as_inclusive, explanations
from pegwise.reading import read_history
from tests import naive


def told(text: str, rules: str) -> dict[str, int | None]:
    read = read_history(text, rules)
    inclusive = as_inclusive(read.game, read.turns) if read.two_numbers else None
    rows = explanations(read.game, read.turns, inclusive)
    return {each.kind: each.count for each in reversed(rows)}


def test_nothing_is_explained_where_a_code_fits() -> None:
    assert told("AABB=XO\nCCDD=-", "4x6") == {}


def test_turns_in_each_others_marks() -> None:
    swapped = told("AAAA=X\nBBBB=XXX\nABBB=-", "4x6")
    rules = Rules()
    expected = sum(
        (rules.marking.mark((0,) * 4, code), rules.marking.mark((0, 1, 1, 1), code))
        == ((0, 0), (1, 0))
        and rules.marking.mark((1,) * 4, code) == (3, 0)
        for code in list_secrets(rules).tolist()
    )
    assert swapped.get("swapped", 0) == expected or expected == 0


def test_a_guess_with_one_wrong_peg() -> None:
    read = read_history("AABB=XXXX\nAABB=XXX", "4x6")
    rows = [each for each in explanations(read.game, read.turns) if each.kind == "guess"]
    assert rows
    for each in rows:
        assert each.guess is not None and len(each.turns) == 1
        turns = [*read.turns]
        turns[each.turns[0] - 1] = turns[each.turns[0] - 1]._replace(guess=each.guess)
        history = [(tuple(guess), (mark.black, mark.white)) for guess, mark in turns]
        assert len(naive.consistent(naive.secrets(4, 6), history)) == each.count


def test_other_ways_to_note_marks() -> None:
    # black and white exchanged: one color cannot be right in color only
    assert told("AAAA=O\nBBBB=OO", "4x6")["exchanged"] == count("4x6", ["AAAA=X", "BBBB=XX"])
    # colors may repeat after all
    repeats = told("ABCD=X\nEFGH=-\nAIJA=XX", "4x10,distinct-secrets")
    assert "repeats" in repeats and repeats["repeats"] == count(
        "4x10", ["ABCD=X", "EFGH=-", "AIJA=XX"]
    )
    # the second number includes the first
    text = "1111 1 1\n2222 1 1\n3333 1 1\n4444 1 1"
    assert told(text, "4x6") == {} or told(text, "4x6")["inclusive"] == 24


def test_a_word_that_is_not_listed() -> None:
    rules = game_of("wordle")
    read = read_history("SLATE=-----\nBISON=YY-GY", "wordle")
    for turn in read.turns:
        check_turn(rules, turn)
    assert not count(rules, read.turns)
    assert told("SLATE=-----\nBISON=YY-GY", "wordle")["unlisted"] is None
    # the first of equal letters is marked: these no word gives
    for text in ("GEESE=--Y--", "EERIE=-Y---"):
        (turn,) = read_history(text, "wordle").turns
        assert not rules.marking.can_give(*turn)


def test_digits_that_count_from_zero_are_more() -> None:
    def board(text: str, rules: str | None = None) -> tuple[str, int | None]:
        read = read_history(text, rules)
        (row,) = [
            each
            for each in explanations(read.game, read.turns, notation=read.notation)
            if each.kind == "digits"
        ]
        return str(row.rules), row.count

    assert board("1234 0 0\n5561 0 0") == ("4x7", 1)  # 0000
    assert board("012=-\n345=-\n678=-") == ("3x10", 1)  # 999
    read = read_history("ABCD 0 0\nEEFA 0 0")
    kinds = {each.kind for each in explanations(read.game, read.turns, notation=read.notation)}
    assert "digits" not in kinds
