"""How much gold an interval of a certain width needs: more of it, or before there is any.

The variance of a corrected estimate has a part that gold makes smaller and one that it does not, since all items are a
sample themselves: with n effective gold labels (Kish), A what each of them adds, λ how far it leans on the model and
W_N the width of the naive interval, from all items,

    W² = A / n + B,        B = λ² W_N²

so that with m more labels, drawn evenly, the interval is expected to be √(A / (n + m) + B) wide, and none is narrower
than √B. Before anything is labelled, a share p of N items, in gold and by a model whose labels correlate with gold by
c, has

    V = p (1 - p) ((1 - c²) / n + c² / N),        λ at its best,

the variance of a regression estimator from two phases. c follows from how much of what is there the model finds (its
recall r) and how much of what is not (its false positives f):

    c = (r - f) √(p (1 - p) / (q (1 - q))),        q = p r + (1 - p) f.

(Cochran 1977, Sampling Techniques, ch. 12; Angelopoulos, Duchi & Zrnic 2023, arXiv 2311.01453; Kish 1965, Survey
Sampling.)
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.share_interval import Worth, share_interval
from analysis.values import Finding, Way

# How much more gold curves and tables go through, in labels drawn evenly
STEPS = (0, 50, 100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000)


@dataclass(frozen=True, slots=True)
class WidthParts:
    """Of an interval `width` wide from `n` effective gold labels: `floor` is √B."""

    width: float
    n: float
    floor: float = 0.0

    def with_more(self, labels: float) -> float:
        """
        >>> WidthParts(0.10, 200.0).with_more(600)
        0.05
        >>> round(WidthParts(0.10, 200.0, floor=0.06).with_more(600), 4)
        0.0721
        """
        shrinking = self.width**2 - self.floor**2
        return math.sqrt(shrinking * self.n / (self.n + labels) + self.floor**2)

    def labels_for(self, width: float) -> int | None:
        """How many more are needed, 0 if none; None where no gold makes it so narrow.

        >>> WidthParts(0.10, 200.0).labels_for(0.05), WidthParts(0.10, 200.0, floor=0.06).labels_for(0.05)
        (600, None)
        """
        if width >= self.width:
            return 0
        if width <= self.floor:
            return None
        shrinking = (self.width**2 - self.floor**2) / (width**2 - self.floor**2)
        return math.ceil(self.n * (shrinking - 1) - 1e-9)


def parts_of(corrected: Finding, naive: Finding | None) -> WidthParts | None:
    """Of a finished estimate; None where it has no interval."""
    width, n = _width(corrected), corrected.basis.n_effective
    if width is None or not n:
        return None
    floor = (corrected.weight or 0.0) * ((_width(naive) if naive else None) or 0.0)
    return WidthParts(width, n, min(floor, width))


def _width(found: Finding) -> float | None:
    low, high = found.estimate.low, found.estimate.high
    return None if low is None or high is None else high - low


@dataclass(frozen=True, slots=True)
class PlannedEstimate:
    """A theme or a contrast of a report, and what more gold would make of its interval."""

    code: str
    other: str
    where: str
    measure: str
    value: float
    parts: WidthParts

    @property
    def curve(self) -> tuple[tuple[int, float], ...]:
        return tuple((more, self.parts.with_more(more)) for more in STEPS)

    def as_dict(self, width: float | None = None) -> dict[str, object]:
        """`width` is the one that is wanted."""
        found: dict[str, object] = {
            "code": self.code,
            "other": self.other,
            "where": self.where,
            "measure": self.measure,
            "value": self.value,
            "width": self.parts.width,
            "effective_gold": self.parts.n,
            "narrowest": self.parts.floor,
            "curve": [{"more": more, "width": found} for more, found in self.curve],
        }
        return found if width is None else found | {"more_for_width": self.parts.labels_for(width)}


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """What the tables of one question have; `names` are those of codes."""

    title: str
    names: Mapping[str, str]
    estimates: tuple[PlannedEstimate, ...]


def plan_from(findings: Sequence[Finding]) -> tuple[PlannedEstimate, ...]:
    """Of every corrected estimate with an interval."""
    naive = {_key(found): found for found in findings if found.way is Way.NAIVE}
    planned = []
    for found in findings:
        parts = parts_of(found, naive.get(_key(found))) if found.way is Way.CORRECTED else None
        if parts and found.estimate.value is not None:
            planned.append(
                PlannedEstimate(
                    found.code, found.other, found.where, found.measure.value, found.estimate.value, parts
                )
            )
    return tuple(planned)


def _key(found: Finding) -> tuple[str, str, str, str, str]:
    return found.code, found.other, found.where, found.measure.value, found.test.name


@dataclass(frozen=True, slots=True)
class AssumedModel:
    """What a model is taken to find of what is there, and of what is not."""

    recall: float
    false_positives: float

    def correlation(self, share: float) -> float:
        """
        >>> round(AssumedModel(0.9, 0.02).correlation(0.1), 3), AssumedModel(0.5, 0.5).correlation(0.1)
        (0.851, 0.0)
        """
        said = share * self.recall + (1 - share) * self.false_positives
        if not 0 < said < 1:
            return 0.0
        spread = share * (1 - share) / (said * (1 - said))
        return (self.recall - self.false_positives) * math.sqrt(spread)


@dataclass(frozen=True, slots=True)
class AssumedShare:
    """A share that nobody has counted yet, of `n_items`. `design_effect` is how many labels are worth one that is drawn
    evenly and alone, more than 1 of unequal or clustered ones."""

    share: float
    n_items: int
    model: AssumedModel | None = None
    design_effect: float = 1.0

    def width(self, n_gold: int) -> float:
        """Of the interval from so much gold, corrected if there is a model.

        >>> theme = AssumedShare(0.1, 100_000)
        >>> round(theme.width(400), 3), round(AssumedShare(0.1, 100_000, AssumedModel(0.9, 0.02)).width(400), 3)
        (0.059, 0.031)
        """
        n = n_gold / self.design_effect
        spread, explained = self.share * (1 - self.share), self._explained
        ratio = 1 - explained * (1 - min(1.0, n / self.n_items))
        worth = Worth(n, n, max(2, round(n)))
        found = share_interval(self.share, spread * ratio / n, worth, ratio)
        return (found.high or 0.0) - (found.low or 0.0)

    def labels_for(self, width: float) -> int | None:
        """The least gold for an interval that is no wider; None where all items together do not make it so narrow.

        >>> AssumedShare(0.1, 100_000).labels_for(0.04), AssumedShare(0.1, 500).labels_for(0.01)
        (863, None)
        """
        low, high = 2, self.n_items
        if self.width(high) > width:
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.width(middle) <= width else (middle + 1, high)
        return low

    @property
    def curve(self) -> tuple[tuple[int, float], ...]:
        """From so much gold as an interval needs."""
        return tuple((n, self.width(n)) for n in STEPS if 50 <= n <= self.n_items)

    def as_dict(self, width: float | None = None) -> dict[str, object]:
        """`width` is the one that is wanted."""
        found: dict[str, object] = {
            "share": self.share,
            "n_items": self.n_items,
            "correlation": self.model.correlation(self.share) if self.model else None,
            "curve": [{"n_gold": n, "width": found} for n, found in self.curve],
        }
        return found if width is None else found | {"n_gold_for_width": self.labels_for(width)}

    @property
    def _explained(self) -> float:
        return self.model.correlation(self.share) ** 2 if self.model else 0.0
