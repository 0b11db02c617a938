"""Arrays in, arrays out: the fast inner loops, in Numba.

Nothing here knows of rules, strategies or trees. Each kernel has a slow twin in the tests.
"""
