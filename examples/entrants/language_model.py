#!/usr/bin/env python3
"""A language model behind a chat endpoint, without pegwise.

    export OPENAI_BASE_URL=http://127.0.0.1:8000/v1 OPENAI_API_KEY=...
    pegwise race 4x6 --games 100 --seed 1 --losses --guess-seconds 300 \
        -s "program:python language_model.py --model NAME --log log.jsonl" -s knuth
    python language_model.py --summary log.jsonl

It states the rules, gives the turns, and reads a code from the last line of the answer. What is no
code is asked for once more. Each question is a line of the log: what was answered, what was wrong
with it, whether the guess agrees with all turns, and the tokens that the endpoint tells.
"""

import argparse
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
from collections import Counter

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BUSY = 429, 503  # statuses that ask to come back later


def mark(guess, code, black_only):
    black = sum(a == b for a, b in zip(guess, code))
    white = sum((Counter(guess) & Counter(code)).values()) - black
    return "X" * black + "O" * white * (not black_only) or "-"


class Board:
    """A game as its rules name it: 4x6, 4x10,distinct, 4x6,black."""

    def __init__(self, text):
        size, *self.flags = text.split(",")
        self.pegs, self.colors = map(int, size.split("x"))
        self.letters = LETTERS[: self.colors]
        if {*self.flags} - {"distinct", "black"} or self.colors > len(LETTERS):
            raise ValueError(f"the game {text} is not explained to the model")

    def prompt(self, turns):
        lines = [
            f"We play Mastermind. I hide a code of {self.pegs} letters out of {self.letters}.",
            "No letter occurs twice." if "distinct" in self.flags else "Letters may occur twice.",
            "For each guess you get a mark: X for each letter that is right and in its place",
        ]
        whites = "and O for each other letter that is in the code, but elsewhere"
        lines[-1] += "." if "black" in self.flags else f",\n{whites}. - means none of them."
        lines.append("The order of X and O tells nothing about places.")
        if turns:
            lines += ["Guesses so far, with their marks:", *(f"{g}: {m}" for g, m in turns)]
        lines.append("Find the code with as few guesses as you can. What is your next guess?")
        lines.append("The last line of your answer must be GUESS: and the code, nothing else.")
        return "\n".join(lines)

    def read(self, answer):
        """The code in an answer, and what is wrong with it."""
        answer = re.sub(r"<think>.*?</think>", "", answer, flags=re.DOTALL)
        lines = [line for line in answer.upper().splitlines() if line.strip("`* .\t")]
        told = re.findall(r"GUESS\W*[:=](.*)", "\n".join(lines)) or lines[-1:]
        code = re.sub(r"[\s,;*`'\"()\[\]{}.-]", "", told[-1]) if told else ""
        if not code.isalpha():
            return code, "no code"
        if len(code) != self.pegs:
            return code, "no code" if len(code) > 2 * self.pegs else "wrong length"
        if {*code} - {*self.letters}:
            return code, "unknown color"
        repeated = "distinct" in self.flags and len({*code}) < self.pegs
        return code, "repeated color" if repeated else ""

    def agrees(self, code, turns):
        return all(mark(g, code, "black" in self.flags) == m for g, m in turns)


class Chat:
    """A chat endpoint; `tokens` counts what it tells."""

    def __init__(self, options):
        self.options, self.tokens = options, Counter()

    def answer(self, messages):
        """What the model says; OSError where the endpoint does not answer."""
        options = self.options
        body = {"model": options.model, "messages": messages}
        if options.temperature is not None:
            body["temperature"] = options.temperature
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(options.key):
            headers["Authorization"] = f"Bearer {key}"
        address = options.url.rstrip("/") + "/chat/completions"
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        for pause in (2, 10, 30, None):
            try:
                with urllib.request.urlopen(request, timeout=options.timeout) as reply:
                    told = json.load(reply)
                break
            except urllib.error.HTTPError as error:
                if error.code not in BUSY or pause is None:
                    said = error.read(200).decode(errors="replace")
                    raise OSError(f"status {error.code}: {' '.join(said.split())}") from error
                asked = error.headers.get("Retry-After", "")
                time.sleep(float(asked) if asked.isdecimal() else pause)
        for name, count in (told.get("usage") or {}).items():
            if name in ("prompt_tokens", "completion_tokens"):
                self.tokens[name] += count
        if "choices" not in told:
            raise OSError(f"the endpoint tells no choices: {str(told)[:200]}")
        return told["choices"][0]["message"]["content"] or ""


