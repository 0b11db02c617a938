"""One yardstick: hint, coach, skill, cost, sentence and download agree on every position."""

from __future__ import annotations

import random
import re

import pytest
from starlette.testclient import TestClient

from pegwise.game import Code, Rules, Turn, game_of, mark
from pegwise.playing import Record
from pegwise.web import decode, play, review
from pegwise.web.decode import weighed
from pegwise.web.play import advise
from pegwise.web.review import GameToReview, reviewed_game


def games(rules: Rules, n: int) -> list[Record]:
    """Games of four guesses drawn at random."""
    drawn = random.Random(5)

    def code() -> Code:
        return Code(drawn.randrange(rules.colors) for _ in range(rules.pegs))

    records = []
    for _ in range(n):
        secret = code()
        guesses = [guess for guess in [code() for _ in range(4)] if guess != secret]
        turns = tuple(Turn(guess, mark(guess, secret)) for guess in guesses)
        records.append(Record(game_of(rules), turns, "open"))
    return records


@pytest.mark.parametrize(
    ("rules", "n", "usual"),
    [
        ("3x4", 10, "guesses"),
        pytest.param("4x6", 2, "guesses", marks=pytest.mark.slow),
        ("3x5", 15, "bits"),
    ],
)
def test_all_agree_on_a_guess(
    monkeypatch: pytest.MonkeyPatch, rules: str, n: int, usual: str
) -> None:
    if usual == "bits":
        for module in (decode, play, review):
            monkeypatch.setattr(module, "best_play_within", lambda _seconds: None)
    for record in games(Rules.parse(rules), n):
        document = reviewed_game(record, "any").document
        lines = document["text"].splitlines()[2:]
        for turn, line, (guess, _) in zip(document["turns"], lines, record.turns, strict=False):
            history = record.turns[: turn["turn"] - 1]
            coach = weighed(record.game, history, guess, "entropy")
            hint = advise(record.game, 1, history).guess
            best = turn["above"] == 0
            unit = "guesses" if turn["before"] == 1 else usual
            assert turn["unit"] == unit
            assert (coach.unit, coach.excess) == (unit, turn["above"])
            assert (turn["verdict"] == "best") == best
            assert weighed(record.game, history, hint, "entropy").excess == 0
            assert turn["answer"] == (turn["guess"] if best else str(hint))
            assert (turn["skill"] == 1) == best
            if best:
                assert line.endswith("; best")
            else:
                assert turn["skill"] < 1
                cost = f"{turn['above']:.2f}" if turn["above"] >= 0.005 else "≤ 0.01"
                assert f", best {hint} (+{cost} {unit.rstrip('es')}" in line


@pytest.mark.slow
def test_the_page_says_what_the_download_says(client: TestClient) -> None:
    for record in games(Rules(3, 5), 6):
        query = GameToReview(record).query(answers="1")
        page = client.get(f"/review?{query}").text
        text = client.get(f"/review/text?{query}").text
        rows = re.findall(r'<tr role="row" id="turn-.*?</tr>.*?</tr>', page, re.DOTALL)
        lines = text.splitlines()[2 : 2 + len(rows)]
        assert len(rows) == len(lines) > 0
        for row, line in zip(rows, lines, strict=True):
            best = line.endswith("; best")
            assert ("No guess needs fewer turns" in row) == best
            assert ("100%" in row) == (best and 'class="duo"' in row)
            if not best:
                answer, cost = re.findall(r", best (\w+) \(\+(.*)\)", line)[0]
                assert f'aria-label="{" ".join(answer)}"' in row
                assert f"needs {cost} fewer on average" in row
                assert f"<span>{cost}</span>" in row
