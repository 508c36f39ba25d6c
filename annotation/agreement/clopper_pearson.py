"""How low a statistic may really be where no two ratings differ.

A few ratings that never differ say little of how often they might. If none of n posts shows a disagreement, its rate
is still only known to be at most

    d = 1 - 0.025^(1/n)

by the exact binomial bound (Clopper & Pearson 1934, Biometrika 26, 404–413). The statistics are 1 - d / u, u being the
disagreement that they expect by chance (`Statistic.chance_disagreement`), and their intervals begin no higher. Posts
are counted, not items, because what holds of one reply to a post may hold of all of them.
"""

from collections.abc import Sequence

from annotation.agreement.registry import Statistic
from annotation.agreement.values import CategoryShare

_TAIL = 0.025


def lowest_without_disagreement(
    statistic: Statistic, prevalence: Sequence[CategoryShare], n_units: int
) -> float | None:
    """The lower bound where no two ratings in n posts differ; None where the statistic does not measure agreement.

    Half of the answers on which they might differ would be the commonest, and half would be others.

    >>> from annotation.agreement.registry import statistic
    >>> halves = [CategoryShare(0, 0.5, 20), CategoryShare(1, 0.5, 20)]
    >>> round(lowest_without_disagreement(statistic("fleiss_kappa"), halves, 20), 3)  # d = 0.168, u = 1/2
    0.663
    """
    if statistic.chance_disagreement is None:
        return None
    rate, shares = highest_rate(n_units), [each.share for each in prevalence]
    commonest = shares.index(max(shares))
    others = 1 - shares[commonest]
    if others > 0:
        halves = [0.5 if at == commonest else 0.5 * share / others for at, share in enumerate(shares)]
        shares = [(1 - rate) * share + rate * half for share, half in zip(shares, halves, strict=True)]
    return max(-1.0, 1 - rate / statistic.chance_disagreement(shares))


def highest_rate(n_units: int) -> float:
    """How often two ratings may really differ where in none of n independent posts they do.

    >>> round(highest_rate(100), 3)
    0.036
    """
    return 1 - float(_TAIL ** (1 / n_units))


def no_disagreement_note(n_units: int, n_items: int, noun: str) -> str:
    """What has to be said where no two ratings differ."""
    behind = f"{n_units:,} {noun}s" if n_units == n_items else f"{n_items:,} {noun}s from {n_units:,} posts"
    return (
        f"No two ratings differ; by the exact bound, {behind} still allow a rate of disagreement of up to"
        f" {highest_rate(n_units):.1%}."
    )
