"""LA section 3: what synchronised client states cost."""

from theorems.local_adaptivity.common import between
from theorems.vocabulary import *

STATES = {"momentum": 1, "adagrad": 1, "adam": 2, "yogi": 2}


def instance(cursor: Cursor, optimizer: str, upwards: bool) -> Instance:
    """``d``: numbers in a vector (any positive size)."""
    d = 1 + cursor.take()
    return Instance(nb=cursor.nb, optimizer=optimizer, upwards=str(upwards), states=STATES[optimizer], d=d)


def printed(s: Instance) -> list[Comparison]:
    r"""between 2 and 3 times as much

    2\le\frac{d+sd}d\le3,\ s\in\{1,2\}

    Per client and round, either way: x or its change, and the states; vanilla SGD sends x or its change alone.
    """
    ratio = (s.d + s.states * s.d) / s.d
    return [
        that("at least doubled", ratio) >= s.d * 0 + 2,
        that("at most tripled", ratio) <= s.d * 0 + 3,
    ]


def prove() -> Proof:
    """Count the vectors in the messages of the methods themselves."""
    from surrogate import methods

    names = {"momentum": "local-sgdm", "adagrad": "local-adagrad", "adam": "local-adam", "yogi": "local-yogi"}
    for optimizer, states in STATES.items():
        sizes = []
        for kept in ("restart", "sync"):
            method = methods.build(names[optimizer], gamma=0.1, steps=2, eta=1.0, states=kept)
            state = method.start(np.ones(3))
            message, _ = method.local(state, {}, lambda y, k: y, 0)
            sizes.append(sum(v.ndim == 1 for v in message.values()))
        if sizes != [1, 1 + states]:
            raise AssertionError(f"{optimizer} sends {sizes} vectors, not 1 and {1 + states}")
    return Proof(
        "a count of the methods' own messages",
        "Momentum and AdaGrad keep one vector of states, Adam and Yogi two; each is averaged and sent back like the "
        "model.",
        "momentum SGD, AdaGrad, Adam, Yogi",
    )


STATEMENT = Statement(
    kind="identity",
    location="section 3, end of the discussion of discontinuity",
    says="Synchronising client optimizer states doubles or triples the communication of FedOpt with SGD clients.",
    reading="Vectors per client and round, up and down alike; the optimizers that the paper runs.",
    domain=Domain(
        instance,
        grid(optimizer=tuple(STATES), upwards=(True, False)),
        "momentum SGD, AdaGrad, Adam, Yogi",
    ),
    hypotheses=(between("d >= 1", lambda s: s.d, 1, None, "[]", role="a dimension"),),
    printed=claim_of(printed, prove=prove),
    note="AMSGrad ([12], counted among Adam's variants) keeps a third vector: four times as much, where all are "
    "synchronised.",
)
