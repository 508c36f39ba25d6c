"""Gold of several samples stands for the whole corpus: on average over draws, totals come out right."""

import math
from dataclasses import replace

import numpy as np
import polars as pl

from analysis.joining.gold import KEY_SCHEMA, Gold, gold_frame
from analysis.joining.weight_shares import DealtBatch, Key, SampledItem, SampleFacts, weights_within
from analysis.joining.weights import Chance, DrawnUnit, stands_for
from annotation.release.rows import ReleaseItem, ReleaseRow, SplitPart
from codebook.schema import Part
from corpus.sampling.designs import PpsPosts, UniformPairs, WholePosts
from corpus.sampling.draw import draw_sample
from corpus.sampling.frame import build_frame
from corpus.sampling.sample import Sample

N_POSTS, N_TIMES = 30, 400
SIZES = [post % 4 for post in range(N_POSTS)]
POSTS = pl.LazyFrame(
    {"community": ["r"] * N_POSTS, "post_id": [f"p{post:02d}" for post in range(N_POSTS)], "n_replies": SIZES}
)
PAIRS = [(f"p{post:02d}", f"p{post:02d}-{reply}") for post in range(N_POSTS) for reply in range(SIZES[post])]
REPLIES = pl.LazyFrame(
    {
        "community": ["r"] * len(PAIRS),
        "post_id": [post for post, _ in PAIRS],
        "reply_id": [reply for _, reply in PAIRS],
    }
)
FRAME = build_frame(POSTS, REPLIES)
# What the model gets wrong, more of it where there are many replies
POST_ERRORS: dict[Key, float] = {("r", f"p{post:02d}", None): SIZES[post] - 0.7 for post in range(N_POSTS)}
REPLY_ERRORS: dict[Key, float] = {
    ("r", post, reply): SIZES[int(post[1:])] - 2.2 + len(reply) for post, reply in PAIRS
}


def facts(name: str, sample: Sample) -> SampleFacts:
    """All of it was dealt at once."""
    items = {
        f"{item.post_id} {item.reply_id}": SampledItem(
            f"{item.post_id} {item.reply_id}",
            "r",
            item.post_id,
            item.reply_id,
            item.post_probability,
            item.reply_probability,
            item.inclusion_probability,
        )
        for item in sample.items
    }
    return SampleFacts(name, items, (DealtBatch("All", dict.fromkeys(items)),))


def units(samples: dict[str, Sample], kept: set[str], *, replies: bool) -> list[DrawnUnit]:
    part = Part.REPLY if replies else Part.POST
    chances: dict[Key, dict[str, Chance]] = {}
    for name, sample in samples.items():
        found = facts(name, sample)
        usable = [key for key, item in found.items.items() if item.post_id in kept]
        drawn = {item.key(part): item for item in found.items.values()}
        for key, weight in weights_within(found, part, usable).items():
            item = drawn[key]
            chances.setdefault(key, {})[name] = (
                Chance(item.probability, item.given_post, weight)
                if replies
                else Chance(item.post_probability, within=weight)
            )
    return [DrawnUnit(key, found) for key, found in chances.items()]


