"""Sentences for the steps of `knowledge.reasoning` that a child of ten understands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from pegwise.errors import Phrase
from pegwise.game import HOLE, Code, Game, Notation, Turn
from pegwise.game.notation import LETTERS
from pegwise.i18n import tr, trn
from pegwise.knowledge.reasoning import Deduction

_WHY: Final = {
    "none": Phrase("No peg of turn {n} is right."),
    "all": Phrase("Turn {n} has {right}: these are all colors of the code."),
    "one-color": Phrase("Turn {n} has one color, and {right}."),
    "no-black": Phrase("Turn {n} has no peg in its place."),
    "full": Phrase("The places of {colors} are all known."),
    "needed": Phrase("No other place is left for {colors}."),
    "blacks-told": Phrase("Turn {n} has {black}, already known: {cells}."),
    "blacks-needed": Phrase("Turn {n} has {black}, and only this is possible: {cells}."),
    "no-white": Phrase("Turn {n} has no misplaced peg."),
    "sum": Phrase("Turn {n} has {right}."),
    "sum-among": Phrase("Turn {n} has {right}, among them {colors}."),
    "sum-told": Phrase("Turn {n} has {right}, already known: {colors}."),
    "sum-needed": Phrase("Turn {n} has {right}, and only this is possible: {colors}."),
    "rest": Phrase("Turn {n} has {right}, but the code has {pegs} pegs."),
    "rest-among": Phrase("Turn {n} has {right}; the others of the {pegs} pegs include {colors}."),
    "total": Phrase("The code has {pegs} pegs in all."),
    "total-among": Phrase("The code has {pegs} pegs in all, among them {colors}."),
    "total-told": Phrase("All {pegs} pegs of the code have their colors: {colors}."),
    "total-needed": Phrase("The code has {pegs} pegs, and only this is possible: {colors}."),
    "add": Phrase("Turns {n} and {m} share no color, and have {sum} together."),
    "add-among": Phrase(
        "Turns {n} and {m} share no color, and have {sum} together; the others include {colors}."
    ),
    "compare": Phrase(
        "Turns {n} and {m} differ in one peg, {old} or {new} at place {place}, and in the mark: "
        "{before}, then {after}."
    ),
    "compare-same": Phrase(
        "Turns {n} and {m} differ in one peg, {old} or {new} at place {place}, and have the same "
        "mark, {before}."
    ),
    "compare-two": Phrase(
        "Turns {n} and {m} differ in two pegs, at places {places}; their marks are {before} and "
        "{after}."
    ),
    "pair-needed": Phrase("{colors} need all the places that are left for them."),
    "pair-told": Phrase("Some places are left for {colors} only, and take them all."),
    "right": Phrase("In turn {n} this is right: {cells}."),
    "absent": Phrase("In turn {n} this is absent: {colors}."),
    "elsewhere": Phrase("In turn {n} this is elsewhere: {cells}."),
    "repeated": Phrase("Turn {n} has {color} {times} times, and {counting}."),
    "word": Phrase("Only one word of the list fits: {word}."),
    "contradiction": Phrase("Then no code is possible."),
    "contradiction-1": Phrase("This contradicts turn {n}."),
    "contradiction-2": Phrase("This contradicts turns {n} and {m}."),
    "case": Phrase("If {case}, no code is possible."),
    "case-1": Phrase("If {case}, turn {n} cannot have its mark."),
    "case-2": Phrase("If {case}, turns {n} and {m} cannot both have their marks."),
    "case-many": Phrase("If {case}, the turns {numbers} contradict each other."),
}


_PLACING: Final = {"blacks-needed", "needed", "right"}


def sentence(
    step: Deduction, rules: Game, turns: Sequence[Turn], notation: Notation = LETTERS
) -> str:
    """Why, and what follows, as `No peg of turn 1 is right. So A and B are not in the code.`.

    Colors are written in the notation.
    """
    why = tr(str(_WHY[_variant(step, turns)]), **_values(step, rules, turns, notation))
    # a word is told as a whole
    facts = "" if step.kind == "word" else in_sequence(_facts(step, rules, notation))
    return tr("{why} So {facts}.", why=why, facts=facts) if facts else why


def document(step: Deduction, rules: Game, turns: Sequence[Turn]) -> dict[str, Any]:
    """A step as JSON; colors are letters, turns and places count from 1."""
    return {
        "kind": step.kind,
        "level": step.level,
        "turns": step.turns,
        "pegs": step.pegs,
        "excluded": [[place, _letter(color)] for place, color in step.excluded],
        "counts": [[_letter(color), low, high] for color, low, high in step.counts],
        "placed": [[place, _letter(color)] for place, color in step.placed],
        "case": _case_document(step),
        "depth": step.depth,
        "text": sentence(step, rules, turns),
        "chain": [document(inner, rules, turns) for inner in step.chain],
    }


def _case_document(step: Deduction) -> dict[str, Any] | None:
    """The JSON document of a case: a color at a place, or for place 0 in the code, or not there."""
    if step.case is None:
        return None
    place, color, absent = step.case
    return {"place": place, "color": _letter(color), "absent": absent}


def _variant(step: Deduction, turns: Sequence[Turn]) -> str:
    """The key of a sentence, which for some kinds depends on the turns."""
    marks = {turns[number - 1].mark for number in step.turns}
    match step.kind, len(step.turns):
        case "compare", _ if len(marks) == 1:
            return "compare-same"
        case "contradiction" | "case", 1 | 2 as number:
            return f"{step.kind}-{number}"
        case "case", number if number:
            return "case-many"
        case "sum" | "rest" | "total" | "add", _ if step.colors:
            return f"{step.kind}-among"
    return step.kind


def _values(
    step: Deduction, rules: Game, turns: Sequence[Turn], notation: Notation
) -> dict[str, object]:
    """Values for the fields of the sentence of a step."""
    values: dict[str, object] = {"pegs": rules.pegs, "colors": written(step.colors, notation)}
    if step.kind == "word":
        values["word"] = "".join(map(_letter, step.colors))
    if step.kind == "repeated":
        number = len(step.colors)
        values |= {
            "color": _sign(step.colors[0], notation),
            "times": len(step.pegs),
            "counting": trn(
                "{n} of these is right or elsewhere", "{n} of these are right or elsewhere", number
            ),
        }
    if step.case is not None:
        values["case"] = _case(*step.case, notation)
    history = [turns[number - 1] for number in step.turns]
    if history:
        first, second = history[0], history[-1]
        totals = [turn.mark.black + turn.mark.white for turn in history]
        places = list(dict.fromkeys(place for _, place in step.pegs))
        values |= {
            "n": step.turns[0],
            "m": step.turns[-1],
            "numbers": in_sequence(map(str, step.turns)),
            "right": right_pegs(totals[0]),
            "sum": right_pegs(sum(totals)),
            "black": trn("{n} peg in its place", "{n} pegs in their places", first.mark.black),
            "before": first.mark,
            "after": second.mark,
            "places": in_sequence(map(str, places)),
        }
        if places:
            old, new = (_sign(turn.guess[places[0] - 1], notation) for turn in (first, second))
            values |= {"place": places[0], "old": old, "new": new}
            cells = (is_at(place, first.guess[place - 1], notation) for place in places)
            values["cells"] = in_sequence(cells)
    return values


def right_pegs(number: int) -> str:
    """How many pegs have a right color, in words."""
    return trn("{n} peg of a right color", "{n} pegs of a right color", number)


def is_at(place: int, color: int, notation: Notation) -> str:
    """A color with its place: `A at place 2`."""
    return tr("{color} at place {place}", color=_sign(color, notation), place=place)


def _case(place: int, color: int, absent: bool, notation: Notation) -> str:
    sign = _sign(color, notation)
    if place:
        return tr("{color} is at place {place}", color=sign, place=place)
    if absent:
        return tr("{color} is not in the code", color=sign)
    return tr("{color} is in the code", color=sign)


def _facts(step: Deduction, rules: Game, notation: Notation) -> Iterator[str]:
    """Facts that follow, without those that follow from them in turn."""
    code = noun(rules)
    out = [color for color, _, high in step.counts if not high]
    certain = {place for place, _ in step.placed}
    if step.kind in _PLACING:
        # that others are out is seen where all places are told
        open_places = {color: place for place, color in step.excluded if place not in certain}
        out = [color for color in out if color in open_places]
    if out:
        yield trn(
            "{colors} is not in the {code}",
            "{colors} are not in the {code}",
            len(out),
            colors=written(out, notation),
            code=code,
        )
    bounds: dict[tuple[int, int], list[int]] = {}
    for color, low, high in step.counts:
        if high and (low or high < 2 or not step.helps):
            bounds.setdefault((low, high), []).append(color)
    for (low, high), colors in bounds.items():
        yield how_often(written(colors, notation), len(colors), low, high, code)
    for place, color in step.placed:
        sign = _sign(color, notation)
        if step.kind in _PLACING:
            yield tr("place {place} is {color}", place=place, color=sign)
        else:
            yield tr("only {color} is left for place {place}", place=place, color=sign)
    barred: dict[int, list[int]] = {}
    for place, color in step.excluded:
        if color not in out and place not in certain:
            barred.setdefault(color, []).append(place)
    # colors with the same places are said together
    groups: dict[tuple[int, ...], list[int]] = {}
    for color, places in barred.items():
        groups.setdefault(tuple(places), []).append(color)
    for places_of_group, colors in groups.items():
        where = trn(
            "at place {places}",
            "at places {places}",
            len(places_of_group),
            places=in_sequence(map(str, places_of_group), tr("{first} or {last}")),
        )
        yield trn(
            "{colors} is not {where}",
            "{colors} are not {where}",
            len(colors),
            colors=written(colors, notation),
            where=where,
        )


def how_often(colors: str, number: int, low: int, high: int, code: str) -> str:
    """How often colors occur, one or several of them."""
    values = {"colors": colors, "low": low, "high": high, "code": code}
    if low == high == 1:
        return trn("{colors} occurs once", "{colors} occur once each", number, **values)
    if low == high:
        return trn(
            "{colors} occurs {low} times", "{colors} occur {low} times each", number, **values
        )
    if low > 1:
        return trn(
            "{colors} occurs at least {low} times",
            "{colors} occur at least {low} times each",
            number,
            **values,
        )
    if low:
        return trn("{colors} is in the {code}", "{colors} are in the {code}", number, **values)
    if high == 1:
        return trn(
            "{colors} occurs at most once", "{colors} occur at most once each", number, **values
        )
    return trn(
        "{colors} occurs at most {high} times",
        "{colors} occur at most {high} times each",
        number,
        **values,
    )


def noun(rules: Game) -> str:
    """What is sought: a code or a word."""
    return tr("word") if rules.alphabet.are_words else tr("code")


def _letter(color: int) -> str:
    return _sign(color, LETTERS)


def _sign(color: int, notation: Notation) -> str:
    """How a color is written; a letter of a word is numbered by Unicode."""
    if color > HOLE:
        return chr(color)
    return tr("a hole") if color == HOLE else notation.code(Code([color]))


def written(colors: Iterable[int], notation: Notation) -> str:
    """Colors with commas and an `and`."""
    return in_sequence(_sign(color, notation) for color in colors)


def in_sequence(words: Iterable[str], last_two: str = "") -> str:
    """Words with commas and an `and`: `A, B and C`."""
    *rest, last = [*words] or [""]
    if not rest:
        return last
    pattern = last_two or tr("{first} and {last}")
    return pattern.format(first=", ".join(rest), last=last)
