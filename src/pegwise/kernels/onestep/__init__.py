"""The kernels of one-step strategies: a board, what is minimised, and the weighing of guesses."""
