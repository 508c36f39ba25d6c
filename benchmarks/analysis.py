"""Times the tables of a corpus of 18 million replies, and on a part of it beside pandas and a loop over rows.

All three count the same shares with the same clustered errors, and must agree. The others are timed on fewer replies,
which is kind to them: their time per reply does not fall as there are more.
"""

import argparse
import resource
import time
from collections import defaultdict
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pandas as pd
import polars as pl

from analysis.co_occurrence import co_occurrence
from analysis.differences import differences
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.outcomes import Outcome
from analysis.over_time import over_time
from analysis.prevalence import prevalence
from analysis.regressions import regressions
from analysis.values import MODEL_WAYS, Way
from codebook.schema import Part

T = TypeVar("T")
COMMUNITIES = ("reddit/home", "reddit/social", "reddit/work", "stack/home", "stack/social", "stack/work")


def invent_corpus(n_replies: int, n_codes: int, seed: int) -> LabelledCorpus:
    """Five replies to a post, and gold on about 1,500."""
    rng = np.random.default_rng(seed)
    post = np.arange(n_replies) // 5
    community = (post * 7) % len(COMMUNITIES)
    names = pl.Series(COMMUNITIES).gather(community)
    drawn = rng.random(n_replies) < min(1.0, 1_500 / n_replies)
    columns = {
        "item_id": pl.Series(np.arange(n_replies)).cast(pl.String()),
        "post": pl.Series(post).cast(pl.String()),
        "community": names.cast(pl.Categorical()),
        "created": pl.Series(rng.integers(1_500_000_000, 1_650_000_000, n_replies) * 1_000_000).cast(
            pl.Datetime("us", "UTC")
        ),
        "length": pl.Series(rng.integers(1, 3_000, n_replies)),
        "answered": pl.Series(rng.random(n_replies) < 0.3),
        "drawn": pl.Series(drawn),
        "gold_probability": pl.Series(np.full(n_replies, min(1.0, 1_500 / n_replies))),
    }
    for at in range(n_codes):
        said = rng.random(n_replies, dtype=np.float32) < 0.05 + 0.1 * at + 0.02 * community
        gold = pl.Series(said ^ (rng.random(n_replies, dtype=np.float32) < 0.1)).cast(pl.UInt8())
        columns[f"model.code-{at}"] = pl.Series(said).cast(pl.UInt8())
        columns[f"gold.code-{at}"] = gold.zip_with(columns["drawn"], pl.Series([None], dtype=pl.UInt8()))
    codes = {f"code-{at}": f"Code {at}" for at in range(n_codes)}
    return labelled_corpus(pl.DataFrame(columns), part=Part.REPLY, codes=codes)


def time_call(work: Callable[[], T]) -> tuple[T, float]:
    """Seconds of computing, which others on the machine do not make longer."""
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


Shares = dict[tuple[str, str], tuple[float, float]]


def ours(corpus: LabelledCorpus) -> Shares:
    """Share and half the width of its interval over 1.96, which is the error on many posts."""
    table = prevalence(corpus, by="community", way=Way.NAIVE)
    found = {}
    for row in table.rows:
        for each in row.shares:
            low, high, value = each.estimate.low, each.estimate.high, each.estimate.value
            assert low is not None and high is not None and value is not None
            found[row.code, each.where] = (value, (high - low) / 2 / 1.96)
    return found


def by_pandas(frame: pd.DataFrame, codes: list[str]) -> Shares:
    found: Shares = {}
    n_posts = frame["post"].nunique()
    for code in codes:
        means = frame.groupby("community", observed=True)[f"model.{code}"].agg(["mean", "size"])
        posts = frame.groupby(["community", "post"], observed=True)[f"model.{code}"].agg(["sum", "size"])
        for where, mean, size in means.itertuples():
            own = posts.loc[where]
            moved = (own["sum"] - mean * own["size"]) / size
            found[code, str(where)] = (mean, float(np.sqrt((moved**2).sum() * n_posts / (n_posts - 1))))
    return found


def by_loop(frame: pd.DataFrame, codes: list[str]) -> Shares:
    found: Shares = {}
    rows = list(zip(frame["community"], frame["post"], strict=True))
    for code in codes:
        size: dict[str, int] = defaultdict(int)
        total: dict[str, int] = defaultdict(int)
        of_post: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
        for (community, post), said in zip(rows, frame[f"model.{code}"].tolist(), strict=True):
            size[community] += 1
            total[community] += said
            cell = of_post[community, post]
            cell[0] += said
            cell[1] += 1
        n_posts = len(of_post)
        squares: dict[str, float] = defaultdict(float)
        for (community, _), (found_in, n) in of_post.items():
            squares[community] += ((found_in - total[community] / size[community] * n) / size[community]) ** 2
        for community, n in size.items():
            error = np.sqrt(squares[community] * n_posts / (n_posts - 1))
            found[code, community] = (total[community] / n, float(error))
    return found


def compare(corpus: LabelledCorpus) -> None:
    frame = corpus.items.with_columns(pl.col("community").cast(pl.String())).to_pandas()
    codes = list(corpus.codes)
    items, part = corpus.items, corpus.part
    mine, seconds = time_call(lambda: ours(labelled_corpus(items, part=part, codes=corpus.codes)))
    print(f"shares with clustered errors and tests{seconds:16.2f} s on {len(corpus):,} replies")
    others: list[tuple[str, Callable[[], Shares]]] = [
        ("pandas, without tests", lambda: by_pandas(frame, codes)),
        ("a loop over rows, without tests", lambda: by_loop(frame, codes)),
    ]
    for name, work in others:
        theirs, their_seconds = time_call(work)
        apart = max(abs(a - b) for key in mine for a, b in zip(mine[key], theirs[key], strict=True))
        print(
            f"{name:<38}{their_seconds:16.2f} s, {their_seconds / seconds:6.1f} times as long; apart by {apart:.0e}"
        )
        if apart > 1e-5:
            raise SystemExit(f"{name}: the values differ.")


def works(corpus: LabelledCorpus, few: LabelledCorpus, way: Way) -> dict[str, Callable[[], object]]:
    return {
        "shares by community": lambda: prevalence(corpus, by="community", way=way),
        "differences by community": lambda: differences(corpus, outcome=Outcome.ANSWERED, way=way),
        "co-occurrence by community": lambda: co_occurrence(corpus, way=way),
        "change by year": lambda: over_time(corpus, way=way, every="1y"),
        f"regressions on {len(few):,} replies": lambda: regressions(few, outcome=Outcome.ANSWERED, way=way),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=18_000_000)
    parser.add_argument("--codes", type=int, default=7)
    parser.add_argument("--compared", type=int, default=500_000, help="replies that the others are timed on")
    parser.add_argument(
        "--regressed", type=int, default=1_000_000, help="replies of the regressions, two codes"
    )
    asked = parser.parse_args()
    compare(invent_corpus(asked.compared, asked.codes, seed=1))
    few = invent_corpus(asked.regressed, 2, seed=2)
    corpus, made = time_call(lambda: invent_corpus(asked.replies, asked.codes, seed=3))
    print(
        f"{len(corpus):,} replies to {corpus.clusters.n:,} posts, {asked.codes} codes; invented in {made:.0f} s"
    )
    for way in MODEL_WAYS:
        for name, work in works(corpus, few, way).items():
            print(f"{way.value:<10}{name:<36}{time_call(work)[1]:8.1f} s", flush=True)
    print(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GB")


if __name__ == "__main__":
    main()
