"""Exact search: the least cost of a set of candidates."""
