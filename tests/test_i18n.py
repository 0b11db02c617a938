"""Languages: which one is spoken, and how sentences, errors and numbers are written in it."""

import pickle
import threading

import pytest

from pegwise.errors import (
    InputError,
    MissingExtraError,
    PegwiseError,
    Phrase,
    RulesError,
    UnknownNameError,
    system_reason,
)
from pegwise.game import Rules
from pegwise.i18n import chosen_by, figure, language, speaking, tr, translated, trn
from pegwise.reading import parse_mark


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        ({}, "en"),
        ({"LANG": "fr_CH.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8", "LANGUAGE": "fr"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:en"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "de:fr"}, "en"),
        ({"LANG": "C", "PEGWISE_LANG": "fr"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "PEGWISE_LANG": "en"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "PEGWISE_LANG": ""}, "fr"),
    ],
)
def test_the_environment_chooses(environment: dict[str, str], spoken: str) -> None:
    assert chosen_by(environment) == spoken


def test_a_sentence_with_values() -> None:
    assert tr("{n:,} codes are possible", n=1) == "1 codes are possible"  # in no catalogue
    assert tr("cannot write {path}: it is a folder", path="a") == "cannot write a: it is a folder"
    with speaking("fr"):
        assert tr("cannot write {path}: it is a folder", path="a") == (
            "impossible d’écrire a\u00a0: c’est un dossier"
        )
        assert trn("{n} code", "{n} codes", 0) == "0 code"
        assert trn("{n} code", "{n} codes", 2) == "2 codes"
        assert tr("") == ""
        assert tr("{unknown} braces") == "{unknown} braces"
    assert trn("{n} code", "{n} codes", 0) == "0 codes"


def test_numbers_have_the_signs_of_the_language() -> None:
    said = "{after:,} of {before:,} codes left, {bits:.2f} bits"
    assert tr(said, after=276, before=1296, bits=2.2315) == "276 of 1,296 codes left, 2.23 bits"
    assert (figure(5668, ","), figure(4.3735, ".3f")) == ("5,668", "4.373")
    with speaking("fr"):
        french = tr(said, after=276, before=1296, bits=2.2315)
        assert french == "codes restants\u00a0: 276 sur 1\u202f296, 2,23 bits"
        assert (figure(5668, ","), figure(4.3735, ".3f")) == ("5\u202f668", "4,373")
        assert figure(0.25, ".0%") == "25\u202f%"
        assert tr(said, after=1, before=2, bits=1.58).endswith("1,58 bit")
        assert "1.5,2" in tr(
            "cannot write {path}: it is a folder", path="1.5,2"
        )  # a text is a text


def test_errors_in_both_languages() -> None:
    with speaking("fr"), pytest.raises(PegwiseError) as raised:
        parse_mark("31", Rules())
    for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):
        assert str(error) == translated(error)
        assert translated(error).startswith("mark '31' cannot happen: with 3 of 4 pegs in place")
        assert translated(error, "fr").startswith(
            "la réponse '31' est impossible\u00a0: avec 3 pions sur 4 à leur place, un dernier pion"
        )


def test_errors_of_other_kinds() -> None:
    needed = MissingExtraError.of("pegwise serve", "web")
    assert translated(needed, "fr") == (
        "pegwise serve demande le supplément «\u00a0web\u00a0»\u00a0: pip install 'pegwise[web]'"
    )
    reason = system_reason(OSError(2, "No such file or directory"))
    assert reason == "No such file or directory"
    assert translated(reason, "fr") == "aucun fichier ni dossier de ce nom"
    assert translated("what a user has typed", "fr") == "what a user has typed"
    inner = InputError("{where}: {error}", where="x", error=RulesError("it ends"))
    assert translated(inner, "fr") == "x\u00a0: le texte finit"
    assert translated(InputError(Phrase("it ends")), "fr") == "le texte finit"


def test_an_unknown_language_is_refused() -> None:
    with (
        pytest.raises(UnknownNameError, match=r"unknown language 'de'.*known: en, fr"),
        speaking("de"),
    ):
        pass


def test_each_thread_speaks_its_own_language() -> None:
    """Pages in several languages are made at once."""
    together, said = threading.Barrier(2), {}

    def speak(name: str) -> None:
        with speaking(name):
            together.wait(10)
            said[name] = [tr("no code left") for _ in range(100)]
            together.wait(10)

    threads = [threading.Thread(target=speak, args=(name,)) for name in ("en", "fr")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert set(said["en"]) == {"no code left"}
    assert set(said["fr"]) == {"aucun code ne reste"}
    assert language() == "en"
