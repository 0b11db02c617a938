"""The command line: reads arguments, draws progress, prints answers. Nothing is decided here."""
