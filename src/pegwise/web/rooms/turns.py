"""Turns in rooms, and what people see of them.

A turn has its number, so that a request that is sent twice is played once. A code is told only when
its round is over, or to the pupil who hides it.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from pegwise.game import Code, Game, Turn, parse_code
from pegwise.game.hard import check_hard
from pegwise.reading import parse_mark
from pegwise.web.games import awaits
from pegwise.web.inputs import PlayedTurn, RequestBody, RulesText, read_rules
from pegwise.web.rooms.room import (
    BETWEEN_LESSONS,
    PUZZLES,
    find_player,
    find_room,
    note_use,
    own_room,
    teaches,
)
from pegwise.web.storage import (
    ConflictError,
    RoomPlayerRow,
    RoomRoundRow,
    RoomRow,
    RoomTurnRow,
    Storage,
)

MAX_TURNS: Final = 60
_RIGHT, _WRONG, _SKIPPED = "right", "wrong", "skipped"
_PEGWISE: Final = "0"  # the partner of who has none


class RoomTurnRequest(RequestBody):
    """A turn in a room; an empty guess skips a puzzle."""

    round: Annotated[int, Field(ge=1, le=10**6)]
    turn: Annotated[int, Field(ge=1, le=MAX_TURNS)]
    guess: Annotated[str, Field(max_length=200)]


class SheetView(BaseModel):
    """The puzzle that is next for a pupil; `misfits` are turns that the last answer breaks."""

    number: int
    turns: list[PlayedTurn]
    misfits: list[int]


class _Standing(BaseModel):
    """How a pupil stands in a round.

    In a duel, `partner` hides the code that the pupil seeks: "" for pegwise, null for nobody yet.
    """

    name: str
    solved: int
    over: bool
    partner: str | None = None


class RoomPlayerView(_Standing):
    """A pupil in a round, for this pupil; in a duel, `hides` is the pupil's own code."""

    turns: list[PlayedTurn]
    hides: str | None = None
    sheet: SheetView | None = None


class RoomBoardRow(_Standing):
    """A pupil on the board of the teacher: the marks, without the guesses."""

    number: int
    marks: list[str]
    hides: bool = False


class RoomSummary(BaseModel):
    """State of a room that everybody in it is told when it changes."""

    state: str
    round: int
    players: int
    over: int  # pupils who have solved all
    paired: int  # pupils in a duel for whom a code is hidden
    locked: bool
    familiar: bool  # whether pupils are addressed as children
    complete: bool = False  # whether the report on the round is computed
    board: list[RoomBoardRow] | None = None  # for the teacher
    key: Annotated[str | None, Field(exclude=True)] = None  # of the link of teachers: for nobody


class RoomView(BaseModel):
    """A room for one of its people: its teacher, who has the board and the key, or a pupil.

    Whoever has the key steers the room too.
    """

    id: str
    rules: RulesText
    mode: str
    level: int
    state: str
    round: int
    deleted: datetime
    locked: bool
    familiar: bool
    you: RoomPlayerView | None
    board: list[RoomBoardRow] | None
    key: str | None = None


class RoomTotal(BaseModel):
    """Results of a pupil in all rounds that are over; `guesses` are those of solved games."""

    number: int
    name: str
    played: int
    solved: int
    guesses: int


class RoomLesson(BaseModel):
    """A lesson of a class: when its first round began, and the results by pupil."""

    begun: datetime
    totals: dict[int, RoomTotal]


class RoomGame(_Standing):
    """The game of a pupil in a round, and the code that was to be found.

    None in puzzles, and where nobody had hidden one.
    """

    number: int
    turns: list[PlayedTurn]
    secret: str | None


class RoomResults(BaseModel):
    """A round that is over: the games, best first, and its puzzles with their solutions."""

    round: int
    games: list[RoomGame]
    puzzles: list[dict[str, Any]]


class _PupilGame(NamedTuple):
    """The games of a pupil in a round."""

    turns: list[PlayedTurn]
    hides: str | None = None
    partner: str | None = None


