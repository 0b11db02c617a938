"""Many players at once against `pegwise serve`: how fast it answers, and what a kill loses.

    python -m benchmarks.load [--players 50] [--seconds 60] [--pause 0] [--kill] [-o FILE]
    python -m benchmarks.load --rooms [--seconds 600] [--pause 5] [--kill] [-o FILE]

Every player plays whole games of 4x6, each guess a code that is still possible, one request after
the other. With `--kill` the server is ended by SIGKILL in the middle and started again; players
then send their last request again. At the end every turn that was acknowledged is asked for.

With `--rooms` the 40 pupils of each of five rooms seek the same code, round after round. All are
told live what happens in their room, and each thinks between two guesses. Pages and joining count.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
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
import psutil

from pegwise.game import board_game
from pegwise.game.rules import Rules

LETTERS = "ABCDEF"
CODES = ["".join(code) for code in product(LETTERS, repeat=4)]
MARKS = [str(mark) for mark in board_game(Rules.parse("4x6")).rules.marking.legal]
STARTS_WITHIN = 300.0
ROOMS, PUPILS = 5, 40
ROUND = 60.0  # seconds after which a teacher shows the results, if not all have finished before


@dataclass
class Tally:
    """The answers that players got.

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
        self.used = 0.0  # processor seconds of the process, without its workers
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
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(self.process.pid).cpu_times()
            self.used += times.user + times.system
        self.process.send_signal(number)
        self.process.wait()


def mark_table() -> npt.NDArray[np.uint8]:
    """The mark of every pair of codes, as its place in `MARKS`: (1296, 1296)."""
    game = board_game(Rules.parse("4x6"))
    everyone = np.arange(game.n_secrets, dtype=np.int32)
    return np.stack([game.marks(guess, everyone) for guess in range(game.n_guesses)]).astype(
        np.uint8
    )


class Player:
    """Plays game after game until the time is over."""

    expected = 0  # the status of a refusal that is no problem

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
            if answer.status_code == self.expected:
                return None
            self.tally.problems.append(f"{path}: {answer.status_code} {answer.text[:200]}")
            return None
        self.tally.problems.append(f"{path}: no answer")
        return None


