"""The program ``surrogate``: one module a verb, found by entry points, loaded when asked for.

A verb is a module with ``SUMMARY`` (one line), ``EXAMPLES`` (commands that parse), ``configure(parser)`` and
``run(args) -> int``. It may import numpy and the like inside ``run`` only, so that help stays instant.
"""
