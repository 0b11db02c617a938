"""What people write of a history: each text with what it is read as, or the question it raises."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import AmbiguousError, InputError, MarkError
from pegwise.game import Code, Notation, Rules, Turn, game_of
from pegwise.game.marks import MARK_NOTATIONS, mark
from pegwise.i18n import translated
from pegwise.knowledge import candidates, count
from pegwise.playing import parse_game
from pegwise.reading import check_turns, read_history, read_rows
from pegwise.reading.forms import form_names
from pegwise.reading.vocabulary import LANGUAGES
from tests.boards import any_rules, codes_of

LOCK: Final = (
    "682: one number is correct and well placed; 614: one number is correct but wrongly placed; "
    "206: two numbers are correct but wrongly placed; 738: nothing is correct; "
    "780: one number is correct but wrongly placed"
)
LOCKED: Final = "682=X 614=O 206=OO 738=- 780=O"
FRENCH_LOCK: Final = (
    "682 : un chiffre est correct et bien placé\n614 : un chiffre est correct mais mal placé\n"
    "206 : deux chiffres sont corrects mais mal placés\n738 : rien n'est correct\n"
    "780 : un chiffre est correct mais mal placé"
)
BOTH: Final = "AABC=O BEEF=XXXX"

# text, rules that are given, rules that it is read as, turns in its own notation, what is told
ROWS: Final = [
    # signs, and what stands between turns
    ("AABC O / BEEF XXXX", "", "4x6", BOTH, ""),
    ("AABC O/BEEF XXXX", "", "4x6", BOTH, ""),
    ("AABC O\nBEEF XXXX", "", "4x6", BOTH, ""),
    ("AABC=O\nBEEF=XXXX", "", "4x6", BOTH, ""),
    ("AABC: O\nBEEF: XXXX", "", "4x6", BOTH, ""),
    ("AABC -> O\nBEEF => XXXX", "", "4x6", BOTH, ""),
    ("AABC → O\nBEEF ⇒ XXXX", "", "4x6", BOTH, ""),
    ("AABC – O\nBEEF — XXXX", "", "4x6", BOTH, ""),
    ("AABC, O\nBEEF, XXXX", "", "4x6", BOTH, ""),
    ("AABC O; BEEF XXXX", "", "4x6", BOTH, ""),
    ("1. AABC O\n2) BEEF XXXX", "", "4x6", BOTH, ""),
    ("Turn 1: AABC O\n#2 BEEF XXXX", "", "4x6", BOTH, ""),
    ("* AABC O\n> BEEF XXXX", "", "4x6", BOTH, ""),
    ("| AABC | O |\n| BEEF | XXXX |", "", "4x6", BOTH, ""),
    ("AABC\nO\nBEEF\nXXXX", "", "4x6", BOTH, ""),
    ("aabc o\r\nbeef xxxx\r\n", "", "4x6", BOTH, ""),
    ("ＡＡＢＣ＝Ｏ\nBEEF=XXXX", "", "4x6", BOTH, ""),
    ("A A B C  O\nB E E F  XXXX", "", "4x6", BOTH, ""),
    ("A,A,B,C O\nB-E-E-F XXXX", "", "4x6", BOTH, ""),
    ("\ufeffAABC O\n\n# on the train\nBEEF XXXX", "", "4x6", BOTH, ""),
    ("4x8\nAABC O", "", "4x8", "AABC=O", ""),
    ("rules: 4x8\nAABC O", "", "4x8", "AABC=O", ""),
    ("AABCD XXO", "", "5x8", "AABCD=XXO", "5x8"),
    ("AAB. X", "", "4x6,blank", "AAB.=X", "4x6,blank"),
    ("AABC O", "4x6", "4x6", "AABC=O", ""),
    ("AABC O", "4x26", "4x26", "AABC=O", ""),
    ("RRGB O", "4x26", "4x26", "RRGB=O", ""),
    # marks of counts
    *(
        (f"AABC {mark}", "", "4x6", "AABC=XXO", "")
        for mark in (
            *("XXO", "xxo", "OXX", "X X O", "XXO.", "●●○", "⚫⚫⚪", "2b1w", "2B 1W", "2b,1w"),
            *("(2, 1)", "[2,1]", "2 1", "2,1", "2+1", "21", "2-1", "2/1", "2;1", "2:1"),
            *("1w2b", "1 white, 2 black", "2 blacks 1 white", "2 black peg(s), 1 white peg(s)"),
            *("2 black pegs and 1 white peg", "bbw", "BBW", "wbb", "black black white"),
            *("2b1c", "2 bulls 1 cow", "2A1B", "2 bulls and 1 cow", "2n1b", "2 noirs et 1 blanc"),
            *("2 noires 1 blanche", "1 blanche 2 noires", "2T 1V", "2 taureaux, 1 vache", "nnb"),
            *("+2 -1", "two are well placed, one is misplaced", "2 bien placés 1 mal placé"),
            *("deux bien placés, un mal placé", "2 in the right place and 1 in the wrong place"),
            *("2 bien placé(s), 1 mal placé(s)", "2 à la bonne place, 1 à la mauvaise"),
            *("2 bien placés, 1 mal placé", "2 bien placées et une mal placée"),
            *("2 noires, 1 blanche", "2 noires / 1 blanche", "2 black; 1 white", "2black/1white"),
            *("2 bien placés / 1 mal placé", "2 bien placés/1 mal placé", "2b/1w", "2B; 1W"),
            *("2n / 1b", "deux noirs / un blanc", "1 white / 2 black", "2 bulls; 1 cow", "XX / O"),
            *("2 right place / 1 wrong place", "●●/○", "(2 black / 1 white)", "2 T ; 1 V"),
            *("black 2, white 1", "blacks: 2 whites: 1", "(2 black, 1 white)", "B2 W1", "2x 1o"),
            *("B=2 W=1", "black=2 white=1", "{'black': 2, 'white': 1}", "2 bulls, 1 cow.", "BB W"),
            *("b b w", "[XXO ]", "{2,1}", "<2,1>", "2 black, 1 white pegs"),
            *("got 2 black and 1 white", "gives 2b1w", "- 2 noirs et 1 blanc", "2black / 1white"),
            *("réponse 2 noirs, 1 blanc", "2 right color right place / 1 right color wrong place"),
            *("donne 2 noirs 1 blanc", "2 black / 1 white", "XXO-", "XX-O", "XXO_", "●●○-", "bbw-"),
            *("BBW.", "nnb-", "2.1", "['X', 'O', 'X']", "two black hits and one white hit"),
            *("2 pions noirs, 1 pion blanc", "deux noirs et un seul blanc"),
            *("- Reply: 2 Bulls, 1 Cow.", "2 placés, 1 mal placé"),
            *("2 pawns in the right place and 1 pawn has the right colour but is not in the right "
              "place", "2 bien positionnés, 1 mal positionné"),
            *("3 correct but 1 is misplaced", "trois corrects dont un mal placé", "-> 2B, 1W"),
        )
    ),
    *(
        (f"AABC {mark}", "", "4x6", "AABC=-", "")
        for mark in ("-", "0", "none", "nothing", "rien", "aucun", "0b0w", "0 0", "00", "bagels",
                     "no black, no white", "aucun noir, 0 blanc", "no correct colors", "nothing.",
                     "néant", "Zéro", "tout faux", "rien de bon", "all wrong", "none right",
                     "----", "....", "____", "zéro bon", "0 correct", "rien du tout", "que dalle",
                     "nada", "pas de noir", "pas de noir, pas de blanc", "aucun pion", "0.0",
                     "nothing at all", "aucun bon")
    ),
    *((f"AABC {mark}", "", "4x6", "AABC=XXXX", "") for mark in ("gagné !", "You win", "solved")),
    *(
        (f"AABC {mark}", "", "4x6", "AABC=XXO", told)
        for mark, told in (
            ("2R1W", "red is black, white is white"),
            ("2 rouges 1 blanc", "rouge is black, blanc is white"),
            ("2R1B", "rouge is black, blanc is white"),
            ("++-", "+ is black, - is white"),
            ("++-.", "+ is black, - is white"),
            ("⚫⚫⚪⬜", "⬜ is nothing"),
            ("●●○◌", "◌ is nothing"),
            ("⚫⚫⚪❌", "❌ is nothing"),
            ("🔴🔴⚪-", "- is nothing"),
            ("🔴🔴⚪⬛", "⬛ is nothing"),
            ("✓✓🟡✗", "✓ is black, 🟡 is white, ✗ is nothing"),
            ("2 exact matches, 1 partial match", "exact is black"),
            ("2 exacts, 1 déplacé", "exact is black"),
            ("2 exact, 1 partial", "exact is black"),
            ("2S1B", "strike is black, ball is white"),
            ("2 strikes 1 ball", "strike is black"),
            ("2H1B", "hit is black, blow is white"),
            ("fermi pico fermi", "fermi is black, pico is white"),
            ("2 fermi 1 pico", "fermi is black, pico is white"),
            ("🔴🔴⚪", "🔴 is black, ⚪ is white"),
            ("🟢🟡🟢", "🟢 is black, 🟡 is white"),
            ("⬛⬛⬜", "⬛ is black, ⬜ is white"),
            ("2 green 1 yellow", "green is black, yellow is white"),
            ("2 verts, 1 jaune", "green is black, yellow is white"),
            ("2 dead 1 wounded", "dead is black, wounded is white"),
            ("2 morts 1 blessé", "dead is black, wounded is white"),
            ("2 BP 1 MP", "bien is black, mal is white"),
            ("2 bien 1 mal", "bien is black, mal is white"),
            ("2 exact, 1 near", "exact is black"),
            ("2 exact 1 close", "exact is black"),
            ("✅✅🟡❌", "✅ is black, 🟡 is white, ❌ is nothing"),
            ("3 correct, 2 in the right place", "the number of correct ones includes the others"),
            ("3 bonnes couleurs, 2 à la bonne place", "includes the others"),
            ("2 correct position, 1 correct color", "without the others"),
            ("2 bonnes places, 1 bonne couleur", "without the others"),
            ("2 places justes, 1 couleur juste", "without the others"),
            ("2 1 1", "three numbers are those right, at a wrong place, and absent"),
            ("2 eat 1 bite", "eat is black, bite is white"),
        )
    ),
    ("AABC 1EAT", "", "4x6", "AABC=X", "eat is black"),
    ("AABB 2 blancs", "", "4x6", "AABB=OO", ""),
    ("AABB pas de noir, deux blancs", "", "4x6", "AABB=OO", ""),
    ("AABCD 5 Right color, wrong column", "", "5x8", "AABCD=OOOOO", "5x8"),
    ("AABCD XXO..", "", "5x8", "AABCD=XXO", "5x8"),
    ("AABB 0 ?", "", "4x6", "AABB=0b?w", "only the black pegs"),
    ("1234 bcc", "", "4x6", "1234=XOO", ""),
    ("123 +2\n456 0\n789 -1\n193 +1 -1", "", "3x9", "123=XX 456=- 789=O 193=XO", "+ is black"),
    ("1234 ++-\n1356 -", "", "4x6", "1234=XXO 1356=O", "+ is black, - is white"),
    ("AABC ++--\nABBC +--", "", "4x6", "AABC=XXOO ABBC=XOO", "- is white"),
    # a dash or a colon between guess and mark, and colors that are as long as a first word
    ("BFAB - -", "", "4x6", "BFAB=-", ""),
    ("AA=X CD=O", "2x6", "2x6", "AA=X CD=O", ""),
    ("AA=1b0w BC=0b1w", "2x6", "2x6", "AA=X BC=O", ""),
    ("AABB - ++-\nABCC - -", "", "4x6", "AABB=XXO ABCC=O", "- is white"),
    ("AABB - ++\nABCC - 0", "", "4x6", "AABB=XX ABCC=-", "+ is black"),
    ("AABB: 2 1\nABCC: 1 1", "", "4x6", "AABB=XXO ABCC=XO", ""),
    ("red red red: 11\nred blue red: 11", "", "3x6", "red red red=XO red blue red=XO", "red"),
    ("Guess 1: red orange green 2 white", "", "3x6", "red orange green=OO", "red"),
    ("Guess 1: 1 4 5 2: (1,1)\nGuess 2: 4 1 3 2: (0,2)", "", "4x6", "1452=XO 4132=OO", ""),
    ("Turn 1: 781 : 0/0 / Turn 2: 141 : 0/0", "", "3x8", "781=- 141=-", "3x8"),
    ("blue red white blue -> 1 bulls 1 cows", "", "4x6", "blue red white blue=XO", "blue"),
    ("AABC XX0X", "", "4x6", "AABC=XXX", "0 is nothing"),
    ("AABC 0 black peg(s), 3 white peg(s)", "", "4x6", "AABC=OOO", ""),
    ("AABC 1 0 3", "", "4x6", "AABC=X", "three numbers"),
    ("12345678 0/8", "", "8x8", "12345678=OOOOOOOO", "8x8"),
    ("1234 2b\n1243 1n1b", "", "4x6", "1234=OO 1243=XO", "noir is black, blanc is white"),
    ("1234 2b\n1243 1w", "", "4x6", "1234=XX 1243=O", ""),
    ("1234 2B\n1243 1A1B", "", "4x6", "1234=OO 1243=XO", "a is black, b is white"),
    ("1234 2", "4x6,black", "4x6,black", "1234=XX", ""),
    ("1234 2/4", "4x6,black", "4x6,black", "1234=XX", "the number after the slash"),
    ("1234 0/4", "4x6,black", "4x6,black", "1234=-", "the number after the slash"),
    ("1234 ;2 correct", "4x6,black", "4x6,black", "1234=XX", ""),
    # the second number includes the first
    ("1234 2 4", "", "4x6", "1234=XXOO", "the second number includes the first"),
    ("12345 3/5", "", "5x8", "12345=XXXOO", "the second number includes the first"),
    ("1234 2 3\n1255 0 1", "", "4x6", "1234=XXO 1255=O", "the second number includes the first"),
    ("1234 3/4\n1255 1/2", "", "4x6", "1234=XXXO 1255=XO", None),
    # marks noted in part
    *(
        (f"AABC {mark}", "", "4x6", "AABC=XX?", "only the black pegs")
        for mark in ("2 ?", "2,?", "(2, ?)", "2b?", "2b?w", "XX?", "●●?", "2 noirs ? blancs")
    ),
    *(
        (f"AABC{mark}", "", "4x6", "AABC==3", "sum")
        for mark in (" =3", "==3", ": =3", " 3 en tout")
    ),
    ("AABC 2 ?\nBEEF 3", "", "4x6", "AABC=XX? BEEF=XXX?", "only the black pegs"),
    ("AABC =2\nBEEF 3", "", "4x6", "AABC==2 BEEF==3", "sum"),
    ("AABC 2 ?", "4x6,black", "4x6,black", "AABC=XX", ""),
    ('[{"guess":"AABC","black":2}]', "", "4x6", "AABC=XX?", "only the black pegs"),
    ("guess,black\nAABC,2", "", "4x6", "AABC=XX?", "only the black pegs"),
    # digits
    ("1123 0 1\n2556 4 0", "", "4x6", "1123=O 2556=XXXX", ""),
    ("1 1 2 3 0 1\n2 5 5 6 4 0", "", "4x6", "1123=O 2556=XXXX", ""),
    ("1532 0 0 / 5015 1 0 / 1405 1 0", "", "4x6", "1532=- 5015=X 1405=X", "digits from 0 to 5"),
    ("1532 0 0", "4x6", "4x6", "1532=-", ""),
    ("0123 XO\n4550 X", "4x6", "4x6", "0123=XO 4550=X", "digits from 0 to 5"),
    ("0123=XO", "", "4x4", "0123=XO", "digits from 0 to 3"),
    ("0123 1 1", "4x10", "4x10", "0123=XO", ""),
    ("1789 1A1B", "", "4x10,distinct", "1789=XO", "bulls-and-cows"),
    ("1,12,3,4 XO", "", "4x12", "01,12,03,04=XO", "4x12"),
    ("0,11,3,4 XO", "4x12", "4x12", "00,11,03,04=XO", "digits from 0 to 11"),
    ("[2, 2, 1, 5] 2 1", "", "4x6", "2215=XXO", ""),
    ("(2,2,1,5) (2,1)", "", "4x6", "2215=XXO", ""),
    # number locks in sentences
    (LOCK, "", "3x10", LOCKED, "digits from 0 to 9"),
    (LOCK.replace("; ", "\n"), "", "3x10", LOCKED, "digits from 0 to 9"),
    (LOCK.replace("; ", ". "), "", "3x10", LOCKED, "digits from 0 to 9"),
    (LOCK.replace(": ", "\n").replace("; ", "\n"), "", "3x10", LOCKED, "digits from 0 to 9"),
    (LOCK.replace("; ", "\n- "), "", "3x10", LOCKED, "digits from 0 to 9"),
    (LOCK.replace("one", "1").replace("two", "2"), "", "3x10", LOCKED, "digits from 0 to 9"),
    (LOCK.replace("number", "digit"), "", "3x10", LOCKED, "digits from 0 to 9"),
    (LOCK.replace("wrongly placed", "in the wrong place"), "", "3x10", LOCKED, "digits"),
    (LOCK.replace("well placed", "in the right position"), "", "3x10", LOCKED, "digits"),
    (LOCK.replace("682", "6 8 2"), "", "3x10", LOCKED, "digits"),
    (FRENCH_LOCK, "", "3x10", LOCKED, "digits from 0 to 9"),
    (FRENCH_LOCK.replace("\n", " ; "), "", "3x10", LOCKED, "digits from 0 to 9"),
    (FRENCH_LOCK.replace("mal placé", "à la mauvaise place"), "", "3x10", LOCKED, "digits"),
    (FRENCH_LOCK.replace("rien n'est", "aucun chiffre n'est"), "", "3x10", LOCKED, "digits"),
    (FRENCH_LOCK.replace("deux", "2").replace("un ", "1 "), "", "3x10", LOCKED, "digits"),
    ("1234: two well placed, one misplaced", "", "4x6", "1234=XXO", ""),
    (
        "123: two numbers are correct, one is well placed and one is wrongly placed",
        *("", "3x10", "123=XO", "digits from 0 to 9"),
    ),
    *(
        (f"682: {sentence}", "", "3x10", f"682={mark}", "digits from 0 to 9")
        for sentence, mark in (
            ("One number is correct and in the right place", "X"),
            ("one of the digits is correct and in the right position", "X"),
            ("1 correct digit in correct position", "X"),
            ("a number is correct and well placed", "X"),
            ("exactly one digit is correct and well placed", "X"),
            ("one number is right and in its place", "X"),
            ("One number is correct and is placed correctly", "X"),
            ("Only one number is correct, and it is in the right place", "X"),
            ("One digit is right but in the wrong place", "O"),
            ("One number is correct but it is not in the right place", "O"),
            ("one number is correct, but not in its place", "O"),
            ("Two digits are right but both are in the wrong place", "OO"),
            ("Two numbers are correct but placed incorrectly", "OO"),
            ("3 digits are correct but all are in the wrong position", "OOO"),
            ("Two numbers are correct, but only one is in the right place", "XO"),
            ("two digits correct: one in the right place, one in the wrong place", "XO"),
            ("All digits are wrong", "-"),
            ("All three are wrong", "-"),
            ("Everything is wrong.", "-"),
            ("no correct numbers", "-"),
            ("None of the numbers is correct", "-"),
            ("un seul chiffre est correct et bien placé", "X"),
            ("Il y a un chiffre correct et bien placé", "X"),
            ("1 bon numéro bien placé", "X"),
            ("1 chiffre correct et à sa place", "X"),
            ("un chiffre est bon mais pas à la bonne place", "O"),
            ("un chiffre est correct mais au mauvais endroit", "O"),
            ("Deux chiffres sont justes mais pas au bon endroit", "OO"),
            ("2 bons numéros mal placés", "OO"),
            ("deux chiffres corrects dont un bien placé", "XO"),
            ("deux chiffres sont corrects, l'un est bien placé, l'autre est mal placé", "XO"),
            ("aucun des chiffres n'est correct", "-"),
            ("rien de correct", "-"),
            ("tout est faux", "-"),
            ("Tous les chiffres sont faux", "-"),
        )
    ),
    *(
        (text, "", rules, turns, "digits from 0")
        for text, rules, turns in (
            (LOCK.replace("; ", "\nS2: "), "3x10", LOCKED),
            ("Clue #1:\n" + LOCK.replace("; ", "\nClue #2:\n"), "3x10", LOCKED),
            ("Clue 1: Code 9 4 0: Two digits are correct — 1 in the right place and 1 in the wrong "
             "place.\nClue 2: Code 6 5 2: No digit is correct.", "3x10", "940=XO 652=-"),
            ("- **682** - One number is correct and well placed\n- **738** - Nothing is correct",
             "3x10", "682=X 738=-"),
            ("Sur la première ligne « 9-2-8-5 », un seul chiffre est bon mais il n'est pas à la "
             "bonne place.\n\nSur la 2e ligne « 1-9-3-7 », deux chiffres sont bons mais ils ne "
             "sont pas bien positionnés.", "4x10", "9285=O 1937=OO"),
            ("Can you open this lock?\n682: one digit is correct and well placed", "3x10", "682=X"),
            ("682: two numbers are correct: one is well placed, the other is not", "3x10",
             "682=XO"),
            ("682 : deux chiffres sont corrects, l'un est bien placé, l'autre non", "3x10",
             "682=XO"),
        )
    ),
    # a chat, labels, and turns one after the other in a line
    *(
        (text, "", "4x6", "AABB=XOO ABCC=-", "")
        for text in (
            "moi: AABB / toi: 1 noir 2 blancs / moi: ABCC / toi: rien",
            "moi : AABB\ntoi : 1 noir 2 blancs\nmoi : ABCC\ntoi : zéro bon",
            "[20:14] Alice: AABB\n[20:15] Bob: 1 black 2 white\n[20:16] Alice: ABCC\n[20:17] Bob: "
            "none",
            "28/11/2026, 20:14 - A. B.: AABB\n28/11/2026, 20:15 - C.: XOO\n28/11/2026, 20:16 - "
            "A. B.: ABCC\n28/11/2026, 20:17 - C.: 0 0",
            "<alice> AABB\n<bob> 1b 2w\n<alice> ABCC\n<bob> none",
            "Proposition : AABB\nRéponse : 1 placé - 2 mal placés\nProposition : ABCC\n"
            "Réponse : rien",
            "- Guess: AABB - Reply: 1 Bull, 2 Cows.\n- Guess: ABCC - Reply: 0 Bulls, 0 Cows.",
            "guess = AABB\nresult = (1, 2)\nguess = ABCC\nresult = (0, 0)",
            "Guess #1:\n> AABB\nX O O\nGuess #2:\n> ABCC\n-",
            "Guess 1: AABB -> 1 Black 2 White Guess 2: ABCC -> 0 Black 0 White",
            "1. AABB XOO 2. ABCC -",
            "1 AABB XOO\n2 ABCC -",
            "AABB XOO ABCC -",
            "AABB=XOO ABCC=-",
            "AABB 1 2 ABCC 0 0",
            "#1 AABB 1b2w, #2 ABCC 0b0w",
            "AABB 1b2w ABCC 0b0w",
            "AABB 1 noir 2 blancs ABCC rien",
        )
    ),
    ("4x8\nmoi: AABB\ntoi: 1 noir", "", "4x8", "AABB=X", ""),
    # a guess before a colon is no speaker
    ("RRGB: 2 1\nRYBO: 0 2", "", "4x6", "RRGB=XXO RYBO=OO", "R = red"),
    (
        "red red green blue: 2 1\nred green red red: 1 1",
        *("", "4x6", "red red green blue=XXO red green red red=XO", "blue"),
    ),
    ("moi : rouge rouge bleu vert\ntoi : 2 noirs", "", "4x6", "rouge rouge bleu vert=XX", "bleu"),
    ("1122 1 1 3344 1 0", "", "4x6", "1122=XO 3344=X", ""),
    ("crane --G-G slate GGGGG", "", "sgb,placed", "CRANE=--G-G SLATE=GGGGG", "wordle"),
    ("crane: xxxxg\nslate: xxxxx", "", "sgb,placed", "CRANE=----G SLATE=-----", "x is absent"),
    # turns in words, and several in a line
    ("I guessed 9305 and got 1 bull, 2 cows", "", "4x10", "9305=XOO", "digits from 0 to 9"),
    ("9305 gives 1 bull and 2 cows", "", "4x10", "9305=XOO", "digits from 0 to 9"),
    ("guess 1234: 1 bull, 2 cows", "", "4x6", "1234=XOO", ""),
    ("J'ai joué 1122 : 1 noir", "", "4x6", "1122=X", ""),
    ("guess=GY--G", "", "sgb,placed", "GUESS=GY--G", "wordle"),
    ("red red green blue got 1 black", "", "4x6", "red red green blue=X", "red = A"),
    ("AABC XO, BEEF X", "", "4x6", "AABC=XO BEEF=X", ""),
    ("AABC=XO, BEEF=X", "", "4x6", "AABC=XO BEEF=X", ""),
    ("AABC:1B1W,BEEF:1B0W", "", "4x6", "AABC=XO BEEF=X", ""),
    ("AABC 1 black / 1 white / BEEF 1 black / 0 white", "", "4x6", "AABC=XO BEEF=X", ""),
    ("AABC 0 noir ; 2 blancs ; BEEF 1 noir ; 0 blanc", "", "4x6", "AABC=OO BEEF=X", ""),
    ("noir blanc 1 noir / blanc blanc 1 blanc", "", "2x6", "noir blanc=X blanc blanc=O", "2x6"),
    ("1122: 1 bien placé / 2 mal placés", "", "4x6", "1122=XOO", ""),
    ("AABCD: black=2, white=1", "", "5x8", "AABCD=XXO", "5x8"),
    ("Crane ⬜🟨⬜⬜🟩, sloth ⬜⬜⬜⬜⬜", "", "sgb,placed", "CRANE=-Y--G SLOTH=-----", "wordle"),
    ("Wordle 1,045 2/6*\n\n⬛🟨⬛⬛🟩 crane", "", "sgb,placed", "CRANE=-Y--G", ""),
    ("crane - BYBBG", "", "sgb,placed", "CRANE=-Y--G", "B is absent"),
    # names of colors
    ("RRGB 2 1\nRYBO 0 2", "", "4x6", "RRGB=XXO RYBO=OO", "R = red = A, G = green = B"),
    ("rrgb 2 1\nRYBO 0 2", "4x6", "4x6", "RRGB=XXO RYBO=OO", "P = purple = F (not typed)"),
    ("RVBJ 1 1", "", "4x6", "RVBJ=XO", "V = vert = B"),
    ("RKWB 1 1", "", "4x6", "RKWB=XO", "K = black = B"),
    ("RNOJ 1 1", "", "4x6", "RNOJ=XO", "N = noir = B"),
    ("RGBYO 1 1", "", "5x8", "RGBYO=XO", "5x8, R = red = A"),
    ("R G B Y: XO", "", "4x6", "RGBY=XO", "R = red = A"),
    ("red red green blue: 2 1", "", "4x6", "red red green blue=XXO", "red = A, green = B"),
    ("Red, Red, Green, Blue -> 2b1w", "", "4x6", "red red green blue=XXO", "red = A"),
    ("rouge rouge vert bleu : 1 noir", "", "4x6", "rouge rouge vert bleu=X", "vert = B"),
    ("red red green blue XXO", "4x8", "4x8", "red red green blue=XXO", "red = A"),
    ("🔴🔴🟢🔵 ⚪/🟢⚫️⚫️⚪️ ⚫️⚫️⚫️⚫️", "", "4x6", "🔴🔴🟢🔵=O 🟢⚫⚫⚪=XXXX", ""),
    ("🔴🔴🟣🟤 ⚫", "", "4x6", "🔴🔴🟣🟤=X", "🟣 = B"),
    ("🔴🔴🟣🟤 ⚫", "4x6", "4x6", "🔴🔴🟣🟤=X", "🟣 = B"),
    ("🟥🟥🟦🟩 2 1", "", "4x6", "🟥🟥🟦🟩=XXO", "🟥 = A, 🟦 = B"),
    ("🔴 ⚫ ⚪ ⚪ ⚫ ⚪ / 🔴 🟢 ⚪ ⚪ -", "", "4x6", "🔴⚫⚪⚪=XO 🔴🟢⚪⚪=-", ""),
    # tables and JSON
    ("guess,black,white\n1122,1,0\n3344,0,1", "", "4x6", "1122=X 3344=O", ""),
    ("guess;mark\nAABB;XO", "", "4x6", "AABB=XO", ""),
    ("guess\tblack\twhite\nAABB\t1\t0", "", "4x6", "AABB=X", ""),
    ("n,guess,mark\n1,AABB,XO\n2,CCDD,-", "", "4x6", "AABB=XO CCDD=-", ""),
    ("| Guess | Black | White |\n|---|:-:|---|\n| AABB | 1 | 0 |", "", "4x6", "AABB=X", ""),
    ("essai,noirs,blancs\n1122,1,0", "", "4x6", "1122=X", ""),
    ('"AABB"\t"1"\t"0"\n"CCDD"\t"0"\t"1"', "", "4x6", "AABB=X CCDD=O", ""),
    ('"Essai";"Noirs";"Blancs"\n"AABB";"1,0";"2,0"', "", "4x6", "AABB=XOO", ""),
    ("Essai;Combinaison;Noirs;Blancs\n1;AABB;1;0\n2;CCDD;0;1", "", "4x6", "AABB=X CCDD=O", ""),
    ("N°\tP1\tP2\tP3\tP4\tNoirs\tBlancs\n1\tA\tA\tB\tB\t1\t0", "", "4x6", "AABB=X", ""),
    ("Essai\tP1\tP2\tP3\tP4\tN\tB\n1\tA\tA\tB\tB\t1\t0", "", "4x6", "AABB=X", ""),
    ("Essai;N;B\nAABB;1;2", "", "4x6", "AABB=XOO", ""),
    ("guess;B;W\nAABB;1;2", "", "4x6", "AABB=XOO", ""),
    ("A\tA\tB\tB\t1\t0\nA\tB\tC\tC\t2\t0", "", "4x6", "AABB=X ABCC=XX", ""),
    ('["AABB", 1, 0]', "", "4x6", "AABB=X", ""),
    ('[["AABB","XO"],["CCDD",[1,0]]]', "", "4x6", "AABB=XO CCDD=X", ""),
    ("[[[1,1,2,2],[1,0]]]", "", "4x6", "1122=X", ""),
    ('[{"guess":"AABB","mark":"XO"}]', "", "4x6", "AABB=XO", ""),
    ('[{"guess":[1,1,2,2],"black":1,"white":0}]', "", "4x6", "1122=X", ""),
    ('["AABB=XO","CCDD=-"]', "", "4x6", "AABB=XO CCDD=-", ""),
    ('[{"guess":"AABB","mark":"XO","time":9}]', "", "4x6", "AABB=XO", "'time' is left out"),
    ('{"rules":"4x8","turns":[{"guess":"AABB","mark":"XO"}]}', "", "4x8", "AABB=XO", ""),
    ("guess  black white\nAABB   1     0", "", "4x6", "AABB=X", ""),
    ("[('AABB', (1, 0)), ('CCDD', (0, 1))]", "", "4x6", "AABB=X CCDD=O", ""),
    ('{"AABB": "XO", "CCDD": "-"}', "", "4x6", "AABB=XO CCDD=-", ""),
    ('{"guesses": ["AABB"], "feedback": [[1, 0]]}', "", "4x6", "AABB=X", ""),
    # words and marks by place
    *(
        (f"crane={mark}", "wordle", "sgb,placed", f"CRANE={read}", told)
        for mark, read, told in (
            ("GY--G", "GY--G", ""),
            ("gy--g", "GY--G", ""),
            ("G Y - - G", "GY--G", ""),
            ("21002", "GY--G", ""),
            ("2 1 0 0 2", "GY--G", ""),
            ("🟩🟨⬛⬛🟩", "GY--G", ""),
            ("🟩🟨⬜⬜🟩", "GY--G", ""),
            ("🟩🟨🟫🟫🟩", "GY--G", "🟫 is absent"),
            ("🟧🟦⬛⬛🟧", "GY--G", "🟦 is elsewhere, 🟧 is right"),
            ("🟥🟡🟦🟦🟥", "GY--G", "🟦 is absent, 🟡 is elsewhere, 🟥 is right"),
            ("bbygg", "--YGG", "b is absent, y is elsewhere, g is right"),
            ("xxxxg", "----G", "x is absent, g is right"),
            ("xoxxv", "-Y--G", "x is absent, o is elsewhere, v is right"),
            ("_o__v", "-Y--G", "_ is absent, o is elsewhere, v is right"),
            (".o..g", "-Y--G", ". is absent, o is elsewhere, g is right"),
            ("..y.g", "--Y-G", ""),
            ("xo---", "GY---", "o is elsewhere, x is right"),
            ("vjggv", "GY--G", "g is absent, j is elsewhere, v is right"),
            ("VJ--V", "GY--G", "- is absent, J is elsewhere, V is right"),
            ("+-//+", "GY--G", "/ is absent, - is elsewhere, + is right"),
            ("-----", "-----", ""),
            ("-", "-----", ""),
            ("none", "-----", ""),
            ("GGGGG", "GGGGG", ""),
            ("green, yellow, gray, gray, green", "GY--G", ""),
            ("vert, jaune, gris, gris, vert", "GY--G", ""),
            ("R J B B R", "GY--G", "B is absent, J is elsewhere, R is right"),
            ("RJ--R", "GY--G", "- is absent, J is elsewhere, R is right"),
            ("rouge jaune bleu bleu rouge", "GY--G", "🟦 is absent, 🟨 is elsewhere, 🟥 is right"),
            (":green_square::yellow_square::white_large_square::black_large_square::green_square:",
             "GY--G", ""),
            ("trouvé", "GGGGG", ""),
        )
    ),
    ("Wordle 227 2/6*\n\n🟨⬜⬜⬜🟨\n🟩🟩🟩🟩🟩\n\nSQUAT\nTHOSE", "", "sgb,placed",
     "SQUAT=Y---Y THOSE=GGGGG", ""),
    ("Wordle 227 2/6\n\n⬜⬜⬜🟨🟨 LIGHT → a good start", "", "sgb,placed", "LIGHT=---YY", ""),
    ("crane=xxxxg\nslate=xxxxx", "wordle", "sgb,placed", "CRANE=----G SLATE=-----", "x is absent"),
    ("crane=xxxxg", "", "sgb,placed", "CRANE=----G", "wordle"),
    ("crane 🟩🟨⬛⬛🟩", "", "sgb,placed", "CRANE=GY--G", "wordle"),
    ("Wordle 1,234 4/6\n\nCRANE 🟩🟨⬛⬛🟩", "", "sgb,placed", "CRANE=GY--G", ""),
    ("AABB=G--Y", "4x6,placed", "4x6,placed", "AABB=G--Y", ""),
    # a separator that is typed ends the guess, and a number before a colon may be the guess
    ("123: 1 0", "", "3x6", "123=X", "3x6"),
    ("123: 1 0", "3x10,distinct", "3x10,distinct", "123=X", ""),
    ("123: 1 strike 1 ball", "number-baseball", "3x9,distinct", "123=XO", ""),
    ("12: 1 0", "", "2x6", "12=X", "2x6"),
    ("12: 0,0\n54: 0,0", "", "2x6", "12=- 54=-", "2x6"),
    ("1: AABC O\n2: BEEF XXXX", "", "4x6", BOTH, ""),
    ("3: AABC O", "", "4x6", "AABC=O", ""),
    ("AABB 1 1\nCCDD --", "4x6", "4x6", "AABB=XO CCDD=-", ""),
    ("1,5,1,5,1: w", "", "5x8", "15151=O", "5x8"),
    ("A A A B=02", "", "4x6", "AAAB=OO", ""),
    ("G D F B G B=02", "", "6x8", "GDFBGB=OO", "6x8"),
    ("C D E B=11", "", "4x6", "CDEB=XO", ""),
    ("C D E B 11", "", "4x6", "CDEB=XO", ""),
    ("f,e,g,f,b=00 / d,g,c,e,a=02", "", "5x8", "FEGFB=- DGCEA=OO", "5x8"),
    ("D,A, 0 0", "", "2x6", "DA=-", "2x6"),
    ("2 1=0 blacks 2 whites\n1 1=1 black 0 whites", "2x6", "2x6", "21=OO 11=X", ""),
    ("| red | yellow | red | green | 1 | 1 |", "", "4x6", "red yellow red green=XO", "red = A"),
    (
        "red - yellow - red - green: 1 black, 1 white\n"
        "green - green - orange - red: 1 black, 2 white",
        *("", "4x6", "red yellow red green=XO green green orange red=XOO", "orange = D"),
    ),
    # columns with heads in any order, of which none is left out without a word
    *(
        (f"guess,{heads}\n1562,2,1", "4x10", "4x10", "1562=XOO", "")
        for heads in ("wrong place,right place", "misplaced,correct", "elsewhere,right",
                      "color,position", "mal placés,bien placés", "WRONG POS,RIGHT POS")
    ),
    ("GUESS WRONG POS, RIGHT POS\n1562 1 1\n4321 4 0", "4x6", "4x6", "1562=XO 4321=OOOO", ""),
    ("guess,black,total\n1122,1,2\n3435,0,1", "4x6", "4x6", "1122=XO 3435=O", ""),
    ("guess,sum,black\n1122,2,1\n3435,1,0", "4x6", "4x6", "1122=XO 3435=O", ""),
    ("guess,hits,bulls\n1122,1,1\n3435,1,0", "4x6", "4x6", "1122=XO 3435=O", ""),
    ("guess,near,exact\n1122,1,1\n3435,1,0", "4x6", "4x6", "1122=XO 3435=O", ""),
    ("guess,black,white,time\n1122,1,1,9", "4x6", "4x6", "1122=XO", "column 'time' is left out"),
    ("<table><tr><th>Guess<th>Black<th>White<tr><td>1122<td>1<td>0</table>", "", "4x6",
     "1122=X", ""),
    ('{"guess":"1122","blackPegs":1,"whitePegs":0}\n{"guess":"3344","blackPegs":0,"whitePegs":1}',
     "", "4x6", "1122=X 3344=O", ""),
    ('[{"guess":"crane","result":[{"letter":"c","state":"absent"},{"letter":"r","state":'
     '"present"},{"letter":"a","state":"absent"},{"letter":"n","state":"absent"},{"letter":"e",'
     '"state":"correct"}]}]', "", "sgb,placed", "CRANE=-Y--G", "wordle"),
    # marks that other marks of the history explain
    *(
        ("6152 +0\n4182 00\n5314 00\n5789 +", rules, rules or "4x9",
         "6152=XO 4182=OO 5314=OO 5789=X", "+ is black, 0 is white")
        for rules in ("4x9,distinct", "")
    ),
    ("1122 RW\n1134 W", "4x6", "4x6", "1122=XO 1134=O", "r is black, w is white"),
    ("1122 RW\n1134 W\n2352 RW\n6242 R", "", "4x6", "1122=XO 1134=O 2352=XO 6242=X", "r is black"),
    ("AABB=bww\nABCC=b", "4x6", "4x6", "AABB=XOO ABCC=X", "b is black, w is white"),
    ("LEAST 🟨🟩🟥🟥🟥\nHELLS 🟩🟩🟩🟩🟥", "wordle", "sgb,placed", "LEAST=YG--- HELLS=GGGG-",
     "🟥 is absent"),
    ("crane 1 0 -1 -1 0", "wordle", "sgb,placed", "CRANE=GY--Y", ""),
    ("AABC 1EAT-1BITE", "", "4x6", "AABC=XO", "eat is black"),
    ("AABC -1 +1", "", "4x6", "AABC=XO", "+ is black"),
    ("1234 2 gears 1 tumbler", "", "4x6", "1234=XXO", "gear is black"),
    ("AABC XY-Y", "4x6", "4x6", "AABC=XOO", "X is black, Y is white"),
    ("AABCD mpp--", "5x8", "5x8", "AABCD=XXO", "p is black, m is white"),
    ("crane XY-Y-", "wordle", "sgb,placed", "CRANE=GY-Y-", "Y is elsewhere, X is right"),
    ("AABB = XO (3 left)\nCCDD = X", "4x6", "4x6", "AABB=XO CCDD=X", ""),
    ("R G B P M P", "4x6", "", "", None),
    ("AAAABBBBCCCC 10 C, 8 R", "12x6", "12x6", "AAAABBBBCCCC=XXXXXXXXOO", "includes the others"),
    # turns in a line, and marks of parts
    ("1144 0;1", "4x6", "4x6", "1144=O", ""),
    ("AABC 0 black / 1 white; BEEF 1 black / 0 white", "", "4x6", "AABC=O BEEF=X", ""),
    ("AABC 0 black; 1 white / BEEF 1 black; 0 white", "", "4x6", "AABC=O BEEF=X", ""),
    ("| AABC | O |, | BEEF | X |", "", "4x6", "AABC=O BEEF=X", ""),
    ("1: A A B C O, 2: B E E F X", "", "4x6", "AABC=O BEEF=X", ""),
    ("Guess: 1123 - Reply: O/Guess: 2556 - Reply: XXXX", "", "4x6", "1123=O 2556=XXXX", ""),
    ("I guessed AABC and got 0;1. I guessed BEEF and got 1;0", "", "4x6", "AABC=O BEEF=X", ""),
    ("4x8\nguess,black,white\nAABC,0,1", "", "4x8", "AABC=O", ""),
    ("GUESS WRONG POS RIGHT POS\nAABC 1 0\nBEEF 0 4", "", "4x6", "AABC=O BEEF=XXXX", ""),
    ("A A B C\nO; B E E F\nXXXX", "", "4x6", BOTH, ""),
    ("Turn 1: A,A,B,C ww, Turn 2: B,E,E,F b", "", "4x6", "AABC=OO BEEF=X", "b is black"),
    ("AAB gives 0;0. CCD gives 0;1.", "", "3x6", "AAB=- CCD=O", "3x6"),
    ("Turn 1: AABC =1. Turn 2: BEEF =4", "", "4x6", "AABC==1 BEEF==4", "sum"),
    ("AABC gives 1b, BEEF gives 1w", "", "4x6", "AABC=X BEEF=O", ""),
    ("red - yellow 1b/0w; red - green 0b/1w", "", "2x6", "red yellow=X red green=O", "2x6"),
    ("crane -Y--G guess GY--- slate -----", "", "sgb,placed",
     "CRANE=-Y--G GUESS=GY--- SLATE=-----", "wordle"),
    ('[{"guess":"1122","black":1,"total":2}]', "4x6", "4x6", "1122=XO", ""),
    # what stands before and after turns
    ("1 1 2 3\n1 2\n1 2 3 4\n0 2", "4x6", "4x6", "1123=XOO 1234=OO", ""),
    ("Guess> 1234\n0 bulls and 1 cows!", "", "4x6", "1234=O", ""),
    ("Attempt: 1 Guess: 0123 Bulls = 1", "", "4x4", "0123=X", "digits from 0"),
    ("You: 1112 Judge: 2 1", "", "4x6", "1112=XXO", ""),
    ("3 cccc 0b 0w\n2 bbbb 0b 0w\n1 aaaa 0b 0w", "4x7", "4x7", "AAAA=- BBBB=- CCCC=-",
     "numbered downward"),
    ("- CRANE 🟩🟨⬛⬛🟩", "", "sgb,placed", "CRANE=GY--G", "wordle"),
    ("- crane --G--\n- slate --G--", "", "sgb,placed", "CRANE=--G-- SLATE=--G--", "wordle"),
    ("AABC XXX~\nABCD XO", "4x6", "4x6", "ABCD=XO", "turn 1, which is doubted"),
    ("AABC XO?\nABCD X", "4x6", "4x6", "ABCD=X", "turn 1, which is doubted"),
    ("682 → One number is correct and well placed.", "", "3x10", "682=X", "digits from 0 to 9"),
    ("682: one number is correct and in its proper location", "", "3x10", "682=X", "digits"),
    ("682: two numbers are correct but neither is in the right place", "", "3x10", "682=OO",
     "digits from 0 to 9"),
    # digits with marks of bulls and cows
    ("1234 1A2B\n5678 0A1B", "", "4x10,distinct", "1234=XOO 5678=O", "bulls-and-cows"),
    ("123 1A1B", "", "3x10,distinct", "123=XO", "3x10,distinct"),
    ("1122 1A1B", "", "4x6", "1122=XO", ""),
    # marks in other languages
    *(
        (f"AABC {mark}", "", "4x6", "AABC=XOO", told)
        for mark, told in (
            ("1 toro 2 vacas", "toro is black, vaca is white"),
            ("un negro y dos blancos", "negro is black"),
            ("1 bien colocado, 2 mal colocados", ""),
            ("1 schwarz, 2 weiß", "schwarz is black"),
            ("ein Stier, zwei Kühe", "stier is black"),
            ("1 richtig platziert, 2 falsch platziert", ""),
            ("1 preto e 2 brancos", "preto is black"),
            ("um touro duas vacas", "touro is black"),
            ("1 nero, 2 bianchi", "nero is black"),
            ("un toro e due mucche", "toro is black"),
            ("1 zwart en 2 wit", "zwart is black"),
            ("een stier twee koeien", "stier is black"),
        )
    ),
    *((f"AABC {mark}", "", "4x6", "AABC=-", "") for mark in ("nada", "nichts", "niente", "niets")),
    ("AABC XO~\nBEEF XX ?\nAABB X", "", "4x6", "AABB=X", "turn 1, which is doubted"),
    ("AABC XO~", "", "4x6", "", "turn 1, which is doubted, is left out"),
    # what a rule protects that few texts need
    ("4x6 / AABB=XO", "", "4x6", "AABB=XO", ""),
    ("4x6; AABB=XO; CCDD=-", "", "4x6", "AABB=XO CCDD=-", ""),
    ("rules: 4x6 / AABB=XO", "", "4x6", "AABB=XO", ""),
    ("guess,correct,position\n1562,2,1", "", "4x6", "1562=XO", ""),
    ("guess,b,c\n1234,1,2", "", "4x6", "1234=XOO", ""),
    ("guess,r,w\n1234,1,2", "", "4x6", "1234=XOO", ""),
    ('[["AABB",[2,null]]]', "", "4x6", "AABB=XX?", "only the black pegs"),
    ("AABC ⬛⬛⬛⬛", "", "4x6", "AABC=XXXX", "⬛ is black"),
    ("3,5,6\n+1 -0", "", "3x6", "356=X", "3x6"),
    ("B B E D\n1 white, 1 black", "4x6", "4x6", "BBED=XO", ""),
    ("blue red\n1w\nyellow green\n1b", "2x6", "2x6", "blue red=O yellow green=X", "blue = A"),
    ("| E-F-E-A | 0 4 | / | E-F-F-D | 0 2 |", "4x6", "4x6", "EFEA=OOOO EFFD=OO", ""),
    ("XXXX", "", "", "", None),
    ("AABB XXXX", "", "4x6", "AABB=XXXX", ""),
    ("", "4x6", "4x6", "", ""),
]  # fmt: skip

QUESTIONS: Final = [
    ("crane=XXXXX", "wordle", 2),
    ("crane=oxoxo", "wordle", 2),
    ("crane=+---+", "wordle", 2),
    ("crane=🟦🟦🟦🟦🟦", "wordle", 2),
    ("crane=XXXXX\nslate=--G-Y", "wordle", 2),
    ("BGBG 1 1", "", 2),
    ("ABGA 1 1", "", 2),
    ("AZBC 1 1", "", 2),
    ("1234 1/2", "", 2),
    ("1234 3", "", 2),
    ("1234=3", "4x6", 2),
    ("1234 2 correct, 1 misplaced", "", 2),
    ("1234 2 correct / 1 misplaced", "", 2),
    ("682: two numbers are correct, one is well placed", "", 2),
    ("AABC XX00", "4x6", 2),
    ("AABC X0", "4x6", 2),
    ("AABC X0\nABCD XO\nABBB 0", "4x6", 2),
    ("AABC XXO0", "4x6", 2),
    ("AABC ++--", "4x6", 2),
    ("AABC ++\nABBC -", "4x6", 2),
    ("AABC -1", "4x6", 3),
    # dashes or dots, neither one nor as many as the pegs
    ("CDED=--", "4x6", 2),
    ("CDED=---", "4x6", 2),
    ("1562 X..\n1435 ..", "4x6", 2),
    ("DRINK 🟥🟥🟥🟥🟥", "wordle", 2),
    ("ABab 1 1\nBbCc 0 2", "4x6", 2),
    ("ABa 1 1\nbab 0 1", "", 2),
    ("1. green green red - +", "", 2),
    ("AABC 2 C, 1 R", "4x6", 2),
]

# text, rules, arguments, how many codes fit, and by the other forms that its marks may have
COUNTED: Final = [
    ("1234 0 1\n4166 1 2\n1656 2 2", "4x6", {}, 1, {"inclusive": 4, "white-first": 1}),
    ("6152 +0\n4182 00\n5314 00\n5789 +", "4x9,distinct", {}, 1, {}),
    ("6152 +0\n4182 00\n5314 00\n5789 +", "4x9,distinct", {"marks": "zero-white"}, 1, {}),
    ("guess,wrong place,right place\n1562,2,1", "4x10", {}, 276, {}),
    ("guess,black,total\n1122,1,2\n3435,0,1", "4x6", {}, 68, {}),
    ("1562 X..\n1435 ..", "4x6", {"marks": "dot-white"}, 36, {}),
    ("1562 X..\n1435 ..", "4x6", {"marks": "xo"}, 2, {}),
    ("ABab 1 1\nBbCc 0 2", None, {"colors": "ABCabc"}, 63, {"inclusive": 22, "white-first": 17}),
    ("ABa 1 1\nbab 0 1", None, {"colors": "ABab"}, 3, {"inclusive": 1, "white-first": 3}),
    ("rite x---, left ----, game ----, orcs xxx-, bird o---", "4x26", {}, 1, {"o-black": 144}),
    ("1122 RW\n1134 W", "4x6", {}, 38, {}),
    ("1122 RW\n1134 W\n2352 RW\n6242 R", "4x6", {}, 1, {}),
    ("123: 1 0", None, {}, 48, {}),
    ("1 1 2 3\n1 2\n1 2 3 4\n0 2", "4x6", {}, 13, {"inclusive": 61, "white-first": 4}),
    ("3 cccc 0b 0w\n2 bbbb 0b 0w\n1 aaaa 0b 0w", "4x7", {}, 256, {}),
    ("682 → One number is correct and well placed.", None, {}, 192, {}),
    ("AABB=--", "4x6", {"marks": "minus-white"}, 96, {}),
    ("AABB=XO\nCCDD=-", "4x6", {"marks": "minus-white"}, 52, {}),
]
REFUSED: Final = [
    ("AABG O", "4x6", "'G' at position 4"),
    ("АABC=O", "4x6", r"U\+0410, CYRILLIC CAPITAL LETTER A"),
    ("AABC=х", "4x6", r"U\+0445, CYRILLIC SMALL LETTER HA"),
    ("AAB.=X", "4x6", "4x6,blank does"),
    ("0126 XO", "4x6", "'0' at position 1"),
    ("AABC 7", "4x6", "up to 4 pegs"),
    ("AABC 5 5", "4x6", "10 pegs marked"),
    ("4x8\nAABC O", "4x6", "the text is of 4x8, and 4x6 is given"),
    ("682=one number is correct and not elsewhere", "3x10", "cannot read mark"),
    ("682=one number is correct", "3x10", "cannot read mark"),
    ("{}", "", "holds no turns"),
    ('[["AABB"]]', "", "has no guess and mark"),
    ("hello", "", "cannot read turn 'hello'"),
    ("zzzzz=GY--G", "", "not in the list"),
    ("1234 is right " * 60, "", "cannot read"),
    ("🟩🟨⬛⬛🟩\n🟩🟩🟩🟩🟩", "", "have no guesses"),
    ("Wordle 1,234 3/6\n\n🟩🟨⬛⬛🟩", "", "have no guesses"),
    ("AABB XO CCDD", "", "cannot read"),
    ("AABB XO, CCDD", "", "cannot read mark 'XO, CCDD'"),
    ("AABC 1 noir / 2 noirs", "4x6", "1 peg, but a code of 4x6 has 4"),
    ("AABC 1 black, 2 black", "4x6", "cannot read mark"),
    ("AABC XO-", "4x6", "cannot read mark"),
    ("AABC XXO○", "4x6", "cannot read mark"),
    ("AABC ✓-✗✗", "4x6", "cannot read mark"),
    ("AAB ⬛⬛⬜", "3x6", "cannot happen"),
    ("AABC 🔴⚪⚫⚫", "4x6", "cannot read mark"),
    ("AA XX00", "2x6", "4 pegs marked"),
    ("AABC 0|⚫⚪", "4x6", "cannot read mark"),
    ("AABC 0 correct 1 incorrect", "4x6", "cannot read mark"),
    ("682: one is well placed, the other is not", "", "cannot read mark"),
    (
        "682: two numbers are correct, one is well placed, the other is not correct",
        "",
        "cannot read",
    ),
    ("ABC bcc", "", "cannot read turn 'ABC bcc'"),
    ("ABC\nBCC", "", "cannot read turn 'ABC BCC'"),
    ("ABCC 3344 none", "4x6", "cannot read mark"),
    ("Alice: XO\nBob: X", "", "'Bob'"),
    ("MAISON 🟥🟡🟦🟦🟦🟦", "", "words of 6 letters"),
    ("SHIPS likeness=3", "", "sgb,black"),
    ("Guess 1:", "4x6", "'Guess'"),
    ("682: nothing is wrong", "", "cannot read mark"),
    ("682: none but one is well placed", "", "cannot read mark"),
    ("7812=foo", "", "cannot read mark 'foo'"),
    ("AABC 1 бык 2 коровы", "", "words of its language are not read"),
    ("AABC FFS", "4x6", "cannot read mark 'FFS'"),  # letters of which nobody can tell the sense
    ("AABC 1 qwer 2 asdf", "", "cannot read mark '1 qwer 2 asdf'"),
]


def written(text: str, given_rules: str, **choices: object) -> tuple[str, str, str]:
    """Rules and turns of a text, and what is told."""
    read = read_history(text, given_rules or None, **choices)  # type: ignore[arg-type]
    turns = " ".join(f"{read.notation.code(turn.guess)}={turn.mark}" for turn in read.turns)
    return str(read.game), turns, str(read.told)


@pytest.mark.parametrize(("text", "given_rules", "rules", "turns", "told"), ROWS)
def test_texts_are_read_as_they_are_meant(
    text: str, given_rules: str, rules: str, turns: str, told: str | None
) -> None:
    if told is None:
        with pytest.raises(InputError):
            read_history(text, given_rules or None)
        return
    read = written(text, given_rules)
    assert read[:2] == (rules, turns)
    assert told in read[2] and bool(told) == bool(read[2])


def test_languages_have_fields_that_are_read() -> None:
    assert {"en", "fr", "es", "de", "pt", "it", "nl"} <= {*LANGUAGES}
    for name, fields in LANGUAGES.items():
        assert {*fields} <= {*LANGUAGES["en"]}, name
        assert len(fields["numbers"]) == 11, name


def test_the_table_is_long() -> None:
    assert len(ROWS) + len(QUESTIONS) + len(REFUSED) >= 150


@pytest.mark.parametrize(("text", "given_rules", "n"), QUESTIONS)
def test_ambiguous_texts_raise_a_question_that_can_be_answered(
    text: str, given_rules: str, n: int
) -> None:
    with pytest.raises(AmbiguousError) as caught:
        read_history(text, given_rules or None)
    assert len(caught.value.readings) == n
    answers = []
    for words, choice in caught.value.readings:
        assert words in str(caught.value)
        chosen = {"game": given_rules, **choice}
        answers.append(written(text, str(chosen.pop("game")), **chosen)[:2])
    assert len(set(answers)) == n


@pytest.mark.parametrize(("text", "given_rules", "arguments", "n", "others"), COUNTED)
def test_the_codes_of_each_meaning_are_counted(
    text: str, given_rules: str | None, arguments: dict[str, str], n: int, others: dict[str, int]
) -> None:
    read = read_history(text, given_rules, **arguments)  # type: ignore[arg-type]
    assert count(read.game, read.turns) == n
    assert {each.form: count(each.game, each.turns) for each in read.others} == others
    for each in read.others:
        chosen: dict[str, str] = {**arguments, "marks": each.form}
        assert read_history(text, given_rules, **chosen).turns == each.turns  # type: ignore[arg-type]


def test_codes_left_at_the_end_of_a_turn_are_noted() -> None:
    squares = read_history("⬜⬜⬜⬜🟩AROSE 94\n⬜🟨🟨🟨🟩THINE 2")
    assert squares.remaining == (94, 2)
    words = {str(code) for code in candidates(squares.game, squares.turns)}
    assert words == {"HINGE", "NICHE"}
    assert read_history("AABB XO 208").remaining == (208,)
    assert read_history("AABB 1 1 (3 left)\nCCDD - [1,296 codes left]").remaining == (3, 1296)
    assert read_history("AABB XO").remaining == (None,)


NOTATIONS: Final[tuple[Callable[[str, int, int], str], ...]] = (
    lambda g, b, w: f"{g} {'X' * b}{'O' * w or '-' * (not b)}",
    lambda g, b, w: f"{' '.join(g)}: {b} {w}",
    lambda g, b, w: f"{g} -> {b}b{w}w",
    lambda g, b, w: f"{','.join(g)} ({b}, {w})",
    lambda g, b, w: f"{g} {'b' * b}{'w' * w or '-' * (not b)}",
    lambda g, b, w: f"{g}={b} bulls {w} cows",
    lambda g, b, w: f"{g.lower()} {b} black, {w} white",
    lambda g, b, w: f"{g} {b} noirs, {w} blancs",
    lambda g, b, w: f"{g}\t{'●' * b}{'○' * w or '-' * (not b)}",
    lambda g, b, w: f"{g} +{b} -{w}",
)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.tuples(*[codes_of(Rules())] * 2), min_size=1, max_size=4))
def test_ten_notations_of_one_history_give_the_same_turns(pairs: list[tuple[Code, Code]]) -> None:
    turns = [(Code(guess), mark(guess, secret)) for guess, secret in pairs]
    for notation in NOTATIONS:
        text = "\n".join(notation(str(guess), *answer) for guess, answer in turns)
        assert [tuple(turn) for turn in read_history(text, "4x6").turns] == turns, text


@pytest.mark.parametrize("form", form_names())
def test_any_form_may_be_asked_for(form: str) -> None:
    for text, rules in (
        ("AABB=--", "4x6"),
        ("AABB=XO\nCCDD=-", "4x6"),
        ("AABB=2 1\nCCDD=++-", "4x6"),
        ("crane=--\nslate=xxxxg", "wordle"),
        ("AABB=2", "4x6,black"),
    ):
        try:
            read = read_history(text, rules, marks=form)
        except InputError:
            continue
        assert [str(turn.guess) for turn in read.turns] == [
            line.partition("=")[0].upper() for line in text.split("\n")
        ]


@pytest.mark.parametrize(("text", "given_rules", "says"), REFUSED)
def test_what_cannot_be_read_is_refused(text: str, given_rules: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_history(text, given_rules or None)


def test_a_lone_b_is_asked_about_in_french() -> None:
    with pytest.raises(AmbiguousError):
        read_history("1234 2b", french=True)
    assert str(read_history("1234 2b", french=True, marks="noir-blanc").turns[0]) == "ABCD=OO"
    assert str(read_history("1234 1n2b", french=True).turns[0]) == "ABCD=XOO"
    assert str(read_history("1234 1b2w", french=True).turns[0]) == "ABCD=XOO"


def test_names_of_ones_own() -> None:
    colors = ["red", "orange", "yellow", "green", "blue", "purple"]
    read = read_history("red red green blue XO\nR O Y G X", "4x6", colors=colors)
    assert [str(turn) for turn in read.turns] == ["AADE=XO", "ABCD=X"]
    assert read.notation.code(read.turns[1].guess) == "red orange yellow green"
    for wrong in (["red"], ["red", "Red", *colors[2:]]):
        with pytest.raises(InputError, match="give 6 different names"):
            read_history("red red green blue XO", "4x6", colors=wrong)


def test_the_second_number_may_include_the_first() -> None:
    read = read_history("1234 1 1\n1255 0 2", "4x6")
    assert [str(turn.mark) for turn in read.turns] == ["XO", "OO"]
    inclusive = read.others[0]
    assert [str(turn.mark) for turn in inclusive.turns] == ["X", "OO"] and read.two_numbers
    assert not read_history("1234 2 1\n1255 1 1", "4x6").two_numbers  # 2 of 1 is impossible
    marked = read_history("1234 1 1\n1255 0 2", "4x6", marks="inclusive")
    assert marked.turns == inclusive.turns and "includes the first" in marked.told


@given(any_rules(), st.data(), st.sampled_from(MARK_NOTATIONS))
def test_every_notation_is_read_back(rules: Rules, data: st.DataObject, marks: str) -> None:
    guess = Code(data.draw(codes_of(rules)))
    mark = data.draw(st.sampled_from(rules.marking.legal))
    kinds = ["letters", "digits"] + ["discs"] * (rules.colors <= 9)
    notation = Notation(data.draw(st.sampled_from(kinds)), marks, colors=rules.colors)
    text = f"{notation.code(guess)}={notation.mark(mark)}"
    read = read_history(text, game_of(rules))
    assert read.turns == (Turn(guess, mark),)
    assert read.notation.codes == notation.codes or not set(guess) - {26}


SIGNS: Final = "ABCXOxogGyY0123456789 \n=:/;,.-+|()[]{}\"'#🟩🟨⬛🔴⚪Ａé"


@pytest.mark.slow
@settings(max_examples=300)
@given(
    st.text(alphabet=SIGNS, max_size=30) | st.text(max_size=20),
    st.sampled_from(["", "4x6", "3x10", "wordle", "4x6,black", "12x26", "4x6,placed"]),
)
def test_any_text_is_read_or_refused_in_a_sentence(text: str, rules: str) -> None:
    try:
        read = read_history(text, rules or None)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert rules in ("", str(read.game), "wordle") or not read.turns


@pytest.mark.slow
@settings(max_examples=200)
@given(st.sampled_from(ROWS), st.randoms(use_true_random=False))
def test_a_changed_text_is_never_another_board_without_a_word(
    row: tuple[str, str, str, str, str | None], chance: random.Random
) -> None:
    text, given_rules, *_ = row
    at = chance.randrange(len(text) + 1)
    sign = chance.choice([*SIGNS, ""])
    changed = text[:at] + sign + text[at + chance.randrange(2) :]
    try:
        read = read_history(changed, given_rules or None)
    except InputError as error:
        assert "\n" not in str(error)
        return
    if not given_rules and read.turns and "rules" not in read.fields and "Wordle" not in changed:
        told = read.game.named in read.told or read.game == game_of("4x6")
        assert told or '"rules"' in changed


def test_turns_as_values_are_never_read_in_another_way() -> None:
    rules = Rules()
    for text in ("0123=XO", "RRGB=XO", "1234=2 4"):
        assert read_history(text, game_of(rules)).inferred
        with pytest.raises(InputError, match="read_history does so: Read as"):
            check_turns([text], game_of(rules))
    assert check_turns("AABB=XO / CCDD=-", game_of(rules)) == check_turns(
        ["AABB=XO", "CCDD=-"], game_of(rules)
    )


def test_rows_of_squares_without_words() -> None:
    rows = read_rows("Wordle 1,234 3/6\n\n🟩🟨⬛⬛🟩\n🟩🟩🟩🟩🟩")
    assert rows is not None and [str(mark) for mark in rows.marks.marks] == ["GY--G", "GGGGG"]
    assert (str(rows.game), rows.read_as) == ("sgb,placed", ("wordle",))
    contrast = read_rows("🟧🟦⬜⬜🟧\n🟧🟧🟧🟧🟧", "wordle")
    assert contrast is not None and str(contrast.marks.marks[0]) == "GY--G" and contrast.read_as
    for text in ("crane 🟩🟨⬛⬛🟩", "AABB=XO", "🟥🟥🟦🟩 2 1", ""):
        assert read_rows(text) is None
    for text, rules in (("🟩🟨⬛⬛🟩", "4x6"), ("🟩🟨⬛⬛", "wordle"), ("🟩🟩🟩🟨🟩", "wordle")):
        with pytest.raises(InputError):
            read_rows(text, rules)


def test_names_of_colors_are_told_in_the_language_of_the_reader() -> None:
    for text, colors in (("RRGB 2 1\nRYBO 0 2", "bleu, jaune"), ("RVBJ 1 1", "bleu, jaune")):
        told = translated(read_history(text, french=True).told, "fr").replace(" =", "").split(", ")
        names = {word.split()[1] for word in told[1:4]}
        assert set(colors.split(", ")) <= names
    assert "V = vert" in read_history("RVBJ 1 1").told


def test_a_game_says_how_it_was_read() -> None:
    assert [str(turn) for turn in parse_game("RRGB 2 1\nRYBO 0 2").turns] == ["AABC=XXO", "ADCE=OO"]
    with pytest.raises(AmbiguousError):
        parse_game("BGBG 1 1")
    with pytest.raises(MarkError):
        read_history("AABC=QQ", "4x6")
