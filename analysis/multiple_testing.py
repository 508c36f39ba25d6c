"""p-values of one kind in a table adjusted together: each table is many chances to be fooled.

Holm's allow no false finding in 95 of 100 tables (`learning.scoring.holm`). Benjamini and Hochberg's promise less: of
those below 5% at most 5% are false on average, if tests are independent or depend on each other positively. With
p-values p_(1) ≤ … ≤ p_(m) they are min_{j ≥ i} min(1, (m / j) p_(j)), by statsmodels, whose `multipletests` would give
Holm's as well but collects garbage at every call: 9 of the 10 seconds of a report. (Benjamini & Hochberg 1995, Journal
of the Royal Statistical Society B 57, 289–300.)
"""

from collections.abc import Sequence
from dataclasses import replace

from analysis.values import Finding
from learning.scoring.benjamini_hochberg import benjamini_hochberg
from learning.scoring.holm import holm


def adjust_p_values(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings in their order, with both corrections over all that have a p-value."""
    tested = [found.test.p for found in findings if found.test.p is not None]
    both = iter(zip(holm(tested), benjamini_hochberg(tested), strict=True))
    return tuple(
        found if found.test.p is None else _with(found, *next(both), n_tests=len(tested))
        for found in findings
    )


def _with(found: Finding, p_holm: float, p_bh: float, *, n_tests: int) -> Finding:
    return replace(found, test=replace(found.test, p_holm=p_holm, p_bh=p_bh, n_tests=n_tests))
