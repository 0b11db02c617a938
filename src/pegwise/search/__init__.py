"""Search for what is best: proven optima, bounds, Viaud's formal game."""
