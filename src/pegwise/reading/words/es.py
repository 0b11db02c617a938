"""Spanish."""

from typing import Final

from pegwise.reading.costs import NAMED
from pegwise.reading.words.language import Language

SPANISH: Final = Language(
    numbers=(
        "cero ningun ninguno ninguna", "un uno una", "dos", "tres", "cuatro", "cinco", "seis",
        "siete", "ocho", "nueve", "diez",
    ),
    counts=(
        ("toros-vacas", "toro toros", "vaca vacas", NAMED),
        ("negro-blanco", "negro negros negra negras", "blanco blancos blanca blancas", NAMED),
        ("muertos-heridos", "muerto muertos", "herido heridos", NAMED),
        ("fijas-picas", "fija fijas", "pica picas", NAMED),
    ),
    nothing="nada;ninguno;ninguna;nada correcto;todo mal",
    won="ganado;has ganado;gane;acertado;ganaste",
    between="y solo clavija clavijas ficha fichas",
    black=(
        r"(?:bien|correctamente) (?:colocad|posicionad|ubicad)[oa]s?",
        r"en (?:el|su) (?:lugar|sitio|posicion) correct[oa]|en su (?:lugar|sitio|posicion)",
    ),
    white=(
        r"mal (?:colocad|posicionad|ubicad)[oa]s?|fuera de (?:lugar|sitio)",
        r"en (?:el|la|otro|otra) (?:lugar|sitio|posicion) (?:incorrect[oa]|equivocad[oa])",
    ),
)  # fmt: skip
