"""Which labels are trained on and which are measured on, again and again, to compare random labels with chosen ones.

In each trial a quarter of the posts measure and the others teach. Of the teaching items those of the random stream,
in an order drawn by chance, make one arm; all of them, random and chosen, in an order drawn by chance, make the other.
A model of n labels learns from the first n of an arm, so both arms are compared at the same number of labels and on
the same items.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
TEST_SHARE = 0.25
# Below these the arms would differ by chance alone.
FEWEST_RANDOM, FEWEST_CHOSEN = 40, 20
FEWEST_LABELS = 10
SIZES_AT_MOST_RANDOM, SIZES_BEYOND = 4, 3


class TooFewLabels(ValueError):
    """Not enough to compare anything; the message says how many there must be."""

    def __init__(self, n_random: int, n_chosen: int) -> None:
        self.n_random, self.n_chosen = n_random, n_chosen
        super().__init__(
            f"There are {n_random:,} labelled items of the random stream and {n_chosen:,} that a strategy chose. "
            f"Before anything can be said there must be {FEWEST_RANDOM} and {FEWEST_CHOSEN}: annotate on."
        )


class TooFewForCurve(ValueError):
    def __init__(self, n_labels: int) -> None:
        super().__init__(
            f"{n_labels:,} labelled items make no learning curve: there must be {FEWEST_RANDOM}. Annotate on."
        )


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of labels at which the arms are measured; the mixed arm goes on where random labels end."""

    random: tuple[int, ...]
    mixed: tuple[int, ...]

    @property
    def shared(self) -> int:
        """The largest number of labels that both arms have."""
        return self.random[-1]


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """Places of items: those that measure, and the two arms in the order in which they are learned from."""

    test: Places
    random: Places
    mixed: Places

    def number(self, size: int, sizes: Sizes) -> int:
        """How many labels both arms get at a size: where chance left fewer random ones, both get those."""
        return min(size, len(self.random)) if size <= sizes.shared else size


def sizes_for(n_random: int, n_chosen: int) -> Sizes:
    """Of what a trial leaves to learn from, each size about the same factor larger than the one before.

    >>> sizes_for(200, 200)
    Sizes(random=(18, 37, 75, 150), mixed=(18, 37, 75, 150, 189, 238, 300))
    """
    if n_random < FEWEST_RANDOM or n_chosen < FEWEST_CHOSEN:
        raise TooFewLabels(n_random, n_chosen)
    shared, most = (int(n * (1 - TEST_SHARE)) for n in (n_random, n_random + n_chosen))
    halved = (shared // 2**at for at in reversed(range(SIZES_AT_MOST_RANDOM)))
    random = tuple(n for n in halved if n >= FEWEST_LABELS)
    beyond = np.geomspace(shared, most, SIZES_BEYOND + 1)[1:]
    mixed = tuple(dict.fromkeys([*random, *(int(n) for n in beyond.round())]))
    return Sizes(random, mixed)


def sizes_of_all(n_labels: int) -> tuple[int, ...]:
    """For the curve of all labels, whoever chose them.

    >>> sizes_of_all(100)
    (18, 37, 75)
    """
    if n_labels < FEWEST_RANDOM:
        raise TooFewForCurve(n_labels)
    most = int(n_labels * (1 - TEST_SHARE))
    return (most // 4, most // 2, most)


def trial(is_random: NDArray[np.bool_], posts: Sequence[str], rng: np.random.Generator) -> Trial:
    """Items of one post are all on one side."""
    names, post = np.unique(np.asarray(posts), return_inverse=True)
    in_test = np.isin(post, _test_posts(post, len(names), rng))
    teaching = rng.permutation(np.flatnonzero(~in_test))
    return Trial(np.flatnonzero(in_test), teaching[is_random[teaching]], rng.permutation(teaching))


def _test_posts(post: Places, n_posts: int, rng: np.random.Generator) -> Places:
    """As many in random order as it takes to have a quarter of the items."""
    order = rng.permutation(n_posts)
    n_items = np.bincount(post, minlength=n_posts)[order].cumsum()
    n_tests = int(np.searchsorted(n_items, TEST_SHARE * len(post))) + 1
    return order[:n_tests]
