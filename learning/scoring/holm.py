"""Holm's correction: of many comparisons some look real by chance alone.

With p-values p_(1) ≤ … ≤ p_(m), the adjusted ones are

    max_{j ≤ i} min(1, (m - j + 1) p_(j))

The chance that any one of the adjusted p-values is below 5% although nothing differs is at most 5%, however the
comparisons depend on each other. (Holm 1979, Scandinavian Journal of Statistics 6, 65–70.)

statsmodels' `multipletests` gives the same, and collects garbage at every call: nine tenths of the time of a report.
"""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """
    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return tuple(adjusted)
