"""Times a whole report on a corpus as large as a published one: 21,432 posts, 97,071 replies and 13 codes.

What is labelled is invented; the codes are those of the shipped codebook of empathy practices. The files are kept with
`--folder`, to look at.
"""

import argparse
import resource
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.report.build import build_report
from analysis.report.codes import codes_of
from analysis.report.facts import CodebookFacts, CodeFacts, ReportFacts
from analysis.report.files import write_report
from analysis.report.material import ReportInput
from codebook.schema import Part
from codebook.shipped import load_shipped

COMMUNITIES = {
    "r/Parenting": ("Reddit", "Parenting"),
    "r/socialskills": ("Reddit", "Social skills"),
    "r/work": ("Reddit", "Work"),
    "Parenting Stack Exchange": ("Stack Exchange", "Parenting"),
    "Interpersonal Skills Stack Exchange": ("Stack Exchange", "Social skills"),
    "The Workplace Stack Exchange": ("Stack Exchange", "Work"),
}
N_POSTS, N_REPLIES, N_GOLD, N_YEARS = 21_432, 97_071, 3_000, 5
FIRST = 1_546_300_800  # the beginning of 2019


def invented_input(
    *, n_posts: int, n_replies: int, n_gold: int, seed: int, codebook: str = "empathy-practices"
) -> ReportInput:
    """Codes go together through a mood that posts have and their replies share; the model errs on one in ten."""
    rng = np.random.default_rng(seed)
    shipped = load_shipped(codebook)
    codes = codes_of(shipped)
    community = rng.integers(0, len(COMMUNITIES), n_posts)
    mood = rng.normal(size=n_posts)
    post_of = np.sort(rng.integers(0, n_posts, n_replies))
    n_of = np.bincount(post_of, minlength=n_posts)
    posts = _items(rng, community, np.arange(n_posts), "p").with_columns(pl.Series("n_replies", n_of))
    replies = _items(rng, community[post_of], post_of, "r")
    on_reddit = pl.Series(community[post_of] < 3)
    replies = replies.with_columns(
        pl.when(on_reddit).then(pl.Series(rng.random(n_replies) < 0.25)).alias("answered"),
        pl.when(~on_reddit).then(pl.Series(rng.random(n_replies) < 0.2)).alias("accepted"),
    )
    facts = ReportFacts(study="A timed study", codebook=CodebookFacts(title=shipped.title, codes=codes))
    return ReportInput(
        _invent_labels(rng, posts, Part.POST, codes, community, mood, n_gold),
        _invent_labels(rng, replies, Part.REPLY, codes, community[post_of], mood[post_of], n_gold),
        facts,
    )


def _items(
    rng: np.random.Generator, community: NDArray[np.int64], post: NDArray[np.int64], letter: str
) -> pl.DataFrame:
    n, names = len(community), list(COMMUNITIES)
    seconds = rng.integers(FIRST, FIRST + N_YEARS * 31_556_952, n)
    return pl.DataFrame(
        {
            "item_id": pl.Series(np.arange(n)).cast(pl.String()) + letter,
            "post": pl.Series(post).cast(pl.String()),
            "community": pl.Series(names).gather(community),
            "platform": pl.Series([COMMUNITIES[name][0] for name in names]).gather(community),
            "topic": pl.Series([COMMUNITIES[name][1] for name in names]).gather(community),
            "created": pl.Series(seconds * 1_000_000).cast(pl.Datetime("us", "UTC")),
            "length": rng.integers(20, 3_000, n),
        }
    )


def _invent_labels(
    rng: np.random.Generator,
    items: pl.DataFrame,
    part: Part,
    codes: tuple[CodeFacts, ...],
    community: NDArray[np.int64],
    mood: NDArray[np.float64],
    n_gold: int,
) -> LabelledCorpus:
    """Gold for about `n_gold` items drawn at random."""
    n, own = len(community), [code for code in codes if code.part is part]
    drawn = rng.random(n) < n_gold / n
    columns = [pl.Series("drawn", drawn), pl.Series("gold_probability", np.full(n, n_gold / n))]
    for at, code in enumerate(own):
        lean = -2.2 + 0.45 * at + 0.25 * (community % 3) - 0.4 * (community > 2) * (-1) ** at
        highest = max((level.value for level in code.levels), default=1)
        there = lean + (0.9 - 0.25 * at) * mood + rng.logistic(size=n) > 0
        true = np.where(there, rng.integers(1, highest + 1, n), 0)
        said = np.where(rng.random(n) < 0.1, rng.integers(0, highest + 1, n), true)
        gold = pl.Series(f"gold.{code.id}", true).cast(pl.UInt8())
        columns += [
            pl.Series(f"model.{code.id}", said).cast(pl.UInt8()),
            gold.zip_with(columns[0], pl.Series([None], dtype=pl.UInt8())),
        ]
    return labelled_corpus(items.with_columns(columns), part=part, codes={c.id: c.name for c in own})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, default=N_POSTS)
    parser.add_argument("--replies", type=int, default=N_REPLIES)
    parser.add_argument("--gold", type=int, default=N_GOLD)
    parser.add_argument("--folder", type=Path, help="where to keep the report; must not be there")
    asked = parser.parse_args()
    given = invented_input(n_posts=asked.posts, n_replies=asked.replies, n_gold=asked.gold, seed=1)
    n_codes = len(given.facts.codebook.codes)
    print(
        f"{asked.posts:,} posts, {asked.replies:,} replies, {n_codes} codes, gold on {asked.gold:,} of each"
    )
    started = time.process_time()
    report = build_report(given)
    built = time.process_time()
    with TemporaryDirectory() as folder:
        write_report(asked.folder or Path(folder) / "report", report, inputs={})
    written = time.process_time()
    print(f"numbers   {built - started:6.1f} s: {len(report.tables)} tables, {len(report.charts)} charts")
    print(f"files     {written - built:6.1f} s")
    print(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GB")


if __name__ == "__main__":
    main()
