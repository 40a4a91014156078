"""OLR Theorem 3: on quadratics LocalUpdate is SGD on the surrogate loss, E[InnerLoop] = Q_i grad f_i."""

from theorems.bridges import independent_draws, normal_equations
from theorems.outsized.common_examples import (
    INVERTIBLE,
    apply,
    client,
    coordinates,
    expected_inner,
    full_gradient,
    instance,
    polynomial,
    server_field,
    singular,
)
from theorems.outsized.lemmas_examples import expected_answer
from theorems.vocabulary import *

FEW = (Theta.sum(1), Theta.sum(2), Theta.last(3), Theta([2, 0, 1]))


def decode(cursor: Cursor, m: int, d: int, theta: Theta, B: int) -> Instance:
    """The client of the theorem, and two weighted clients of which the server draws M = 2."""
    s = instance(cursor, m, d, theta, B)
    return Instance(**vars(s), server=clients(cursor, 2, d, weighted=True))


def inner(s: Instance) -> list[Comparison]:
    Q = polynomial(client(s.p)[0], s.gamma, s.theta)
    return coordinates("InnerLoop", expected_inner(s, s.theta), apply(Q, full_gradient(s.p, s.x)))


def outer(s: Instance) -> list[Comparison]:
    """E[q_t] over all ordered pairs of drawn clients, against the gradient of the surrogate at x."""
    p = s.server
    answers = server_field(p, s.gamma, s.theta, s.x)
    pairs = [(i, j) for i in range(2) for j in range(2)]
    mean = sum((p.w[..., i] * p.w[..., j])[..., None] * (answers[..., i, :] + answers[..., j, :]) / 2 for i, j in pairs)
    H = p.mean(p.spectral(p.filtered(s.gamma, s.theta)))
    centre = p.rest(p.filtered(s.gamma, s.theta))
    return coordinates("server", mean, apply(H, s.x - centre))


def derive(proof: Derivation, s: Instance) -> None:
    """E[g_k] = (I - gamma A_i)^(k-1) grad f_i(x); the mean of M independent draws is sum w_i Q_i A_i (x - c_i)."""
    expected_answer(proof, s, s.theta)
    p, answers = s.server, server_field(s.server, s.gamma, s.theta, s.x)
    values = p.filtered(s.gamma, s.theta)
    proof.cross(independent_draws, "E[q_t] = sum w_i Q_i grad f_i", w=p.w, answers=answers, M=2)
    proof.cross(normal_equations, "the gradient of the averaged surrogate", p=p, values=values, x=s.x)


STATEMENT = Statement(
    kind="identity",
    location="Theorem 3, section 3",
    says="The expected answer of InnerLoop is the gradient of the client's surrogate loss, Q_i grad f_i; so one round "
    "is a step of SGD on the surrogate loss.",
    headline=True,
    reading="(9) with the square that it lacks (OLR.E9). Clients are drawn independently from P; minibatches with "
    "replacement. Where Q_i A_i is indefinite (gamma > 1/L_i) the surrogate is the quadratic form, not a norm.",
    note="Holds for every real gamma and theta. M distinct clients drawn from unequal weights and averaged plainly "
    "would not give E[q_t] = grad f~. The proof's (1 - gamma A_i) stands for (I - gamma A_i).",
    domain=Domain(
        decode, grid(m=(1, 2), d=(1, 2), theta=FEW, B=(1,)), "a client with m examples; two weighted clients, M = 2"
    ),
    hypotheses=(
        Hypothesis(
            INVERTIBLE.name,
            INVERTIBLE.holds,
            Domain(
                lambda cursor, theta: Instance(**vars(singular(cursor, theta)), server=clients(cursor, 2, 2)),
                grid(theta=FEW[:3]),
                "singular A_i",
            ),
        ),
    ),
    printed=Claim(
        "E[InnerLoop] = Q_i grad f_i(x), and E[q_t] is the gradient of the surrogate at x_t",
        r"\mathbb E[\mathrm{InnerLoop}(i,x,\gamma,\Theta)]=\nabla_x\tilde f_i(x,\gamma,\Theta)=Q_i(\gamma,\Theta)"
        r"\nabla f_i(x)",
        lambda s: inner(s) + outer(s),
        derive=derive,
    ),
    steps=(
        Step(
            "proof: E[InnerLoop] = sum theta_k (I - gamma A_i)^(k-1) A_i (x - c_i)",
            Claim(
                "the expected answer is Q_i A_i (x - c_i)",
                r"\mathbb E[\mathrm{InnerLoop}]=Q_iA_i(x-c_i)",
                lambda s: coordinates(
                    "Q A (x - c)",
                    expected_inner(s, s.theta),
                    apply(polynomial(client(s.p)[0], s.gamma, s.theta) @ client(s.p)[0], s.x - s.p.minimizer),
                ),
            ),
        ),
    ),
)
