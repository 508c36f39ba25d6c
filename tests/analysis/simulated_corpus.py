"""An invented corpus whose effects are known, with a model that errs more on one platform, and gold drawn by design.

Six communities, two platforms by three topics. Posts and their replies have two codes each, whose shares, links with
each other and effects on outcomes are set here; `true.CODE` has what is so, `model.CODE` what a model says. Gold is
drawn as teams draw it: posts with a probability that grows with their replies, and of each drawn post one reply at
random.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.labelled import LabelledCorpus, labelled_corpus
from codebook.schema import Part

Array = NDArray[np.float64]
COMMUNITIES = ("reddit/home", "reddit/social", "reddit/work", "stack/home", "stack/social", "stack/work")
POST_CODES = {"emotions": "Sharing emotions", "advice": "Asking for advice"}
REPLY_CODES = {"resonance": "Emotional resonance", "concern": "Personal concern"}
_START, _END = datetime(2019, 1, 1, tzinfo=UTC), datetime(2023, 1, 1, tzinfo=UTC)

# By community, in their order.
SHARES: dict[str, Array] = {
    "emotions": np.array([0.45, 0.50, 0.40, 0.25, 0.30, 0.20]),
    "advice": np.array([0.70, 0.75, 0.65, 0.90, 0.92, 0.88]),
    "resonance": np.array([0.20, 0.16, 0.12, 0.10, 0.08, 0.06]),
    "concern": np.array([0.40, 0.45, 0.50, 0.60, 0.62, 0.65]),
}
# How often the model finds what is there, and finds what is not: on the first platform, on the second.
FOUND_IF_THERE, FOUND_IF_NOT = (0.85, 0.65), (0.06, 0.02)


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    posts: LabelledCorpus
    replies: LabelledCorpus


def simulated(*, n_posts: int, n_gold: int, seed: int, same_everywhere: bool = False) -> Simulated:
    """About `n_gold` posts, and as many replies, have gold; with `same_everywhere` only the model's errors differ
    between communities."""
    rng = np.random.default_rng(seed)
    shares = {code: np.full_like(own, own.mean()) if same_everywhere else own for code, own in SHARES.items()}
    community = rng.integers(0, len(COMMUNITIES), n_posts)
    posts = _posts(rng, community, shares)
    post_of = np.repeat(np.arange(n_posts), posts["n_replies"].to_numpy())
    replies = _replies(rng, community, post_of, posts, shares)
    size = posts["n_replies"].to_numpy() + 1.0
    probability = np.minimum(1.0, n_gold * size / size.sum())
    drawn = rng.random(n_posts) < probability
    posts = _with_gold(posts, drawn, probability, POST_CODES)
    of_each = posts["n_replies"].to_numpy()[post_of]
    chosen = _one_of_each(rng, post_of, n_posts)
    replies = _with_gold(replies, drawn[post_of] & chosen, probability[post_of] / of_each, REPLY_CODES)
    return Simulated(
        labelled_corpus(posts, part=Part.POST, codes=POST_CODES),
        labelled_corpus(replies, part=Part.REPLY, codes=REPLY_CODES),
    )


def as_it_is(corpus: LabelledCorpus) -> LabelledCorpus:
    """The same corpus with a model that is never wrong."""
    right = [pl.col(f"true.{code}").alias(f"model.{code}") for code in corpus.codes]
    return labelled_corpus(corpus.items.with_columns(right), part=corpus.part, codes=corpus.codes)


def _posts(rng: np.random.Generator, community: NDArray[np.int64], shares: dict[str, Array]) -> pl.DataFrame:
    n = len(community)
    emotions = rng.random(n) < shares["emotions"][community]
    # Three of ten posts ask just when they share emotions, so that the two go together.
    advice = np.where(rng.random(n) < 0.3, emotions, rng.random(n) < shares["advice"][community])
    length = np.exp(rng.normal(6 + 0.4 * emotions, 0.8, n)).astype(np.int64) + 1
    expected = np.exp(0.6 + 0.3 * emotions + 0.1 * (np.log(length) - 6) + 0.1 * (community % 3))
    return _frame(rng, community, np.arange(n), "p", length).with_columns(
        pl.Series("n_replies", rng.poisson(expected)),
        *_labels(rng, community, {"emotions": emotions, "advice": advice}),
    )


def _replies(
    rng: np.random.Generator,
    community: NDArray[np.int64],
    post_of: NDArray[np.int64],
    posts: pl.DataFrame,
    shares: dict[str, Array],
) -> pl.DataFrame:
    """Replies to one post are alike: each post has a climate of its own, which moves the shares of its replies."""
    n, at = len(post_of), community[post_of]
    climate = rng.uniform(0.3, 1.7, len(community))[post_of]
    emotions = posts["true.emotions"].to_numpy()[post_of]
    resonance = rng.random(n) < np.clip(shares["resonance"][at] * climate * (1 + 0.5 * emotions), 0, 1)
    concern = np.where(rng.random(n) < 0.3, resonance, rng.random(n) < shares["concern"][at])
    length = np.exp(rng.normal(5 + 0.3 * concern, 0.8, n)).astype(np.int64) + 1
    odds = -1 + 0.7 * concern + 0.2 * (np.log(length) - 5) + 0.3 * (at % 3) + 0.4 * (climate - 1)
    return _frame(rng, at, post_of, "r", length).with_columns(
        pl.Series("answered", rng.random(n) < 1 / (1 + np.exp(-odds))),
        *_labels(rng, at, {"resonance": resonance, "concern": concern}),
    )


def _frame(
    rng: np.random.Generator,
    community: NDArray[np.int64],
    post: NDArray[np.int64],
    letter: str,
    length: NDArray[np.int64],
) -> pl.DataFrame:
    n = len(community)
    names = pl.Series(COMMUNITIES).gather(community)
    seconds = rng.integers(int(_START.timestamp()), int(_END.timestamp()), n)
    return pl.DataFrame(
        {
            "item_id": pl.Series(np.arange(n)).cast(pl.String()) + letter,
            "post": pl.Series(post).cast(pl.String()),
            "community": names,
            "platform": names.str.split("/").list.first(),
            "topic": names.str.split("/").list.last(),
            "author": pl.Series(rng.integers(0, max(1, n // 8), n)).cast(pl.String()),
            "created": pl.Series(seconds * 1_000_000).cast(pl.Datetime("us", "UTC")),
            "length": length,
            "words": length // 6 + 1,
        }
    )


def _labels(
    rng: np.random.Generator, community: NDArray[np.int64], truth: dict[str, NDArray[np.bool_]]
) -> list[pl.Series]:
    platform = (community >= 3).astype(np.int64)
    columns = []
    for code, there in truth.items():
        chance = np.where(there, np.array(FOUND_IF_THERE)[platform], np.array(FOUND_IF_NOT)[platform])
        said = rng.random(len(there)) < chance
        # A calibrated-looking score that leans to the decision, for corrections by probability.
        score = np.clip(0.15 + 0.7 * said + rng.normal(0, 0.05, len(there)), 0, 1)
        columns += [
            pl.Series(f"true.{code}", there).cast(pl.UInt8()),
            pl.Series(f"model.{code}", said).cast(pl.UInt8()),
            pl.Series(f"probability.{code}", score),
        ]
    return columns


def _one_of_each(rng: np.random.Generator, post_of: NDArray[np.int64], n_posts: int) -> NDArray[np.bool_]:
    """One reply of every post that has any, each as likely as the others."""
    order = rng.permutation(len(post_of))
    last = np.full(n_posts, -1, dtype=np.int64)
    last[post_of[order]] = order
    chosen: NDArray[np.bool_] = last[post_of] == np.arange(len(post_of))
    return chosen


def _with_gold(
    items: pl.DataFrame, drawn: NDArray[np.bool_], probability: Array, codes: dict[str, str]
) -> pl.DataFrame:
    return items.with_columns(
        pl.Series("drawn", drawn), pl.Series("gold_probability", probability)
    ).with_columns(
        pl.when(pl.col("drawn")).then(pl.col(f"true.{code}")).alias(f"gold.{code}") for code in codes
    )
