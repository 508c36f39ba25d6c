"""Whatever order batches were dealt and chosen in, and however much of them was judged: totals come out right on
average, because each batch is a stage with a probability of its own."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from analysis.joining.weight_shares import DealtBatch, Key, SampledItem, SampleFacts, weights_within
from codebook.schema import Part
from learning.query_strategies.names import Stream

N, N_TIMES = 200, 300
# A model that is unsure of the first fifth, and wrong in half of it
DOUBTFUL = np.arange(N) < N // 5
ERRORS = np.where(DOUBTFUL, np.arange(N) % 2, np.arange(N) % 20 == 0).astype(float)
TRUTH = ERRORS.sum()


def item(name: str, post: str, reply: str | None, probability: float = 1.0) -> SampledItem:
    return SampledItem(name, "r", post, reply, probability, 1.0, probability)


POSTS = {f"i{at}": item(f"i{at}", f"p{at}", None) for at in range(N)}


def played(order: Sequence[str], judged: float, rng: np.random.Generator) -> tuple[SampleFacts, set[str]]:
    """Main batches deal 20 of what is left; others take half of what the model doubts and a twentieth of the rest."""
    left, batches, usable = list(range(N)), [], set()
    for name in order:
        if name == "main":
            taken = rng.choice(left, 20, replace=False).tolist()
            batches.append(DealtBatch("main", {f"i{at}": None for at in taken}))
        else:
            chance = {at: 0.5 if DOUBTFUL[at] else 0.05 for at in left}
            taken = [at for at in left if rng.random() < chance[at]]
            drawn = {f"i{at}": (Stream.STRATEGY, chance[at]) for at in taken}
            batches.append(DealtBatch(name, drawn, is_chosen=True))
        usable |= {f"i{at}" for at in taken if rng.random() < judged}
        left = [at for at in left if at not in set(taken)]
    return SampleFacts("S", POSTS, tuple(batches)), usable


def mean_of(once: Callable[[np.random.Generator], float], n: int = N_TIMES) -> tuple[float, float]:
    found = [once(np.random.default_rng(seed)) for seed in range(n)]
    return float(np.mean(found)), float(np.std(found) / np.sqrt(n))


def total_of(weights: dict[Key, float]) -> float:
    return sum(weight * float(ERRORS[int(key[1][1:])]) for key, weight in weights.items())


@pytest.mark.parametrize(
    ("order", "judged"),
    [
        (("main", "A"), 1.0),
        (("A", "main"), 1.0),
        (("main", "A", "main", "main"), 1.0),
        (("main", "A", "B"), 1.0),
        (("main", "A"), 0.5),
        (("main", "A", "B", "main"), 0.6),
    ],
)
def test_batches_in_any_order_stand_for_their_sample(order: Sequence[str], judged: float) -> None:
    def total(rng: np.random.Generator) -> float:
        weights = weights_within(*_with_part(played(order, judged, rng)))
        return total_of(weights)

    mean, error = mean_of(total)
    assert abs(mean - TRUTH) < 3.5 * error, (mean, error, TRUTH)
    assert error < 0.05 * TRUTH, "close enough to have seen what was wrong"


def _with_part(given: tuple[SampleFacts, set[str]]) -> tuple[SampleFacts, Part, set[str]]:
    return given[0], Part.POST, given[1]


def test_a_batch_dealt_by_chance_that_nobody_judged_is_made_up_for() -> None:
    def total(rng: np.random.Generator) -> float:
        sample, usable = played(("main", "A", "main"), 1.0, rng)
        usable -= set(sample.batches[0].items)
        weights = weights_within(sample, Part.POST, usable)
        return total_of(weights)

    mean, error = mean_of(total)
    assert abs(mean - TRUTH) < 3.5 * error


def test_after_a_chosen_batch_that_nobody_judged_nothing_counts() -> None:
    sample, usable = played(("main", "A", "main"), 1.0, np.random.default_rng(1))
    first = set(sample.batches[0].items)
    weights = weights_within(sample, Part.POST, usable - set(sample.batches[1].items))
    assert {f"i{key[1][1:]}" for key in weights} == first
    assert sum(weights.values()) == pytest.approx(N)


def test_what_another_samples_batch_took_stands_for_itself_alone() -> None:
    """Ten were judged because another sample, which wants the doubtful, had drawn them too."""
    theirs = {f"i{at}": None for at in range(0, 40, 4)}

    def total(rng: np.random.Generator) -> float:
        left = [name for name in POSTS if name not in theirs]
        own = rng.choice(left, 60, replace=False).tolist()
        batches = (DealtBatch("theirs", theirs, is_of_sample=False), DealtBatch("own", dict.fromkeys(own)))
        weights = weights_within(SampleFacts("S", POSTS, batches), Part.POST, {*theirs, *own})
        return total_of(weights)

    mean, error = mean_of(total)
    assert abs(mean - TRUTH) < 3.5 * error


def test_a_sample_that_nothing_was_dealt_from_has_brought_nothing() -> None:
    batches = (DealtBatch("theirs", {"i1": None, "i2": None}, is_of_sample=False),)
    assert weights_within(SampleFacts("S", POSTS, batches), Part.POST, {"i1", "i2"}) == {}


def test_items_set_aside_for_practice_are_taken_to_be_like_the_rest() -> None:
    batches = (DealtBatch("own", {"i1": None, "i2": None}),)
    aside = frozenset(f"i{at}" for at in range(100, 120))
    weights = weights_within(SampleFacts("S", POSTS, batches, set_aside=aside), Part.POST, {"i1", "i2"})
    assert weights == pytest.approx({("r", "p1", None): N / 2, ("r", "p2", None): N / 2})


SIZES = [1 + at % 15 for at in range(120)]
PAIRS = {
    f"{post}-{reply}": item(f"{post}-{reply}", f"p{post}", f"c{post}-{reply}")
    for post, size in enumerate(SIZES)
    for reply in range(size)
}


@pytest.mark.parametrize("is_chosen", [False, True])
def test_a_post_with_many_items_in_the_pool_counts_as_one_post(is_chosen: bool) -> None:
    """A tenth of all pairs was judged: posts with many replies have more chances to be among them."""

    def replies_of_posts(rng: np.random.Generator) -> float:
        taken = [name for name in PAIRS if rng.random() < 0.1]
        drawn = (Stream.STRATEGY, 0.1) if is_chosen else None
        batch = DealtBatch("B", dict.fromkeys(taken, drawn), is_chosen=is_chosen)
        weights: dict[Key, float] = weights_within(SampleFacts("S", PAIRS, (batch,)), Part.POST, taken)
        if not is_chosen:
            assert sum(weights.values()) == pytest.approx(len(SIZES))
        return sum(weight * SIZES[int(key[1][1:])] for key, weight in weights.items())

    mean, error = mean_of(replies_of_posts, 150)
    assert abs(mean - sum(SIZES)) < 3.5 * error + 0.01 * sum(SIZES), (mean, sum(SIZES))
    assert error < 0.03 * sum(SIZES)


def test_replies_count_one_by_one() -> None:
    batch = DealtBatch("B", dict.fromkeys(["3-0", "3-1", "7-2"]))
    weights = weights_within(SampleFacts("S", PAIRS, (batch,)), Part.REPLY, ["3-0", "3-1", "7-2"])
    assert list(weights.values()) == pytest.approx([len(PAIRS) / 3] * 3)
