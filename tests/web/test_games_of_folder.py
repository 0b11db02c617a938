"""Games in Python files that the site offers besides, and the addresses of their turns."""

from pathlib import Path

import pytest

from pegwise.errors import RulesError
from pegwise.game import Rules, game_of
from pegwise.game.words import Lookup, lookup
from pegwise.game_files.resolve import FOLDER
from pegwise.reading import parse_turn
from pegwise.web.games_of_folder import load_file_games, offered
from pegwise.web.inputs import history_text, sent_turns

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"


@pytest.mark.slow
def test_games_of_a_folder_are_named_by_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, "")
    (tmp_path / "nerdle.py").write_bytes((EXAMPLES / "nerdle.py").read_bytes())
    (tmp_path / "broken.py").write_text("1 / 0", encoding="utf-8")
    problems = load_file_games(str(tmp_path))
    try:
        assert [name for name, problem in problems.items() if problem is None] == ["nerdle.py"]
        token = lookup.set(Lookup(files=False))  # as for visitors
        try:
            rules = game_of("nerdle.py")
            assert str(rules) == offered["nerdle.py"]
            assert game_of(str(rules)) == rules
            for text in ("nerdle.py:nerdle:length=7", str(EXAMPLES / "shapes.py"), "shapes.py"):
                with pytest.raises(RulesError):
                    Rules.parse(text)
        finally:
            lookup.reset(token)
        turns = [parse_turn("9+8=17->GG--GG", rules)]
        (sent,) = sent_turns(history_text(turns))
        assert (sent.guess, sent.mark) == ("9+8=17", "GG--GG")
    finally:
        load_file_games("")
