"""How much each item with gold stands for, when samples of several designs drew it or its neighbours.

Only of what was drawn is the probability kept, so that “drawn by any of them” has none. But each sample alone gives an
unbiased total of the model's errors e, and so does every weighted mean of them:

    T = Σ_m λ_m Σ_{i judged of m} w_im e_i / π_im,        λ_m the share of the gold that is of sample m, Σ_m λ_m = 1

with π the sample's probability of drawing the unit and w how many of those that the sample drew the unit stands for
(`analysis.joining.weight_shares`).

A sample that leaves out the posts of an earlier one says nothing of these: their own gold stands in for them, with
what is known of them for certain, one for a post and one for each of its replies.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from analysis.joining.weight_shares import Key


@dataclass(frozen=True, slots=True)
class Chance:
    """That the sample draws the unit, and for a reply that it does so once its post is drawn. The unit stands for so
    many of those that the sample drew as `within` says."""

    probability: float
    given_post: float = 1.0
    within: float = 1.0


@dataclass(frozen=True, slots=True)
class DrawnUnit:
    """A post or a reply with usable gold, and the samples that drew it."""

    key: Key
    chances: Mapping[str, Chance]


def stands_for(
    units: Sequence[DrawnUnit], left_out: Mapping[str, frozenset[str]], within: Iterable[Key]
) -> dict[Key, float]:
    """The weight of each unit that lies `within` what was labelled. `left_out` has the samples whose posts another one
    left out.

    >>> both = [DrawnUnit(("r", name, None), {"A": Chance(0.5, within=2.0)}) for name in "ab"]
    >>> stands_for(both, {}, [unit.key for unit in both])  # they are two of four that the sample drew
    {('r', 'a', None): 4.0, ('r', 'b', None): 4.0}

    Two samples with a unit each: either is worth half.

    >>> two = [DrawnUnit(("r", name, None), {name: Chance(0.5)}) for name in "AB"]
    >>> stands_for(two, {}, [unit.key for unit in two])
    {('r', 'A', None): 1.0, ('r', 'B', None): 1.0}

    If B left out what A had drawn, A's unit stands for itself there:

    >>> stands_for(two, {"B": frozenset("A")}, [unit.key for unit in two])
    {('r', 'A', None): 1.5, ('r', 'B', None): 1.0}
    """
    inside = frozenset(within)
    here = [unit for unit in units if unit.chances and unit.key in inside]
    of_gold = Counter(name for unit in here for name in unit.chances)
    total = sum(of_gold.values())
    mixed = {name: n / total for name, n in of_gold.items()}
    return {unit.key: _own_weight(unit, mixed) + _left_out_weight(unit, mixed, left_out) for unit in here}


def _own_weight(unit: DrawnUnit, mixed: Mapping[str, float]) -> float:
    return sum(
        mixed[name] * chance.within / chance.probability for name, chance in sorted(unit.chances.items())
    )


def _left_out_weight(
    unit: DrawnUnit, mixed: Mapping[str, float], left_out: Mapping[str, frozenset[str]]
) -> float:
    """In samples that could not draw it, since an earlier one had drawn its post."""
    found = 0.0
    for other in sorted(set(mixed) - set(unit.chances)):
        before = sorted(left_out.get(other, frozenset()) & set(unit.chances))
        if before:
            chance = unit.chances[before[0]]
            found += mixed[other] * chance.within / chance.given_post
    return found
