"""The kernels of one-step strategies: a board, what is minimised, and the weighing of guesses."""

from pegwise.kernels.onestep import board as board
from pegwise.kernels.onestep import criteria as criteria
from pegwise.kernels.onestep import grow as grow
from pegwise.kernels.onestep import lookahead as lookahead
