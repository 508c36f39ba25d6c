"""How much each item with gold stands for, when samples of several designs drew it or its neighbours.

Only of what was drawn is the probability kept, so that “drawn by any of them” has none. But each sample alone gives an
unbiased total of the model's errors e, and so does every weighted mean of them:

    T = Σ_m λ_m Σ_{i drawn by m} e_i / π_im,        λ_m the share of the gold that is of sample m, Σ_m λ_m = 1

A sample that leaves out the posts of an earlier one says nothing of these: their own gold stands in for them, with
what is known of them for certain, one for a post and one for each of its replies. A batch of active learning is drawn
from what is left of a sample, and says nothing of what was judged before: that stands in for it by its sample's own
probability.

Of the items that a sample drew, some never came into the release, some the model has learned from, and some were judged
with its suggestions in view. What is kept is taken to be like the rest of its sample, since chance decided (the split,
the order of work): π is multiplied by the share that is kept.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Key = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """How many posts and replies a sample drew, and which earlier ones it left out. `words` say how it was drawn."""

    name: str
    n_posts: int
    n_replies: int
    left_out: frozenset[str] = frozenset()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Chance:
    """That the sample draws the unit, and for a reply that it does so once its post is drawn. `sampled` is the
    probability of the sample alone, where a batch of active learning drew from it."""

    probability: float
    given_post: float = 1.0
    sampled: float | None = None


@dataclass(frozen=True, slots=True)
class DrawnUnit:
    """A post or a reply that samples drew; `is_kept` where its gold can be used."""

    key: Key
    chances: Mapping[str, Chance]
    is_kept: bool


def stands_for(
    units: Sequence[DrawnUnit],
    n_drawn: Mapping[str, int],
    left_out: Mapping[str, frozenset[str]],
    within: Iterable[Key],
    pooled: Mapping[str, frozenset[str]] | None = None,
) -> dict[Key, float]:
    """The weight of each kept unit that lies `within` what was labelled.

    `n_drawn` says how many units a sample drew; one that is not named drew those that are given. `left_out` has the
    samples whose posts another one left out, `pooled` those whose judged units a batch of active learning did.

    >>> both = [DrawnUnit(("r", name, None), {"A": Chance(0.5)}, True) for name in "ab"]
    >>> stands_for(both, {"A": 4}, {}, [unit.key for unit in both])  # two of four are here: π is 0.25
    {('r', 'a', None): 4.0, ('r', 'b', None): 4.0}

    Two samples with a unit each: either is worth half.

    >>> two = [DrawnUnit(("r", name, None), {name: Chance(0.5)}, True) for name in "AB"]
    >>> stands_for(two, {}, {}, [unit.key for unit in two])
    {('r', 'A', None): 1.0, ('r', 'B', None): 1.0}

    If B left out what A had drawn, A's unit stands for itself there:

    >>> stands_for(two, {}, {"B": frozenset("A")}, [unit.key for unit in two])
    {('r', 'A', None): 1.5, ('r', 'B', None): 1.0}

    If B is a batch chosen from what A had drawn and nobody had judged, it stands for what A's unit stands for:

    >>> stands_for(two, {}, {}, [unit.key for unit in two], {"B": frozenset("A")})
    {('r', 'A', None): 2.0, ('r', 'B', None): 1.0}
    """
    inside = frozenset(within)
    kept = [unit for unit in units if unit.is_kept and unit.chances]
    here = [unit for unit in kept if unit.key in inside]
    given, used = _per_sample(units), _per_sample(kept)
    share_kept = {name: used[name] / max(n_drawn.get(name, 0), given[name]) for name in used}
    share_of_judged = {name: used[name] / given[name] for name in used}
    of_gold = _per_sample(here)
    total = sum(of_gold.values())
    mixed = {name: n / total for name, n in of_gold.items()}
    return {
        unit.key: _own_weight(unit, mixed, share_kept)
        + _left_out_weight(unit, mixed, share_kept, left_out)
        + _pooled_weight(unit, mixed, share_of_judged, pooled or {})
        for unit in here
    }


def _per_sample(units: Iterable[DrawnUnit]) -> Counter[str]:
    return Counter(name for unit in units for name in unit.chances)


def _own_weight(unit: DrawnUnit, mixed: Mapping[str, float], share_kept: Mapping[str, float]) -> float:
    return sum(
        mixed[name] / (chance.probability * share_kept[name]) for name, chance in sorted(unit.chances.items())
    )


def _left_out_weight(
    unit: DrawnUnit,
    mixed: Mapping[str, float],
    share_kept: Mapping[str, float],
    left_out: Mapping[str, frozenset[str]],
) -> float:
    """In samples that could not draw it, since an earlier one had drawn its post."""
    found = 0.0
    for other in sorted(set(mixed) - set(unit.chances)):
        before = sorted(left_out.get(other, frozenset()) & set(unit.chances))
        if before:
            found += mixed[other] / (unit.chances[before[0]].given_post * share_kept[before[0]])
    return found


def _pooled_weight(
    unit: DrawnUnit,
    mixed: Mapping[str, float],
    share_of_judged: Mapping[str, float],
    pooled: Mapping[str, frozenset[str]],
) -> float:
    """In batches that could not draw it, since it was judged before."""
    found = 0.0
    for other in sorted(set(mixed) - set(unit.chances)):
        before = sorted(pooled.get(other, frozenset()) & set(unit.chances))
        if before:
            chance = unit.chances[before[0]]
            found += mixed[other] / ((chance.sampled or chance.probability) * share_of_judged[before[0]])
    return found
