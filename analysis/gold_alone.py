"""The share of a code from gold alone, without the model: what the correction has to improve on.

    θ = Σ w y / Σ w

over the items with gold, w how many each stands for; item i moves it by w_i (y_i - θ) / Σ w, from which comes the
clustered error. With a poor model the corrected interval can be wider than this one. (Hájek 1971; Särndal, Swensson &
Wretman 1992, Model Assisted Survey Sampling, ch. 5.)
"""

import numpy as np
from numpy.typing import NDArray

from analysis.clustered_errors import clustered_error
from analysis.clusters import Clusters
from analysis.gold_notes import NO_INTERVAL, basis_of, degrees_of_freedom, too_little, withhold_unsupported
from analysis.labelled import LabelledCorpus
from analysis.labels import ticks_of
from analysis.normal import cut, interval
from analysis.values import NO_TEST, Effect, Finding, Measure, Places, Values, Way
from analysis.words import percent


def gold_alone(corpus: LabelledCorpus) -> tuple[Finding, ...]:
    """For each code. Raises GoldMissing and its kin, as a correction does."""
    return tuple(_share(corpus, code) for code in corpus.codes)


def _share(corpus: LabelledCorpus, code: str) -> Finding:
    labels = ticks_of(corpus, code, Way.CORRECTED)
    value, error = weighted_share(labels.gold, labels.weight, corpus.clusters.where(_kept(corpus, labels.at)))
    basis = basis_of(labels, corpus.clusters, Way.GOLD)
    estimate = cut(interval(value, error, degrees_of_freedom(labels, corpus.clusters, Way.GOLD)), high=1)
    found = Finding(
        code=code,
        where="",
        measure=Measure.SHARE,
        way=Way.GOLD,
        basis=basis,
        estimate=estimate,
        test=NO_TEST,
        effect=Effect(Measure.SHARE.value, value),
        says=f"By gold alone, “{corpus.codes[code]}” is in {percent(value)} of {corpus.things}",
        note=too_little(basis) or (NO_INTERVAL if estimate.low is None else ""),
        in_percent=True,
    )
    return withhold_unsupported(found)


def _kept(corpus: LabelledCorpus, at: Places) -> NDArray[np.bool_]:
    kept = np.zeros(len(corpus), dtype=np.bool_)
    kept[at] = True
    return kept


def weighted_share(gold: Values, weight: Values, clusters: Clusters) -> tuple[float, float]:
    """The share and its standard error.

    >>> share, error = weighted_share(np.array([1.0, 0, 0, 1]), np.ones(4), Clusters(np.arange(4), 4))
    >>> share, round(error, 4)
    (0.5, 0.2887)
    """
    total = float(weight.sum())
    share = float(weight @ gold) / total
    return share, clustered_error(weight * (gold - share) / total, clusters)
