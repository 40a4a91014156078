"""Verbs of the neural side: ``surrogate train``, ``sweep``, ``data``, ``tasks``."""
