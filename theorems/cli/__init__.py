"""The verbs of this package: check, show, refute, verify, statements, report."""
