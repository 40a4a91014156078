"""One entry of the dictionary, and the table that the families fill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from surrogate._types import Array
from surrogate.dictionary.algebra import Element
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings

if TYPE_CHECKING:
    from surrogate.quadratics import Quadratics

__all__ = ["TABLE", "Bias", "Entry", "Form", "enter"]

# (ring, settings) -> D_i, with sum_i w_i D_i A_i (x - c_i) = 0 at rest
Form = Callable[[Ring, Settings], Sequence[Element]]
Bias = Callable[["Quadratics", Settings], Array | None]  # (clients, settings) -> sum_i w_i D_i A_i (x* - c_i)


@dataclass(frozen=True)
class Entry:
    """A method's resting point on quadratics (all clients, exact gradients).

    ``name``: of the method; ``paper``: where it is printed; ``formula``: the distortions D_i with ``sum_i w_i D_i A_i
    (x - c_i) = 0`` at rest. ``equals_minimizer``: when that is x* for every population (no local rate being 0);
    ``is_minimizer(settings)`` decides it. ``limit``: the resting point as all gamma -> 0 in their ratios.
    ``derivation``: in about three lines. ``distortions``: the formula itself, on elements of a ring. ``bias``: in
    float64 the same at x*, by `Surrogate` or `Preconditioned`, in units of ``_differences.unit`` of the largest rate
    where D_i has the size of gamma; None where the method is neither.
    """

    name: str
    paper: str
    formula: str
    equals_minimizer: str
    limit: str
    distortions: Form
    is_minimizer: Callable[[Settings], bool]
    bias: Bias | None = None

    @property
    def derivation(self) -> str:
        """Why the formula holds."""
        return " ".join((self.distortions.__doc__ or "").split())


TABLE: dict[str, Entry] = {}


def enter(
    *names: str,
    paper: str,
    formula: str,
    equals: str,
    limit: str,
    when: Callable[[Settings], bool],
    bias: Bias | None = None,
) -> Callable[[Form], Form]:
    """Enter a formula under its methods' names."""

    def note(form: Form) -> Form:
        for name in names:
            TABLE[name] = Entry(name, paper, formula, equals, limit, form, when, bias)
        return form

    return note
