"""Exact search: the smallest total or worst case of a game, by branch and bound."""
