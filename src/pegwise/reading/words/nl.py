"""Dutch."""

from typing import Final

from pegwise.reading.costs import NAMED
from pegwise.reading.words.language import Language

DUTCH: Final = Language(
    numbers=(
        "nul geen", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien",
    ),
    counts=(
        ("stieren-koeien", "stier stieren", "koe koeien", NAMED),
        ("zwart-wit", "zwart zwarte", "wit witte", NAMED),
    ),
    nothing="niets;geen;geen enkele;niks;helemaal niets;alles fout",
    won="gewonnen;geraden;je hebt gewonnen",
    between="en slechts pin pinnen",
    black=(
        r"(?:goed|juist|correct) geplaatst(?:e)?",
        r"op (?:de|zijn|hun) (?:juiste|goede) (?:plaats|plek|positie)",
    ),
    white=(
        r"(?:verkeerd|fout) geplaatst(?:e)?",
        r"op (?:de|een) (?:verkeerde|foute) (?:plaats|plek|positie)",
    ),
)  # fmt: skip
