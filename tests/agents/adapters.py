"""What an environment with the packages of agents runs: the adapters, beside the packages."""

from __future__ import annotations

import asyncio
import random
import sys
from typing import Any

import textarena
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

import pegwise
import pegwise.agents.textarena
from pegwise.knowledge.codemaker import draw_secret
from pegwise.trees.formats import write_viaud


def play(env: Any, seed: int, moves: list[str]) -> tuple[Any, Any, str]:
    """The rewards and the report of a game, and what was observed at last."""
    env.reset(num_players=1, seed=seed)
    seen, done = "", False
    for move in moves:
        assert not done
        _, seen = env.get_observation()
        done, _ = env.step(move)
    assert done
    return *env.close(), seen


def check_textarena() -> None:
    """The same seed hides the same code, an unread answer earns nothing, games are apart."""
    random.seed(1)
    drawn = random.random()
    random.seed(1)
    env = textarena.make("pegwise/Codebreaker-v0", game="4x6")
    code = pegwise.text_environment("4x6", seed=3)
    secret = str(draw_secret(code.game, 3))
    for _ in range(2):
        rewards, report, seen = play(env, 3, ["no idea", "[AAAG]", f"I say [{secret}]"])
        assert rewards == {0: 1.0} and report[0]["solved"]
        assert (report[0]["unread"], report[0]["illegal"]) == (1, 1)
        assert seen.count("Find a secret code") == 1, seen
    rewards, report, _ = play(env, 3, [f"the code {n}" for n in range(5)])
    assert rewards == {0: 0.0} and report[0]["invalid_move"] and not report[0]["solved"]
    assert random.random() == drawn


async def check_mcp() -> None:
    """Every tool answers a client of the package, and refuses in its own words."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "pegwise.agents.mcp"])
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        await client.initialize()
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"rules", "mark", "candidates", "why", "verify"}, tools

        async def call(name: str, **arguments: Any) -> Any:
            return await client.call_tool(name, arguments)

        marked = await call("mark", game="4x6", guess="AABB", secret="ABCD")
        assert marked.structured_content["mark"] == "XO", marked
        counted = await call("candidates", game="4x6", turns="AABB=XO CCDD=X", limit=2)
        assert counted.structured_content["count"] == 52
        assert counted.structured_content["codes"] == ["ABDE", "ABDF"]
        nothing = await call("candidates", game="4x6", turns="AABB=XXXX CCDD=X")
        assert nothing.structured_content["suspects"]
        played = await call("why", game="4x6", turns="AABB=XO", strategy="knuth")
        assert played.structured_content["guess"] == "AACD"
        tree = write_viaud(pegwise.build("3x3", "first"))
        checked = await call("verify", game="3x3", tree=tree)
        assert checked.structured_content["total"] == 89
        for refused in (
            await call("mark", game="4x6", guess="AABZ", secret="ABCD"),
            await call("rules", game="4 by 6"),
            await call("verify", game="3x3", tree="nothing"),
        ):
            assert refused.is_error and "'" in refused.content[0].text, refused


check_textarena()
asyncio.run(check_mcp())
sys.stdout.write("done\n")
