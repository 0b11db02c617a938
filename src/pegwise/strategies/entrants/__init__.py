"""Entrants: strategies of other people, from a file, a folder or a program, each in its process."""

from pegwise.programs import Limits as Limits
from pegwise.programs import NoAnswerError as NoAnswerError
from pegwise.strategies.entrants.entrant import Entrant as Entrant
from pegwise.strategies.entrants.source import entrants_of as entrants_of
from pegwise.strategies.entrants.source import names_entrants as names_entrants