def totals(seed: int, *, is_disjoint: bool, replies: bool) -> float:
    """The sum of errors as one pair of samples tells it, of which a test part of half the posts is kept."""
    first = draw_sample(FRAME, PpsPosts(n=9), seed=seed)
    design = UniformPairs(n=8, exclude=first.posts if is_disjoint else frozenset())
    second = draw_sample(FRAME, design, seed=seed + 50_000)
    posts = sorted({post for _, post in first.posts | second.posts})
    kept = set(np.random.default_rng(seed).permutation(posts)[: len(posts) // 2].tolist())
    samples = {"A": first, "B": second}
    found = units(samples, kept, replies=replies)
    errors = REPLY_ERRORS if replies else POST_ERRORS
    left_out = {"B": frozenset({"A"})} if is_disjoint else {}
    weights = stands_for(found, left_out, list(errors))
    return math.fsum(weight * errors[key] for key, weight in weights.items())


def test_replies_of_two_samples_stand_for_all_replies() -> None:
    truth = sum(REPLY_ERRORS.values())
    for is_disjoint in (False, True):
        found = np.array(
            [totals(seed, is_disjoint=is_disjoint, replies=True) for seed in range(N_TIMES)], dtype=float
        )
        error = found.std() / np.sqrt(N_TIMES)
        assert abs(found.mean() - truth) < 3 * error + 0.02 * abs(truth), (is_disjoint, found.mean(), truth)


def test_posts_of_two_samples_stand_for_all_posts_that_both_could_draw() -> None:
    """Pairs are drawn from posts that have replies; the second sample leaves out what the first one drew."""
    everything = {key[1] for key in POST_ERRORS}
    only: dict[Key, float] = {key: error for key, error in POST_ERRORS.items() if SIZES[int(key[1][1:])]}
    truth, found = sum(only.values()), []
    for seed in range(N_TIMES):
        first = draw_sample(FRAME, PpsPosts(n=9), seed=seed)
        second = draw_sample(FRAME, UniformPairs(n=8, exclude=first.posts), seed=seed + 50_000)
        both = units({"A": first, "B": second}, everything, replies=False)
        weights = stands_for(both, {"B": frozenset({"A"})}, list(only))
        found.append(math.fsum(weight * only[key] for key, weight in weights.items()))
    error = np.std(found) / np.sqrt(N_TIMES)
    assert abs(np.mean(found) - truth) < 3 * error + 0.02 * truth


def test_only_what_lies_within_the_labelled_has_a_weight() -> None:
    given = [DrawnUnit(("r", name, None), {"A": Chance(0.5, within=4.0)}) for name in "ab"]
    keys = [unit.key for unit in given]
    assert stands_for(given, {}, keys) == {keys[0]: 8.0, keys[1]: 8.0}
    assert stands_for(given, {}, keys[:1]) == {keys[0]: 8.0}, "wherever the others are"


def test_without_a_draw_there_is_no_weight() -> None:
    unit = DrawnUnit(("r", "a", None), {})
    assert stands_for([unit], {}, [unit.key]) == {}


def test_a_sample_that_was_only_drawn_has_brought_no_gold() -> None:
    """A is judged; B, which drew some of the same posts, was never dealt, whatever is asked about."""
    for asked, labelled in ((POST_ERRORS, None), (POST_ERRORS, "B")):
        found, truths = [], []
        for seed in range(N_TIMES):
            first = draw_sample(FRAME, PpsPosts(n=9), seed=seed)
            second = draw_sample(FRAME, WholePosts(n=12), seed=seed + 50_000)
            judged = facts("A", first)
            other = facts("B", second)
            taken = {name: None for name in judged.items if name in other.items}
            other = replace(other, batches=(DealtBatch("All", taken, is_of_sample=False),))
            within: list[Key] = list(asked)
            if labelled:
                within = [key for key in asked if (key[0], key[1]) in second.posts]
            gold = Gold(
                [row_of(item) for item in judged.items.values()], {"A": judged, "B": other}, frozenset()
            )
            frame = pl.DataFrame(within, schema=KEY_SCHEMA, orient="row")
            weights, _ = gold_frame(replace(gold, labelled_sample=labelled), Part.POST, [], frame)
            found.append(
                math.fsum(
                    weight * asked[("r", post, None)]
                    for post, weight in weights.select("post_id", "gold_weight").iter_rows()
                )
            )
            truths.append(sum(asked[key] for key in within))
        error = np.std(np.subtract(found, truths)) / np.sqrt(N_TIMES)
        assert abs(np.mean(found) - np.mean(truths)) < 3 * error, (labelled, np.mean(found), np.mean(truths))


def row_of(item: SampledItem) -> ReleaseRow:
    released = ReleaseItem(
        item.item_id, "reddit", item.community, item.post_id, item.reply_id, False, (), None
    )
    return ReleaseRow(released, SplitPart.TEST, ())
