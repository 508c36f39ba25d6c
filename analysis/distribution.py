"""Of all that is found in a community, how much is each code? Shares of the whole, which add up to 1.

    s_k = Σ_i y_ik / Σ_i Σ_l y_il

for codes k. Item i moves it by (y_ik - s_k Σ_l y_il) / Σ_i Σ_l y_il, from which comes the clustered error: the ratio
estimator of surveys. (Cochran 1977, Sampling Techniques, ch. 6.)
"""

import numpy as np

from analysis.clustered_errors import clustered_error
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
from analysis.labels import Labels, Surrogate, check_gold, ticks_here
from analysis.normal import cut, interval
from analysis.values import NO_TEST, Effect, Estimate, Finding, Measure, Values, Way
from analysis.words import percent

NOTHING_FOUND = "Undefined: nothing is found here, or corrected less than nothing."


def distribution(
    corpus: LabelledCorpus,
    *,
    way: Way,
    by: str = "community",
    surrogate: Surrogate = Surrogate.DECISION,
) -> tuple[Finding, ...]:
    """A finding for each group and code. Nothing is tested: shares of a whole go up and down together."""
    check_gold(corpus, way)
    found = []
    for where, part in corpus.by(by):
        labels = {code: ticks_here(part, code, way, surrogate=surrogate) for code in corpus.codes}
        values = {code: each.pseudo_outcomes() for code, each in labels.items()}
        together = np.sum(list(values.values()), axis=0)
        for code, name in corpus.codes.items():
            without = lacks_gold(labels[code], way)
            share = None if without else share_of_found(values[code], together, part.clusters)
            df = degrees_of_freedom(labels[code], part.clusters, way)
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


def share_of_found(values: Values, together: Values, clusters: Clusters) -> tuple[float, float] | None:
    """The share and its standard error; None where nothing is found at all.

    >>> share, error = share_of_found(np.array([1.0, 1, 0, 0]), np.array([1.0, 2, 1, 0]), Clusters(np.arange(4), 4))
    >>> share, round(error, 4)
    (0.5, 0.2041)
    """
    total = float(together.sum())
    if total <= 0:
        return None
    share = float(values.sum()) / total
    return share, clustered_error((values - share * together) / total, clusters)
