"""onestep."""
