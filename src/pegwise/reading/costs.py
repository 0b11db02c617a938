"""What it costs to read a text in a way: the table of weights, with the reason for each.

The weights of an interpretation are added up. One that is cheaper than any other by `FAR` is taken
without a question; one that costs up to `TOLD` more than it is told beside it.
"""

from __future__ import annotations

from typing import Final

FAR: Final = 10
TOLD: Final = 20

# where a guess ends
IGNORED: Final = 60  # a separator that was typed (`=`, `:`, `->`, a column) is not where it ends

REMAINING: Final = 12  # a number at the end is that of the codes that remain, not of the mark

# what game it is
WORDS: Final = 15  # English words: any board that the text may be of is likelier
NAMES: Final = 30  # letters are initials of colors, or those of a larger board: nothing tells which

# how marks are meant; a form that costs something is told
DOCUMENTED: Final = 0  # the help names it
NAMED: Final = 1  # its words or signs have one meaning, which the help does not name
RIVAL: Final = 10  # its words or signs are those of a more usual form
RARE: Final = 15  # only a part of the mark was noted
UNUSUAL: Final = 20  # numbers that count in another way than usual
OF_PEGS: Final = 30  # `3/8`, where black pegs alone are not the rule of the game
SWAPPED: Final = 40  # x or the first number for white, against the usual sense
MIXED: Final = 25  # for each form after the first: people write the marks of a game in one way

# what speaks against a form in one history
IMPOSSIBLE: Final = 1000  # a sign by place has two meanings, or a meaning two signs
UNCLEAR: Final = 20  # no mark has what makes the form clear, such as a plus where dashes are white
SHORT: Final = 5  # dashes or dots for nothing, neither one nor as many as the pegs
ONE_PAIR: Final = 10  # white before black, in one mark alone
LETTER: Final = 5  # a letter alone, which may be another peg of the guess
