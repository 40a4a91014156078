"""Problems from files: the user's own clients in TOML, JSON or NPZ, and the presets two-clients, density, plane.

TOML, one ``[[client]]`` a client (see ``TOML_EXAMPLE``; numbers may be strings like "1/3", and one dimension needs no
brackets: ``A = 2``, ``c = "1/2"``). A client is one of

    A, c     its Hessian and its minimizer: f(x) = 1/2 (x - c)^T A (x - c);  or A, b with gradient A x - b
    example  [[client.example]] A, c: it averages its examples and keeps them (clients then weigh the same)
    X, y     rows and targets of least squares: f = mean of 1/2 (X x - y)^2 (clients then weigh the same)

with ``weight`` on all clients or on none (A, c and A, b only). An optional ``[run]`` table holds defaults for the
command line: gamma, steps, theta, method, eta, and a table ``set`` of further settings. An optional ``[explore]`` table
holds what ``surrogate explore`` shows beside: start, rounds, noise.
JSON has the same keys: ``{"client": [{"A": [[1]], "c": [1]}, ...], "run": {...}}``.
NPZ holds arrays: A (n, d, d) and c or b (n, d), weights (n,) if wanted; or A_z, c_z, client; or X, y, client.
Written decimals mean what they say: 0.1 is 1/10 when read exactly. Floats in an NPZ are the binary fractions they are.
"""

from surrogate.problems.model import PRESETS, TOML_EXAMPLE, Problem, load
from surrogate.problems.write import save

__all__ = ["PRESETS", "TOML_EXAMPLE", "Problem", "load", "save"]
