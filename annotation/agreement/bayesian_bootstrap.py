"""Intervals of agreement: the Bayesian bootstrap with three half posts that nobody has seen.

Where a code is rare, everything hangs on a few posts. Drawing them again makes an interval that holds the true kappa in
a third to two thirds of the cases, because what did not occur in the data cannot occur in a resample: neither a
disagreement where there was none, nor a rare answer that both give. So each resample is a draw from a posterior
distribution: every post weighs Gamma(1) in place of the number of times that it is drawn (Rubin 1981, Annals of
Statistics 9, 130–134), and beside the posts stand three that were not seen, which weigh Gamma(1/2) each:

    one on which all give the commonest answer, one on which all give another, one on which two ratings differ.

With two raters and two answers this is the prior of Jeffreys over the three kinds of items (both yes, one yes, none),
whose intervals for a share are known to cover (Brown, Cai & DasGupta 2001, Statistical Science 16, 101–133). The
unseen posts weigh nothing in the value itself; `unseen_items` says what is in them.

The tails are those of the expanded percentile interval, Φ(t √(n / (n - 1))) with t the 2.5% point of Student's t with
n - 1 degrees of freedom, n being the posts (Hesterberg 2015, The American Statistician 69, 371–386). What this and
other intervals cover is printed by benchmarks/agreement_intervals.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import Job, Values, resample
from annotation.agreement.sparse_sums import Sums, sums_of

# How much the unseen posts weigh on average: all give the commonest answer, all give another, two ratings differ.
PRIOR = (0.5, 0.5, 0.5)
_TAIL = 0.025


def draw_posterior(counts: NDArray[np.int64], resamples: int, seed: int, at_once: int) -> Iterator[Values]:
    """The weights of the kinds of units and, after them, of the unseen ones."""
    yield np.append(counts, np.zeros(len(PRIOR)))[None]
    rng, total = np.random.default_rng(seed), int(counts.sum())
    for start in range(0, resamples if total else 0, at_once):
        n = min(at_once, resamples - start)
        seen = rng.standard_gamma(counts.astype(np.float64), size=(n, len(counts)))
        seen *= total / seen.sum(axis=1, keepdims=True)
        yield np.concatenate([seen, rng.standard_gamma(PRIOR, size=(n, len(PRIOR)))], axis=1)


def resample_posterior(
    jobs: Sequence[Job], counts: NDArray[np.int64], *, resamples: int, seed: int
) -> list[tuple[Values, ...]]:
    """As `resample`; the tables of the jobs have a row more for each unseen post (`with_unseen`)."""
    return resample(jobs, counts, resamples=resamples, seed=seed, draw=draw_posterior)


def with_unseen(table: Sums, unseen: Values | None = None) -> Sums:
    """The table by kinds of units, and below it what the unseen posts add: nothing, if it is not said."""
    grown = replace(table, n_rows=table.n_rows + len(PRIOR))
    if unseen is None:
        return grown
    rows, columns = np.nonzero(unseen)
    seen = (table.rows, table.columns, table.amounts)
    added = (rows + table.n_rows, columns, unseen[rows, columns])
    return sums_of(grown.n_rows, grown.n_columns, seen, added)


def expanded_tails(n_units: int) -> tuple[float, float]:
    """The percentages between which the values on resamples of n posts are an interval; more than one post is needed.

    >>> [round(expanded_tails(n)[0], 2) for n in (5, 30, 1000)]
    [0.1, 1.88, 2.48]
    """
    from scipy.special import ndtr, stdtrit

    low = 100 * float(ndtr(stdtrit(n_units - 1, _TAIL) * np.sqrt(n_units / (n_units - 1))))
    return low, 100 - low
