"""The words of marks, one file for each language: a language that is read has a file here."""

from pegwise.reading.words.de import GERMAN as GERMAN
from pegwise.reading.words.en import ENGLISH as ENGLISH
from pegwise.reading.words.es import SPANISH as SPANISH
from pegwise.reading.words.fr import FRENCH as FRENCH
from pegwise.reading.words.it import ITALIAN as ITALIAN
from pegwise.reading.words.language import Language as Language
from pegwise.reading.words.nl import DUTCH as DUTCH
from pegwise.reading.words.pt import PORTUGUESE as PORTUGUESE
