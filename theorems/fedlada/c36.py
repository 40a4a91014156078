"""LADA Corollary 3.6: the rate, and its linear speed-up."""

from theorems.fedlada import common_bound as cb
from theorems.fedlada.common import boxed
from theorems.vocabulary import *

HIDDEN = 10  # the constant granted to O(.), for L = G_g = eps_v = d = 1 and F(z_0) = f_*
ROOT_T = 10**9


def instance(cursor: Cursor, m: int, S: int, root_K: int) -> Instance:
    """Two clients 1/2 x^2 +- b x, one drawn, no noise; K steps; eta eta_l = c sqrt(SK/T), eta_l = c'/sqrt(KT)."""
    nb = cursor.nb
    size, pace, beta, local = cursor.many(4)
    K, T = root_K**2, ROOT_T**2
    b, beta1 = size / 4, (2 + beta) / 8
    r = pace * nb.number(Fraction(root_K, ROOT_T))
    eta_l = local * nb.number(Fraction(1, root_K * ROOT_T))
    return Instance(
        nb=nb, m=m, S=S, K=K, T=T, root_K=root_K, beta1=beta1, r=r, eta_l=eta_l, b=b, nu=b * 0, start=b * 0,
        first=b * 0, reach=b,
        G=b * 0 + 1, sigma_u=b * 0 + 1,
    )  # fmt: skip


def moments(s: Instance) -> Instance:
    """x+ = (1 - pull) x -+ pull b, as x+ = x - eta_g (x - y_K) and clients are shifted copies of one another."""
    pull = s.r * cb.response(s.beta1, s.eta_l, s.K)
    return Instance(nb=s.nb, T=s.T, pull=pull, jump=cb.jump(pull, s.b, s.m, s.S), first=s.first)


def _rate(s: Instance, *terms: Fraction) -> list[Comparison]:
    """The error is at least cb.average_at_least: where that exceeds HIDDEN times the rate, so does the error."""
    rate = s.b * 0 + HIDDEN * s.nb.number(sum(terms, Fraction(0)))
    return [Comparison("rate", cb.average_at_least(moments(s)), "<=", rate)]


def printed(s: Instance) -> list[Comparison]:
    T = ROOT_T
    return _rate(s, Fraction(1, s.root_K * T), Fraction(1, s.K * T**2), Fraction(1, T**2), Fraction(1, T**3))


def appendix(s: Instance) -> list[Comparison]:
    """The appendix's line before the last with S = 1, each variance and constant 1, and every K in it kept."""
    K, root, T = s.K, s.root_K, ROOT_T**2
    first, second = Fraction(2, root * ROOT_T), Fraction(3, K * T)
    third, last = Fraction(1, T) + Fraction(root, T * ROOT_T), (2 + 2 * K) * (Fraction(1, K * T) + Fraction(K, T))
    return _rate(s, first, second, third, last)


def corrected(s: Instance) -> list[Comparison]:
    """The mended theorem at these rates: c sqrt(SK/T) in front of the drawing of clients."""
    return [Comparison("rate", cb.average(moments(s)), "<=", cb.corrected_right(s))]


def lost(s: Instance) -> list[Comparison]:
    """(1/S + K/S)(1/(KT) + SK/T) <= 10 (1/(KT) + 1/T), variances and constants 1."""
    left = (1 / s.S + s.K / s.S) * (1 / (s.K * s.T) + s.S * s.K / s.T)
    return [Comparison("", left, "<=", HIDDEN * (1 / (s.K * s.T) + 1 / s.T))]


def prove() -> Proof:
    proof = cb.prove_corrected()
    S, K, T, c, e = sympy.symbols("S K T c e", positive=True)
    r, eta = c * sympy.sqrt(S * K / T), e / sympy.sqrt(K * T)
    pairs = {
        1 / (r * T): 1 / (c * sympy.sqrt(S * K * T)),
        r / (S * K): c / sympy.sqrt(S * K * T),
        r / S: c * sympy.sqrt(K / (S * T)),
        r / T: c * sympy.sqrt(S * K) / T ** sympy.Rational(3, 2),
        eta**2 * K**2: e**2 * K / T,
        r**2: c**2 * S * K / T,
    }
    identity(*((sympy.powdenest(a / b, force=True), 1) for a, b in pairs.items()))
    return replace(
        proof,
        argument="The mended Theorem 3.5 (LADA.T35) with eta eta_l = c sqrt(SK/T) and eta_l = c'/sqrt(KT): each of its "
        "terms is one of the rate's, which sympy checks. " + proof.argument,
    )


