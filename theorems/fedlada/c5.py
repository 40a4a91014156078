"""LADA, B.2.3: 'we can bound the difference term', which takes the noise out of the local momenta."""

from theorems.fedlada.common import need
from theorems.vocabulary import *


def instance(cursor: Cursor, root_K: int, loose: int = 0) -> Instance:
    """One client, F' = L x from x_0 = 0, noise of variance 1 drawn anew each step, v-hat at rest, K = root_K^2 steps.

    ``mean``, ``bare``: E|(1/K) sum m|^2 and E|(1/K) sum mbar|^2, each the sum of squares of what every draw adds to it.
    """
    nb, K = cursor.nb, root_K**2
    beta1 = nb.number(Fraction(1, 100)) + nb.number(Fraction(89, 100)) * cursor.take()
    pace = 1 - cursor.take() * nb.number(Fraction(9, 10))
    eta = pace * nb.number(Fraction(7, 20 * root_K))
    mean = bare = noise = eta * 0
    for j in range(K):
        x = m = plain = total_m = total_plain = eta * 0
        for k in range(K):
            m = beta1 * m + (1 - beta1) * (x + (1 if k == j else 0))
            plain = beta1 * plain + (1 - beta1) * x
            x = x - eta * m
            total_m, total_plain = total_m + m, total_plain + plain
        mean, bare = mean + total_m**2 / K**2, bare + total_plain**2 / K**2
        noise = noise + (total_m - total_plain) ** 2 / K**2
    return Instance(nb=nb, K=K, beta1=beta1, eta_l=eta, L=eta * 0 + 1, mean=mean, bare=bare, noise=noise)


def printed(s: Instance) -> list[Comparison]:
    r"""The clean momenta are no larger in the mean square than the noisy ones, for which they are exchanged.

    \frac1m\sum_i\mathbb E\Big\|\frac1K\sum_\tau\overline m_{i,\tau}\Big\|^2\le\frac1m\sum_i\mathbb E\Big\|\frac1K
      \sum_\tau m_{i,\tau}\Big\|^2
    """
    return [that("E|mean of mbar|^2", s.bare) <= s.mean]


def equality(s: Instance) -> list[Comparison]:
    r"""the squares add up as if mbar did not depend on the noise of earlier steps

    \mathbb E\|\overline m\|^2=\mathbb E\|m\|^2-\mathbb E\|m-\overline m\|^2
    """
    return [that("E|mean of mbar|^2", s.bare) == s.mean - s.noise]


def corrected(s: Instance) -> list[Comparison]:
    r"""As printed for K = 1; for every K at most twice the right side and 2 sigma_l^2/K.

    \mathbb E\Big\|\frac1K\sum_\tau\overline m_{i,\tau}\Big\|^2\le2\,\mathbb E\Big\|\frac1K\sum_\tau m_{i,\tau}\Big\|^2+
      \frac{2\sigma_l^2}K
    """
    found = [that("E|mean of mbar|^2", s.bare) <= 2 * s.mean + 2 / (s.L * s.K)]
    return [*found, *printed(s)] if s.K == 1 else found


def prove() -> None:
    """z3: |mbar|^2 <= 2 |m|^2 + 2 |m - mbar|^2; (1/K) sum (m - mbar) is a sum of martingale differences with weights 1
    - beta1^(K-j+1) <= 1, of second moment at most sigma_l^2/K. For K = 1 mbar is known before the noise. Any losses.
    """
    a, b, mean, noise, bare, K = reals("a b mean noise bare K")
    smt([], a * a <= 2 * (a - b) * (a - b) + 2 * b * b)
    smt([K >= 1, bare <= 2 * mean + 2 * noise, noise * K <= 1], bare <= 2 * mean + 2 / K)


STATEMENT = Statement(
    kind="upper bound",
    location="B.2.3, 'we can bound the difference term as'",
    says="In the difference of the sum over drawn clients and the sum of momenta, E|(1/K) sum mbar|^2 is E|(1/K) sum "
    "m|^2 less E|(1/K) sum (m - mbar)|^2, and so at most E|(1/K) sum m|^2.",
    reading="mbar has the gradients' weights beta1^(tau-j) (LADA.M). The two sums are multiplied by the same positive "
    "number, which is left out.",
    severity="substantive",
    domain=Domain(instance, grid(root_K=(1, 2, 4, 5, 6)), "one client, F' = L x, exact second moments, K up to 36"),
    hypotheses=(
        need("0 < beta1 < 1", lambda s: (s.beta1, ">", 0), lambda s: (s.beta1, "<", 1)),
        need(
            "0 < eta_l <= 1/(2 sqrt(2 (1-beta1) K) L)",
            lambda s: (s.eta_l, ">", 0),
            lambda s: (8 * (1 - s.beta1) * s.K * s.eta_l**2 * s.L**2, "<=", 1),
        ),
        need("L = 1", lambda s: (s.L, "==", 1), role="units in which the client's gradient is x"),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    steps=(
        Step(
            "(b): E|(1/K) sum mbar|^2 = E|(1/K) sum m|^2 - E|(1/K) sum (m - mbar)|^2",
            claim_of(equality),
            "less 2 E<(1/K) sum mbar, (1/K) sum (m - mbar)>, which is negative: noise moves x, and x its own gradient",
        ),
    ),
    note="The rate condition allows eta_l K L = sqrt(K/8): after so many steps local SGD has forgotten where it "
    "started, and what it does forget is noise. At K = 25 and beta1 = 1/2 the clean momenta are twice as large as the "
    "noisy ones.",
)
