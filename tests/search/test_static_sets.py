"""Stored fixed sets: those that come with pegwise, those kept here, and damaged ones."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pegwise.errors import DataFileError
from pegwise.game import Mastermind, Rules, mastermind, parse_code
from pegwise.search.certificates.sets import (
    Certificate,
    check_static_rows,
    keep,
    kept_path,
    known_set,
    read_certificate,
    static_rows,
)
from pegwise.search.static.search import find_static
from tests import naive

pytestmark = pytest.mark.usefixtures("home")


def certificate(rules: str, guesses: str, lower_bound: int = 0) -> Certificate:
    board = Rules.parse(rules)
    codes = tuple(parse_code(word, board) for word in guesses.split())
    return Certificate(board, codes, lower_bound, "by hand", "0", "2026-01-01", 0.0, 0, 0)


def test_every_row_holds() -> None:
    rows = list(check_static_rows())
    assert len(rows) >= 20
    assert [problem for _, problem in rows if problem] == []
    assert len({row.certificate.rules for row, _ in rows}) == len(rows)


def test_rows_hold_by_the_slow_twin_too() -> None:
    for row in static_rows():
        rules = row.certificate.rules
        if rules.n_secrets > 1500:
            continue
        marking = partial(naive.mark, black_only=rules.black)
        secrets = naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)
        fixed = [tuple(guess) for guess in row.certificate.guesses]
        assert len(naive.answers(fixed, secrets, marking)) == len(secrets), rules


def test_published_sizes_are_confirmed() -> None:
    rows = {str(row.certificate.rules): row for row in static_rows()}
    assert all(row.standing in {"confirms", "new"} for row in rows.values())
    assert sum(row.standing == "confirms" for row in rows.values()) >= 20
    classic = rows["4x6"].certificate
    assert (classic.size, classic.proven) == (6, True)
    for colors in range(3, 13):
        row = rows[f"2x{colors}"]
        assert row.certificate.size == row.published == -(-2 * colors // 3)
        assert row.certificate.proven
    sizes = [rows[f"{pegs}x2,black"].certificate.size for pegs in range(1, 8)]
    assert sizes == [1, 2, 3, 4, 4, 5, 6]


@pytest.mark.parametrize("rules", ["2x5", "3x4", "3x3,black", "3x4,distinct"])
def test_proofs_can_be_repeated(rules: str) -> None:
    row = next(row for row in static_rows() if str(row.certificate.rules) == rules)
    assert find_static(mastermind(rules)).size == row.certificate.lower_bound


def test_a_set_found_here_is_kept_and_known_again() -> None:
    game = mastermind("2x17")
    assert known_set(game) is None
    found = find_static(game, guesses=14)
    guesses = " ".join(str(game.guess(number)) for number in found.guesses or ())
    path = keep(certificate("2x17", guesses, 3))
    assert path == kept_path(game.rules)
    known = known_set(game)
    assert known is not None
    assert " ".join(map(str, known.guesses)) == guesses
    assert keep(known) is None  # nothing better
    assert keep(replace(known, guesses=(*known.guesses, known.guesses[0]))) is None


def test_a_wrong_or_damaged_set_is_not_used() -> None:
    game = mastermind("2x17")
    path = keep(certificate("2x17", "AA AB"))
    assert path is not None
    assert known_set(game) is None
    path.write_text("nonsense")
    assert known_set(game) is None
    path.write_text(json.dumps(certificate("2x16", "AA").document()))
    assert known_set(game) is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"size": 5}, "do not agree"),
        ({"proven": True}, "do not agree"),
        ({"guesses": ["AZ"]}, "'Z' at position 2"),
        ({"guesses": 7}, "no certificate"),
        ({"rules": "2y2"}, "cannot read rules"),
        ({"seconds": "long"}, "no certificate"),
    ],
)
def test_a_certificate_that_contradicts_itself_is_refused(
    change: dict[str, Any], says: str
) -> None:
    document = certificate("2x3", "AB AC").document()
    assert read_certificate(document, "it") == certificate("2x3", "AB AC")
    with pytest.raises(DataFileError, match=says):
        read_certificate({**document, **change}, "it")


def test_what_is_missing_is_refused() -> None:
    document = certificate("2x3", "AB AC").document()
    for key in document:
        with pytest.raises(DataFileError, match="no certificate"):
            read_certificate({k: v for k, v in document.items() if k != key}, "it")
    with pytest.raises(DataFileError, match="no certificate"):
        read_certificate([], "it")


def test_weights_change_no_set() -> None:
    assert known_set(Mastermind(Rules(2, 3), [1] * 8 + [5])) == known_set(mastermind("2x3"))
