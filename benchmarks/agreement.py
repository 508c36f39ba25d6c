"""Times agreement with intervals on a large table beside statsmodels and krippendorff, and compares their values.

The others resample rows, as one has to with them. They would take an hour, so some resamples are timed and the rest is
reckoned from these; our own time is that of the whole work.
"""

import argparse
import resource
import time
from collections.abc import Callable
from typing import TypeVar

import krippendorff
import numpy as np
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from annotation.agreement.batch import measure_table
from annotation.agreement.measure import measure_ratings
from annotation.agreement.tabulate import tabulate
from annotation.agreement.values import (
    BatchJudgments,
    ItemAnswer,
    JudgedCode,
    JudgedItem,
    MeasurementLevel,
    Ratings,
    RatingsAgreement,
)
from codebook.schema import AnswerKind, Part

T = TypeVar("T")
Resampled = Callable[[NDArray[np.float64]], float]
# The house's promise for the whole table with all its measures.
WELL_UNDER_A_SECOND = 0.8


def invented_codes(n_items: int, n_codes: int, n_raters: int, seed: int) -> list[NDArray[np.float64]]:
    """Codes that are found in 3 to 50 of 100 items, by raters who are wrong in 5 to 20."""
    rng = np.random.default_rng(seed)
    tables = []
    for share, error in zip(rng.uniform(0.03, 0.5, n_codes), rng.uniform(0.05, 0.2, n_codes), strict=True):
        truth = rng.random((n_items, 1)) < share
        tables.append((truth ^ (rng.random((n_items, n_raters)) < error)).astype(np.float64))
    return tables


def time_call(work: Callable[[], T]) -> tuple[T, float]:
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


def ours(
    tables: list[NDArray[np.float64]], clusters: tuple[str, ...], items: tuple[str, ...], resamples: int
) -> list[RatingsAgreement]:
    raters = tuple(f"rater {at}" for at in range(tables[0].shape[1]))
    return [
        measure_ratings(
            Ratings(items, raters, table, clusters),
            level=MeasurementLevel.NOMINAL,
            resamples=resamples,
            seed=1,
        )
        for table in tables
    ]


def invented_batch(
    tables: list[NDArray[np.float64]], posts: tuple[str, ...], *, with_evidence: bool
) -> BatchJudgments:
    """The same ratings as a batch has them; where a code is found, three or four of twenty words are marked."""
    rng = np.random.default_rng(2)
    codes = tuple(
        JudgedCode(f"code-{at}", Part.POST, AnswerKind.TICK, with_evidence, (0, 1), (1,))
        for at in range(len(tables))
    )
    values = np.stack(tables, axis=-1).astype(int)
    starts = rng.integers(0, 3, values.shape)
    answers = []
    for item, rater in np.ndindex(*values.shape[:2]):
        said = {code.code_id: int(value) for code, value in zip(codes, values[item, rater], strict=True)}
        marked = {
            code.code_id: tuple(range(int(start), 5))
            for code, start in zip(codes, starts[item, rater], strict=True)
            if with_evidence and said[code.code_id]
        }
        answers.append(ItemAnswer(f"item-{item:07}", f"rater {rater}", said, marked, {}, item % 9 == rater))
    items = tuple(
        JudgedItem(f"item-{at:07}", post, {Part.POST: 20}, {Part.POST: 2}) for at, post in enumerate(posts)
    )
    raters = tuple(f"rater {at}" for at in range(values.shape[1]))
    return BatchJudgments(codes, items, raters, tuple(answers))


def time_batch(name: str, judgments: BatchJudgments, resamples: int) -> None:
    """The path of a report: the table is laid out from answers, then everything is measured on it."""
    table, laid_out = time_call(lambda: tabulate(judgments))
    computing = time.process_time()
    _, measured = time_call(lambda: measure_table(table, resamples=resamples, seed=1))
    computing = time.process_time() - computing
    print(
        f"{name:<36}{measured:11.3f} s, {computing:.3f} s of computing, after {laid_out:.3f} s for the table"
    )


def by_statsmodels(table: NDArray[np.float64]) -> float:
    counts, _ = aggregate_raters(table)
    return float(fleiss_kappa(counts))


def by_krippendorff(table: NDArray[np.float64]) -> float:
    return float(krippendorff.alpha(table.T, level_of_measurement="nominal"))


def seconds_of_rows(measure: Resampled, table: NDArray[np.float64], times: int) -> float:
    """How long one resample takes."""
    rng = np.random.default_rng(1)
    _, seconds = time_call(
        lambda: [measure(table[rng.integers(0, len(table), len(table))]) for _ in range(times)]
    )
    return seconds / times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--codes", type=int, default=13)
    parser.add_argument("--raters", type=int, default=3)
    parser.add_argument("--resamples", type=int, default=1_000)
    parser.add_argument("--evidence-items", type=int, default=10_000, help="of the batch with evidence")
    parser.add_argument("--only-batch", action="store_true", help="leave the other programs out")
    parser.add_argument("--timed", type=int, default=3, help="resamples of the others that are timed")
    sizes = parser.parse_args()
    tables = invented_codes(sizes.items, sizes.codes, sizes.raters, seed=1)
    items = tuple(f"item-{at:07}" for at in range(sizes.items))
    posts = tuple(f"post-{at // 3:07}" for at in range(sizes.items))
    print(
        f"{sizes.items:,} items × {sizes.codes} codes × {sizes.raters} raters, {sizes.resamples:,} resamples"
    )
    found, alone = time_call(lambda: ours(tables, items, items, sizes.resamples))
    _, clustered = time_call(lambda: ours(tables, posts, items, sizes.resamples))
    print(f"all five measures, by item            {alone:9.3f} s")
    print(f"all five measures, by post            {clustered:9.3f} s")
    time_batch("a whole batch", invented_batch(tables, posts, with_evidence=False), sizes.resamples)
    few = [table[: sizes.evidence_items] for table in tables]
    marked = invented_batch(few, posts[: sizes.evidence_items], with_evidence=True)
    time_batch(f"with evidence, {len(marked.items):,} items", marked, sizes.resamples)
    print(
        f"most memory so far                    {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:9.0f} MB"
    )
    if sizes.only_batch:
        return
    others = (
        ("statsmodels, Fleiss' kappa alone", by_statsmodels, [each["fleiss_kappa"] for each in found]),
        ("krippendorff, alpha alone", by_krippendorff, [each["krippendorff_alpha"] for each in found]),
    )
    for name, measure, estimates in others:
        values = [measure(table) for table in tables]
        apart = max(abs(value - (each.value or 0)) for value, each in zip(values, estimates, strict=True))
        total = seconds_of_rows(measure, tables[0], sizes.timed) * sizes.resamples * sizes.codes
        print(
            f"{name:<36}{total:11.1f} s, {total / alone:9,.0f} times as long; values apart by at most {apart:.0e}"
        )
        if apart > 1e-12:
            raise SystemExit(f"{name}: the values differ.")
    if max(alone, clustered) > WELL_UNDER_A_SECOND:
        print(f"slower than the {WELL_UNDER_A_SECOND} s that are promised on two free cores")


if __name__ == "__main__":
    main()
