"""Beam search: good trees and lower bounds of games too large for exact search."""
