"""How sure each look has to be, where the same question is asked again and again.

Who accepts a false alarm in 5% of cases each time they look has one sooner or later. So the 5% are spent once, over
all looks there will ever be. With a the whole level, look k may be wrong in a_k of cases:

    a_k = a · 5 / ((k + 4)(k + 5))        Σ a_k over all k = a        left after k looks: a · 5 / (k + 5)

However many looks there are, and however much they depend on each other, the chance of any false alarm is at most
Σ a_k (Boole's inequality; spending a level over looks: Lan & DeMets 1983, Biometrika 70). The first five looks spend
half, the next ten half of what is left. Other shares would do that add up to a; these ask little more of the second
look than of the first, and leave something to the hundredth.
"""

from __future__ import annotations

from statistics import NormalDist

LEVEL = 0.05
HALF_SPENT_AFTER = 5
# A look that asks for a difference half as large again as the first one did.
WORN_OUT = 1.5


def level_of_look(number: int) -> float:
    """Of the first look, the second …

    >>> [round(level_of_look(number), 5) for number in (1, 2, 10, 100)]
    [0.00833, 0.00595, 0.00119, 2e-05]
    """
    if number < 1:
        raise ValueError(f"Looks are counted from 1, not from {number}.")
    return left_after(number - 1) - left_after(number)


def left_after(looks: int) -> float:
    """What all later looks may spend together.

    >>> [round(left_after(looks), 4) for looks in (0, 5, 15, 95)]
    [0.05, 0.025, 0.0125, 0.0025]
    """
    return LEVEL * HALF_SPENT_AFTER / (looks + HALF_SPENT_AFTER)


def standard_errors_asked(number: int) -> float:
    """How many standard errors above the bar a difference has to be at this look, about.

    >>> [round(standard_errors_asked(number), 1) for number in (1, 10, 35, 100)]
    [2.4, 3.0, 3.6, 4.1]
    """
    return NormalDist().inv_cdf(1 - level_of_look(number))


def is_worn_out(looks: int) -> bool:
    """Whether the next look asks for so much more than the first one that other data should be had.

    >>> is_worn_out(33), is_worn_out(34)
    (False, True)
    """
    return standard_errors_asked(looks + 1) >= WORN_OUT * standard_errors_asked(1)


def fine_percent(share: float) -> str:
    """With two digits that say something.

    >>> fine_percent(0.05), fine_percent(0.00833), fine_percent(0.0000238), fine_percent(0.5)
    ('5%', '0.83%', '0.0024%', '50%')
    """
    return f"{float(f'{100 * share:.2g}'):.10f}".rstrip("0").rstrip(".") + "%"
