"""Games that are played: the boards and turns of a play, and records."""

from pegwise.playing.play import Play as Play
from pegwise.playing.play import Playable as Playable
from pegwise.playing.record import Record as Record
from pegwise.playing.record import check_record as check_record
from pegwise.playing.record import load_record as load_record
from pegwise.playing.record import parse_game as parse_game
from pegwise.playing.record import parse_record as parse_record
from pegwise.playing.record import save_record as save_record
