"""French."""

from typing import Final

from pegwise.reading.costs import DOCUMENTED, NAMED
from pegwise.reading.words.language import Language

FRENCH: Final = Language(
    numbers=(
        "aucun aucune", "un une", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf",
        "dix",
    ),
    counts=(
        ("noir-blanc", "n noir noirs noire noires", "b blanc blancs blanche blanches", DOCUMENTED),
        ("taureaux-vaches", "t taureau taureaux", "v vache vaches", DOCUMENTED),
        ("rouge-blanc", "r rouge rouges", "b blanc blancs blanche blanches", NAMED),
        ("exact-partial", "exact exacts exacte exactes",
         "partiel partiels deplace deplaces deplacee deplacees", NAMED),
        ("green-yellow", "vert verts verte vertes", "jaune jaunes", NAMED),
        ("dead-wounded", "mort morts", "blesse blesses", NAMED),
        ("bien-mal", "bp bien", "mp mal", NAMED),
    ),
    nothing="nada;rien;aucun;aucune;neant;tout faux;rien de bon;rien de juste;rien du tout;"
    "que dalle;pas un seul;aucun bon;aucune bonne;ni noir ni blanc;ni l'un ni l'autre",
    won="gagne;j'ai gagne;tu as gagne;vous avez gagne;bravo;trouve",
    between="pion pions fiche fiches et avec plus puis seul seule seulement",
    black=(
        r"(?:(?:a|en|dans) )?(?:(?:la|sa|leur|les) )?bonnes? places?|en place",
        r"(?:bien|correctement) (?:placee?s?|positionnee?s?)|a (?:sa|leur) place|au bon endroit",
        r"places? justes?|(?<=[0-9] )placee?s?\b",
    ),
    white=(
        r"(?:(?:a|en|dans) )?(?:(?:la|une|des|les) )?(?:mauvaises?|autres?) places?",
        r"mal (?:placee?s?|positionnee?s?)|ailleurs|a la mauvaise|(?:au|en) mauvais endroit",
        r"pas (?:a|au|dans|en) ?(?:la|le|sa|son|leur)? ?(?:bon(?:ne)?s? )?"
        r"(?:place|position|endroit)s?",
        r"pas (?:bien|correctement) (?:placee?s?|positionnee?s?)",
    ),
    sentence="est sont et mais n ne dans le la seul seule seulement corrects correct correcte "
    "correctes juste justes exact exacts exacte exactes bon bons bonne bonnes chiffre chiffres "
    "nombre nombres couleur couleurs pion pions lettre lettres numero numeros de des du d l il les "
    "exactement ils elles a ont commun communs commune communes",
    paints={
        "red": "rouge", "green": "vert verte", "blue": "bleu bleue", "yellow": "jaune",
        "purple": "pourpre", "white": "blanc blanche", "black": "noir noire",
        "brown": "marron brun brune", "gray": "gris grise", "silver": "argent", "pink": "rose",
        "cyan": "turquoise", "khaki": "kaki",
    },
    initials={
        "R": "rouge", "V": "vert", "B": "bleu", "J": "jaune", "O": "orange", "N": "noir",
        "M": "marron", "G": "gris", "W": "blanc", "P": "pourpre", "K": "kaki",
    },
)  # fmt: skip
