"""The version of pegwise."""

__version__ = "1.0.0"
