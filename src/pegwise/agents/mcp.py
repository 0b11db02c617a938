"""Tools for language models: a server of the Model Context Protocol.

    python -m pegwise.agents.mcp

It speaks over standard input and output. Its tools mark a guess, count and list what is possible,
say why a guess is played, tell which mark may be wrong, and check a tree.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from io import BytesIO
from typing import Any, Final, ParamSpec, TypeVar

from pegwise.coach.advice import Adviser, Position, default_strategy
from pegwise.encoder import encoded
from pegwise.errors import MissingExtraError, PegwiseError
from pegwise.game import game_of, parse_code
from pegwise.knowledge import candidates as candidates_of
from pegwise.knowledge import count
from pegwise.knowledge.diagnosis import diagnose
from pegwise.reading import read_history
from pegwise.strategies import parse
from pegwise.telling.advice import proposal
from pegwise.telling.blocks import Report
from pegwise.telling.words import mark_words, rules_words
from pegwise.trees.formats import read
from pegwise.trees.verify import verify as verify_tree

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:
    missing = MissingExtraError.of("tools for language models", "agents")
    if __name__ == "__main__":  # a person has started it
        sys.exit(f"pegwise: {missing}")
    raise missing from None

P = ParamSpec("P")
T = TypeVar("T")

_MOST: Final = 1000  # codes that are listed
server: Final = MCPServer(
    "pegwise",
    instructions="Tools for Mastermind and games like it. A game is named by its rules: 4x6 is 4 "
    "pegs and 6 colors, which are letters from A; wordle and bulls-and-cows are names. Turns are "
    "written as guess=mark, such as AABB=XO: X is a peg in its place, O a color elsewhere, - "
    "nothing; in words G, Y and - mark each place.",
)


def _tool(function: Callable[P, T]) -> Callable[P, T]:
    """Offer a function as a tool, whose refusals are told in their own words."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except PegwiseError as error:
            raise ToolError(str(error)) from error

    server.tool()(call)
    return function


@_tool
def rules(game: str) -> dict[str, Any]:
    """The rules of a game in words, its numbers of secrets, guesses and marks, and a turn."""
    own = game_of(game)
    return {
        "game": str(own),
        "rules": rules_words(own),
        "secrets": own.n_secrets,
        "guesses": own.n_guesses,
        "marks": own.n_marks,
        "example": own.example_turn,
    }


@_tool
def mark(game: str, guess: str, secret: str) -> dict[str, str]:
    """The mark of a guess against a secret."""
    own = game_of(game)
    given = own.mark_of(parse_code(guess, own), parse_code(secret, own, secret=True))
    return {"mark": str(given), "words": mark_words(given, own)}


@_tool
def candidates(game: str, turns: str = "", limit: int = 20) -> dict[str, Any]:
    """How many codes fit some turns, exactly, and the first of them, at most `limit`.

    Where none fits, which mark may be wrong, and with which marks some code would fit.
    """
    read = read_history(turns, game)
    number = count(read.game, read.turns)
    if not number:
        return {"count": 0, **encoded(diagnose(read.game, read.turns))}
    codes = candidates_of(read.game, read.turns, max(0, min(limit, _MOST)))
    return {"count": number, "codes": list(map(str, codes))}


@_tool
def why(game: str, turns: str = "", strategy: str = "") -> dict[str, Any]:
    """The guess of a strategy after some turns, and why; without a name, of the usual strategy."""
    read = read_history(turns, game)
    player = parse(strategy) if strategy.strip() else default_strategy(read.game)
    advice = Adviser(player, read.game).propose(read.turns)
    told = Report.of(proposal(advice, Position(read.game, read.turns))).text()
    return {"guess": str(advice.guess), "strategy": advice.strategy, "reason": told}


@_tool
def verify(game: str, tree: str) -> dict[str, Any]:
    """Check a strategy that is written as a tree, move by move, against every secret.

    `tree` is a text as `pegwise tree` prints and saves it, in any of its formats.
    """
    checked = verify_tree(read(BytesIO(tree.encode()), "tree", game_of(game)).tree)
    return {
        "valid": checked.valid,
        "total": checked.total,
        "worst": checked.worst,
        "problems": list(map(str, checked.problems)),
    }


if __name__ == "__main__":
    server.run()
