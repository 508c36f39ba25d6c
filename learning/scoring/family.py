"""Measures that are made of the same sums over items, so that resampling adds up each thing once."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import Units, Values
from annotation.agreement.sparse_sums import Sums
from learning.scoring.values import Metric


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """What a measure is computed from: `n` things on the items `rows`.

    `reason` says why it has no value, if it has none.
    """

    n: int
    rows: NDArray[np.int64]
    reason: str
    note: str = ""


class Family(Protocol):
    """`sums` has a row for each measured item."""

    @property
    def metrics(self) -> tuple[Metric, ...]: ...

    @property
    def sums(self) -> Sums: ...

    def values(self, sums: Values) -> tuple[Values, ...]:
        """For each metric a vector with a value for each row of sums, NaN where it has none."""
        ...

    def basis(self, metric: Metric) -> Basis: ...


class FamilyJob:
    """A family on its way through the resamples."""

    def __init__(self, family: Family, units: Units) -> None:
        self._family = family
        self._tables = (units.grouped(family.sums),)

    @property
    def tables(self) -> tuple[Sums, ...]:
        return self._tables

    def measured(self, sums: tuple[Values, ...]) -> tuple[Values, ...]:
        return self._family.values(sums[0])


def ratio(above: Values, below: Values) -> Values:
    """NaN where there is nothing to divide by.

    >>> ratio(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
    [0.25, nan]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, above / below, np.nan)
