"""Texts: the next character (Shakespeare), the next word, and the tags of a text (Stack Overflow, or a stand-in)."""

from __future__ import annotations

from functools import partial

from neural.tasks.family import Dims, Parts, Source, federated
from neural.tasks.losses import one_vs_rest, recall_at_5, token_accuracy, token_cross_entropy
from neural.tasks.models.bags import BagLogistic
from neural.tasks.models.lstm import LanguageModel
from surrogate.kit.errors import problem

SPECIAL = 4  # padding, unknown, begin, end
PLAYS, POSTS = Dims((80,), 86 + SPECIAL), Dims((20,), 10_000 + SPECIAL)
# Words that a laptop tells apart, in sentences and in texts with tags: of 10,000 words scores, or adaptive steps, take
# most of the time.
SPOKEN, FREQUENT = 1_000, 2_000


def language(dims: Dims, embedding: int, units: int, layers: int, projection: int = 0) -> Parts:
    """A language model with the masked loss and accuracy."""
    sizes = {"embedding": embedding, "units": units, "layers": layers}
    for name, value in sizes.items():
        if not (isinstance(value, int) and value >= 1):
            raise problem(name, value, "a whole number >= 1", "a slip", "correct it")
    return Parts(
        partial(LanguageModel, dims.outputs, embedding, units, layers, projection),
        token_cross_entropy,
        {"accuracy": partial(token_accuracy, vocabulary=dims.outputs - SPECIAL)},
        {"accuracy": "max"},
    )


@federated(
    "shakespeare-lstm",
    kind="texts",
    batch=4,
    paper="Shakespeare, 715 roles, 80-character windows, vocabulary 90; embedding 8, LSTM 256 x 2 (OLR, LA)",
    smoke=Source("synthetic", Dims((20,), 90), None, 8),
    laptop=Source("shakespeare", PLAYS),
)
def shakespeare_lstm(dims: Dims, scale: str, *, units: int | None = None, embedding: int = 8, layers: int = 2) -> Parts:
    """The next character of a role's speeches (OLR C, batch 4). ``units`` of each LSTM: 256, or 64 on a laptop."""
    printed = {"smoke": 32, "laptop": 64, "paper": 256}[scale]
    return language(dims, embedding, printed if units is None else units, layers)


@federated(
    "words-lstm",
    kind="texts",
    batch=16,
    paper="Stack Overflow, 342,477 users, 128 posts each, 10,004 outputs; embedding 96, LSTM 670 (OLR, LA)",
    smoke=Source("synthetic", Dims((10,), 100 + SPECIAL), None, 8),
    laptop=Source("words", Dims((20,), SPOKEN + SPECIAL), more={"vocabulary": SPOKEN}),
    published=Source("words", POSTS, more={"per_client": 128}),
)
def words_lstm(
    dims: Dims, scale: str, *, units: int | None = None, embedding: int | None = None, layers: int = 1
) -> Parts:
    """The next word of a sentence (OLR C, batch 16). ``units`` of the LSTM, ``embedding`` before it and after it.

    670 and 96 at the paper's scale, 64 and 32 on a laptop, where 1,000 words are known and not 10,000.
    """
    printed = {"smoke": (32, 16), "laptop": (64, 32), "paper": (670, 96)}[scale]
    units, embedding = (p if given is None else given for p, given in zip(printed, (units, embedding), strict=True))
    return language(dims, embedding, units, layers, projection=embedding)


@federated(
    "tags-logreg",
    kind="tags",
    batch=16,
    paper="Stack Overflow, 342,477 users, 10,000 words, 500 tags; logistic regression, one-vs-rest (OLR, LA, DA)",
    smoke=Source("synthetic", Dims((200,), 20), None, 10),
    laptop=Source("tags", Dims((FREQUENT,), 135), more={"dense": False, "vocabulary": FREQUENT}),  # dense: a gigabyte
    published=Source("tags", Dims((10_000,), 500), more={"dense": False}),
)
def tags_logreg(dims: Dims, scale: str) -> Parts:
    """The tags of a text from how often its words occur (OLR C, batch 16), a convex task from 0."""
    return Parts(
        partial(BagLogistic, dims.shape[0], dims.outputs),
        one_vs_rest,
        {"recall_at_5": recall_at_5},
        {"recall_at_5": "max"},
    )
