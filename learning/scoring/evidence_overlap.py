"""How well marked words meet gold words on one item: token F1 and IOU-F1, as EPITOME and ERASER define them.

With G and M the tokens that gold and model mark:

    token F1 = 2 |G ∩ M| / (|G| + |M|)
    IOU-F1   = 2 h / (g + m)

where g and m count runs of neighbouring marked tokens, and h the model's runs whose intersection over union with
some run of gold is at least 0.5. Two runs of the model cannot both hit one run of gold, so that h is at most g.
(DeYoung et al. 2020, ERASER, ACL; Sharma et al. 2020, EPITOME, EMNLP.)
"""

from collections.abc import Sequence
from itertools import groupby

from annotation.agreement.evidence_overlap import overlap

HIT = 0.5


def token_f1(gold: Sequence[int], model: Sequence[int], *, both_empty: float) -> float:
    """`both_empty` is what an item is worth on which neither marks anything.

    >>> token_f1([1, 2, 3], [2, 3, 4], both_empty=1.0), token_f1([], [], both_empty=1.0)
    (0.6666666666666666, 1.0)
    """
    found = overlap(frozenset(gold), frozenset(model))
    return both_empty if found is None else found[0]


def iou_f1(gold: Sequence[int], model: Sequence[int], *, both_empty: float) -> float:
    """
    >>> iou_f1([1, 2, 3, 8], [2, 3], both_empty=1.0)  # h = 1, g = 2, m = 1
    0.6666666666666666
    """
    if not gold or not model:
        return 0.0 if gold or model else both_empty
    gold_runs, model_runs = runs(gold), runs(model)
    hits = sum(any(_iou(run, other) >= HIT for other in gold_runs) for run in model_runs)
    return 2 * hits / (len(gold_runs) + len(model_runs))


def runs(places: Sequence[int]) -> list[frozenset[int]]:
    """Neighbouring places together.

    >>> [sorted(run) for run in runs([1, 2, 5])]
    [[1, 2], [5]]
    """
    ordered = enumerate(sorted(set(places)))
    return [
        frozenset(place for _, place in run)
        for _, run in groupby(ordered, key=lambda each: each[1] - each[0])
    ]


def _iou(one: frozenset[int], other: frozenset[int]) -> float:
    found = overlap(one, other)
    return 0.0 if found is None else found[1]
