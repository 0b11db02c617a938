"""The example that asks a chat endpoint: a small server answers as a model would."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import pegwise
from pegwise.arena import Race
from pegwise.strategies.entrants import Limits, entrants_of
from tests.cli.running import Run

EXAMPLE = Path(__file__).parents[2] / "examples" / "entrants" / "language_model.py"
LIMITS = Limits(guess_seconds=30, start_seconds=60)

Answers = Callable[[str, list[str], int], str]


@contextmanager
def endpoint(answers: Answers, busy: int = 0) -> Iterator[tuple[str, list[Any]]]:
    """A chat endpoint: the board's turns and the number of the question give the answer."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers["Authorization"], body))
            prompt = body["messages"][0]["content"]
            turns = re.findall(r"^([A-Z]+): ([XO]+|-)$", prompt, re.MULTILINE)
            history = [f"{guess}={mark}" for guess, mark in turns]
            text = answers(prompt, history, len(body["messages"]))
            told = {
                "choices": [{"message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107},
            }
            failing = len(asked) <= busy or text == "fail"
            self.send_response((429 if len(asked) <= busy else 400) if failing else 200)
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(b"busy, or worse" if failing else json.dumps(told).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def program(address: str, log: Path, *more: str) -> str:
    words = [sys.executable, str(EXAMPLE), "--url", address, "--model", "parrot 1"]
    return "program:" + " ".join(map(repr, [*words, "--log", str(log), *more]))


def logged(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def first_candidate(board: str) -> Answers:
    return lambda _, turns, __: f"So be it.\n\n**GUESS:** {pegwise.candidates(board, turns)[0]}\n"


@pytest.mark.slow
def test_a_model_races(tmp_path: Path, monkeypatch: Any) -> None:
    """A model that plays the first candidate, at once or when asked again, is `first`."""
    monkeypatch.setenv("MY_KEY", "secret key")
    log = tmp_path / "log.jsonl"

    def shy(_: str, turns: list[str], number: int) -> str:
        code = str(pegwise.candidates("3x3", turns)[0])
        if number == 1 and len(turns) == 1:
            return "I should think about it."
        return f"<think>GUESS: CCC?</think>\nMy answer is clear.\nguess: {' '.join(code.lower())}."

    with endpoint(shy, busy=1) as (address, asked):
        entrant = program(address, log, "--key", "MY_KEY", "--temperature", "0")
        results = Race("3x3", [*entrants_of(entrant, LIMITS), "first"]).run()
    model, first = results.standings
    assert (model.card.name, model.failure) == ("parrot 1", "")
    assert (model.total, model.histogram) == (first.total, first.histogram)
    path, key, body = asked[0]
    assert (path, key) == ("/v1/chat/completions", "Bearer secret key")
    assert (body["model"], body["temperature"]) == ("parrot 1", 0)
    prompt = body["messages"][0]["content"]
    assert "a code of 3 letters out of ABC" in prompt
    lines = logged(log)
    assert all(line["agrees"] and line["guess"] for line in lines)
    again = [line for line in lines if line["wrong"]]
    assert len(again) == sum(len(line["turns"]) == 1 for line in lines) > 0
    assert {fault for line in again for fault in line["wrong"]} == {"no code"}
    assert {line["tokens"]["completion_tokens"] for line in lines} == {7, 14}
    done = subprocess.run(
        [sys.executable, EXAMPLE, "--summary", log], capture_output=True, text=True, check=True
    )
    said = done.stdout.splitlines()
    assert said[0] == f"{len(lines)} questions, {len(lines)} guesses"
    assert said[2] == f"a code only when asked again: {len(again)}"
    assert f"completion_tokens {7 * (len(lines) + len(again))}" in said[4]


@pytest.mark.slow
def test_each_failure_has_its_kind(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    said = {"": "GUESS: AB", "AB=-": "GUESS: AC", "AB=X": "Maybe this:\nABC", "AB=O": "GUESS: AA"}
    said["AB=OO"] = "fail"

    def bad(_: str, turns: list[str], number: int) -> str:
        return said.get(" ".join(turns), "fail") if number == 1 else "I do not know, sorry."

    with endpoint(bad) as (address, _):
        text = program(address, log)
        results = Race("2x2,distinct", entrants_of(text, LIMITS)).run()
        assert results.standings[0].secrets == 1
        # of 2x5 some marks are answered by what is no code, or no answer
        results = Race("2x5,distinct", entrants_of(text, LIMITS)).run()
    assert results.standings[0].secrets == 1
    assert "no code: 'I do not know, sorry.'" in results.standings[0].failure
    faults = {line["turns"][0]: line["wrong"] for line in logged(log) if len(line["turns"]) == 1}
    assert faults["AB=OO"] == ["no answer"]
    assert faults["AB=X"] == ["wrong length", "no code"]
    assert faults["AB=O"] == ["repeated color", "no code"]
    (wrong,) = {line["agrees"] for line in logged(log) if line["turns"] == ["AB=-"]}
    assert not wrong


@pytest.mark.slow
def test_a_model_is_told_where_it_loses(tmp_path: Path, run: Run) -> None:
    log = tmp_path / "log.jsonl"
    with endpoint(first_candidate("3x3")) as (address, _):
        asked = ["race", "3x3", "-s", program(address, log), "-s", "first", "--losses", "--json"]
        model, first = run(*asked).document()["results"]
    assert model["losses"] == first["losses"]
    assert model["losses"]["inconsistent"] == 0


@pytest.mark.slow
def test_what_is_missing_is_said(tmp_path: Path) -> None:
    for words in (["--model", "m"], ["--url", "x"], ["--url", "file:///x", "--model", "m"]):
        done = subprocess.run(
            [sys.executable, EXAMPLE, *words], env={}, capture_output=True, text=True
        )
        assert done.returncode == 2
        assert len(done.stderr.splitlines()[-1]) > 20
    with endpoint(first_candidate("2x2")) as (address, _):
        entrants = entrants_of(program(address, tmp_path / "log"), LIMITS)
        results = Race("2x2,blank", entrants).run()
    assert "2x2,blank is not explained to the model" in str(results.skipped or results.standings)
