"""Rows of squares without words, against every pair of words by hand."""

from pegwise.game import WordList, game_of
from pegwise.game.codes import Word
from pegwise.game.words import use_words
from pegwise.knowledge.squares import secrets_of_rows, words_of_rows
from pegwise.reading import parse_mark
from tests import naive

WORDS = ("CRANE", "CRATE", "TRACE", "SLATE", "GRAPE", "EERIE", "CREEP", "PLANT")


def test_words_that_give_each_row() -> None:
    use_words(WordList.of("eight", WORDS, ("ZZZZZ",)))
    rules = game_of("eight,placed")
    marks = [parse_mark(text, rules) for text in ("GGG-G", "---GG", "GGGGG")]
    rows = words_of_rows(game_of(rules), marks, Word("CRANE"))
    for mark, row in zip(marks, rows, strict=True):
        expected = [w for w in (*WORDS, "ZZZZZ") if naive.placed_mark(w, "CRANE") == tuple(mark)]
        assert [str(word) for word in row] == expected
    sizes, secrets = secrets_of_rows(game_of(rules), marks)
    fits = [
        {s for s in WORDS if any(naive.placed_mark(g, s) == tuple(mark) for g in (*WORDS, "ZZZZZ"))}
        for mark in marks
    ]
    assert sizes == [len(row) for row in fits]
    assert {str(secret) for secret in secrets} == set.intersection(*fits)
