"""Fixed sets of guesses that tell all codes of a game apart: the smallest, and proofs."""
