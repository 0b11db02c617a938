"""Strategies that play by the results of searches; each class with a card is registered."""
