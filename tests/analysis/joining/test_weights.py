"""Gold of several samples stands for the whole corpus: on average over draws, totals come out right."""

import math

import numpy as np
import polars as pl

from analysis.joining.weights import Chance, DrawnUnit, Key, stands_for
from corpus.sampling.designs import PpsPosts, UniformPairs
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


def units(samples: dict[str, Sample], kept: set[str], *, replies: bool) -> list[DrawnUnit]:
    chances: dict[Key, dict[str, Chance]] = {}
    for name, sample in samples.items():
        for item in sample.items:
            if replies and item.reply_id is not None:
                key: Key = ("r", item.post_id, item.reply_id)
                chances.setdefault(key, {})[name] = Chance(item.inclusion_probability, item.reply_probability)
            elif not replies:
                chances.setdefault(("r", item.post_id, None), {})[name] = Chance(item.post_probability)
    return [DrawnUnit(key, found, key[1] in kept) for key, found in chances.items()]


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
    weights = stands_for(found, {}, left_out, list(errors))
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
        weights = stands_for(both, {}, {"B": frozenset({"A"})}, list(only))
        found.append(math.fsum(weight * only[key] for key, weight in weights.items()))
    error = np.std(found) / np.sqrt(N_TIMES)
    assert abs(np.mean(found) - truth) < 3 * error + 0.02 * truth


def test_items_that_never_came_into_the_release_are_made_up_for() -> None:
    given = [DrawnUnit(("r", name, None), {"A": Chance(0.5)}, name != "c") for name in "abc"]
    keys = [unit.key for unit in given]
    assert stands_for(given, {"A": 8}, {}, keys) == {keys[0]: 8.0, keys[1]: 8.0}, "two of eight were kept"
    assert stands_for(given, {"A": 8}, {}, keys[:1]) == {keys[0]: 8.0}, "wherever the others are"


def test_without_a_draw_there_is_no_weight() -> None:
    unit = DrawnUnit(("r", "a", None), {}, True)
    assert stands_for([unit], {}, {}, [unit.key]) == {}


def test_a_batch_chosen_from_what_is_left_of_a_sample_stands_for_the_rest() -> None:
    """Of what the sample drew some were judged as they came, and then those that a model found doubtful more often."""
    truth, found = sum(POST_ERRORS.values()), []
    for seed in range(N_TIMES):
        rng = np.random.default_rng(seed)
        sample = draw_sample(FRAME, PpsPosts(n=15), seed=seed)
        drawn: dict[Key, float] = {("r", item.post_id, None): item.post_probability for item in sample.items}
        first = set(sorted(drawn, key=lambda _: rng.random())[:5])
        chosen = {key: 0.8 if SIZES[int(key[1][1:])] > 1 else 0.3 for key in drawn if key not in first}
        given = [DrawnUnit(key, {"A": Chance(drawn[key])}, True) for key in sorted(first)]
        given += [
            DrawnUnit(key, {"A · B": Chance(drawn[key] * pi, sampled=drawn[key])}, True)
            for key, pi in sorted(chosen.items())
            if rng.random() < pi
        ]
        weights = stands_for(given, {"A": len(drawn)}, {}, list(POST_ERRORS), {"A · B": frozenset({"A"})})
        found.append(math.fsum(weight * POST_ERRORS[key] for key, weight in weights.items()))
    error = np.std(found) / np.sqrt(N_TIMES)
    assert abs(np.mean(found) - truth) < 3 * error + 0.02 * truth, (np.mean(found), truth)
