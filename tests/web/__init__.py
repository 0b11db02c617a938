"""The web site, without a browser."""
