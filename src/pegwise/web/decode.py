"""Decode: a person has a real board, and gets advice. No data are stored."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.coach.advice import Adviser, Position, default_strategy, rank
from pegwise.coach.choice import weigh
from pegwise.encoder import encoded
from pegwise.errors import AmbiguousError, ContradictionError, InputError, TooLargeError
from pegwise.game import Code, Game, Notation, Turn, game_of, parse_code
from pegwise.game.notation import LETTERS
from pegwise.game.rules import MAX_LISTED
from pegwise.i18n import SOURCE, speaking, tr, translated
from pegwise.knowledge import candidates, check_turn, count, possible_marks
from pegwise.knowledge.chances import chances
from pegwise.knowledge.diagnosis import diagnose
from pegwise.playing import Play
from pegwise.progress import TimeLimit
from pegwise.reading import parse_mark
from pegwise.reading.codes import names_in
from pegwise.reading.forms import inferred_sentence
from pegwise.reading.marks import meanings_told, read_mark
from pegwise.search.solver import best_play_within
from pegwise.strategies import label, parse
from pegwise.strategies.registry import cards
from pegwise.telling.advice import proposal, reason_words, weighed_table
from pegwise.telling.blocks import Block, Sentence, cell_text
from pegwise.telling.position import cause_sentence, chances_table, contradiction, of_boards
from pegwise.web.inputs import (
    CLASSIC,
    CodeText,
    MarkText,
    PlayedTurn,
    RequestBody,
    RulesQuery,
    RulesText,
    SentTurns,
    StrategyText,
    is_form,
    numbered,
    query_of,
    read_rules,
    rules_of,
)
from pegwise.web.pages import catalogue, language_of, render, render_piece
from pegwise.web.reading import (
    MOST_TEXT,
    ColorName,
    NumberedTurns,
    address_of_form,
    color_names,
    colors_of,
    pasted,
    read_sent,
    shown_names,
)
from pegwise.web.services import (
    SEARCHING,
    Services,
    Shared,
    Spoken,
    TooLongError,
    fallback_strategy,
)

if TYPE_CHECKING:
    from pegwise.coach.advice import Advice, Position, Split
    from pegwise.strategies import Strategy

Criterion = Literal["entropy", "size", "minimax", "parts"]

# seconds of processor time
_COUNTING: Final = 3.0  # for counting the codes after each turn, and again for listing them
_EXPLAINING: Final = 8.0  # for finding the mark that may be wrong
_LISTED: Final = 20  # codes that are listed of each of several boards
_WEIGHED: Final = 10  # guesses that are shown as reasons


_Answer = TypeVar("_Answer")


class HistoryRequest(RequestBody):
    """Turns of a real board: a list, or a text as people note them.

    Without rules they are inferred of the turns: 4x6 where there are none. `colors` are names of
    one's own for the colors, in which guesses are written; `marks` is the form that marks are read
    in where several are possible.
    """

    rules: RulesText | None = None
    history: SentTurns
    text: Annotated[str, Field(max_length=MOST_TEXT)] | None = None
    colors: Annotated[tuple[Annotated[str, Field(max_length=50)], ...], Field(max_length=26)] = ()
    marks: Annotated[str, Field(max_length=50)] | None = None

    def read(self, language: str) -> NumberedTurns:
        """The turns, as they are read."""
        if self.text is not None and self.history:
            raise InputError("send a history, or a text of turns; not both")
        sent = self.history if self.text is None else self.text
        return read_sent(self.rules, sent, colors=self.colors, marks=self.marks, language=language)


class DecodeRequest(HistoryRequest):
    """A history, and the strategy that is to go on."""

    strategy: StrategyText = ""
    limit: Annotated[int, Field(ge=0, le=1000)] = 20


class MarkCount(BaseModel):
    """A mark that a turn may have had, and how many codes fit with it."""

    mark: str
    count: int


class SuspectView(BaseModel):
    """A turn (from 1) whose mark, changed alone, makes the history possible."""

    turn: int
    mark: str
    instead: list[MarkCount]


class OtherMeaning(BaseModel):
    """How the marks may be meant besides, and how many codes fit then.

    `marks` is the form that they are read in; `count` is null where the codes cannot be counted.
    """

    words: str
    marks: str
    count: int | None = None


class DecodeView(BaseModel):
    """The candidates after some turns, and the guess to play.

    `count` is null where the codes cannot be counted, `left` has the count after each turn.
    `rules` and `history` are as they were read, with null for a turn that is ignored; `read_as`
    says what was inferred, `colors` what the colors are called if not by letters. `others` is
    how the marks may be meant besides.
    `late` tells that the strategy asked for took too long, and that `guess` is any code that fits.
    `guess` is null when the code is found or the marks contradict each other; then there are
    `suspects`, or `fewest_wrong` tells how many marks must be wrong; `causes` say in sentences what
    else may be wrong.
    """

    rules: RulesText = CLASSIC
    history: list[PlayedTurn | None] = []
    read_as: str | None = None
    colors: list[ColorName] = []
    others: list[OtherMeaning] = []
    count: int | None
    counts: Annotated[list[int | None], Field(serialization_alias="left")]
    guess: str | None = None
    by: str
    late: bool = False
    won: bool
    marks: list[str] = []
    codes: list[str]
    suspects: list[SuspectView] = []
    causes: list[str] = []
    fewest_wrong: int | None = None


class SplitView(BaseModel):
    """The information of a guess: bits, codes left, and the number of its parts."""

    guess: str
    candidate: bool
    expected: float
    bits: float
    largest: int
    parts: int


class WhyRow(SplitView):
    """How a guess splits the possible codes; its place is null beyond the best ones."""

    place: int | None
    score: float | None


class WhyTable(BaseModel):
    """The table that the strategy compared."""

    heads: list[str]
    rows: list[list[str]]


class WhyView(BaseModel):
    """Why a guess is proposed, in the words of the strategy that proposes it.

    `criterion` is that by which the strategy compares guesses one step ahead, and `rows` are the
    best guesses by it; "" and the proposed guess alone for other strategies. `named` is the
    criterion as the strategy names it, `table` what else it compared, if anything.
    """

    criterion: str
    reason: str
    named: str
    table: WhyTable | None
    guess: str
    by: str
    count: int
    weighed: int
    exact: bool
    note: str | None
    rows: list[WhyRow]


class MarkChoice(BaseModel):
    """A mark that a text may be: in words, and the form that it is then read in."""

    mark: str
    words: str
    marks: str


class MarkView(BaseModel):
    """A mark that is typed; null where it may be several, of which `readings` has each."""

    mark: str | None
    read_as: str | None = None
    readings: list[MarkChoice] = []


class MarksView(BaseModel):
    """The marks that some secret gives to a guess."""

    rules: RulesText
    guess: str
    marks: list[str]


class CompilingView(BaseModel):
    """Kernels that are compiled for a question at this moment: how many are done, of how many."""

    compiling: bool
    done: int
    total: int


class WeighRequest(HistoryRequest):
    """A guess after some turns."""

    guess: CodeText
    criterion: Criterion = "entropy"


class WeighView(SplitView):
    """A guess and the best one, which is null where there are too many codes to look for it.

    `answer` is the best guess by the yardstick of the coach, `excess` what the guess costs against
    it, in `unit`.
    """

    count: int
    best: SplitView | None
    unit: str | None
    answer: str | None
    excess: Annotated[float | None, Field(serialization_alias="above")]


# What a process computes.


def decode(
    rules: Game,
    name: str,
    turns: dict[int, Turn],
    n_turns: int,
    limit: int,
    *,
    others: Sequence[tuple[str, str, Sequence[Turn]]] = (),
    notation: Notation = LETTERS,
    counted: bool = True,
    language: str = SOURCE,
) -> DecodeView:
    """Find candidates and a guess to play after some turns; `counted` tells to count codes.

    `others` are other meanings of the marks: in words, their form, and the turns then.
    """
    strategy = _strategy(rules, name)
    for number, turn in turns.items():
        with numbered(number):
            check_turn(rules, turn, notation)
    history = list(turns.values())
    counts = _counts(rules, history) if counted else [None] * (len(history) + 1)
    after = dict(zip(turns, counts[1:], strict=True))
    view = DecodeView(
        count=counts[-1],
        counts=[after.get(number) for number in range(1, n_turns + 1)],
        by=label(strategy),
        won=bool(history) and history[-1].mark == rules.marking.winning and counts[-1] != 0,
        codes=[],
    )
    if counted:
        with suppress(TooLargeError):
            first = candidates(rules, history, limit, report=TimeLimit(_COUNTING))
            view.codes = [str(code) for code in first]
    view.others = [OtherMeaning(words=words, marks=marks) for words, marks, _ in others]
    if counted:
        with suppress(TooLargeError):
            for meaning, (*_, other) in zip(view.others, others, strict=True):
                meaning.count = count(rules, other, report=TimeLimit(_COUNTING))
    if view.won:
        return view
    advice = None
    if view.count != 0:
        with suppress(ContradictionError):  # on boards where codes are not counted
            propose = Adviser(strategy, rules).propose
            advice = propose(history) if history else opening(rules, name)
    if advice is None and not counted:
        view.count = 0
    elif advice is None:
        told = _explained(rules, tuple(turns.items()), notation, language)
        view = view.model_copy(update=told)
    else:
        view.guess, view.by = str(advice.guess), advice.strategy
        view.marks = possible(rules, advice.guess)
    return view


def decode_boards(play: Play, language: str) -> tuple[Block, ...]:
    """A guess for several boards, or the marks that may be wrong; and the codes of each board."""
    boards = candidates(play)
    rules = play.game
    told: list[Block] = []
    with speaking(language):
        for board, codes in enumerate(boards):
            if not codes:
                told.append(Sentence(tr("Board {n}:", n=board + 1), "warning"))
                told += contradiction(
                    diagnose(rules, play.turns_on(board), seconds=_EXPLAINING), LETTERS
                )
        if not told and not play.over:
            strategy = default_strategy(rules, play.boards)
            advice = Adviser(strategy, rules, play.boards).propose(play.turns)
            told += proposal(advice, Position(play))
        return (*told, *of_boards(play, boards, _LISTED))


@lru_cache(maxsize=64)
def opening(rules: Game, name: str) -> Advice:
    """The first guess of a strategy, which is the same for all visitors."""
    return Adviser(_strategy(rules, name), rules).propose(())


def possible(rules: Game, guess: Code) -> list[str]:
    """The marks that some secret gives to a guess."""
    return [str(mark) for mark in possible_marks(rules, guess)]


def why(
    rules: Game,
    name: str,
    history: Sequence[Turn],
    language: str = SOURCE,
    notation: Notation = LETTERS,
) -> WhyView:
    """Why a strategy proposes its guess, and how it stands among those that it compares.

    Where there are too many codes to weigh guesses, and for strategies that compare none one step
    ahead, the proposed one stands alone.
    """
    strategy = _strategy(rules, name)
    position = _position(rules, history)
    advice = Adviser(strategy, rules).propose(history)
    explanation = advice.explain(write=notation.code)
    criterion = explanation.ranked_by
    ranking, note, table = None, None, None
    with speaking(language):
        reason = reason_words(explanation, rules, history, whole=True)
        named = translated(explanation.criterion)
        if advice.decision is not None and (weighed := advice.decision.weighed()) is not None:
            shown = weighed_table(weighed)
            cells = [[cell_text(cell, notation.sign) for cell in row] for row in shown.shown()]
            table = WhyTable(heads=[head.text for head in shown.heads], rows=cells)
    if criterion:
        try:
            ranking = rank(
                position, criterion=criterion, guesses=explanation.guesses, limit=_WEIGHED
            )
        except TooLargeError as error:
            note = f"{error}."
    placed: list[tuple[int | None, Split]] = list(enumerate(ranking.splits if ranking else (), 1))
    if all(split.guess != advice.guess for _, split in placed):
        placed.append((None, position.split(advice.guess)))
    return WhyView(
        criterion=criterion,
        reason=reason,
        named=named,
        table=table,
        guess=str(advice.guess),
        by=advice.strategy,
        count=position.count,
        weighed=ranking.weighed if ranking else 0,
        exact=ranking is None or ranking.exact,
        note=note,
        rows=[
            WhyRow(
                place=place,
                score=split.score(criterion) if criterion else None,
                **_values(split),
            )
            for place, split in placed
        ],
    )


def told_why(
    rules: Game, name: str, history: Sequence[Turn], language: str, notation: Notation
) -> tuple[Block, ...]:
    """Why a strategy proposes its guess after some turns, as blocks of a page."""
    position = _position(rules, history)
    advice = Adviser(_strategy(rules, name), rules).propose(history)
    with speaking(language):
        return tuple(proposal(advice, position, write=notation.code))


def weighed(rules: Game, history: Sequence[Turn], guess: Code, criterion: str) -> WeighView:
    """Weigh a guess after some turns: its information, and its cost."""
    position = _position(rules, history)
    choice = weigh(position, guess, criterion=criterion, solver=best_play_within(SEARCHING))
    return WeighView(
        count=choice.before,
        best=None if choice.best is None else SplitView(**_values(choice.best)),
        unit=choice.unit,
        answer=None if choice.answer is None else str(choice.answer),
        excess=choice.excess,
        **_values(choice.played),
    )


def _position(rules: Game, history: Sequence[Turn]) -> Position:
    """A position that some code fits."""
    position = Position(rules, history)
    if not position.count:
        raise ContradictionError(
            "no code of {rules} fits these turns: correct a mark first", rules=rules
        )
    return position


def _values(split: Split) -> dict[str, Any]:
    return {
        "guess": str(split.guess),
        "candidate": split.possible,
        "expected": float(split.expected),
        "bits": split.bits,
        "largest": split.largest,
        "parts": len(split.parts),
    }


def _strategy(rules: Game, name: str) -> Strategy:
    return parse(name) if name.strip() else default_strategy(rules)


def _counts(rules: Game, history: Sequence[Turn]) -> list[int | None]:
    """How many codes fit before the first turn and after each; None where that is not known.

    The last number comes first, the others while there is time.
    """
    counts: list[int | None] = [None] * (len(history) + 1)
    limit = TimeLimit(_COUNTING)
    for number in (len(history), *range(len(history))):
        with suppress(TooLargeError):
            counts[number] = count(rules, history[:number], report=limit)
        if limit.reached or (counts[number] == 0 and number < len(history)):
            break
    if 0 in counts:
        first = counts.index(0)
        counts[first:] = [0] * (len(counts) - first)
    return counts


@lru_cache(maxsize=16)
def _explained(
    rules: Game, turns: tuple[tuple[int, Turn], ...], notation: Notation, language: str
) -> dict[str, Any]:
    """Which mark may be wrong, and what else, as fields of a view.

    The page asks twice: for the answer, and for what is drawn of it.
    """
    numbers, history = zip(*turns, strict=True)
    diagnosis = diagnose(rules, history, numbers=numbers, notation=notation, seconds=_EXPLAINING)
    with speaking(language):
        causes = [cause_sentence(cause, rules, notation) for cause in diagnosis.causes]
    return {
        "count": 0,
        "suspects": [SuspectView(**each) for each in encoded(diagnosis)["suspects"]],
        "fewest_wrong": diagnosis.fewest_wrong,
        "causes": causes,
    }


# The API, and the page.

api = APIRouter(tags=["decode"])
pages = APIRouter(include_in_schema=False)


@api.post("/decode")
async def advise(request: DecodeRequest, shared: Shared, language: Spoken) -> DecodeView:
    """Candidates and a guess to play after these turns; or the mark that may be wrong."""
    sent = request.read(language)
    rules, notation = sent.rules, sent.noted.notation
    pool = shared.pool_for_advice(rules, request.strategy)
    rest = (sent.turns, sent.n_turns, request.limit)
    with speaking(language):
        others = [(translated(row.meant), row.form, row.turns) for row in sent.noted.others]
    spoken = partial(decode, others=others, notation=notation, language=language)
    read: dict[str, Any] = {
        "rules": rules,
        "history": [
            PlayedTurn(guess=str(turn.guess), mark=str(turn.mark)) if turn else None
            for turn in map(sent.turns.get, range(1, sent.n_turns + 1))
        ],
        "colors": color_names(notation.own_names, language),
    }
    read |= sent.read_as(language)
    try:
        view = await pool.ask(spoken, rules, request.strategy, *rest)
    except TooLongError:
        any_code = partial(spoken, counted=rules.n_secrets <= MAX_LISTED)
        view = await shared.slow.ask(any_code, rules, fallback_strategy(rules), *rest)
        read["late"] = True
    return view.model_copy(update=read)


@api.post("/decode/why")
async def explain(request: DecodeRequest, shared: Shared, language: Spoken) -> WhyView:
    """Why the strategy proposes its guess, and the guesses that it compares."""
    return await _ask_why(why, request.read(language), request.strategy, shared, language)


@api.post("/decode/why.html", response_class=Response)
async def why_html(
    http: Request, request: DecodeRequest, shared: Shared, language: Spoken
) -> Response:
    """Why the strategy proposes its guess, as a piece of the page."""
    sent = request.read(language)
    told = await _ask_why(told_why, sent, request.strategy, shared, language)
    names = color_names(sent.noted.notation.own_names, language)
    return render_piece(http, "decode_why", told=told, rules=sent.rules, color_names=names)


@api.post("/decode/chances")
async def chances_of(
    request: HistoryRequest, shared: Shared, language: Spoken
) -> list[dict[str, float]]:
    """The share of the codes that fit these turns by color, place by place."""
    sent = request.read(language)
    result = await shared.slow.ask(chances, sent.rules, list(sent.history))
    shares: list[dict[str, float]] = result.document()["chances"]
    return shares


@api.post("/decode/chances.html", response_class=Response)
async def chances_html(
    http: Request, request: DecodeRequest, shared: Shared, language: Spoken
) -> Response:
    """How likely each color is in each place after these turns, as a piece of the page."""
    sent = request.read(language)
    result = await shared.slow.ask(chances, sent.rules, list(sent.history))
    with speaking(language):
        told = (chances_table(result),)
    names = color_names(sent.noted.notation.own_names, language)
    return render_piece(http, "decode_why", told=told, rules=sent.rules, color_names=names)


@api.post("/decode/conflict.html", response_class=Response)
async def conflict_html(
    http: Request, request: DecodeRequest, shared: Shared, language: Spoken
) -> Response:
    """Which mark of turns that contradict each other may be wrong, as a piece of the page."""
    view = await advise(request, shared, language)
    return render_piece(
        http, "decode_conflict", view=view, rules=view.rules, color_names=view.colors
    )


async def _ask_why(
    question: Callable[..., _Answer],
    sent: NumberedTurns,
    strategy: str,
    shared: Services,
    language: str,
) -> _Answer:
    pool = shared.pool_for_advice(sent.rules, strategy)
    asked = (sent.rules, strategy, list(sent.history), language, sent.noted.notation)
    return await pool.ask(question, *asked)


@api.get("/mark")
def typed_mark(
    text: Annotated[MarkText, Query()],
    language: Spoken,
    rules: RulesQuery = "4x6",
    marks: Annotated[str | None, Query(max_length=50)] = None,
    guess: Annotated[CodeText | None, Query()] = None,
) -> MarkView:
    """A mark as it is read, or the marks that it may be; refused where the guess cannot get it."""
    board = read_rules(rules)
    try:
        read = read_mark(text, board, french=language == "fr", form=marks)
    except AmbiguousError as error:
        with speaking(language):
            return MarkView(
                mark=None,
                readings=[
                    MarkChoice(
                        mark=str(parse_mark(text, board, french=language == "fr", form=form)),
                        words=translated(words),
                        marks=form,
                    )
                    for words, choice in error.readings
                    for form in [str(choice["marks"])]
                ],
            )
    if guess is not None:
        check_turn(board, Turn(parse_code(guess, board), read.mark))
    told = meanings_told([read], board)
    with speaking(language):
        sentence = translated(inferred_sentence(told)) if told else None
    return MarkView(mark=str(read.mark), read_as=sentence)


@api.get("/marks")
async def marks(
    guess: Annotated[CodeText, Query()], shared: Shared, rules: RulesQuery = "4x6"
) -> MarksView:
    """The marks that some secret gives to a guess."""
    board = read_rules(rules)
    code = parse_code(guess, board)
    texts = await shared.quick.ask(possible, board, code)
    return MarksView(rules=board, guess=str(code), marks=texts)


@api.get("/compiling")
async def compiling(shared: Shared) -> CompilingView:
    """How far the kernels are that a question waits for, which are compiled once on a machine."""
    done, total = shared.compiling or (0, 0)
    return CompilingView(compiling=total > 0, done=done, total=total)


@api.post("/weigh")
async def weigh_guess(request: WeighRequest, shared: Shared, language: Spoken) -> WeighView:
    """Weigh a guess against the best one."""
    sent = request.read(language)
    guess = parse_code(request.guess, sent.rules)
    pool = shared.pool_for_advice(sent.rules)
    return await pool.ask(weighed, sent.rules, list(sent.history), guess, request.criterion)


@pages.get("/decode")
async def page(request: Request, shared: Shared, strategy: str = "") -> Response:
    """Advice for a real board; turns that are pasted are read first."""
    query, language = request.query_params, language_of(request)
    text = await to_thread(pasted, query, language)
    if text.play is not None:
        return render(
            request,
            "decode_several",
            rules=text.play.game,
            play=text.play,
            pasted=text,
            told=await shared.slow.ask(decode_boards, text.play, language),
        )
    if text.rows is not None:  # which have no guesses
        return RedirectResponse(
            f"/puzzle/explain?{query_of({'text': text.text, **text.chosen})}", 303
        )
    rules = text.noted.game if text.noted else game_of("4x6") if text.text else rules_of(query)
    address = f"/decode?{query_of({'rules': rules})}"
    if is_form(query):
        return RedirectResponse(address_of_form("/decode", query), 303)
    if text.noted and not (text.told or text.others):
        return RedirectResponse(f"/decode?{text.address}", 303)
    names = shown_names(text.noted) if text.noted else ()
    if not text.text:
        names = colors_of(query, rules)
    texts, strategies = catalogue(language), cards()
    data: dict[str, Any] = {
        "strategies": {card.id: texts.gettext(card.name) for card in strategies},
        "names": [name.model_dump() for name in color_names(names, language)],
    }
    if text.noted:
        colors = names_in(text.chosen["colors"]) if "colors" in text.chosen else ()
        data["pasted"] = {"text": text.text, **text.chosen, "colors": colors}
        data["others"] = {form: query for form, _, query in text.others}
    return render(
        request,
        "decode",
        error=text.error,
        rules=rules,
        own_names=names,
        pasted=text,
        again=address,
        cards=strategies,
        strategy=strategy,
        data=data,
    )
