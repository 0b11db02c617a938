"""`make bench`."""
