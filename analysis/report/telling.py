"""Which findings of a table are told in sentences: the strongest of those that stand after Holm's correction."""

from collections.abc import Sequence

from analysis.values import Finding

MOST = 5
LEVEL = 0.05


def clearest(findings: Sequence[Finding], *, over: str, what: str = "differences") -> tuple[str, ...]:
    """The largest first. Without any that stand, says so. `over` names the tests that were corrected for together."""
    tested = [found for found in findings if found.test.p_holm is not None]
    if not tested:
        return ()
    sure = [found for found in tested if (found.test.p_holm or 0) < LEVEL]
    counted = f"{len(sure):,} of {len(tested):,} {what} stand at 5% after Holm's correction over {over}"
    if not sure:
        return (f"None of {len(tested):,} {what} stands at 5% after Holm's correction over {over}.",)
    ranked = sorted(sure, key=_size, reverse=True)[:MOST]
    opening = f"{counted}{'; the largest:' if len(sure) > MOST else ':'}"
    return (opening, *(found.sentence for found in ranked))


def in_each_part(over: str, n_parts: int) -> str:
    """
    >>> in_each_part("the codes", 1), in_each_part("the codes", 2)
    ('the codes', 'the codes, posts and replies apart')
    """
    return f"{over}, posts and replies apart" if n_parts > 1 else over


def _size(found: Finding) -> float:
    return abs(found.effect.value or 0)