STATEMENT = Statement(
    id="LADA.C36",
    kind="convergence",
    location="Corollary 3.6, section 3.4",
    says="With eta eta_l = O(sqrt(SK/T)) and eta_l = O(1/sqrt(KT)) the mean of E|grad F(z_t)|^2 is O(1/sqrt(SKT) + "
    "1/(KT) + 1/T + T^(-3/2)) under partial participation.",
    reading="O hides a constant that is free of S, K and T (else no speed-up is claimed); here it may be up to 10 "
    "with L = G_g = eps_v = d = 1 and F(z_0) = f_*. Whatever it is, it fails: the error times sqrt(SKT) grows like K.",
    headline=True,
    severity="substantive",
    domain=Domain(
        instance,
        tuple({"m": 2, "S": 1, "root_K": k} for k in (1, 4, 32)),
        "two clients, one drawn, exact gradients, K = 1, 16 or 1024, T = 1e18",
    ),
    hypotheses=cb.NEEDED,
    printed=Claim(
        "at most 10 (1/sqrt(SKT) + 1/(KT) + 1/T + T^(-3/2))",
        r"\frac1T\sum_t\mathbb E\|\nabla F(z^t)\|^2=O\Big(\frac1{\sqrt{SKT}}+\frac1{KT}+\frac1T+\frac1{T^{3/2}}\Big)",
        printed,
    ),
    corrected=Claim(
        "O(1/sqrt(SKT) + (m-S)/(m-1) sqrt(K/(ST)) + SK/T + sqrt(SK)/T^(3/2) + 1/T): linear speed-up with S = m alone, "
        "and then only while SK <= T^(1/3)",
        r"O\Big(\frac1{\sqrt{SKT}}+\frac{m-S}{m-1}\sqrt{\frac K{ST}}+\frac{SK}T+\frac{\sqrt{SK}}{T^{3/2}}+\frac1T\Big)",
        corrected,
        prove,
    ),
    steps=(
        Step(
            "the line before the last, which keeps S and K in its terms of order 1/T",
            Claim(
                "at most 10 times that line, every variance and constant 1",
                r"O\Big(\frac1{\sqrt{SKT}}+\frac1{KT}+\frac1T+\frac{\sqrt{SK}}{T^{3/2}}+\Big(1+\frac{1+2K}S\Big)\Big("
                r"\frac1{KT}+\frac{SK}T\Big)\Big)",
                appendix,
            ),
            "the drawing of clients adds (m-S)/(m-1) sqrt(K/(ST)), which no term of it has",
        ),
        Step(
            "(sigma_l^2 + K (sigma_g^2 + sigma_u^2))/S (1/(KT) + SK/T) = O(1/(KT) + 1/T)",
            Claim(
                "the last two lines of appendix B, with constants up to 10",
                r"\frac{\sigma_l^2+K(\sigma_g^2+\sigma_u^2)}S\Big(\frac1{KT}+\frac{SK}T\Big)=O\Big(\frac1{KT}+\frac1T"
                r"\Big)",
                lost,
                domain=boxed("S, K, T", grid(T=(10**6, 10**8)), S=(1, 10), K=(1, 100)),
            ),
            "K^2/T stays: S and K are dropped between the two lines",
        ),
    ),
    note="Drawing one of two clients moves x by eta eta_l b: the error is about eta eta_l L b^2 / 2 = sqrt(SK/T) b^2 "
    "/ 2, FedAvg's rate sqrt(K/(ST)) in the paper's Table 9, and more local steps make it worse. Even with S = m, the "
    "proof's own terms SK/T and K/T (C3 grows like K^2) are lost in 1/(KT) + 1/T.",
)
