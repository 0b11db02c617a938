"""Arrays in, arrays out: the inner loops, in Numba, and for small games in plain NumPy.

Nothing in this package knows of rules, strategies or trees. Each kernel has a slow twin in the
tests.
"""