class Visitor(Player):
    """Somebody in a room, with a session, who is told what happens."""

    expected = 409  # a guess that comes when the round is over

    def __init__(
        self, server: Server, tally: Tally, table: npt.NDArray[np.uint8], seed: int
    ) -> None:
        # idle connections end before the server ends them, as those of browsers do
        limits = httpx2.Limits(keepalive_expiry=2)
        client = httpx2.AsyncClient(base_url=server.url, timeout=30, verify=False, limits=limits)
        super().__init__(client, tally, table, seed)
        self.state: dict[str, Any] = {"state": "waiting", "round": 0}
        self.changed = asyncio.Event()
        self.room = ""

    async def load(self, path: str) -> None:
        """Open a page, which begins a session."""
        begun = time.perf_counter()
        page = await self.client.get(path)
        self.tally.seconds.append(time.perf_counter() - begun)
        assert page.status_code == 200, page.text

    async def listen(self) -> None:
        """Hear what happens, again and again where the connection is cut."""
        while True:
            try:
                async with self.client.stream("GET", f"{self.room}/events") as events:
                    async for line in events.aiter_lines():
                        if line.startswith("data: "):
                            self.state = json.loads(line[6:])
                            self.changed.set()
            except httpx2.TransportError:
                await asyncio.sleep(0.5)

    async def news(self, seconds: float) -> None:
        """Wait for a change, but no longer than this."""
        self.changed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self.changed.wait()

    async def learn(self, code: str, name: str, end: float, pause: float) -> None:
        """Join a room, and play in it as a pupil."""
        await asyncio.sleep(self.random.random() * 10)  # phones come one after the other
        self.room = f"/api/rooms/{code}"
        await self.load(f"/room/{code}")
        await self.send(f"{self.room}/players", {"name": name})
        await self.load(f"/room/{code}")
        listening = asyncio.create_task(self.listen())
        while time.perf_counter() < end:
            number = self.state["round"]
            if (
                self.state["state"] == "playing"
                and f"{code} {number} {name}" not in self.tally.games
            ):
                await self.play_round(number, f"{code} {number} {name}", end, pause)
            else:
                await self.news(end - time.perf_counter())
        listening.cancel()

    async def play_round(self, number: int, key: str, end: float, pause: float) -> None:
        """Seek the code of a round by codes that are still possible."""
        remaining = np.ones(len(CODES), dtype=bool)
        turns = self.tally.games[key] = []
        while time.perf_counter() < end:
            await asyncio.sleep(self.random.expovariate(1 / pause) if pause else 0)
            guess = self.random.choice(np.flatnonzero(remaining).tolist())
            body = {"round": number, "turn": len(turns) + 1, "guess": CODES[guess]}
            you = await self.send(f"{self.room}/turns", body)
            if you is None:
                return
            mark = you["turns"][-1]["mark"]
            turns.append((CODES[guess], mark))
            if you["over"]:
                self.tally.won += 1
                return
            remaining &= self.table[guess] == MARKS.index(mark)

    async def teach(self, end: float, pupils: list[Visitor], pause: float) -> None:
        """Open a room, and lead pupils through round after round; then every turn is asked for."""
        await self.load("/room")
        room = await self.send("/api/rooms", {"rules": "4x6"})
        assert room is not None, self.tally.problems
        code = room["id"]
        self.room = f"/api/rooms/{code}"
        listening = asyncio.create_task(self.listen())
        playing = [
            asyncio.create_task(pupil.learn(code, f"Pupil {number}", end, pause))
            for number, pupil in enumerate(pupils)
        ]
        number = 0
        while time.perf_counter() < end:
            await self.send(f"{self.room}/next", {"round": number})
            number, begun = number + 1, time.perf_counter()
            while (remaining := min(begun + ROUND, end) - time.perf_counter()) > 0:
                await self.news(remaining)
                if self.state["round"] == number and self.state["over"] == len(pupils):
                    break
            await self.send(f"{self.room}/show", {"round": number})
        await asyncio.gather(*playing)
        listening.cancel()
        for played in range(1, number + 1):
            answer = await self.client.get(f"{self.room}/results", params={"round": played})
            for game in answer.json()["games"]:
                stored = [(turn["guess"], turn["mark"]) for turn in game["turns"]]
                turns = self.tally.games.get(f"{code} {played} {game['name']}", [])
                if stored[: len(turns)] != turns:
                    self.tally.problems.append(f"{code} lost turns: {stored} instead of {turns}")


async def run_rooms(server: Server, seconds: float, pause: float, *, kill: bool = False) -> Tally:
    """Let classes play in their rooms for so long."""
    tally, table = Tally(), mark_table()
    end = time.perf_counter() + seconds
    people = [Visitor(server, tally, table, seed) for seed in range(ROOMS * (PUPILS + 1))]
    teachers, pupils = people[:ROOMS], people[ROOMS:]
    rooms = [
        asyncio.create_task(teacher.teach(end, pupils[place::ROOMS], pause))
        for place, teacher in enumerate(teachers)
    ]
    if kill:
        await asyncio.sleep(seconds / 2)
        server.end(signal.SIGKILL)
        await asyncio.to_thread(server.start)
    await asyncio.gather(*rooms)
    for person in people:
        await person.client.aclose()
    return tally


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
        "server_processor_seconds": round(server.used, 1),
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
    parser.add_argument("--seconds", type=float, help="60 by default; 600 with --rooms")
    parser.add_argument("--pause", type=float, help="seconds to think, on average; 5 with --rooms")
    parser.add_argument("--rooms", action="store_true", help="five rooms with 40 pupils each")
    parser.add_argument("--kill", action="store_true", help="kill the server in the middle")
    parser.add_argument("-o", "--output", type=Path, help="write the figures here as JSON")
    options = parser.parse_args()
    seconds = options.seconds or (600 if options.rooms else 60)
    pause = options.pause if options.pause is not None else 5 * options.rooms
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            tally = asyncio.run(
                run_rooms(server, seconds, pause, kill=options.kill)
                if options.rooms
                else run(server, options.players, seconds, pause, kill=options.kill)
            )
        finally:
            server.end(signal.SIGTERM)
    figures = summary(tally, seconds, server)
    print(json.dumps(figures, indent=2))
    for problem in tally.problems[:10]:
        print(problem, file=sys.stderr)
    if options.output:
        options.output.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    sys.exit(bool(tally.problems))


if __name__ == "__main__":
    main()
