"""Programs for those who work on pegwise."""
