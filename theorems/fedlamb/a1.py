"""LAMB Algorithm 1, line 8: the gradient is taken at the round's first point in all T local steps."""

from theorems.fedlamb.common import need, positive, share
from theorems.fedlamb.listing_fedlamb import local_round
from theorems.vocabulary import *


def instance(cursor: Cursor, T: int) -> Instance:
    """One client a/2 (x - c)^2 in d = 1, from theta with m = 0 and v = v-hat = root^2."""
    nb = cursor.nb
    a, theta, root = positive(cursor), 1 + cursor.take(), positive(cursor)
    c = theta * (1 + cursor.take()) / 2 - cursor.take()
    beta1, beta2, eps = share(cursor) / 2, share(cursor), cursor.take() / 100
    return Instance(
        nb=nb, T=T, a=a, c=c, theta=theta, root=root, alpha=positive(cursor) / 2, beta1=beta1, beta2=beta2, eps=eps
    )


def ends(s: Instance) -> list[Any]:
    run = [
        local_round(s.nb, lambda y: s.a * (y - s.c), s.theta, 0 * s.theta, s.root**2, s.root, s, s.T, printed)
        for printed in (True, False)
    ]
    return [end[0] for end in run]


def printed(s: Instance) -> list[Comparison]:
    listing, text = ends(s)
    return [that("theta^T", listing) == text]


def prove() -> None:
    """sympy identity: With T = 1 the theta^0 of line 8 is the only point there is: the listing, run in symbols as
    printed and as the text has it, ends at the same theta^1.

    Both readings of the listing in symbols: the same theta^1.
    """
    names = "theta a c root alpha beta1 beta2 eps"
    s = Instance(**{name: sympy.Symbol(name, positive=True) for name in names.split()})
    s.nb, s.T = Instance(abs=sympy.Abs), 1
    identity(tuple(ends(s)))


STATEMENT = Statement(
    kind="equivalence",
    location="Algorithm 1, line 8, against sections 1 to 3",
    says="The listing does T local AMSGrad steps on each client.",
    reading="The text's local steps take the gradient at the client's current model, as local AMSGrad does; phi the "
    "identity, lambda = 0, one coordinate, first round.",
    severity="typo",
    domain=Domain(instance, grid(T=(2, 3, 5)), "one client in d = 1, T local steps"),
    hypotheses=(
        need("alpha, a, v0 > 0", lambda s: [(v, ">", 0) for v in (s.alpha, s.a, s.root, s.theta)]),
        need(
            "0 < beta_1, beta_2 < 1, epsilon >= 0",
            lambda s: [(b, r, e) for b in (s.beta1, s.beta2) for r, e in ((">", 0), ("<", 1))] + [(s.eps, ">=", 0)],
        ),
    ),
    printed=Claim(
        "the client ends where T steps of local AMSGrad with layer-wise normalisation end",
        r"\theta^T_{\text{listing}}=\theta^T_{\text{text}}",
        printed,
    ),
    corrected=Claim(
        "as printed for T = 1 (in the first round); more steps need the gradient at theta^(t-1) in line 8",
        r"T=1:\ \theta^T_{\text{listing}}=\theta^T_{\text{text}}",
        printed,
        prove,
        Domain(instance, grid(T=(1,)), "one local step"),
    ),
    note="As printed T steps reuse one gradient (on exact gradients T steps are one long step), so that local steps "
    "lose their point. The slip stands in Algorithm 2, too (LAMB.A2). Further slips: v-hat_1 is never set; line 6 "
    "reads v-hat_(r-1), line 11 v-hat_r; line 10 prints v_(r-1,i)^t for v_(r,i)^(t-1); with epsilon = 0 the first "
    "round divides by sqrt(0).",
)