def _games(
    session: Session, room: RoomRow, number: int, player: int | None = None
) -> dict[int, _PupilGame]:
    """Games of pupils in a round, by their numbers; of a single one if that is asked."""
    rows = select(RoomTurnRow).where(RoomTurnRow.room_id == room.id, RoomTurnRow.round == number)
    if player is not None:
        rows = rows.where(RoomTurnRow.player == player)
    games: dict[int, _PupilGame] = defaultdict(lambda: _PupilGame([]))
    for row in session.scalars(rows.order_by(RoomTurnRow.player, RoomTurnRow.number)):
        if row.number:
            games[row.player].turns.append(PlayedTurn(guess=row.guess, mark=row.mark))
        else:
            games[row.player] = _PupilGame([], row.guess, row.mark or None)
    return games


def _solved(room: RoomRow, turns: Sequence[PlayedTurn]) -> tuple[int, bool]:
    """How many codes are solved, and whether none remains."""
    if room.mode == "puzzles":
        solved = sum(turn.mark == _RIGHT for turn in turns)
        return solved, solved == PUZZLES
    solved = bool(turns) and turns[-1].mark == str(read_rules(room.rules).marking.winning)
    return int(solved), solved


def _open_puzzles(turns: Sequence[PlayedTurn]) -> deque[int]:
    """The puzzles that are not solved, the next one first; a skipped one comes again at the end."""
    order = deque(range(PUZZLES))
    for turn in turns:
        if turn.mark == _SKIPPED:
            order.rotate(-1)
        elif turn.mark == _RIGHT:
            order.popleft()
    return order


def hide(storage: Storage, code: str, visitor: str, number: int, text: str) -> None:
    """Hide a code in a duel, for the pupil who waits longest, if there is one.

    An empty text lets who has hidden a code and waits play against pegwise.
    """
    with storage.write() as session:
        room = find_room(session, code, lock=True)
        mine = find_player(session, room, visitor)
        note_use(room, mine)
        if room.mode != "duel":
            raise ConflictError("in this room pupils hide no codes")
        own = session.get(RoomTurnRow, (room.id, number, mine.number, 0))
        if own is None:
            _check_playing(room, number)
            secret = parse_code(text, read_rules(room.rules), secret=True)
            alone = select(RoomTurnRow).where(
                RoomTurnRow.room_id == room.id,
                RoomTurnRow.round == number,
                RoomTurnRow.number == 0,
                RoomTurnRow.mark == "",
                RoomTurnRow.player.in_([player.number for player in room.present]),
            )
            waiting = session.scalars(alone.order_by(RoomTurnRow.player)).first()
            own = RoomTurnRow(room_id=room.id, round=number, player=mine.number, number=0)
            own.guess, own.mark = str(secret), ""
            session.add(own)
            if waiting is not None:
                waiting.mark, own.mark = str(mine.number), str(waiting.player)
        elif not text and not own.mark:
            _check_playing(room, number)
            own.mark = _PEGWISE


def play(storage: Storage, code: str, visitor: str, request: RoomTurnRequest) -> RoomPlayerView:
    """Play a turn, which is stored before it is answered; the pupil's game after it."""
    with storage.write() as session:
        room = find_room(session, code)
        mine = find_player(session, room, visitor, lock=True)
        note_use(room, mine)
        number = request.round
        game = _games(session, room, number, mine.number)[mine.number]
        skips = room.mode == "puzzles" and not request.guess.strip()
        guess = "" if skips else str(parse_code(request.guess, read_rules(room.rules)))
        result = "solved" if _solved(room, game.turns)[1] else "open"
        if awaits(game.turns, result, guess, request.turn):
            if room.mode != "puzzles":
                _check_hard(read_rules(room.rules), game.turns, guess)
            turn = PlayedTurn(guess=guess, mark=_mark(session, room, number, game, guess))
            _check_playing(room, number)
            own = {"room_id": room.id, "round": number, "player": mine.number}
            session.add(RoomTurnRow(**own, number=request.turn, **turn.model_dump()))
            game.turns.append(turn)
        return _player_view(session, room, number, mine, game)


def _check_hard(rules: Game, turns: Sequence[PlayedTurn], guess: str) -> None:
    """Refuse a guess that hard rules do not allow."""
    read = (Turn(parse_code(turn.guess, rules), parse_mark(turn.mark, rules)) for turn in turns)
    check_hard(rules, read, parse_code(guess, rules))


