"""p-values of one kind in a table adjusted together: each table is many chances to be fooled."""

from collections.abc import Sequence
from dataclasses import replace

from analysis.benjamini_hochberg import benjamini_hochberg
from analysis.values import Finding
from learning.scoring.holm import holm


def adjusted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings in their order, with both corrections over all that have a p-value."""
    tested = [found.test.p for found in findings if found.test.p is not None]
    both = iter(zip(holm(tested), benjamini_hochberg(tested), strict=True))
    return tuple(
        found if found.test.p is None else _with(found, *next(both), n_tests=len(tested))
        for found in findings
    )


def _with(found: Finding, p_holm: float, p_bh: float, *, n_tests: int) -> Finding:
    return replace(found, test=replace(found.test, p_holm=p_holm, p_bh=p_bh, n_tests=n_tests))
