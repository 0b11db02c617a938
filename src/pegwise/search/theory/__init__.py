"""The theory of the game: Viaud's functions, bounds and permutations."""

from pegwise.search.theory.board_bounds import BoardBounds as BoardBounds
from pegwise.search.theory.board_bounds import bounds as bounds
from pegwise.search.theory.board_bounds import eq11 as eq11
from pegwise.search.theory.board_bounds import eq12 as eq12
from pegwise.search.theory.board_bounds import information as information
from pegwise.search.theory.board_bounds import marechal_rastoix as marechal_rastoix
from pegwise.search.theory.board_bounds import particular_orders as particular_orders
from pegwise.search.theory.permutations import relabel as relabel
from pegwise.search.theory.taus import largest_parts as largest_parts
from pegwise.search.theory.taus import tau as tau
from pegwise.search.theory.taus import taus as taus
