"""Every error: one tree, one sentence, an exit status."""

import json
import pickle
from collections.abc import Callable

import pytest

import pegwise
from pegwise import errors
from pegwise.errors import (
    InputError,
    PegwiseError,
    Phrase,
    UnknownNameError,
    quoted,
)
from pegwise.game import Rules, parse_code
from pegwise.reading import parse_mark

CLASSES = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, BaseException)
]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_keeps_its_sentence_as_a_template(kind: type[PegwiseError]) -> None:
    assert issubclass(kind, PegwiseError)
    assert kind.exit_status in {1, 2}
    assert (kind.__doc__ or "").partition("\n\n")[0].strip().endswith(".")
    inner = PegwiseError("not {given}", given=3)
    error = kind("{name}: {n:,} {why}", name=("a", 1), n=1296, why=inner)
    french = {"{name}: {n:,} {why}": "{why} {n} : {name}", "not {given}": "pas {given}"}
    for same in (error, pickle.loads(pickle.dumps(error))):
        assert type(same) is kind
        assert str(same) == "('a', 1): 1,296 not 3"
        assert same.phrase.said(french.__getitem__) == "pas 3 1296 : ('a', 1)"


def test_a_text_without_values_is_taken_as_it_is() -> None:
    assert Phrase("{no} place") == "{no} place" == str(PegwiseError("{no} place"))
    assert PegwiseError(Phrase("{a}", a=1)).phrase.template == "{a}"
    values = [1]
    error = PegwiseError("values {values}", values=values)
    values.append(2)  # what is said does not change
    assert error.phrase.said(str) == "values [1]"


def test_library_users_catch_the_usual_kinds() -> None:
    assert issubclass(errors.CodeError, ValueError)
    assert issubclass(errors.OutputError, OSError)
    assert issubclass(errors.MissingExtraError, ImportError)
    assert errors.ContradictionError.exit_status == 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("abc", "'abc'"),
        ("tab\there\n", r"'tab\there\n'"),
        ("\udc80", r"'\udc80'"),
        ((1, 2), "(1, 2)"),
        ([10**5000], "a number too long to write"),
    ],
)
def test_quoted(value: object, shown: str) -> None:
    assert quoted(value) == shown


def test_quoted_long_values_are_cut_in_the_middle() -> None:
    shown = quoted("begin" + "x" * 10_000 + "end")
    assert shown.startswith("'beginxx") and shown.endswith("xxend'") and "x...x" in shown
    assert len(shown) == 83


@pytest.mark.parametrize(
    "parse", [Rules.parse, lambda text: parse_code(text, Rules()), lambda t: parse_mark(t, Rules())]
)
def test_a_huge_input_is_quoted_short(parse: Callable[[str], object]) -> None:
    with pytest.raises(InputError) as caught:
        parse("X" * 100_000)
    assert len(str(caught.value)) < 300


def test_unknown_names_propose_the_nearest() -> None:
    error = UnknownNameError.of("strategy", "KNUT", ["first", "knuth"])
    assert str(error) == "unknown strategy 'KNUT' (did you mean 'knuth'?); known: first, knuth"
    assert str(UnknownNameError.of("flag", "zzz", iter(["a", "b"]))) == (
        "unknown flag 'zzz'; known: a, b"
    )
    assert len(str(UnknownNameError.of("flag", "z" * 1_000_000, ["a"]))) < 200


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: pegwise.save_tree(5, "x"), "5 is not a tree: "),  # type: ignore[arg-type]
        (lambda: pegwise.build("2x2", "knuth", threads=0), "threads=0: give a whole number"),
        (lambda: pegwise.rank(pegwise.Position("2x2"), limit=-1), "limit=-1: give a whole number"),
    ],
)
def test_what_the_library_refuses(call: Callable[[], object], says: str) -> None:
    with pytest.raises(InputError) as refusal:
        call()
    assert says in str(refusal.value)


def test_a_phrase_goes_to_another_process_with_its_values() -> None:
    inner = Phrase("the colors are {letters}", letters="A-F")
    phrase = Phrase("{text}: {n:,} codes; {allowed}", text="'{x}'", n=1296, allowed=inner)
    again = Phrase.of_document(json.loads(json.dumps(phrase.document())))
    assert again == phrase == "'{x}': 1,296 codes; the colors are A-F"
    assert again.said(lambda text: text.replace("codes", "mots")).endswith(
        "1,296 mots; the colors are A-F"
    )
    bare = Phrase("SyntaxError: '{' was never closed")
    assert Phrase.of_document(bare.document()) == bare
