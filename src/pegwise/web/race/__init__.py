"""Races: their API and page, how they are stored, and how workers play them."""
