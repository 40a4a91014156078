"""LA section 5: what global correction costs."""

from theorems.local_adaptivity.common import between
from theorems.vocabulary import *


def instance(cursor: Cursor, entries: str) -> Instance:
    """``d`` numbers in a vector; a symmetric matrix has d (d + 1)/2 different entries."""
    d = 1 + 9 * cursor.take()
    return Instance(nb=cursor.nb, entries=entries, d=d, size=d if entries == "diagonal" else d * (d + 1) / 2)


def printed(s: Instance) -> list[Comparison]:
    r"""three vectors for two

    \frac{d+2d}{d+d}=\frac32

    Down: x. Up: the change, and N_i.
    """
    return [that("ratio", (s.d + (s.d + s.size)) / (s.d + s.d)) == (s.d * 0 + 3) / 2]


class Heard(dict[str, Any]):
    """A message that notes what the server takes of it: some of it only tells a run how far clients agree."""

    def __init__(self, message: Any) -> None:
        super().__init__(message)
        self.asked: list[str] = []

    def __getitem__(self, key: str) -> Any:
        self.asked.append(key)
        return super().__getitem__(key)


def prove() -> None:
    """a count of the methods' own messages, for local AdaGrad, d = 3: Two vectors a client and round without it, three
    with it: 3/2.
    """
    from surrogate import methods

    counts = {}
    for correction in ("none", "local", "joint"):
        method = methods.build("local-adagrad", gamma=0.1, steps=2, eta=1.0, correction=correction)
        state = method.start(np.ones(3))
        message = Heard(method.local(state, {}, lambda y, k: y, 0)[0])
        method.update(state, message, 1, 1)
        counts[correction] = 1 + sum(np.ndim(message[key]) == 1 for key in set(message.asked))  # x goes down
    if counts != {"none": 2, "local": 2, "joint": 3}:
        raise AssertionError(f"vectors a client and round: {counts}")


STATEMENT = Statement(
    kind="identity",
    location="section 5, global correction, last sentence",
    says="If the N_i are diagonal, global correction costs 1.5 times the communication of doing without it; local "
    "correction costs none.",
    reading="Vectors per client and round: x down, the change and diag(N_i) up.",
    domain=Domain(instance, grid(entries=("diagonal",)), "d from 1 to 10"),
    hypotheses=(
        between("d >= 1", lambda s: s.d, 1, None, "[]", role="a dimension"),
        Hypothesis(
            "the N_i are diagonal",
            lambda s: [that(s.size) == s.d],
            Domain(instance, grid(entries=("symmetric",)), "symmetric N_i"),
        ),
    ),
    printed=claim_of(printed, prove=prove),
    note="Symmetric N_i that are not diagonal cost (d + 1)/2 vectors more, not one.",
)
