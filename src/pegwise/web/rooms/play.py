"""Turns in rooms, and what people see of them.

A turn has its number, so that a request that is sent twice is played once. A code is told only when
its round is over, or to the pupil who hides it.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, NamedTuple

from pydantic import BaseModel, Field
from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.orm import Session

from pegwise.game import Code, Rules, Turn, mark_of, parse_code, parse_mark, winning_mark
from pegwise.web.games import GameState
from pegwise.web.inputs import PlayedTurn, RequestBody, RulesText, read_rules
from pegwise.web.rooms.store import (
    PUZZLES,
    find_player,
    find_room,
    names_of,
    own_room,
    players_of,
)
from pegwise.web.storage import (
    ConflictError,
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

    round: Annotated[int, Field(ge=1)]
    turn: Annotated[int, Field(ge=1, le=MAX_TURNS)]
    guess: Annotated[str, Field(max_length=200)]


class SheetView(BaseModel):
    """The puzzle that is next for a pupil; `misfits` are turns that the last answer breaks."""

    number: int
    turns: list[PlayedTurn]
    misfits: list[int]


class RoomPlayerView(BaseModel):
    """A pupil in a round, for this pupil.

    In a duel, `hides` is the pupil's own code, and `partner` who hides the other one: "" for
    pegwise, null for nobody yet.
    """

    name: str
    turns: list[PlayedTurn]
    solved: int
    over: bool
    hides: str | None = None
    partner: str | None = None
    sheet: SheetView | None = None


class RoomBoardRow(BaseModel):
    """A pupil on the board of the teacher: the marks, without the guesses."""

    number: int
    name: str
    marks: list[str]
    solved: int
    over: bool
    hides: bool = False
    partner: str | None = None


class RoomSummary(BaseModel):
    """What everybody in a room is told when it changes."""

    state: str
    round: int
    players: int
    over: int  # pupils who have solved all
    paired: int  # pupils in a duel for whom a code is hidden
    complete: bool = False  # whether the report on the round is computed
    board: list[RoomBoardRow] | None = None  # for the teacher


class RoomView(BaseModel):
    """A room for one of its people: its teacher, who has the board, or a pupil."""

    id: str
    rules: RulesText
    mode: str
    level: int
    state: str
    round: int
    deleted: datetime
    you: RoomPlayerView | None
    board: list[RoomBoardRow] | None


class RoomGame(BaseModel):
    """What a pupil played in a round, and the code that was to be found; none in puzzles."""

    number: int
    name: str
    turns: list[PlayedTurn]
    solved: int
    over: bool
    secret: str | None
    partner: str | None


class RoomResults(BaseModel):
    """A round that is over: the games, best first, and its puzzles with their solutions."""

    round: int
    games: list[RoomGame]
    puzzles: list[dict[str, Any]]


class _Played(NamedTuple):
    """What a pupil has done in a round."""

    turns: list[PlayedTurn]
    hides: str | None = None
    partner: str | None = None


def _played(rows: Sequence[RoomTurnRow]) -> dict[int, _Played]:
    """The turns of a round by the number of the pupil."""
    games: dict[int, _Played] = defaultdict(lambda: _Played([]))
    for row in rows:
        if row.number:
            games[row.player].turns.append(PlayedTurn(guess=row.guess, mark=row.mark))
        else:
            games[row.player] = _Played([], row.guess, row.mark or None)
    return games


def _solved(room: RoomRow, turns: Sequence[PlayedTurn]) -> tuple[int, bool]:
    """How many codes are solved, and whether none remains."""
    if room.mode == "puzzles":
        solved = sum(turn.mark == _RIGHT for turn in turns)
        return solved, solved == PUZZLES
    solved = bool(turns) and turns[-1].mark == str(winning_mark(read_rules(room.rules)))
    return int(solved), solved


def _next_puzzle(turns: Sequence[PlayedTurn]) -> int | None:
    """The place of the puzzle that is next; one that is skipped comes again after the last."""
    order = deque(range(PUZZLES))
    for turn in turns:
        if turn.mark == _SKIPPED:
            order.rotate(-1)
        elif turn.mark == _RIGHT:
            order.popleft()
    return order[0] if order else None


def hide(storage: Storage, code: str, visitor: str, number: int, text: str) -> None:
    """Hide a code in a duel, for the pupil who waits longest, if there is one.

    An empty text lets who has hidden a code and waits play against pegwise.
    """
    with storage.write() as session:
        room = find_room(session, code, lock=True)
        mine = find_player(session, room, visitor)
        if room.mode != "duel":
            raise ConflictError("in this room pupils hide no codes")
        own = session.get(RoomTurnRow, (room.id, number, mine.number, 0))
        if own is None:
            _check_playing(room, number)
            secret = parse_code(text, read_rules(room.rules), secret=True)
            present = {player.number for player in players_of(session, room)}
            hidden = _rows(session, room, number, RoomTurnRow.number == 0)
            waiting = next((r for r in hidden if not r.mark and r.player in present), None)
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
        number = request.round
        game = _games(session, room, number, mine.number)[mine.number]
        if room.mode == "puzzles":
            turn = _answer(session, room, game.turns, request)
        else:
            turn = _guess(session, room, game, request)
        if turn is not None:
            _check_playing(room, number)
            row = {"room_id": room.id, "round": number, "player": mine.number}
            session.execute(insert(RoomTurnRow), row | {"number": request.turn, **turn})
            game.turns.append(PlayedTurn(**turn))
        return _player_view(session, room, number, mine.name, game)


def _guess(
    session: Session, room: RoomRow, game: _Played, request: RoomTurnRequest
) -> dict[str, str] | None:
    """A guess at a code with its mark; None where it was played already."""
    rules = read_rules(room.rules)
    guess = parse_code(request.guess, rules)
    turns = tuple(
        Turn(parse_code(turn.guess, rules), parse_mark(turn.mark, rules)) for turn in game.turns
    )
    result = "solved" if _solved(room, game.turns)[1] else "open"
    state = GameState("", rules, "random", 0, False, None, result, turns=turns)
    if not state.expects(guess, request.turn):
        return None
    secret = _secret(session, room, request.round, game.partner)
    return {"guess": str(guess), "mark": str(mark_of(rules, guess, secret))}


def _secret(session: Session, room: RoomRow, number: int, partner: str | None) -> Code:
    """The code that a pupil seeks in a round."""
    text = _hidden(session, room, number)
    if room.mode == "duel":
        if partner is None:
            raise ConflictError("nobody has hidden a code for you yet")
        if partner != _PEGWISE:
            text = session.get_one(RoomTurnRow, (room.id, number, int(partner), 0)).guess
    return parse_code(text, read_rules(room.rules), secret=True)


def _answer(
    session: Session, room: RoomRow, turns: Sequence[PlayedTurn], request: RoomTurnRequest
) -> dict[str, str] | None:
    """An answer to the puzzle that is next with its mark; None where it was given already."""
    rules = read_rules(room.rules)
    guess = str(parse_code(request.guess, rules)) if request.guess.strip() else ""
    if request.turn <= len(turns) and turns[request.turn - 1].guess == guess:
        return None
    place = _next_puzzle(turns)
    if request.turn != len(turns) + 1 or place is None:
        raise ConflictError(
            "turn {next} is next, not turn {number}", next=len(turns) + 1, number=request.turn
        )
    if not guess:
        return {"guess": "", "mark": _SKIPPED}
    solution = json.loads(_hidden(session, room, request.round))[place]["solution"]
    return {"guess": guess, "mark": _RIGHT if guess == solution else _WRONG}


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
        if room.owner == visitor:
            board = _board(session, room)
        else:
            mine = find_player(session, room, visitor)
            game = _games(session, room, room.round, mine.number)[mine.number]
            you = _player_view(session, room, room.round, mine.name, game)
        return RoomView(
            id=room.id,
            rules=read_rules(room.rules),
            mode=room.mode,
            level=room.level,
            state=room.state,
            round=room.round,
            deleted=room.begun.replace(tzinfo=UTC) + timedelta(days=days),
            you=you,
            board=board,
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
            board=board,
        )


def results(storage: Storage, code: str, visitor: str, number: int) -> RoomResults:
    """A round that is over, for those who are in the room."""
    with storage.read() as session:
        room = find_room(session, code)
        if room.owner != visitor:
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


def _is_over(room: RoomRow, number: int) -> bool:
    return 1 <= number < room.round or (number == room.round and room.state in {"shown", "ended"})


def _results(session: Session, room: RoomRow, number: int) -> RoomResults:
    names, played = names_of(session, room), _games(session, room, number)
    games = []
    for player in players_of(session, room):
        game = played[player.number]
        if not game.turns:
            continue
        solved, over = _solved(room, game.turns)
        secret = None
        if room.mode != "puzzles":
            secret = str(_secret(session, room, number, game.partner))
        games.append(
            RoomGame(
                number=player.number,
                name=player.name,
                turns=game.turns,
                solved=solved,
                over=over,
                secret=secret,
                partner=_partner(game, names),
            )
        )
    games.sort(key=lambda game: (-game.solved, len(game.turns), game.number))
    puzzles = json.loads(_hidden(session, room, number)) if room.mode == "puzzles" else []
    return RoomResults(round=number, games=games, puzzles=puzzles)


def _board(session: Session, room: RoomRow) -> list[RoomBoardRow]:
    names, played = names_of(session, room), _games(session, room, room.round)
    board = []
    for player in players_of(session, room):
        game = played[player.number]
        solved, over = _solved(room, game.turns)
        board.append(
            RoomBoardRow(
                number=player.number,
                name=player.name,
                marks=[turn.mark for turn in game.turns],
                solved=solved,
                over=over,
                hides=game.hides is not None,
                partner=_partner(game, names),
            )
        )
    return board


def _partner(game: _Played, names: dict[int, str]) -> str | None:
    """Who hides the code that a pupil seeks: "" for pegwise, None for nobody yet."""
    return None if game.partner is None else names.get(int(game.partner), "")


def _player_view(
    session: Session, room: RoomRow, number: int, name: str, game: _Played
) -> RoomPlayerView:
    solved, over = _solved(room, game.turns)
    partner = _partner(game, names_of(session, room)) if game.partner else None
    sheet = None
    place = _next_puzzle(game.turns)
    if room.mode == "puzzles" and number and place is not None:
        puzzle = json.loads(_hidden(session, room, number))[place]
        last = game.turns[-1] if game.turns else None
        wrong = last.guess if last and last.mark == _WRONG else ""
        sheet = SheetView(
            number=place + 1,
            turns=puzzle["turns"],
            misfits=_misfits(read_rules(room.rules), puzzle["turns"], wrong) if wrong else [],
        )
    return RoomPlayerView(
        name=name,
        turns=game.turns,
        solved=solved,
        over=over,
        hides=game.hides,
        partner=partner,
        sheet=sheet,
    )


def _misfits(rules: Rules, turns: Sequence[dict[str, str]], answer: str) -> list[int]:
    """The turns of a puzzle, from 1, that would have another mark if this were the code."""
    code = parse_code(answer, rules)
    marks = [str(mark_of(rules, parse_code(turn["guess"], rules), code)) for turn in turns]
    return [n for n, turn in enumerate(turns, 1) if marks[n - 1] != turn["mark"]]


# Rows.


def _rows(
    session: Session, room: RoomRow, number: int, *conditions: ColumnElement[bool]
) -> list[RoomTurnRow]:
    """Turns of a round in their order."""
    rows = select(RoomTurnRow).where(
        RoomTurnRow.room_id == room.id, RoomTurnRow.round == number, *conditions
    )
    return list(session.scalars(rows.order_by(RoomTurnRow.player, RoomTurnRow.number)))


def _games(
    session: Session, room: RoomRow, number: int, player: int | None = None
) -> dict[int, _Played]:
    """What pupils have done in a round, by number; of a single one if that is asked."""
    conditions = [] if player is None else [RoomTurnRow.player == player]
    return _played(_rows(session, room, number, *conditions))


def _hidden(session: Session, room: RoomRow, number: int) -> str:
    row = session.get(RoomRoundRow, (room.id, number))
    if row is None:
        raise ConflictError("round {number} has not begun", number=number)
    return row.hidden
