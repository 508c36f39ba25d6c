"""Of all that is found in a community, how much is each code? Shares of the whole, which add up to 1.

    s_k = Σ_i y_ik / Σ_i Σ_l y_il

for codes k. Item i moves it by (y_ik - s_k Σ_l y_il) / Σ_i Σ_l y_il, from which comes the clustered error: the ratio
estimator of surveys. Where there is gold, means stand for the sums, of gold alone or corrected, each
with its λ. (Cochran 1977, Sampling Techniques, ch. 6.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.clusters import Clusters
from analysis.gold_notes import (
    NO_INTERVAL,
    OUTSIDE,
    basis_of,
    degrees_of_freedom,
    gold_note,
    lacks_gold,
    withhold_unsupported,
)
from analysis.labelled import LabelledCorpus
from analysis.labels import Labels, check_gold, ticks_here
from analysis.normal import cut, interval
from analysis.tuned_estimates import Part, mean_of
from analysis.values import NO_TEST, Effect, Estimate, Finding, Measure, Values, Way
from analysis.words import percent

NOTHING_FOUND = "Undefined: nothing is found here, or corrected less than nothing."


def distribution(
    corpus: LabelledCorpus,
    *,
    way: Way,
    by: str = "community",
) -> tuple[Finding, ...]:
    """A finding for each group and code. Nothing is tested: shares of a whole go up and down together."""
    check_gold(corpus, way)
    found = []
    for where, part in corpus.by(by):
        labels = {code: ticks_here(part, code, way) for code in corpus.codes}
        means = {code: _mean(each, part.clusters, way) for code, each in labels.items()}
        together = _sum_of([each for each in means.values() if each])
        for code, name in corpus.codes.items():
            without = lacks_gold(labels[code], way)
            mean, df = means[code], degrees_of_freedom(labels[code], part.clusters, way)
            share = None if without or mean is None else share_of_found(mean, together, df + 1)
            estimate = cut(interval(*share, df), high=1) if share else Estimate(None, None, None)
            said = percent(share[0]) if share else "an unknown part"
            one = Finding(
                code=code,
                where=where,
                measure=Measure.SHARE_OF_FOUND,
                way=way,
                basis=basis_of(labels[code], part.clusters, way),
                estimate=estimate,
                test=NO_TEST,
                effect=Effect(Measure.SHARE_OF_FOUND.value, estimate.value),
                says=f"In {where}, “{name}” is {said} of all that is found in {corpus.things}",
                in_percent=True,
                note=_note(labels[code], way, estimate),
                weight=mean.weight if mean else None,
            )
            found.append(withhold_unsupported(one))
    return tuple(found)


def _note(labels: Labels, way: Way, estimate: Estimate) -> str:
    if lacks_gold(labels, way):
        return gold_note(labels, way)
    if estimate.value is None:
        return NOTHING_FOUND
    if not 0 <= estimate.value <= 1:
        return OUTSIDE
    return gold_note(labels, way) or (NO_INTERVAL if estimate.low is None else "")


@dataclass(frozen=True, slots=True, eq=False)
class MovedMean:
    """A mean, what each cluster moves it by, and λ."""

    value: float
    moved: Values
    weight: float | None = None


def _mean(labels: Labels, clusters: Clusters, way: Way) -> MovedMean | None:
    """None without gold where gold is asked for."""
    if way is Way.NAIVE:
        value = float(labels.model.mean())
        return MovedMean(value, clusters.sums((labels.model - value) / len(labels)))
    if not len(labels.at):
        return None
    found = mean_of(Part(labels, np.ones(len(labels)), clusters))
    if way is Way.GOLD:
        return MovedMean(found.gold_parts.value, found.gold_parts.moved, 0.0)
    return MovedMean(found.parts.value, found.parts.moved, found.parts.weight)


def _sum_of(means: Sequence[MovedMean]) -> MovedMean:
    moved = np.sum([each.moved for each in means], axis=0)
    return MovedMean(sum(each.value for each in means), np.asarray(moved, dtype=np.float64))


def share_of_found(mean: MovedMean, together: MovedMean, n_clusters: int) -> tuple[float, float] | None:
    """The share and its standard error; None where nothing is found at all.

    >>> of_all = MovedMean(1.0, np.array([0.0, 0.25, 0.0, -0.25]))
    >>> share, error = share_of_found(MovedMean(0.5, np.array([0.125, 0.125, -0.125, -0.125])), of_all, 4)
    >>> share, round(error, 4)
    (0.5, 0.2041)
    """
    if together.value <= 0:
        return None
    share = mean.value / together.value
    moved = (mean.moved - share * together.moved) / together.value
    spare = n_clusters / (n_clusters - 1) if n_clusters > 1 else np.nan
    return share, float(np.sqrt(moved @ moved * spare))
