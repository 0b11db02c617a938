"""What is told of searches and their proofs: optima, fixed sets, values, and their verification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from pegwise.errors import Phrase
from pegwise.game import Notation
from pegwise.game.notation import LETTERS
from pegwise.i18n import figure, tr, translated, trn
from pegwise.search.certificates.sets import Confused, FixedSet, ProvenSet
from pegwise.search.certificates.values import GameValue
from pegwise.telling.blocks import (
    Block,
    CodeList,
    Report,
    Sentence,
    Table,
    heads,
    in_two_lines,
    sign_cell,
)
from pegwise.telling.words import capitalized, histogram_words

if TYPE_CHECKING:
    from pegwise.game import Game
    from pegwise.search.certificates.claims import Claim
    from pegwise.search.certificates.optima import ProvenOptimum
    from pegwise.trees import Reading, Tree, Verification

FEWEST: Final = "total-fewest"
PROVABLE: Final = ("total", "worst", "worst-total", FEWEST)
"""The objectives with a bound that a certificate can prove."""

_OBJECTIVES: Final = {
    ("total", True): Phrase("smallest total"),
    ("worst", True): Phrase("smallest worst case"),
    ("worst-total", True): Phrase("smallest worst case, then total"),
    ("fewest-at-worst", True): Phrase("smallest worst case, fewest codes at it, then total"),
    (FEWEST, True): Phrase("smallest total, then fewest codes at the last guesses"),
    ("within", True): Phrase("most codes within the limit, then smallest total"),
    ("utility", True): Phrase("largest worth, then smallest total"),
    ("against", True): Phrase("most wins minus losses"),
    ("total", False): Phrase("best total so far"),
    ("worst", False): Phrase("best worst case so far"),
    ("worst-total", False): Phrase("best worst case so far, then total"),
    (FEWEST, False): Phrase("best total so far"),
    ("fewest-at-worst", False): Phrase("best worst case so far, fewest codes at it"),
    ("within", False): Phrase("most codes so far within the limit"),
    ("utility", False): Phrase("largest worth so far"),
    ("against", False): Phrase("most wins minus losses so far"),
}
"""Names of a tree, by objective and whether that is proven."""

_NOTATIONS: Final = {
    "pegwise": Phrase("tree file"),
    "json": Phrase("a JSON document"),
    "viaud": Phrase("Viaud's lines"),
    "irving": Phrase("Irving's notation"),
    "knuth": Phrase("Knuth's notation of 1976"),
    "table": Phrase("a table of turns"),
    "nested": Phrase("nested objects of JSON"),
    "proof": Phrase("a tree with the proof that none is better"),
}
"""What a file with a tree is, by `Reading.notation`."""

_UNCHECKED: Final = {
    "strategy": Phrase("the name of its strategy"),
    "table": Phrase("its table of marks"),
    "weights": Phrase("its weights"),
    "lower_bound": Phrase("its lower bound"),
}
"""What a check cannot judge of a file, by key; of any other key, how it was found."""


# Results of searches.


def optimum_report(document: Mapping[str, Any], tree: Tree | None) -> Report:
    """A best tree, or the best one so far, by the document of the search that found it."""
    return Report.of(_optimum(document, tree))


def _optimum(document: Mapping[str, Any], tree: Tree | None) -> Iterator[Block]:
    name, least, most = document["rules"], document["lower_bound"], document.get("max_guesses")
    proven, objective = document["proven"], document["objective"]
    if tree is None:
        words = tr("No tree of {name} found yet; at least {least}.", name=name, least=least)
        if proven:
            words = tr(
                "Impossible, proven: no strategy finds every secret of {name} with at most {most} "
                "guesses.",
                name=name,
                most=most,
            )
        yield Sentence(words)
        return
    title = tr(_OBJECTIVES[objective, proven])
    title += "" if most is None else tr(", at most {n} guesses", n=most)
    title += tr(", candidates only") if document.get("guesses") == "candidates" else ""
    if (start := document.get("begins_with")) is not None:
        title += tr(", beginning with {code}", code=start)
    proof = tr("proven, verified") if proven else tr("not proven, verified")
    yield Sentence(tr("{name}: {what}", name=name, what=f"{title} ({proof})"), "heading")
    lines = [
        Phrase(
            "total {total}, mean {mean:.4f}, worst {worst}",
            total=tree.total,
            mean=tree.mean,
            worst=tree.worst,
        ),
        Phrase("first guess {guess}", guess=tree.game.guess(int(tree.nodes.guess[0]))),
        tr("secrets found: {counts}", counts=histogram_words(tree.histogram)),
    ]
    if "within" in document:
        within, number = document["within"], document["found"]
        lines.append(Phrase("within {within} guesses: {found}", within=within, found=number))
    if "worth" in document:
        lines.append(Phrase("worth {worth}", worth=document["worth"]))
    if "wins" in document:
        wins, losses = document["wins"], document["losses"]
        lines.append(
            Phrase(
                "{wins} wins, {ties} ties, {losses} losses: {balance:+}",
                wins=wins,
                ties=document["ties"],
                losses=losses,
                balance=wins - losses,
            )
        )
    if not proven and objective in PROVABLE:
        bound = Phrase("no tree has less than {least}", least=least)
        if start is not None:
            bound = Phrase("no tree that begins so has less than {least}", least=least)
        lines.append(bound)
    yield from _items(lines)


def _items(lines: Iterable[str]) -> Iterator[Block]:
    return (Sentence(line, item=True) for line in lines)


def effort_words(positions: int, time: object) -> str:
    """How many positions a search has entered, and how long it took."""
    return trn("{n} position in {time}", "{n} positions in {time}", positions, time=time)


def certificate_words(document: Mapping[str, Any]) -> str:
    """How long the certificate is that was written."""
    length = trn("{n} set", "{n} sets", document.get("sets", 0))
    if "branchings" in document:
        length = _branchings(document["branchings"])
    return tr("certificate {path}: {sets}", path=document["certificate"], sets=length)


def _branchings(n: int) -> str:
    return trn("{n} branching", "{n} branchings", n)


def looked_up_words(seconds: float, *, proven: bool) -> str:
    """That an answer was not searched for now, and what the search took."""
    if not proven:
        return tr(
            "looked up: searched for {seconds:.2f} s of processor time; --search searches on",
            seconds=seconds,
        )
    return tr(
        "looked up: proven in {seconds:.2f} s of processor time; --search proves it anew",
        seconds=seconds,
    )


def set_report(answer: FixedSet, asked: int | None = None) -> Report:
    """A fixed set of guesses, or whether as many as were asked for are enough."""
    return Report.of(_fixed_set(answer, asked))


def _fixed_set(answer: FixedSet, asked: int | None) -> Iterator[Block]:
    name, size, least = answer.game.name, answer.size, answer.lower_bound
    if asked is not None and least > asked:
        words = trn(
            "Impossible, proven: {n} fixed guess is too few for the {codes} codes of {name}.",
            "Impossible, proven: {n} fixed guesses are too few for the {codes} codes of {name}.",
            asked,
            codes=answer.game.n_secrets,
            name=name,
        )
        yield Sentence(words)
    elif asked is not None and (size is None or size > asked):
        words = trn(
            "No {n} fixed guess found for {name}, and it is not proven impossible.",
            "No {n} fixed guesses found for {name}, and it is not proven impossible.",
            asked,
            name=name,
        )
        yield Sentence(words)
    elif size is None:
        yield Sentence(tr("No set of {name} found yet.", name=name))
    if size is not None:
        proof = tr("at least {n} are needed", n=least)
        if answer.proven:
            proof = tr("proven smallest")
        what = f"{_fixed_guesses(size)} ({proof})"
        yield Sentence(tr("{name}: {what}", name=name, what=what), "heading")
        yield CodeList(tuple(answer.guesses), size)


def _fixed_guesses(n: int) -> str:
    return trn("{n} fixed guess", "{n} fixed guesses", n)


def value_report(value: GameValue) -> Report:
    """The value of a game, or its bounds, and how both sides play."""
    return Report.of(_value(value))


def _value(value: GameValue) -> Iterator[Block]:
    rules, classes = value.game.name, value.classes
    lower, upper = value.lower, value.upper
    if value.proven:
        words = tr(
            "{rules}: the value of the game is {value} = {mean:.6f} guesses (proven, verified)",
            rules=rules,
            value=value.write(lower),
            mean=float(lower),
        )
        yield Sentence(words, "heading")
    else:
        words = tr("{rules}: the value of the game is not known yet", rules=rules)
        yield Sentence(words, "heading")
        values = [value.write(bound) for bound in (lower, upper)]
        between = tr("between {mean:.6f} = {value}", mean=float(lower), value=values[0])
        yield Sentence(between, item=True)
        end = tr("and {mean:.6f} = {value}", mean=float(upper), value=values[1])
        yield Sentence(end, item=True)
    whole = classes.weight(value.weights)
    rows = tuple(
        (
            sign_cell(value.game.secret(first)),
            figure(size, ","),
            figure(weight, ","),
            figure(float(Fraction(weight * size, whole)), ".2%"),
            figure(float(mean), ".4f"),
        )
        for first, size, weight, mean in zip(
            classes.first, classes.sizes, value.weights, value.class_means(), strict=True
        )
    )
    yield Sentence(tr("The codemaker draws a secret by these weights:"), "title")
    texts = (tr("class"), tr("secrets"), tr("weight of one"), tr("chance of the class"))
    yield Table(heads(*map(in_two_lines, (*texts, tr("mean guesses")))), rows)
    yield Sentence(_codebreaker_words(value), "title")
    trees = tuple(
        (
            figure(float(chance), ".4%"),
            sign_cell(value.game.guess(int(tree.nodes.guess[0]))),
            figure(tree.total, ","),
            figure(tree.worst, ","),
        )
        for chance, tree in value.mixture
    )
    chosen = (tr("chance"), tr("first guess"), tr("total"), tr("worst"))
    yield Table(heads(*chosen, words=(1,)), trees)


def _codebreaker_words(value: GameValue) -> str:
    board = value.game.board
    trees = tr("one of these trees") if len(value.mixture) > 1 else tr("this tree")
    if board is None:
        return tr("The codebreaker plays {trees}:", trees=trees)
    colors = tr("renames colors at random")
    if board.colors_apart:
        colors = tr("renames colors at random on each peg")
    return tr(
        "The codebreaker exchanges pegs and {colors}, then plays {trees}:",
        colors=colors,
        trees=trees,
    )


# What checks say.


def unchecked_words(keys: Iterable[str]) -> str:
    """What a check cannot judge of a file; "" for nothing."""
    words = dict.fromkeys(tr(_UNCHECKED.get(key, Phrase("how it was found"))) for key in keys)
    return tr("Not checked: {claims}.", claims=", ".join(words)) if words else ""


def problem_words(problem: str) -> str:
    """A problem as a sentence of its own."""
    return f"{capitalized(translated(problem))}."


def tree_verification(
    name: object,
    reading: Reading,
    checked: Verification,
    problems: Sequence[str],
    count: int,
    proof: ProvenOptimum | None = None,
) -> Report:
    """What was checked of a tree in a file, and of the proof that comes with it.

    Args:
        name: of the file.
        reading: how it was read.
        checked: what the tree does against every secret.
        problems: the first of those that were found.
        count: how many there are.
        proof: the claim that no tree is better.
    """
    return Report.of(_verification(name, reading, checked, problems, count, proof))


def _verification(
    name: object,
    reading: Reading,
    checked: Verification,
    problems: Sequence[str],
    count: int,
    proof: ProvenOptimum | None,
) -> Iterator[Block]:
    what = f"{reading.tree.game.name}, {tr(_NOTATIONS[reading.notation])}"
    yield Sentence(tr("{name}: {what}", name=name, what=what), "heading")
    yield from verified(checked, problems, count)
    if proof is not None and not count:
        words = trn(
            "Verified: {n} set proves that no tree is better.",
            "Verified: {n} sets prove that no tree is better.",
            proof.sets,
        )
        if proof.first is not None:
            words = trn(
                "Verified: {n} set proves that no tree is better that begins with {guess}.",
                "Verified: {n} sets prove that no tree is better that begins with {guess}.",
                proof.sets,
                guess=proof.game.guess(proof.first),
            )
        yield Sentence(words)


def verified(checked: Verification, problems: Sequence[str], count: int) -> Iterator[Block]:
    """What a tree does against every secret, and the first of `count` problems."""
    words = tr(
        "{secrets} secrets, {total} guesses, worst {worst}",
        secrets=checked.secrets,
        total=checked.total,
        worst=checked.worst,
    )
    yield Sentence(words)
    if checked.histogram:
        yield Sentence(tr("secrets found: {counts}", counts=histogram_words(checked.histogram)))
    if count:
        part = "" if count == len(problems) else tr(", of which {n} are", n=len(problems))
        words = trn(
            "Not verified: {n} problem{shown}",
            "Not verified: {n} problems{shown}",
            count,
            shown=part,
        )
        yield Sentence(words)
        yield from _items(problems)
        return
    yield Sentence(tr("Verified: the tree finds every secret as it says."))


def claim_verification(name: object, claim: Claim, problems: Sequence[str]) -> Report:
    """What was checked of a certificate other than a tree with its proof."""
    return Report.of(_claim(name, claim, problems))


def _claim(name: object, claim: Claim, problems: Sequence[str]) -> Iterator[Block]:
    kind = tr("certificate of {what}", what=claim.title)
    what = f"{claim.game.name}, {kind}"
    yield Sentence(tr("{name}: {what}", name=name, what=what), "heading")
    if problems:
        yield from map(Sentence, map(problem_words, problems))
        return
    fixed = claim.fixed if isinstance(claim, ProvenSet) else claim
    words = tr("Verified: its trees find every secret as it says.")
    if isinstance(fixed, FixedSet):
        words = tr("Verified: {n} fixed guesses tell all codes apart.", n=fixed.size)
    yield Sentence(words)
    if isinstance(claim, ProvenSet):
        length = _branchings(claim.sets)
        yield Sentence(tr("The proof that no fewer do has {count}.", count=length))
    elif getattr(claim, "proven", True):
        commands: dict[type, str] = {FixedSet: "static", GameValue: "value"}
        words = tr(
            "That nothing is better rests on a search: 'pegwise {command} {rules} "
            "--certificate FILE' writes a proof.",
            command=commands.get(type(claim), "optimal"),
            rules=claim.game.name,
        )
        yield Sentence(words)


def set_check(
    game: Game,
    codes: Sequence[Any],
    confused: Confused | None,
    problems: Sequence[str],
    notation: Notation = LETTERS,
) -> Report:
    """Whether some guesses tell all codes apart, and what is wrong with what their file states."""
    words: str = trn(
        "This guess tells all {codes} codes of {name} apart.",
        "These {n} guesses tell all {codes} codes of {name} apart.",
        len(codes),
        codes=game.n_secrets,
        name=game.name,
    )
    if confused is not None:
        first, second = (game.secret(number) for number in (confused.first, confused.second))
        marks = " ".join(notation.sign(game.mark_of(code, first)) for code in codes)
        words = Phrase(
            "{guesses}: not enough for {name}. {first} and {second} get the same marks "
            "({marks}); {apart} of {n} answers differ.",
            guesses=_fixed_guesses(len(codes)),
            name=game.name,
            first=first,
            second=second,
            marks=marks or tr("none"),
            apart=confused.answers,
            n=game.n_secrets,
        )
    return Report.of(map(Sentence, [words, *map(problem_words, problems)]))


def value_check(claim: GameValue, problems: Sequence[str]) -> Report:
    """What was checked of the value of a game."""
    words = tr(
        "{name}: the value is {value}, proven: {n} trees were played, and no tree costs "
        "less against the codemaker's weights.",
        name=claim.game.name,
        value=claim.write(claim.lower),
        n=len(claim.mixture),
    )
    return Report.of(map(Sentence, map(problem_words, problems) if problems else [words]))
