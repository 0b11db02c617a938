"""German."""

from typing import Final

from pegwise.reading.costs import NAMED
from pegwise.reading.words.language import Language

GERMAN: Final = Language(
    numbers=(
        "null kein keine keiner keins", "ein eins eine einer", "zwei", "drei", "vier", "funf fuenf",
        "sechs", "sieben", "acht", "neun", "zehn",
    ),
    counts=(
        ("schwarz-weiss", "schwarz schwarze schwarzer schwarzen schwarzes",
         "weiß weiss weiße weisse weißer weisser weißen weissen", NAMED),
        ("stiere-kuehe", "stier stiere bulle bullen", "kuh kuhe kuehe", NAMED),
        ("treffer-falsch", "treffer", "verschoben versetzt", NAMED),
    ),
    nothing="nichts;keine;keiner;keins;gar nichts;nichts richtig;alles falsch",
    won="gewonnen;geschafft;gelost;geloest;du hast gewonnen",
    between="und nur stift stifte stiften",
    black=(
        r"(?:richtig|korrekt) (?:platziert|positioniert|gesetzt)(?:e[nr]?)?",
        r"an (?:der|die) richtige[nr]? (?:stelle|position)|am richtigen (?:platz|ort)",
    ),
    white=(
        r"falsch (?:platziert|positioniert|gesetzt)(?:e[nr]?)?",
        r"an (?:der|einer|die) falsche[nr]? (?:stelle|position)|am falschen (?:platz|ort)",
    ),
)  # fmt: skip
