"""Games in Python files that the site offers: `pegwise serve --games FOLDER`."""

from __future__ import annotations

import os
from pathlib import Path

from pegwise.errors import PegwiseError
from pegwise.game import game_of
from pegwise.game_files.resolve import FOLDER, send_games_by_text

offered: dict[str, str] = {}
"""The files whose games are offered, with the text of the rules of each."""


def load_file_games(folder: str) -> dict[str, PegwiseError | None]:
    """Load the games of a folder, and offer them: why each file gives none, or None."""
    send_games_by_text()
    offered.clear()
    if not folder:
        return {}
    os.environ[FOLDER] = folder  # processes that compute read the same files
    problems: dict[str, PegwiseError | None] = {}
    for path in sorted(Path(folder).glob("*.py")):
        try:
            offered[path.name] = str(game_of(path.name))
            problems[path.name] = None
        except PegwiseError as error:
            problems[path.name] = error
    return problems
