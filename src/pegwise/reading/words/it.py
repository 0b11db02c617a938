"""Italian."""

from typing import Final

from pegwise.reading.costs import NAMED
from pegwise.reading.words.language import Language

ITALIAN: Final = Language(
    numbers=(
        "zero nessun nessuno nessuna", "un uno una", "due", "tre", "quattro", "cinque", "sei",
        "sette", "otto", "nove", "dieci",
    ),
    counts=(
        ("tori-mucche", "toro tori", "mucca mucche vacca vacche", NAMED),
        ("nero-bianco", "nero neri nera nere", "bianco bianchi bianca bianche", NAMED),
    ),
    nothing="niente;nulla;nessuno;nessuna;tutto sbagliato",
    won="vinto;hai vinto;ho vinto;indovinato",
    between="e solo piolo pioli",
    black=(
        r"(?:al|nel|in) posto giusto|nella posizione giusta|in posizione corretta",
        r"ben (?:piazzat|posizionat)[oaie]",
    ),
    white=(
        r"(?:al|nel|in) posto sbagliato|nella posizione sbagliata|fuori posto",
        r"mal (?:piazzat|posizionat)[oaie]",
    ),
)  # fmt: skip
