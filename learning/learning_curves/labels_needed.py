"""How many labels a curve needs to reach a score.

Curves wiggle, and the first time that one touches a score may be luck. So it is first made to rise: neighbouring points
that fall are replaced by their mean until none does (pool adjacent violators: Ayer et al. 1955, Annals of
Mathematical Statistics 26), then read between points along a straight line.
"""

from collections.abc import Sequence

import numpy as np

from learning.learning_curves.intervals import Numbers


def smooth_upwards(scores: Sequence[float] | Numbers) -> Numbers:
    """
    >>> smooth_upwards([1.0, 3.0, 2.0, 4.0]).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    blocks: list[tuple[float, int]] = []
    for score in scores:
        mean, size = float(score), 1
        while blocks and blocks[-1][0] > mean:
            before, n = blocks.pop()
            mean, size = (before * n + mean * size) / (n + size), size + n
        blocks.append((mean, size))
    return np.repeat([mean for mean, _ in blocks], [size for _, size in blocks])


def labels_needed(
    sizes: Sequence[float] | Numbers, scores: Sequence[float] | Numbers, target: float
) -> float | None:
    """None where the target is not reached; the first size where it is reached from the beginning.

    >>> labels_needed([100, 200, 300], [0.25, 0.5, 1.0], 0.75)
    250.0
    """
    risen = smooth_upwards(scores)
    # The mean of points that are all the same may differ from them in the last digit.
    reached = np.flatnonzero(risen >= target - 1e-12)
    if not len(reached):
        return None
    at = int(reached[0])
    if at == 0 or risen[at] == risen[at - 1]:
        return float(sizes[at])
    share = (target - risen[at - 1]) / (risen[at] - risen[at - 1])
    return float(sizes[at - 1] + min(1.0, share) * (sizes[at] - sizes[at - 1]))
