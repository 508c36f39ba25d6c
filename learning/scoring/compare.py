"""Compares two models on the items that both predicted, code by code and on average."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.agreement.totals import mean_of_defined
from annotation.release.rows import ReleaseRow, SplitPart
from codebook.schema import Codebook, Part
from learning.predictions.rows import ItemPrediction
from learning.scoring.cases import Gold, by_item, gold_of
from learning.scoring.code_work import CodeWork, Sampled
from learning.scoring.evaluate import resampled_scores, works_of
from learning.scoring.holm import holm
from learning.scoring.means import NO_CODE, parts_of
from learning.scoring.paired_bootstrap import difference, tied_without_value
from learning.scoring.values import Difference, Metric


@dataclass(frozen=True, slots=True)
class CodeComparison:
    """`n_items` have a label and a prediction of both models."""

    code_id: str
    part: Part
    n_items: int
    differences: dict[Metric, Difference]


@dataclass(frozen=True, slots=True)
class MeanComparison:
    """Over the codes for which both models have a value; `left_out` names the others."""

    part: Part | None
    differences: dict[Metric, Difference]
    left_out: dict[Metric, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`n_one_sided` counts predicted codes of measured items that one model alone predicted, and that are left
    out."""

    split: SplitPart | None
    gold_hash: str
    n_items: int
    n_posts: int
    n_one_sided: int
    codes: tuple[CodeComparison, ...]
    means: tuple[MeanComparison, ...]
    resamples: int
    seed: int

    def code(self, code_id: str) -> CodeComparison | None:
        return next((code for code in self.codes if code.code_id == code_id), None)

    def mean(self, part: Part | None = None) -> MeanComparison | None:
        return next((mean for mean in self.means if mean.part is part), None)


def compare(
    release_rows: Iterable[ReleaseRow],
    first: Sequence[ItemPrediction],
    second: Sequence[ItemPrediction],
    codebook: Codebook,
    *,
    part_of_split: SplitPart | None,
    resamples: int = 1000,
    seed: int,
) -> Comparison:
    """First minus second. p-values of codes are corrected over the codes, measure by measure; see `p_holm`."""
    pair = pair_up(release_rows, first, second, part_of_split)
    gold = pair.gold
    works = [works_of(gold, each, codebook) for each in (pair.first, pair.second)]
    sampled = resampled_scores(gold, [*works[0], *works[1]], resamples=resamples, seed=seed)
    one, other = sampled[: len(works[0])], sampled[len(works[0]) :]
    codes = _correct(
        [
            _code(gold, work, their_work, ours, theirs)
            for work, their_work, ours, theirs in zip(*works, one, other, strict=True)
        ]
    )
    return Comparison(
        split=part_of_split,
        gold_hash=gold.hash(),
        n_items=len(gold.rows),
        n_posts=gold.n_clusters,
        n_one_sided=pair.n_one_sided,
        codes=codes,
        means=tuple(
            _mean(part, codes, one, other, places, gold.n_clusters) for part, places in parts_of(codes)
        ),
        resamples=resamples,
        seed=seed,
    )


def _code(gold: Gold, first: CodeWork, second: CodeWork, ours: Sampled, theirs: Sampled) -> CodeComparison:
    def apart(metric: Metric) -> Difference:
        bases = first.basis(metric), second.basis(metric)
        return difference(
            ours[metric],
            theirs[metric],
            reasons=(bases[0].reason, bases[1].reason),
            n_units=min(gold.n_posts_of(basis.rows) for basis in bases),
        )

    return CodeComparison(
        code_id=first.cases.code.code_id,
        part=first.cases.code.part,
        n_items=len(first.cases.rows),
        differences={metric: apart(metric) for metric in ours},
    )


_ByItem = dict[str, ItemPrediction]


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Gold, and the codes of its items that both models predicted."""

    gold: Gold
    first: _ByItem
    second: _ByItem
    n_one_sided: int


def pair_up(
    release_rows: Iterable[ReleaseRow],
    first: Sequence[ItemPrediction],
    second: Sequence[ItemPrediction],
    part_of_split: SplitPart | None,
) -> Paired:
    gold = gold_of(release_rows, part_of_split)
    measured = {row.item.item_id for row in gold.rows}
    return Paired(gold, *_in_both(by_item(first), by_item(second), measured))


def _in_both(first: _ByItem, second: _ByItem, measured: set[str]) -> tuple[_ByItem, _ByItem, int]:
    """Each model's predictions on the measured items, without the codes that the other did not predict there."""
    ours, theirs = (
        {(item, code.code_id) for item in measured & set(each) for code in each[item].codes}
        for each in (first, second)
    )
    shared = ours & theirs
    kept = [
        {
            item: replace(each[item], codes=tuple(c for c in each[item].codes if (item, c.code_id) in shared))
            for item in measured & set(each)
        }
        for each in (first, second)
    ]
    return kept[0], kept[1], len(ours ^ theirs)


def _correct(codes: Sequence[CodeComparison]) -> tuple[CodeComparison, ...]:
    adjusted: dict[tuple[int, Metric], float] = {}
    for metric in Metric:
        found = [
            (at, own.p)
            for at, code in enumerate(codes)
            if (own := code.differences.get(metric)) and own.p is not None
        ]
        for (at, _), p in zip(found, holm([p for _, p in found]), strict=True):
            adjusted[at, metric] = p
    return tuple(
        replace(
            code,
            differences={
                metric: replace(own, p_holm=adjusted.get((at, metric)))
                for metric, own in code.differences.items()
            },
        )
        for at, code in enumerate(codes)
    )


def _mean(
    part: Part | None,
    codes: Sequence[CodeComparison],
    one: Sequence[Sampled],
    other: Sequence[Sampled],
    places: Sequence[int],
    n_posts: int,
) -> MeanComparison:
    found, left_out = {}, {}
    for metric in Metric:
        having = [at for at in places if metric in one[at]]
        if not having:
            continue
        is_out = [np.isnan(one[at][metric][0] + other[at][metric][0]) for at in having]
        left_out[metric] = tuple(
            codes[at].code_id for at, missing in zip(having, is_out, strict=True) if missing
        )
        ours, theirs = (np.stack([each[at][metric] for at in having], axis=-1) for each in (one, other))
        ours, theirs = tied_without_value(ours[:, ~np.array(is_out)], theirs[:, ~np.array(is_out)])
        one_sided = np.isnan(ours) | np.isnan(theirs)
        ours, theirs = (np.where(one_sided, np.nan, each) for each in (ours, theirs))
        found[metric] = difference(
            mean_of_defined(ours), mean_of_defined(theirs), reasons=(NO_CODE, NO_CODE), n_units=n_posts
        )
    return MeanComparison(part, found, left_out)