def _mark(session: Session, room: RoomRow, number: int, game: _PupilGame, guess: str) -> str:
    """The mark of a guess at a code, or of an answer to the puzzle that is next."""
    if room.mode == "puzzles":
        puzzle = json.loads(_hidden(session, room, number))[_open_puzzles(game.turns)[0]]
        return _SKIPPED if not guess else _RIGHT if guess == puzzle["solution"] else _WRONG
    rules = read_rules(room.rules)
    secret = _secret(session, room, number, game.partner)
    return str(rules.mark_of(parse_code(guess, rules), secret))


def _secret(session: Session, room: RoomRow, number: int, partner: str | None) -> Code:
    """The code that a pupil seeks in a round."""
    text = _hidden(session, room, number)
    if room.mode == "duel":
        if partner is None:
            raise ConflictError("nobody has hidden a code for you yet")
        if partner != _PEGWISE:
            text = session.get_one(RoomTurnRow, (room.id, number, int(partner), 0)).guess
    return parse_code(text, read_rules(room.rules), secret=True)


def _sought(session: Session, room: RoomRow, number: int, partner: str | None) -> str | None:
    """The code that a pupil sought in a round that is over; None where nobody hid one."""
    if room.mode == "duel" and partner is None:
        return None
    return str(_secret(session, room, number, partner))


def _check_playing(room: RoomRow, number: int) -> None:
    if number != room.round or room.state in {"shown", "ended"}:
        raise ConflictError("round {number} is over", number=number)
    if room.state == "paused":
        raise ConflictError("the teacher has paused the game")


# Views.


def view(storage: Storage, code: str, visitor: str, days: float) -> RoomView:
    """A room for its teacher or for a pupil; NotYoursError for others."""
    with storage.read() as session:
        room = find_room(session, code)
        you, board = None, None
        key = None
        if teaches(session, room, visitor):
            board, key = _board(session, room), room.key
        else:
            mine = find_player(session, room, visitor)
            game = _games(session, room, room.round, mine.number)[mine.number]
            you = _player_view(session, room, room.round, mine, game)
        return RoomView(
            id=room.id,
            rules=read_rules(room.rules),
            mode=room.mode,
            level=room.level,
            state=room.state,
            round=room.round,
            deleted=room.last_used + timedelta(days=days),
            locked=bool(room.locked),
            familiar=bool(room.familiar),
            you=you,
            board=board,
            key=key,
        )


def summary(storage: Storage, code: str) -> RoomSummary:
    """A room with its board, for its teacher."""
    with storage.read() as session:
        room = find_room(session, code)
        board = _board(session, room)
        return RoomSummary(
            state=room.state,
            round=room.round,
            players=len(board),
            over=sum(row.over for row in board),
            paired=sum(row.partner is not None for row in board),
            locked=bool(room.locked),
            familiar=bool(room.familiar),
            board=board,
            key=room.key,
        )


def results(storage: Storage, code: str, visitor: str, number: int) -> RoomResults:
    """A round that is over, for those who are in the room."""
    with storage.read() as session:
        room = find_room(session, code)
        if not teaches(session, room, visitor):
            find_player(session, room, visitor)
        if not _is_over(room, number):
            raise ConflictError("round {number} is not over", number=number)
        return _results(session, room, number)


def all_results(storage: Storage, code: str, visitor: str) -> list[RoomResults]:
    """The rounds that are over, for the teacher."""
    with storage.read() as session:
        room = own_room(session, code, visitor)
        rounds = range(1, room.round + 1)
        return [_results(session, room, number) for number in rounds if _is_over(room, number)]


def totals(storage: Storage, code: str, visitor: str) -> list[RoomTotal]:
    """Results of the rounds that are over, for the pupils who are in the room."""
    with storage.read() as session:
        room = find_room(session, code)
        if not teaches(session, room, visitor):
            find_player(session, room, visitor)
        rounds = filter(partial(_is_over, room), range(1, room.round + 1))
        added = _add(session, room, rounds).values()
    return sorted(added, key=lambda total: (-total.solved, total.guesses, total.number))


