"""English."""

from typing import Final

from pegwise.errors import Phrase
from pegwise.reading.costs import DOCUMENTED, NAMED
from pegwise.reading.words.language import Language

ENGLISH: Final = Language(
    numbers=(
        "zero no none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        "ten",
    ),
    counts=(
        ("black-white", "b black blacks", "w white whites", DOCUMENTED),
        ("bulls-cows", "b bull bulls", "c cow cows", DOCUMENTED),
        ("a-b", "a", "b", DOCUMENTED),
        ("strikes-balls", "s strike strikes", "b ball balls", NAMED),
        ("hits-blows", "h hit hits", "b blow blows", NAMED),
        ("eat-bite", "e eat eats", "b bite bites", NAMED),
        ("red-white", "r red reds", "w white whites", NAMED),
        ("exact-partial", "exact exacts", "partial partials misplaced near close", NAMED),
        ("fermi-pico", "f fermi fermis", "p pico picos", NAMED),
        ("green-yellow", "green greens", "yellow yellows", NAMED),
        ("dead-wounded", "dead", "wounded injured", NAMED),
        ("gear-tumbler", "gear gears", "tumbler tumblers", NAMED),
    ),
    nothing="zero;none;nothing;nope;miss;none right;all wrong;nothing right;nothing correct;"
    "nothing at all;none at all;neither;bagel;bagels;out;blackout",
    won="won;win;you win;you won;solved",
    between="peg pegs pin pins marker markers match matches and also plus then with only just",
    black=(
        r"(?:(?:in|at|on) )?(?:(?:the|their|its) )?"
        r"(?:right|correct|good|exact|proper) (?:place|position|spot|column|slot|location)s?",
        r"well (?:placed|positioned)|correctly (?:placed|positioned)|in place",
        r"placed correctly|in (?:its|their) (?:own )?places?",
    ),
    white=(
        r"(?:(?:in|at|on) )?(?:(?:the|their|its|a|an) )?(?:wrong|incorrect|bad|another|other) "
        r"(?:place|position|spot|column|slot|location)s?",
        r"(?:wrongly|badly|incorrectly|not well|not correctly) (?:placed|positioned)|misplaced",
        r"placed? (?:wrongly|incorrectly|badly)|out of place|elsewhere",
        r"not (?:in|at|on) (?:(?:its|their) )?(?:own )?places?",
        r"not (?:in|at|on) (?:(?:the|their|its) )?(?:right|correct|proper|exact) "
        r"(?:place|position|spot|location)s?",
    ),
    sentence="is are and but the in of it only correct right code number numbers digit digits "
    "color colors colour colours letter letters peg pegs exact exactly there them these those they "
    "placed pawn pawns have has",
    paints={
        "red": "red", "green": "green", "blue": "blue", "yellow": "yellow", "orange": "orange",
        "purple": "purple", "violet": "violet mauve indigo", "white": "white", "black": "black",
        "brown": "brown maroon", "gray": "gray grey", "silver": "silver", "pink": "pink",
        "cyan": "cyan", "teal": "teal", "magenta": "magenta", "lime": "lime", "gold": "gold beige",
        "navy": "navy",
    },
    initials={
        "R": Phrase("red"), "G": Phrase("green"), "B": Phrase("blue"), "Y": Phrase("yellow"),
        "O": Phrase("orange"), "P": Phrase("purple"), "W": Phrase("white"), "K": Phrase("black"),
        "V": Phrase("violet"), "C": Phrase("cyan"), "M": Phrase("magenta"), "T": Phrase("teal"),
        "N": Phrase("brown"), "S": Phrase("silver"),
    },
)  # fmt: skip
