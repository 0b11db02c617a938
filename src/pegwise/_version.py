"""The version of pegwise."""

__version__ = "0.2.0"
