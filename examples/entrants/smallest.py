"""The code whose largest part is smallest, of those that agree with all turns; without pegwise.

pegwise race 4x6 -s "program:python examples/entrants/smallest.py"
"""

import itertools
import sys
from collections import Counter


def mark(guess, code):
    exact = sum(a == b for a, b in zip(guess, code))
    both = sum((Counter(guess) & Counter(code)).values())
    return "X" * exact + "O" * (both - exact) or "-"


def largest_part(guess):
    return max(Counter(mark(guess, code) for code in fitting).values())


for line in sys.stdin:
    word, *words = line.split()
    if word == "pegwise":
        pegs, colors = map(int, words[1].split(",")[0].split("x"))
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:colors]
        codes = ["".join(code) for code in itertools.product(letters, repeat=pegs)]
        opening = min(codes[: colors**2], key=lambda code: -len(set(code)))
    elif word == "guess":
        turns = [turn.split("=") for turn in words]
        fitting = [code for code in codes if all(mark(g, code) == m for g, m in turns)]
        print(min(fitting, key=largest_part) if turns else opening, flush=True)
    elif word == "quit":
        break
