"""The words of marks, one file for each language: a language that is read has a file here."""

from pegwise.game.reading.words.de import GERMAN as GERMAN
from pegwise.game.reading.words.en import ENGLISH as ENGLISH
from pegwise.game.reading.words.es import SPANISH as SPANISH
from pegwise.game.reading.words.fr import FRENCH as FRENCH
from pegwise.game.reading.words.it import ITALIAN as ITALIAN
from pegwise.game.reading.words.language import Language as Language
from pegwise.game.reading.words.nl import DUTCH as DUTCH
from pegwise.game.reading.words.pt import PORTUGUESE as PORTUGUESE
