"""Many players at once against `pegwise serve`: how fast it answers, and what a kill loses.

    python -m benchmarks.load [--players 50] [--seconds 60] [--pause 0] [--kill] [-o FILE]

Every player plays whole games of 4x6, each guess a code that is still possible, one request after
the other. With `--kill` the server is ended by SIGKILL in the middle and started again; players
then send their last request again. At the end every turn that was acknowledged is asked for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import numpy.typing as npt

from pegwise.game import legal_marks, mastermind

LETTERS = "ABCDEF"
CODES = ["".join(code) for code in product(LETTERS, repeat=4)]
MARKS = [str(mark) for mark in legal_marks(mastermind("4x6").rules)]
STARTS_WITHIN = 60.0


@dataclass
class Tally:
    """What players saw.

    Attributes:
        seconds: how long each answer took.
        problems: answers that no player should get.
        cut: requests that got no answer, because the server was killed; they were sent again.
        games: turns that were acknowledged, by game, each (guess, mark).
        won: games that were won.
    """

    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    cut: int = 0
    games: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    won: int = 0


class Server:
    """`pegwise serve` as a process of its own, with a database of its own.

    Args:
        home: what it keeps.
        environment: what else it is told.
    """

    def __init__(self, home: Path, **environment: str) -> None:
        self.environment = {"PEGWISE_HOME": str(home), **environment}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start it, and wait for the first page."""
        begun = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pegwise", "serve", "--port", str(self.port)],
            env=os.environ | self.environment,
            stdout=subprocess.DEVNULL,
        )
        while not self._answers():
            if self.process.poll() is not None or time.perf_counter() - begun > STARTS_WITHIN:
                raise SystemExit("pegwise serve does not start")
            time.sleep(0.01)
        self.started = time.perf_counter() - begun

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/", timeout=5) as page:
                return bool(page.status == 200)
        except OSError:
            return False

    def end(self, number: int) -> None:
        """End it by a signal."""
        self.process.send_signal(number)
        self.process.wait()


def mark_table() -> npt.NDArray[np.uint8]:
    """The mark of every pair of codes, as its place in `MARKS`: (1296, 1296)."""
    game = mastermind("4x6")
    everyone = np.arange(game.n_secrets, dtype=np.int32)
    return np.stack([game.marks(guess, everyone) for guess in range(game.n_guesses)]).astype(
        np.uint8
    )


class Player:
    """Plays game after game until the time is over."""

    def __init__(
        self, client: httpx2.AsyncClient, tally: Tally, table: npt.NDArray[np.uint8], seed: int
    ) -> None:
        self.client = client
        self.tally = tally
        self.table = table
        self.random = random.Random(seed)

    async def play_until(self, end: float, pause: float) -> None:
        """Begin games as long as there is time, and play each to its end."""
        while time.perf_counter() < end:
            hints = self.random.random() < 0.5
            game = await self.send("/api/games", {"rules": "4x6", "hints": hints})
            if game is None:
                continue
            await self.play(game["id"], end, pause)

    async def play(self, key: str, end: float, pause: float) -> None:
        """Play a game by codes that are still possible."""
        remaining = np.ones(len(CODES), dtype=bool)
        turns = self.tally.games[key] = []
        while time.perf_counter() < end:
            if pause:
                await asyncio.sleep(self.random.expovariate(1 / pause))
            guess = self.random.choice(np.flatnonzero(remaining).tolist())
            body = {"guess": CODES[guess], "turn": len(turns) + 1}
            game = await self.send(f"/api/games/{key}/turns", body)
            if game is None:
                return
            turn = game["turns"][len(turns)]
            turns.append((CODES[guess], turn["mark"]))
            if game["over"]:
                self.tally.won += 1
                return
            remaining &= self.table[guess] == MARKS.index(turn["mark"])

    async def send(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """The answer; a request without one is sent again."""
        for _ in range(1000):
            begun = time.perf_counter()
            try:
                answer = await self.client.post(path, json=body)
            except httpx2.TransportError:
                self.tally.cut += 1
                await asyncio.sleep(0.05)
                continue
            self.tally.seconds.append(time.perf_counter() - begun)
            if answer.is_success:
                return answer.json()  # type: ignore[no-any-return]
            self.tally.problems.append(f"{path}: {answer.status_code} {answer.text[:200]}")
            return None
        self.tally.problems.append(f"{path}: no answer")
        return None


async def run(
    server: Server, players: int, seconds: float, pause: float = 0, *, kill: bool = False
) -> Tally:
    """Let so many players play for so long; then ask for every turn."""
    tally, table = Tally(), mark_table()
    limits = httpx2.Limits(max_connections=players, max_keepalive_connections=players)
    async with httpx2.AsyncClient(base_url=server.url, timeout=30, limits=limits) as client:
        end = time.perf_counter() + seconds
        games = [
            asyncio.create_task(Player(client, tally, table, seed).play_until(end, pause))
            for seed in range(players)
        ]
        if kill:
            await asyncio.sleep(seconds / 2)
            server.end(signal.SIGKILL)
            await asyncio.to_thread(server.start)
        await asyncio.gather(*games)
        await check(client, tally, players)
    return tally


async def check(client: httpx2.AsyncClient, tally: Tally, players: int) -> None:
    """Every acknowledged turn is still there, in its place."""
    waiting = iter(list(tally.games.items()))

    async def ask() -> None:
        for key, turns in waiting:
            answer = await client.get(f"/api/games/{key}")
            stored = [(turn["guess"], turn["mark"]) for turn in answer.json().get("turns", [])]
            if stored[: len(turns)] != turns:
                tally.problems.append(f"game {key} lost turns: {stored} instead of {turns}")

    await asyncio.gather(*(ask() for _ in range(players)))


def summary(tally: Tally, seconds: float, server: Server) -> dict[str, Any]:
    """The figures."""
    times = np.sort(np.array(tally.seconds)) * 1000
    part = {f"p{q}_ms": round(float(np.percentile(times, q)), 1) for q in (50, 95, 99)}
    return {
        "start_seconds": round(server.started, 2),
        "answers": len(times),
        "answers_a_second": round(len(times) / seconds, 1),
        **part,
        "longest_ms": round(float(times[-1]), 1),
        "games": len(tally.games),
        "won": tally.won,
        "turns": sum(map(len, tally.games.values())),
        "sent_again": tally.cut,
        "problems": len(tally.problems),
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=0, help="seconds to think, on average")
    parser.add_argument("--kill", action="store_true", help="kill the server in the middle")
    parser.add_argument("-o", "--output", type=Path, help="write the figures here as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            tally = asyncio.run(
                run(server, options.players, options.seconds, options.pause, kill=options.kill)
            )
        finally:
            server.end(signal.SIGTERM)
    figures = summary(tally, options.seconds, server)
    print(json.dumps(figures, indent=2))
    for problem in tally.problems[:10]:
        print(problem, file=sys.stderr)
    if options.output:
        options.output.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    sys.exit(bool(tally.problems))


if __name__ == "__main__":
    main()
