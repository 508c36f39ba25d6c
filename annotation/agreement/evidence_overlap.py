"""Agreement on places: the tokens of evidence, or the sentences, that two annotators marked for a code.

With A and B the places that two annotators marked on one item:

    F1 = 2 |A ∩ B| / (|A| + |B|)        intersection over union = |A ∩ B| / (|A| + |B| - |A ∩ B|)

Both are averaged over pairs of answers, so that every two answers to an item weigh the same, by two conventions:
where both found the code (how well do they point, given that they agree?) and where at least one marked something
(a miss counts 0). Where neither marked anything there is no place to compare, and the pair is left out of both.
Together: two answers agree if their values are equal and, where both find the code, F1 is at least 0.5; two that
found it without marking anything agree. (DeYoung et al. 2020, ERASER, use the same two overlaps for rationales.)
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bayesian_bootstrap import with_unseen
from annotation.agreement.bootstrap import Units, Values
from annotation.agreement.notes import estimate
from annotation.agreement.reports import MarkAgreement, MarkEstimates, PairMarks
from annotation.agreement.sparse_sums import Entries, Sums, sums_of
from annotation.agreement.tabulate import BatchTable
from annotation.agreement.unitizing_alpha import WIDTH as _ALPHA_WIDTH
from annotation.agreement.unitizing_alpha import token_sums, unitizing_alpha, unseen_tokens
from annotation.agreement.values import Estimate, JudgedCode, JudgedItem
from codebook.schema import AnswerKind

SAME_PLACE_F1 = 0.5
# Columns by pair of raters: how many pairs of answers find the code, their F1 and their overlap; the same where at
# least one marked something; how many pairs of answers there are, and how many agree on code and place.
_BOTH, _ANY, _TOGETHER, _WIDTH = 0, 3, 6, 8
_COUNTS = [_BOTH, _BOTH, _ANY, _ANY, _TOGETHER, _TOGETHER]


def overlap(one: frozenset[int], other: frozenset[int]) -> tuple[float, float] | None:
    """F1 and intersection over union of two sets of places, None if both are empty.

    >>> overlap(frozenset({1, 2, 3}), frozenset({2, 3, 4}))
    (0.6666666666666666, 0.5)
    """
    total = len(one) + len(other)
    if not total:
        return None
    common = len(one & other)
    return 2 * common / total, common / (total - common)


@dataclass(frozen=True, slots=True, eq=False)
class Marked:
    """Per item (row) and pair of raters, what is added up; and the items where two point to different places.

    `tokens` is what alpha adds up, of all raters and then of each pair, and `unseen` what unseen posts add to each.
    """

    sums: Sums
    tokens: Sums
    unseen: Values
    n_pairs: int
    elsewhere: tuple[str, ...]


def marked_places(table: BatchTable, at: int) -> Marked:
    """`at` is the place of the code."""
    code, values = table.judgments.codes[at], table.values[at]
    by_sentence = code.answer is AnswerKind.SENTENCES
    places = (table.sentences if by_sentence else table.evidence).get(code.code_id, ({},) * len(table.raters))
    found = np.isin(values, code.present)
    pairs = list(combinations(range(len(table.raters)), 2))
    entries: list[Entries] = []
    elsewhere: set[int] = set()
    for pair, (one, other) in enumerate(pairs):
        rows = np.flatnonzero(~np.isnan(values[:, one]) & ~np.isnan(values[:, other]))
        overlaps = _overlaps(places[one], places[other], len(table.items))[rows]
        both_found = found[rows, one] & found[rows, other]
        columns = _columns(overlaps, both_found, values[rows, one] == values[rows, other])
        start = pair * _WIDTH
        for column, amounts in enumerate(columns):
            adds = np.flatnonzero(amounts)
            entries.append((rows[adds], start + column, amounts[adds]))
        elsewhere.update(rows[both_found & (overlaps[:, 0] < SAME_PLACE_F1)].tolist())
    lengths = np.array([_length(item, code, by_sentence) for item in table.judgments.items], dtype=np.int64)
    answered = ~np.isnan(values)
    of_tokens = token_sums(places, answered, lengths, 0)
    for at_pair, pair_of in enumerate(pairs, start=1):
        own = [places[rater] for rater in pair_of]
        of_tokens += token_sums(own, answered[:, pair_of], lengths, at_pair * _ALPHA_WIDTH)
    return Marked(
        sums=sums_of(len(table.items), _WIDTH * len(pairs), *entries),
        tokens=sums_of(len(table.items), _ALPHA_WIDTH * (len(pairs) + 1), *of_tokens),
        unseen=np.tile(unseen_tokens(places, lengths), len(pairs) + 1),
        n_pairs=len(pairs),
        elsewhere=tuple(table.items[row] for row in sorted(elsewhere)),
    )


def _length(item: JudgedItem, code: JudgedCode, by_sentence: bool) -> int:
    return (item.n_sentences if by_sentence else item.n_tokens).get(code.part, 0)


def _overlaps(one: Mapping[int, frozenset[int]], other: Mapping[int, frozenset[int]], n_items: int) -> Values:
    """F1 and intersection over union for each item, NaN where neither marked anything."""
    nothing: frozenset[int] = frozenset()
    found = np.full((n_items, 2), np.nan)
    for item in one.keys() | other.keys():
        found[item] = overlap(one.get(item, nothing), other.get(item, nothing))
    return found


def _columns(overlaps: Values, both_found: NDArray[np.bool_], equal: NDArray[np.bool_]) -> list[Values]:
    """The eight columns of a pair of raters, a row for each item that both answered."""
    counted = ~np.isnan(overlaps[:, 0])
    f1, iou = np.where(counted, overlaps.T, 0)
    met = counted & both_found
    agree = equal & (~both_found | ~counted | (f1 >= SAME_PLACE_F1))
    added = (met, f1 * met, iou * met, counted, f1, iou, np.ones(len(f1)), agree)
    return [each.astype(np.float64) for each in added]


class MarksJob:
    """The means of overlaps by pair of raters, and over all pairs of answers, on every resample."""

    def __init__(self, marked: Marked, units: Units, table: BatchTable) -> None:
        self._n_pairs = marked.n_pairs
        self._tables = (
            with_unseen(units.grouped(marked.sums)),
            with_unseen(units.grouped(marked.tokens), marked.unseen),
        )
        self.elsewhere = marked.elsewhere
        self.n_units = _independent_units(marked, table)

    @property
    def tables(self) -> tuple[Sums, ...]:
        return self._tables

    def measured(self, sums: tuple[Values, ...]) -> tuple[Values, ...]:
        """Resamples × (all pairs together, then each pair) × six means, and the numbers of pairs of answers."""
        by_pair = sums[0].reshape(len(sums[0]), self._n_pairs, _WIDTH)
        every = np.concatenate([by_pair.sum(axis=1, keepdims=True), by_pair], axis=1)
        counts = every[..., _COUNTS]
        added = every[..., [_BOTH + 1, _BOTH + 2, _ANY + 1, _ANY + 2, _TOGETHER + 1]]
        alpha = unitizing_alpha(sums[1].reshape(*every.shape[:2], _ALPHA_WIDTH))
        alpha = np.where(np.isnan(alpha[:1]), np.nan, alpha)
        with np.errstate(invalid="ignore"):
            means = added / counts[..., :-1]
        return np.concatenate([means, alpha[..., None]], axis=-1), counts


def _independent_units(marked: Marked, table: BatchTable) -> NDArray[np.int64]:
    """(All pairs together, then each pair) × six means: in how many posts two answers can be compared."""
    together = replace(marked.sums, columns=marked.sums.columns % _WIDTH, n_columns=_WIDTH)
    of_all, of_pairs = (
        sums.groups_with(table.clusters, table.n_clusters).reshape(-1, _WIDTH)
        for sums in (together, marked.sums)
    )
    return np.concatenate([of_all, of_pairs])[:, _COUNTS]


def mark_agreement(
    table: BatchTable, code: JudgedCode, job: MarksJob, arrays: tuple[Values, ...]
) -> MarkAgreement:
    """What a job on marks measured, with notes; `n_items` counts pairs of answers."""
    means, counts = arrays
    pairs = [
        PairMarks(one, other, _estimates(means[:, at], counts[0, at], job.n_units[at], n_raters=2))
        for at, (one, other) in enumerate(combinations(table.raters, 2), start=1)
    ]
    return MarkAgreement(
        unit="sentence" if code.answer is AnswerKind.SENTENCES else "token",
        mean=_estimates(means[:, 0], counts[0, 0], job.n_units[0], n_raters=len(table.raters)),
        pairs=tuple(pairs),
        elsewhere=job.elsewhere,
    )


_NOTES = (
    (
        "Over pairs of answers that both find the code and mark something.",
        "Undefined: no two answers find it.",
    ),
    ("Over pairs of answers of which at least one marks something.", "Undefined: nobody marked anything."),
    ("Equal answers and, where both find the code, F1 of at least 0.5.", "Undefined: no two answers meet."),
    ("Over all words of items that two answered, marked or not.", "Undefined: nobody marked anything."),
)

_NOTES_IN_ORDER = tuple(_NOTES[at] for at in (0, 0, 1, 1, 2, 3))


def _estimates(means: Values, counts: Values, n_units: NDArray[np.int64], *, n_raters: int) -> MarkEstimates:
    found: list[Estimate] = []
    for at, (note, reason) in enumerate(_NOTES_IN_ORDER):
        n, units = int(counts[at]), int(n_units[at])
        found.append(
            estimate(means[:, at], n_items=n, n_raters=n_raters, n_units=units, note=note, reason=reason)
        )
    return MarkEstimates(*found)
