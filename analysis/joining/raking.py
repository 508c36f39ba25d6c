"""Makes the gold that can be used look like all that was judged, code by code.

Which posts the model has not seen was decided by the split of a release, which looks at labels: it gives each part some
of every theme, and so the test part more of a rare one than its share. How often each label was given to all judged
units is known. Weights are multiplied, code after code and again from the first, until those of the usable units say
the same (raking: Deming & Stephan 1940, Annals of Mathematical Statistics 11).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from analysis.joining.weight_shares import Key

Labels = Mapping[Key, Sequence[int | None]]
ROUNDS = 60
CLOSE_ENOUGH = 1e-9
# With few units there may be no weights that give all shares, and the nearest would rest on very few of them.
MOST = 4.0


def rake(usable: Mapping[Key, float], judged: Mapping[Key, float], labels: Labels) -> dict[Key, float]:
    """The weights of usable units, changed so that each code's labels have the shares that they have in all `judged`
    ones, as far as factors between 1/4 and 4 allow. Labels that no usable unit has cannot be made up for.

    >>> keys = [("r", str(n), None) for n in range(4)]
    >>> labels = {key: (int(n == 0),) for n, key in enumerate(keys)}  # one in four has the code
    >>> found = rake(dict.fromkeys(keys[:2], 2.0), dict.fromkeys(keys, 1.0), labels)
    >>> [round(weight, 6) for weight in found.values()]  # of the usable ones every other
    [1.0, 3.0]
    """
    found = dict(usable)
    if usable.keys() == judged.keys() or not usable:
        return found
    wanted = [_sums(judged, labels, at) for at in range(len(next(iter(labels.values()))))]
    for _ in range(ROUNDS):
        furthest = 0.0
        for at, target in enumerate(wanted):
            factors = _factors(_sums(found, labels, at), target)
            furthest = max([furthest, *(abs(factor - 1) for factor in factors.values())])
            for key in found:
                found[key] *= factors.get(labels[key][at], 1.0)
        if furthest < CLOSE_ENOUGH:
            break
    return {
        key: usable[key] * min(max(weight / usable[key], 1 / MOST), MOST) for key, weight in found.items()
    }


def _sums(weights: Mapping[Key, float], labels: Labels, at: int) -> dict[int | None, float]:
    """By label; units without one are left as they are."""
    sums: dict[int | None, float] = defaultdict(float)
    for key, weight in weights.items():
        if labels[key][at] is not None:
            sums[labels[key][at]] += weight
    return sums


def _factors(now: Mapping[int | None, float], wanted: Mapping[int | None, float]) -> dict[int | None, float]:
    total, aim = sum(now.values()), sum(wanted[label] for label in now)
    return {label: (wanted[label] / aim) * (total / weight) for label, weight in now.items()}
