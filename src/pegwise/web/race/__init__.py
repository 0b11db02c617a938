"""Races: how they are stored, and the games that their strategies have played so far.

A race is shown by a clock. It counts guesses: every strategy guesses at the same pace, so that the
strategy that needs fewer guesses is ahead. In a timed race it counts the processor time of games
that are really played: the strategy that takes less time is ahead. Jobs compute the games before
they are shown.
"""