def lessons(storage: Storage, code: str, visitor: str) -> list[RoomLesson]:
    """The lessons of a room in which a round is over, for the pupils who are in it."""
    with storage.read() as session:
        room = find_room(session, code)
        if not teaches(session, room, visitor):
            find_player(session, room, visitor)
        rows = select(RoomRoundRow.number, RoomRoundRow.begun).where(RoomRoundRow.room_id == code)
        rounds: list[tuple[datetime, list[int]]] = []
        before = None
        for number, begun in session.execute(rows.order_by(RoomRoundRow.number)):
            moment = begun or room.begun
            if before is None or moment > before + BETWEEN_LESSONS:
                rounds.append((moment, []))
            before = moment
            if _is_over(room, number):
                rounds[-1][1].append(number)
        return [
            RoomLesson(begun=begun, totals=_add(session, room, numbers))
            for begun, numbers in rounds
            if numbers
        ]


def _add(session: Session, room: RoomRow, rounds: Iterable[int]) -> dict[int, RoomTotal]:
    """The results of pupils in some rounds together, by their numbers."""
    added = {
        player.number: RoomTotal(
            number=player.number, name=player.name, played=0, solved=0, guesses=0
        )
        for player in room.present
    }
    for number in rounds:
        for player, game in _games(session, room, number).items():
            if player in added and game.turns:
                solved, over = _solved(room, game.turns)
                added[player].played += 1
                added[player].solved += solved
                added[player].guesses += len(game.turns) if over else 0
    return added


def _is_over(room: RoomRow, number: int) -> bool:
    return 1 <= number < room.round or (number == room.round and room.state in {"shown", "ended"})


def _results(session: Session, room: RoomRow, number: int) -> RoomResults:
    played = _games(session, room, number)
    puzzles = json.loads(_hidden(session, room, number)) if room.mode == "puzzles" else []
    games = [
        RoomGame(
            number=player.number,
            turns=game.turns,
            secret=None if puzzles else _sought(session, room, number, game.partner),
            **_standing(room, player, game),
        )
        for player in room.present
        for game in [played[player.number]]
    ]

    def rank(game: RoomGame) -> tuple[bool, int, int, int]:
        tries = sum(turn.mark != _SKIPPED for turn in game.turns)
        return not game.turns, -game.solved, tries * (game.over or bool(puzzles)), game.number

    games.sort(key=rank)
    return RoomResults(round=number, games=games, puzzles=puzzles)


def _board(session: Session, room: RoomRow) -> list[RoomBoardRow]:
    played = _games(session, room, room.round)
    return [
        RoomBoardRow(
            number=player.number,
            marks=[turn.mark for turn in played[player.number].turns],
            hides=played[player.number].hides is not None,
            **_standing(room, player, played[player.number]),
        )
        for player in room.present
    ]


def _player_view(
    session: Session, room: RoomRow, number: int, player: RoomPlayerRow, game: _PupilGame
) -> RoomPlayerView:
    sheet, places = None, _open_puzzles(game.turns)
    if room.mode == "puzzles" and number and places:
        turns = json.loads(_hidden(session, room, number))[places[0]]["turns"]
        last = game.turns[-1] if game.turns else None
        wrong = last.guess if last and last.mark == _WRONG else ""
        misfits = _misfits(read_rules(room.rules), turns, wrong) if wrong else []
        sheet = SheetView(number=places[0] + 1, turns=turns, misfits=misfits)
    standing = _standing(room, player, game)
    return RoomPlayerView(turns=game.turns, hides=game.hides, sheet=sheet, **standing)


def _standing(room: RoomRow, player: RoomPlayerRow, game: _PupilGame) -> dict[str, Any]:
    """Keys about a pupil in a round that all views have."""
    solved, over = _solved(room, game.turns)
    partner = game.partner
    if partner is not None:
        names = {player.number: player.name for player in room.players}
        partner = names.get(int(partner), "")
    return {"name": player.name, "solved": solved, "over": over, "partner": partner}


def _misfits(rules: Game, turns: Sequence[dict[str, str]], answer: str) -> list[int]:
    """The turns of a puzzle, from 1, that would have another mark if this were the code."""
    code = parse_code(answer, rules)
    marks = [str(rules.mark_of(parse_code(turn["guess"], rules), code)) for turn in turns]
    return [n for n, turn in enumerate(turns, 1) if marks[n - 1] != turn["mark"]]


def _hidden(session: Session, room: RoomRow, number: int) -> str:
    """The code of a round, or its puzzles as JSON."""
    row = session.get(RoomRoundRow, (room.id, number))
    if row is None:
        raise ConflictError("round {number} has not begun", number=number)
    return row.hidden
