"""pegwise: a laboratory for the game of Mastermind."""

__version__ = "0.1.0"
