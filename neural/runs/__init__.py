"""Runs that survive: configuration, key, rows, checkpoints, and the run itself."""