def play(chat, board, turns):
    """A guess, or nothing; and the line of the log."""
    messages = [{"role": "user", "content": board.prompt(turns)}]
    begun, before, wrong, code = time.time(), Counter(chat.tokens), [], ""
    said = []
    for _ in range(2):
        try:
            said.append(chat.answer(messages))
        except (OSError, ValueError, LookupError, TypeError) as error:
            wrong.append("no answer")
            said.append(f"{type(error).__name__}: {error}")
            break
        code, fault = board.read(said[-1])
        if not fault:
            break
        wrong.append(fault)
        again = f"That is no code ({fault}). Answer with {board.pegs} letters of {board.letters}."
        messages += [{"role": "assistant", "content": said[-1]}, {"role": "user", "content": again}]
    guess = code if len(said) > len(wrong) else None
    line = {
        "turns": [f"{g}={m}" for g, m in turns],
        "guess": guess,
        "agrees": guess is not None and board.agrees(guess, turns),
        "wrong": wrong,
        "said": said,
        "tokens": dict(chat.tokens - before),
        "seconds": round(time.time() - begun, 3),
    }
    return guess, line


def main(options):
    chat, board = Chat(options), None
    print(f"name {options.model}", flush=True)
    for line in sys.stdin:
        word, *words = line.split()
        if word == "pegwise":
            try:
                board = Board(words[1])
            except ValueError as error:
                sys.exit(str(error))
        elif word == "guess":
            guess, told = play(chat, board, [tuple(turn.split("=")) for turn in words])
            if options.log:
                with open(options.log, "a", encoding="utf-8") as log:
                    log.write(json.dumps(told) + "\n")
            print(guess or f"error {told['wrong'][-1]}: {told['said'][-1]!r:.100}", flush=True)
        elif word == "quit":
            break


def summary(path):
    """Print what a log tells."""
    with open(path, encoding="utf-8") as log:
        lines = [json.loads(line) for line in log]
    guesses = [line for line in lines if line["guess"]]
    print(f"{len(lines)} questions, {len(guesses)} guesses")
    print(f"agree with all turns: {sum(line['agrees'] for line in guesses)}")
    print(f"a code only when asked again: {sum(bool(line['wrong']) for line in guesses)}")
    for fault, count in Counter(fault for line in lines for fault in line["wrong"]).most_common():
        print(f"  {fault}: {count}")
    tokens = sum((Counter(line["tokens"]) for line in lines), Counter())
    print(", ".join(f"{name} {count:,}" for name, count in tokens.items()) or "no tokens told")
    print(f"{sum(line['seconds'] for line in lines):.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plays with a language model.")
    parser.add_argument("--url", default=os.environ.get("OPENAI_BASE_URL"), help="the endpoint")
    parser.add_argument("--model", default=os.environ.get("OPENAI_MODEL"))
    parser.add_argument("--key", default="OPENAI_API_KEY", help="variable that holds the key")
    parser.add_argument("--temperature", type=float, default=None)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for an answer")
    parser.add_argument("--log", help="file to which a line is added for each question")
    parser.add_argument("--summary", metavar="LOG", help="print what a log tells, and end")
    chosen = parser.parse_args()
    if chosen.summary:
        summary(chosen.summary)
    elif not chosen.url or not chosen.model:
        parser.error("give --url and --model, or OPENAI_BASE_URL and OPENAI_MODEL")
    elif not chosen.url.startswith(("http://", "https://")):
        parser.error(f"--url {chosen.url}: an address begins with http:// or https://")
    else:
        main(chosen)
