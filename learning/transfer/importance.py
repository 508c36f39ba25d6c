"""Which features of a pair say how much the source helps: support vector regression and permutation importance.

On each random split of the pairs, a regression is fitted to the training pairs' percent change; then each feature is
shuffled among pairs, all else left, and its importance is how much R² falls (Breiman 2001, Machine Learning 45, 5–32).
It is measured on the pairs that the model was fitted to, as published, and on those held out, which alone say whether
the model knows anything: where R² is not above 0 there, no importance means much.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from learning.transfer.features import PairFeatures

SPLITS, PERMUTATIONS, HELD_OUT = 10, 50, 0.2
# Of fewer pairs a tenth is no sample.
FEWEST_PAIRS = 12
Numbers = NDArray[np.float64]


class FeatureImportance(msgspec.Struct, frozen=True):
    """Means over splits and permutations, and their spread."""

    feature: str
    importance: float
    sd: float
    held_out_importance: float
    held_out_sd: float


class Importances(msgspec.Struct, frozen=True):
    """`note` says why there are none, or what of the pairs was left out; R² are means over splits."""

    features: tuple[FeatureImportance, ...]
    n_pairs: int
    r2: float | None
    held_out_r2: float | None
    note: str = ""


def feature_importances(
    pairs: Sequence[PairFeatures], changes: Sequence[float | None], *, seed: int
) -> Importances:
    """`changes` are in percent of the baseline; a pair without one, or without a rating, is left out."""
    names = list(dict.fromkeys(name for pair in pairs for name in (*pair.numbers, *pair.categories)))
    known = [
        (pair, change)
        for pair, change in zip(pairs, changes, strict=True)
        if change is not None and all(name in pair.numbers or name in pair.categories for name in names)
    ]
    left_out = len(pairs) - len(known)
    note = f"{left_out} of {len(pairs)} pairs lack a rating or a change and are left out." if left_out else ""
    if len(known) < FEWEST_PAIRS:
        why = f"{len(known)} pairs are too few for a regression: it takes {FEWEST_PAIRS}."
        return Importances((), len(known), None, None, f"{note} {why}".strip())
    columns = {name: _columns(name, [pair for pair, _ in known]) for name in names}
    useful = {name: each for name, each in columns.items() if each.shape[1]}
    y = np.array([change for _, change in known])
    return _measure(useful, y, len(known), note, np.random.default_rng(seed))


def _columns(name: str, pairs: Sequence[PairFeatures]) -> Numbers:
    """Standardised; a category has a column for each of its values. What is the same for all pairs has none."""
    if name in pairs[0].numbers:
        raw = np.array([[pair.numbers[name]] for pair in pairs])
    else:
        values = sorted({pair.categories[name] for pair in pairs})
        raw = np.array([[float(pair.categories[name] == value) for value in values] for pair in pairs])
    spread = raw.std(axis=0)
    kept = spread > 0
    found: Numbers = (raw[:, kept] - raw[:, kept].mean(axis=0)) / spread[kept]
    return found


def _measure(
    columns: dict[str, Numbers], y: Numbers, n_pairs: int, note: str, rng: np.random.Generator
) -> Importances:
    from sklearn.svm import SVR  # takes long to load

    places = np.cumsum([0, *(each.shape[1] for each in columns.values())])
    x = np.hstack(list(columns.values()))
    scale = float(y.std()) or 1.0
    y = (y - y.mean()) / scale
    fits: list[float] = []
    held_out_fits: list[float] = []
    falls: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in columns}
    for _ in range(SPLITS):
        order = rng.permutation(len(y))
        n_held_out = max(2, round(HELD_OUT * len(y)))
        held_out, train = order[:n_held_out], order[n_held_out:]
        model = SVR().fit(x[train], y[train])
        for rows, r2s, at in ((train, fits, 0), (held_out, held_out_fits, 1)):
            base = _r2(y[rows], model.predict(x[rows]))
            r2s.append(base)
            for name, first, last in zip(columns, places[:-1], places[1:], strict=True):
                shuffled = np.tile(x[rows], (PERMUTATIONS, 1, 1))
                for each in shuffled:
                    each[:, first:last] = each[rng.permutation(len(rows)), first:last]
                predicted = model.predict(shuffled.reshape(-1, x.shape[1])).reshape(PERMUTATIONS, -1)
                falls[name][at].extend(base - _r2(y[rows], each) for each in predicted)
    found = [
        FeatureImportance(name, *(float(f(each)) for each in both for f in (np.mean, np.std)))
        for name, both in falls.items()
    ]
    ordered = tuple(sorted(found, key=lambda each: -each.importance))
    return Importances(ordered, n_pairs, float(np.mean(fits)), float(np.mean(held_out_fits)), note)


def _r2(gold: Numbers, predicted: Numbers) -> float:
    """0 where all golds are the same, so that there is nothing to explain."""
    spread = float(((gold - gold.mean()) ** 2).sum())
    return 1 - float(((gold - predicted) ** 2).sum()) / spread if spread else 0.0
