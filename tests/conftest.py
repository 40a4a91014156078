"""What all tests share: how hard hypothesis searches. ``HYPOTHESIS_PROFILE=thorough make test`` searches harder.

dev       the default: quick, new examples each time
ci        the same examples each time, so that a red run is red again
thorough  a night's search
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")  # no window, wherever the tests run

# A shell gives what it starts in the background (nohup make test &) Ctrl-C to ignore, and so would the programs do that
# tests start and then interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW_IS_FINE = [HealthCheck.too_slow]  # a first example pays for imports, and machines are shared

settings.register_profile("dev", deadline=None, print_blob=True, max_examples=40, suppress_health_check=SLOW_IS_FINE)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, max_examples=60)
settings.register_profile("thorough", settings.get_profile("dev"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
