"""Exact search: the best tree of a game, proven, on one machine or many."""
