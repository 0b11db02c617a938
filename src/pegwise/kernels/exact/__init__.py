"""The kernels of the exact search: a game, its arrays, symmetries, table, bounds and the search."""
