"""How often intervals of agreement hold the true value: the one that reports give, and six that were tried beside it.

python -m benchmarks.agreement_intervals [TIMES] [RESAMPLES]

Two or three raters judge a theme of known prevalence. A rater finds it where it is with probability s and where it is
not with probability f, and these are set so that the prevalence p is also the share of the ratings that find it and
kappa is what was asked for: s = p + √κ (1 - p), f = p (1 - √κ). Tables without any rating that finds the theme have no
kappa and so no interval; they are left out and counted.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.measure import measure_ratings
from annotation.agreement.ratings import ratings_table
from annotation.agreement.values import MeasurementLevel

Values = NDArray[np.float64]
PREVALENCES, ITEMS, RATERS, KAPPAS = (0.02, 0.05, 0.1, 0.2, 0.5), (30, 50, 100, 200, 400), (2, 3), (0.4, 0.8)
OURS = "in reports"
_Z = 1.959963984540054
_GRID = 200


@dataclass(frozen=True, slots=True)
class Case:
    prevalence: float
    n_items: int
    n_raters: int
    kappa: float

    @property
    def shares(self) -> Values:
        """Of items that 0, 1, … raters find the theme in."""
        p, root, j = self.prevalence, self.kappa**0.5, np.arange(self.n_raters + 1)
        ways = np.array([comb(self.n_raters, int(at)) for at in j])
        finds, errs = p + root * (1 - p), p * (1 - root)
        found: Values = ways * (
            p * finds**j * (1 - finds) ** (self.n_raters - j)
            + (1 - p) * errs**j * (1 - errs) ** (self.n_raters - j)
        )
        return found


@dataclass(frozen=True, slots=True)
class Coverage:
    covered: float
    width: float
    n: int


def totals(histograms: Values) -> tuple[Values, Values]:
    """The share of ratings that find the theme, and how often two ratings differ."""
    m = histograms.shape[-1] - 1
    j, n = np.arange(m + 1), histograms.sum(axis=-1)
    return histograms @ (j / m) / n, histograms @ (2 * j * (m - j) / (m * (m - 1))) / n


def fleiss_kappa(histograms: Values) -> Values:
    p, differ = totals(histograms)
    by_chance = 2 * p * (1 - p)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Values = np.where(by_chance > 1e-14, 1 - differ / by_chance, np.nan)
        return found


def gwet_ac1(histograms: Values) -> Values:
    p, differ = totals(histograms)
    found: Values = np.where(2 * p * (1 - p) > 1e-14, 1 - differ / (1 - 2 * p * (1 - p)), np.nan)
    return found


STATISTICS: dict[str, Callable[[Values], Values]] = {"fleiss_kappa": fleiss_kappa, "gwet_ac1": gwet_ac1}


def influence(histograms: Values, name: str) -> Values:
    """What one more item of each kind does to the statistic."""
    m = histograms.shape[-1] - 1
    j = np.arange(m + 1)
    p, differ = (each[..., None] for each in totals(histograms))
    unlike, slope = 2 * p * (1 - p), 2 * (1 - 2 * p)
    if name == "gwet_ac1":
        unlike, slope = 1 - unlike, -slope
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Values = (differ - 2 * j * (m - j) / (m * (m - 1))) / unlike + differ * slope / unlike**2 * (
            j / m - p
        )
        return found


def standard_error(histograms: Values, name: str) -> Values:
    found: Values = np.sqrt((histograms * influence(histograms, name) ** 2).sum(axis=-1)) / histograms.sum(
        axis=-1
    )
    return found


def try_intervals(
    histograms: Values, name: str, resamples: int, rng: np.random.Generator
) -> Iterator[tuple[str, Values, Values]]:
    """The name of each interval, and its ends for each table."""
    from scipy.special import ndtr, ndtri

    statistic, n = STATISTICS[name], int(histograms[0].sum())
    value, error = statistic(histograms), standard_error(histograms, name)
    drawn = rng.multinomial(n, histograms[:, None] / n, size=(len(histograms), resamples)).astype(np.float64)
    again = statistic(drawn)
    yield "percentile", *_quantiles(again, np.tile([0.025, 0.975], (len(value), 1)))
    below = np.nansum((again < value[:, None]) + 0.5 * (again == value[:, None]), axis=1)
    bias = ndtri((below + 0.5) / (resamples + 1))
    effect = influence(histograms, name)
    with np.errstate(divide="ignore", invalid="ignore"):
        skew = (histograms * effect**3).sum(axis=1) / 6 / (histograms * effect**2).sum(axis=1) ** 1.5
        skew = np.nan_to_num(skew)[:, None]
        z = bias[:, None] + np.array([-_Z, _Z])
        yield "BCa", *_quantiles(again, ndtr(bias[:, None] + z / (1 - skew * z)))
        moved, moved_error = np.log(1 - value), error / (1 - value)
        yield "log(1 - κ)", 1 - np.exp(moved + _Z * moved_error), 1 - np.exp(moved - _Z * moved_error)
        moved, moved_error = np.log((1 + value) / (1 - value)), error * 2 / (1 - value**2)
        low, high = (np.tanh((moved + side * moved_error) / 2) for side in (-_Z, _Z))
        yield "logit", low, high
        ratio = (again - value[:, None]) / standard_error(drawn, name)
        ratio[~np.isfinite(ratio)] = np.nan
        low, high = _quantiles(ratio, np.tile([0.025, 0.975], (len(value), 1)))
        yield "bootstrap-t", value - high * error, value - low * error
    yield "inverted score", *_inverted_score(histograms, name, value)


def _quantiles(values: Values, at: Values) -> tuple[Values, Values]:
    ends = np.full((len(values), 2), np.nan)
    for row, own in enumerate(values):
        if len(defined := own[~np.isnan(own)]):
            ends[row] = np.quantile(defined, np.clip(at[row], 0, 1))
    return ends[:, 0], ends[:, 1]


def _inverted_score(histograms: Values, name: str, value: Values) -> tuple[Values, Values]:
    """Every value that lies within 1.96 standard errors of what was found, the error being that of a beta-binomial
    distribution with this value and the prevalence that was found (as Donner & Eliasziw 1992 for two raters)."""
    from scipy.special import betaln

    m, n = histograms.shape[1] - 1, histograms[0].sum()
    j, p = np.arange(m + 1), totals(histograms)[0][:, None]
    ways = np.array([comb(m, int(at)) for at in j])
    low, high = value.copy(), value.copy()
    for kappa in np.linspace(1e-6, 1 - 1e-6, _GRID):
        one, other = p * (1 - kappa) / kappa, (1 - p) * (1 - kappa) / kappa
        expected = n * ways * np.exp(betaln(one + j, other + m - j) - betaln(one, other))
        supposed = STATISTICS[name](expected)
        fits = np.abs(value - supposed) <= _Z * standard_error(expected, name)
        low = np.where(fits, np.minimum(low, supposed), low)
        high = np.where(fits, np.maximum(high, supposed), high)
        if kappa < 1e-5:
            low = np.where(fits, -1.0, low)
    return low, high


def in_reports(histogram: Values, resamples: int, seed: int) -> dict[str, tuple[float, float]]:
    """What `measure_ratings` says of a table with these items."""
    m = len(histogram) - 1
    rows = [[1.0] * j + [0.0] * (m - j) for j in range(m + 1) for _ in range(int(histogram[j]))]
    found = measure_ratings(
        ratings_table(rows), level=MeasurementLevel.NOMINAL, resamples=resamples, seed=seed
    )
    ends = {name: (found[name].low, found[name].high) for name in STATISTICS}
    return {name: (low, high) for name, (low, high) in ends.items() if low is not None and high is not None}


def tables(case: Case, times: int, rng: np.random.Generator) -> Values:
    found = rng.multinomial(case.n_items, case.shares, size=times)
    one_answer = (found[:, 0] == case.n_items) | (found[:, -1] == case.n_items)
    kept: Values = found[~one_answer].astype(np.float64)
    return kept


def coverage(case: Case, *, times: int, resamples: int, seed: int) -> dict[str, Coverage]:
    """Of the intervals in reports, by statistic."""
    drawn = tables(case, times, np.random.default_rng(seed))
    ends = [in_reports(each, resamples, at) for at, each in enumerate(drawn)]
    return {
        name: _coverage(case, name, *(np.array([each[name][end] for each in ends]) for end in (0, 1)))
        for name in STATISTICS
    }


def _coverage(case: Case, name: str, low: Values, high: Values) -> Coverage:
    truth = float(STATISTICS[name](case.shares))
    return Coverage(float(np.mean((low <= truth) & (truth <= high))), float(np.nanmean(high - low)), len(low))


def main() -> None:
    times, resamples = (int(each) for each in (*sys.argv[1:3], *("1000", "1000")[len(sys.argv) - 1 :]))
    worst: dict[tuple[str, str], list[tuple[float, float]]] = {}
    print(f"{times} tables in each cell, {resamples} resamples; coverage (mean width) of 95% intervals")
    for n_raters, kappa, p, n in product(RATERS, KAPPAS, PREVALENCES, ITEMS):
        case = Case(p, n, n_raters, kappa)
        drawn = tables(case, times, np.random.default_rng(1))
        ours = coverage(case, times=times, resamples=resamples, seed=1)
        for name in STATISTICS:
            others = try_intervals(drawn, name, resamples, np.random.default_rng(2))
            found = {key: _coverage(case, name, low, high) for key, low, high in others} | {OURS: ours[name]}
            for key, each in found.items():
                worst.setdefault((name, key), []).append((each.covered, each.width))
            line = "  ".join(f"{key} {each.covered:.3f} ({each.width:.2f})" for key, each in found.items())
            print(
                f"{n_raters} raters, κ {kappa}, {p:.0%}, {n} items, {len(drawn)} defined, {name}: {line}",
                flush=True,
            )
    print(
        "\n| statistic | interval | least | cells below .93 | mean coverage | mean width |\n|---|---|--:|--:|--:|--:|"
    )
    for (name, key), cells in worst.items():
        covered, widths = np.array(cells).T
        numbers = (covered.min(), np.sum(covered < 0.93), covered.mean(), widths.mean())
        print(
            "| {} | {} | {:.3f} | {} of {} | {:.3f} | {:.2f} |".format(
                name, key, *numbers[:2], len(cells), *numbers[2:]
            )
        )


if __name__ == "__main__":
    main()
