"""Gold and predictions side by side, code by code: what every measure is computed from."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import Units, cluster_places, clusters_as_units
from annotation.agreement.values import JudgedCode
from annotation.release.rows import FinalLabel, ReleaseItem, ReleaseRow, SplitPart
from codebook.schema import Part
from learning.predictions.rows import CodePrediction, ItemPrediction
from learning.scoring.family import Basis


class NotMeasurable(ValueError):
    """Gold or predictions that cannot be measured at all; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The measured rows, by item id; those of one post belong together. `n_suggested` were left out of them."""

    rows: tuple[ReleaseRow, ...]
    clusters: NDArray[np.int64]
    n_clusters: int
    n_suggested: int

    def units(self) -> Units:
        """For tables with a row for each item; what is drawn are posts."""
        return clusters_as_units(np.arange(len(self.rows)), self.clusters, self.n_clusters)

    def n_posts_of(self, rows: NDArray[np.int64]) -> int:
        return len(np.unique(self.clusters[rows]))

    def hash(self) -> str:
        """The sha256 of all items, posts, answers and places."""
        facts = [
            (
                row.item.item_id,
                row.item.post,
                [(label.code, label.value, label.evidence.snippets, *label.shares) for label in row.labels],
            )
            for row in self.rows
        ]
        return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()


def gold_of(rows: Iterable[ReleaseRow], part_of_split: SplitPart | None) -> Gold:
    """Of one part of the split, or of all where it is None; the order of rows does not matter.

    Items that somebody judged with a model's suggestion in view are no gold: people may have followed it.
    """
    inside = [row for row in rows if part_of_split is None or row.split is part_of_split]
    chosen = sorted((row for row in inside if not row.item.suggested_by), key=lambda row: row.item.item_id)
    if not chosen:
        where = "The release" if part_of_split is None else f"The {part_of_split} part of the release"
        if inside:
            raise NotMeasurable(
                f"{where} holds only items that were judged with a model's suggestions in view, which measure no "
                "model: have blind items judged, and freeze again."
            )
        raise NotMeasurable(f"{where} has no items: measure on another part.")
    items = tuple(row.item.item_id for row in chosen)
    if len(set(items)) < len(items):
        raise NotMeasurable("An item is in the release twice: give each row once.")
    clusters, n_clusters = cluster_places(items, tuple("\0".join(row.item.post) for row in chosen))
    return Gold(tuple(chosen), clusters, n_clusters, len(inside) - len(chosen))


@dataclass(frozen=True, slots=True)
class Case:
    """One item's label and prediction for a code; `text` is None in a release without texts."""

    label: FinalLabel
    prediction: CodePrediction
    text: str | None


@dataclass(frozen=True, slots=True, eq=False)
class CodeCases:
    """Case i is on item `rows[i]` of `n_rows`; `gold` and `predicted` are places in `code.values`.

    `probability` is that of the code being found, NaN where the model gave none.
    """

    code: JudgedCode
    n_rows: int
    rows: NDArray[np.int64]
    gold: NDArray[np.int64]
    predicted: NDArray[np.int64]
    probability: NDArray[np.float64]
    cases: tuple[Case, ...]
    n_unpredicted: int

    @property
    def can_be_absent(self) -> bool:
        """Whether some answers find the code and others do not: else there is nothing to find or to miss."""
        return 0 < len(self.code.present) < len(self.code.values)

    @property
    def gold_finds(self) -> NDArray[np.bool_]:
        return self._is_present[self.gold]

    @property
    def model_finds(self) -> NDArray[np.bool_]:
        return self._is_present[self.predicted]

    @property
    def _is_present(self) -> NDArray[np.bool_]:
        return np.isin(self.code.values, self.code.present)


def code_cases(gold: Gold, predictions: Mapping[str, ItemPrediction], code: JudgedCode) -> CodeCases:
    """The items that have a label for the code; those without a prediction for it are counted and left out."""
    places = {value: at for at, value in enumerate(code.values)}
    present, rows, n_unpredicted = frozenset(code.present), [], 0
    cases: list[Case] = []
    for at, row in enumerate(gold.rows):
        label = next((label for label in row.labels if label.code == code.code_id), None)
        if label is None or label.value is None:
            continue
        predicted = predictions.get(row.item.item_id)
        prediction = predicted.of(code.code_id) if predicted else None
        if prediction is None:
            n_unpredicted += 1
            continue
        _check(row.item.item_id, code, label.value, prediction.value)
        rows.append(at)
        cases.append(Case(label, prediction, _text(row.item, code.part)))
    found = [case.prediction.probability_of(present) for case in cases]
    return CodeCases(
        code=code,
        n_rows=len(gold.rows),
        rows=np.array(rows, dtype=np.int64),
        gold=np.array([places[case.label.value] for case in cases if case.label.value is not None], np.int64),
        predicted=np.array([places[case.prediction.value] for case in cases], np.int64),
        probability=np.array([np.nan if each is None else min(each, 1.0) for each in found], np.float64),
        cases=tuple(cases),
        n_unpredicted=n_unpredicted,
    )


def by_item(predictions: Sequence[ItemPrediction]) -> dict[str, ItemPrediction]:
    found = {prediction.item_id: prediction for prediction in predictions}
    if len(found) < len(predictions):
        raise NotMeasurable("An item is predicted twice: give the predictions of one adapter.")
    return found


def _check(item_id: str, code: JudgedCode, *values: int) -> None:
    for value in values:
        if value not in code.values:
            raise NotMeasurable(
                f"Item {item_id} has the answer {value} for “{code.code_id}”, which the codebook does not know:"
                " measure with the codebook of the release."
            )


def _text(item: ReleaseItem, part: Part) -> str | None:
    if item.texts is None:
        return None
    return item.texts.post if part is Part.POST else item.texts.reply


NO_PROBABILITIES = "Undefined: the model gives no probabilities for this code."


class ProbableCases:
    """`probability[i]` is that of the code being found in item `rows[i]`, and `found[i]` is 1 where gold finds it."""

    def __init__(self, cases: CodeCases) -> None:
        given = ~np.isnan(cases.probability)
        self.rows = cases.rows[given]
        self.probability = cases.probability[given]
        self.found = cases.gold_finds[given].astype(np.float64)
        self._n_missing = int((~given).sum())

    def basis(self, reason: str) -> Basis:
        n = len(self.rows)
        note = ""
        if n and self._n_missing:
            note = f"{self._n_missing:,} predictions come without probabilities and are left out."
        return Basis(n, self.rows, reason if n else NO_PROBABILITIES, note)
