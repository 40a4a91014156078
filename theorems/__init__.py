"""Statements of the papers and the engines that judge them. No statement is here yet: this version has the exact core.

The contract of statements and verdicts comes before the statements themselves; ``surrogate`` is what they will be
checked with.
"""
