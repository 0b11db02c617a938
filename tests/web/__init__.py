"""The web face, without a browser."""
