"""Other packages on the common work of ``benchmarks.neural``, each in an environment of its own; no part of the tests.

    python -m venv /tmp/peer && /tmp/peer/bin/pip install torch pfl==0.6.0        (see requirements.txt)
    PYTHONPATH=. /tmp/peer/bin/python -m benchmarks.peers.with_pfl logistic

Each prints the ratio of the plain torch loop, timed in the same run, to the package: what `surrogate bench neural`
prints for our engines. Names: logistic, cnn.
"""
