"""Pages in several languages at once: each speaks its own, pictures and refusals included."""

from concurrent.futures import ThreadPoolExecutor
from html import unescape

from fastapi.testclient import TestClient

from pegwise.web.i18n import catalogue

WORDS = {
    "en": ("The strategies", "colors must be 1 to 26, not 99"),
    "fr": ("Les stratégies", "couleurs\u00a0: de 1 à 26, non 99"),
}


def test_two_languages_at_once(client: TestClient) -> None:
    def ask(language: str) -> tuple[str, str, str]:
        headers = {"accept": "text/html", "accept-language": language}
        paths = ("/learn/knuth?rules=4x6&secret=BEEF", "/learn", "/play?rules=4x99")
        one, two, three = (unescape(client.get(path, headers=headers).text) for path in paths)
        return one, two, three

    languages = ["en", "fr"] * 6
    with ThreadPoolExecutor(6) as threads:
        pages = list(threads.map(ask, languages))
    for language, (card, strategies, refusal) in zip(languages, pages, strict=True):
        other = "en" if language == "fr" else "fr"
        assert f'<html lang="{language}"' in card
        assert WORDS[language][0] in strategies
        assert WORDS[language][1] in refusal
        assert WORDS[other][1] not in refusal


def test_cards_are_in_the_catalogue_of_the_program() -> None:
    french = catalogue("fr")
    assert french.gettext("Fewest guesses still to play") == "Le moins de coups restants"
    assert french.gettext("Start the race") == "Lancer la course"
