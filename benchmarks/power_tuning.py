"""Do corrected estimates with power tuning cover, and are they ever wider than gold alone?

Corpora of 20,000 units in posts are invented, with units of a post alike, and a good or a poor model that gives
decisions or calibrated probabilities. Gold is drawn

    pps      with a probability that goes with the size of a unit
    posts    whole posts, with a probability that goes with their size
    active   as batches of active learning are: a fifth at random, and the units that the model is least sure of

For the share of the code, the difference of two groups and the slope of an outcome it counts how many of the 95%
intervals hold what is so, and how wide they are beside gold alone. `plain` is the correction without tuning: λ = 1, and
± t · se.

python -m benchmarks.power_tuning --times 1000
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from analysis.clusters import Clusters, Groups
from analysis.corrected_table import Ways, correct_table
from analysis.labelled_table import LabelledTable
from analysis.normal import interval
from analysis.values import Estimate, Values
from learning.query_strategies.inclusion import inclusion_probabilities

N_UNITS, UNITS_IN_POST, ALIKE = 20_000, 5, 0.1
SHARES = (0.03, 0.05, 0.1, 0.2, 0.5)
DESIGNS = ("pps", "posts", "active")
N_GOLD = (300, 500, 1_000)
# By how many standard deviations the model's scores are apart, and what it finds of what is there and what is not
APART = {"good": 3.0, "poor": 1.0}
FINDS = {"good": (0.9, 0.02), "poor": (0.6, 0.1)}
SURROGATES = ("decision", "probability")
RANDOM_SHARE, EFFECT, PROMISED = 0.2, 0.5, (0.93, 0.97)


@dataclass(frozen=True, slots=True)
class Cell:
    share: float
    design: str
    n_gold: int
    model: str
    surrogate: str


def invent(rng: np.random.Generator, cell: Cell) -> LabelledTable:
    """A corpus with gold; the slope of the outcome is EFFECT, the groups are alike."""
    post = np.repeat(np.arange(N_UNITS), rng.geometric(1 / UNITS_IN_POST, N_UNITS))[:N_UNITS]
    n_posts = int(post[-1]) + 1
    kinds = (1 - ALIKE) / ALIKE
    climate = rng.beta(cell.share * kinds, (1 - cell.share) * kinds, n_posts)
    truth = (rng.random(N_UNITS) < climate[post]).astype(np.float64)
    model, unsure = _model(rng, cell, truth)
    outcome = EFFECT * truth + 0.5 * rng.standard_normal(n_posts)[post] + rng.standard_normal(N_UNITS)
    at, weight = _draw(rng, cell, post, n_posts, unsure)
    groups = Groups(("a", "b"), post % 2)
    ones = np.ones(N_UNITS)
    return LabelledTable(model, at, truth[at], weight, ones, Clusters(post, n_posts), groups, outcome)


def _model(rng: np.random.Generator, cell: Cell, truth: Values) -> tuple[Values, Values]:
    """What it says, and how unsure it is of each unit."""
    if cell.surrogate == "decision":
        found, mistaken = FINDS[cell.model]
        said = (rng.random(N_UNITS) < np.where(truth == 1, found, mistaken)).astype(np.float64)
        # Where it errs it is less sure, though not always
        return said, rng.normal(said != truth, 1.0)
    apart = APART[cell.model]
    score = apart * (truth - 0.5) + rng.standard_normal(N_UNITS)
    probability = 1 / (1 + np.exp(-apart * score) * (1 - cell.share) / cell.share)
    return probability, -np.abs(probability - 0.5)


def _draw(
    rng: np.random.Generator, cell: Cell, post: NDArray[np.int64], n_posts: int, unsure: Values
) -> tuple[NDArray[np.int64], Values]:
    if cell.design == "active":
        n_random = round(RANDOM_SHARE * cell.n_gold)
        order = np.argsort(-unsure)
        chance: Values = np.empty(N_UNITS)
        chance[order] = _inclusion(n_random, cell.n_gold - n_random)
        drawn: NDArray[np.bool_] = np.zeros(N_UNITS, dtype=np.bool_)
        drawn[rng.permutation(N_UNITS)[:n_random]] = True
        drawn[order[~drawn[order]][: cell.n_gold - n_random]] = True
    elif cell.design == "posts":
        size = np.bincount(post, minlength=n_posts).astype(np.float64)
        of_post = np.minimum(1, cell.n_gold * size / (size @ size))
        drawn = (rng.random(n_posts) < of_post)[post]
        chance = of_post[post]
    else:
        size = np.exp(rng.standard_normal(N_UNITS))
        chance = np.minimum(1, cell.n_gold * size / size.sum())
        drawn = rng.random(N_UNITS) < chance
    at = np.flatnonzero(drawn)
    return at, 1 / chance[at]


@cache
def _inclusion(n_random: int, n_best: int) -> Values:
    return inclusion_probabilities(N_UNITS, n_random, n_best)


def without_tuning(table: LabelledTable) -> Estimate:
    """The share as it was corrected before: λ is 1, and ± t · se."""
    corrected = table.prediction.copy()
    corrected[table.at] += table.weight * (table.gold - table.prediction[table.at])
    mean = float(corrected.mean())
    moved = np.bincount(table.clusters.places, corrected - mean) / N_UNITS
    n_drawn = len(np.unique(table.clusters.places[table.at]))
    return interval(mean, float(np.sqrt(moved @ moved)), n_drawn - 1)


class Tally:
    """Of one cell: how many intervals were given and hold what is so, and their widths, by question and way."""

    def __init__(self, cell: Cell) -> None:
        self._truth = {"share": cell.share, "difference": 0.0, "slope": EFFECT}
        self._asked = 0
        self._held: dict[tuple[str, str], list[bool]] = defaultdict(list)
        self._widths: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._effective: list[float] = []

    def add(self, table: LabelledTable) -> None:
        found = correct_table(table)
        self._asked += 1
        self._effective.append(found.mean["corrected"].effective_gold)
        asked: Mapping[str, Ways | None] = {
            "share": found.mean,
            "difference": found.difference,
            "slope": found.slope,
        }
        for question, ways in asked.items():
            for way in ("gold_only", "corrected"):
                if ways:
                    self._note(question, way, ways[way].estimate)
        self._note("share", "plain", without_tuning(table))

    def _note(self, question: str, way: str, estimate: Estimate) -> None:
        if estimate.low is not None and estimate.high is not None:
            self._held[question, way].append(estimate.low <= self._truth[question] <= estimate.high)
            self._widths[question, way].append(estimate.high - estimate.low)

    def coverage(self, question: str, way: str) -> float:
        held = self._held[question, way]
        return float(np.mean(held)) if held else float("nan")

    def given(self, question: str, way: str) -> float:
        return len(self._held[question, way]) / self._asked

    def width(self, question: str, way: str) -> float:
        """Beside gold alone, of the intervals of the same tables."""
        widths, beside = self._widths[question, way], self._widths[question, "gold_only"]
        return float(np.mean(widths) / np.mean(beside)) if widths and beside else float("nan")

    @property
    def effective(self) -> float:
        return float(np.mean(self._effective))


HEAD = (
    f"{'share':>6} {'gold':<6}{'n':>5}{'worth':>6}  {'model':<5}{'surrogate':<12}"
    f"{'gold':>6}{'plain':>7}{'tuned':>7}{'plain':>8}{'tuned':>7}"
    f"{'given':>8}{'gold':>7}{'tuned':>7}{'width':>7}{'given':>8}{'gold':>7}{'tuned':>7}{'width':>7}"
)


def line(cell: Cell, tally: Tally) -> str:
    said = (
        f"{cell.share:>6.0%} {cell.design:<6}{cell.n_gold:>5,}{tally.effective:>6.0f}  {cell.model:<5}"
        f"{cell.surrogate:<12}"
    )
    said += f"{tally.coverage('share', 'gold_only'):>6.1%}{tally.coverage('share', 'plain'):>7.1%}"
    said += f"{tally.coverage('share', 'corrected'):>7.1%}{tally.width('share', 'plain'):>8.2f}"
    said += f"{tally.width('share', 'corrected'):>7.2f}"
    for question in ("difference", "slope"):
        said += f"{tally.given(question, 'corrected'):>8.0%}{tally.coverage(question, 'gold_only'):>7.1%}"
        said += f"{tally.coverage(question, 'corrected'):>7.1%}{tally.width(question, 'corrected'):>7.2f}"
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--design", choices=DESIGNS, action="append")
    parser.add_argument("--share", type=float, action="append")
    given = parser.parse_args()
    started = time.perf_counter()
    print(f"{'':<42}{'share: coverage':>20}{'width':>15}{'difference':>29}{'slope':>29}")
    print(HEAD)
    kept: dict[str, list[bool]] = defaultdict(list)
    cells = product(given.share or SHARES, given.design or DESIGNS, N_GOLD, APART, SURROGATES)
    for at, cell in enumerate(Cell(*values) for values in cells):
        rng, tally = np.random.default_rng((given.seed, at)), Tally(cell)
        for _ in range(given.times):
            tally.add(invent(rng, cell))
        print(line(cell, tally), flush=True)
        for way in ("gold_only", "plain", "corrected"):
            kept[way].append(PROMISED[0] <= tally.coverage("share", way) <= PROMISED[1])
    said = ", ".join(f"{way} {sum(hits)} of {len(hits)}" for way, hits in kept.items())
    print(f"cells whose coverage of the share is 93% to 97%: {said}; {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
