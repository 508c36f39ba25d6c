"""Selection with probability proportional to size, without replacement, in whole numbers throughout."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class PpsPlan:
    """Which positions are certain, and how many of the others are drawn from what total size."""

    sizes: Sequence[int]
    certain: frozenset[int]
    n_drawn: int
    total: int

    def probability(self, position: int) -> Fraction:
        if position in self.certain:
            return Fraction(1)
        return Fraction(self.n_drawn * self.sizes[position], self.total)


def plan_pps(sizes: Sequence[int], n: int) -> PpsPlan:
    """Inclusion probabilities of exactly n units, proportional to size wherever that stays below 1.

        pi_i = n x_i / X,  and 1 for units with n x_i >= X, which are then set aside, with n and X lowered
        by what they took, until no such unit is left.

    The threshold X/n only falls as units are set aside, so one pass from the largest down finds them all.

    >>> plan = plan_pps([8, 1, 2, 1], n=2)
    >>> [str(plan.probability(i)) for i in range(4)]
    ['1', '1/4', '1/2', '1/4']
    """
    certain: set[int] = set()
    n_drawn, total = n, sum(sizes)
    for position in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        if n_drawn == 0 or n_drawn * sizes[position] < total:
            break
        certain.add(position)
        n_drawn -= 1
        total -= sizes[position]
    return PpsPlan(sizes, frozenset(certain), n_drawn, total)


def select_systematic(plan: PpsPlan, order: Iterable[int], start: int) -> list[int]:
    """Madow's (1949) systematic selection along `order`, which is random as in Hartley and Rao (1962).

    The unit at i covers n x_i of the whole numbers from 0 to n X, in the given order; the units that cover
    start, start + X, start + 2 X, … are selected. With `start` uniform on 0 … X - 1, a unit is selected in
    exactly n x_i of the X cases, whatever the order. Certain units come first and take no part.

    >>> plan = plan_pps([3, 1, 2], n=1)
    >>> [select_systematic(plan, [0, 1, 2], start) for start in range(6)]
    [[0], [0], [0], [1], [2], [2]]
    """
    selected = sorted(plan.certain)
    covered, target = 0, start
    for position in order:
        if position in plan.certain:
            continue
        covered += plan.n_drawn * plan.sizes[position]
        if target < covered:
            selected.append(position)
            target += plan.total
    return selected
