"""The micromodels of a learner: each is a few seed utterances that are alike, and says how like them a sentence is.

    m(r) = max_{z in Z} cos(r, z)

for a sentence r and the seeds Z; of a text it is the largest over its sentences. (Lee, Kummerfeld, An & Mihalcea 2021,
Findings of EMNLP; and 2023, ACL, where all that was marked for a code makes one micromodel.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from codebook.schema import Part
from ml_backend.learners.scores import Numbers
from ml_backend.micromodels.reading import Vectors
from ml_backend.micromodels.seeds import Seed, order_seeds

# Differences below come from the order of sums, and must move nothing.
DECIMALS = 3


def round_cosines(cosines: Vectors) -> Numbers:
    return np.asarray(np.clip(cosines.astype(np.float64), 0.0, 1.0).round(DECIMALS), dtype=np.float64)


@dataclass(frozen=True)
class Micromodel:
    """The first seed stands for all of them."""

    code_id: str
    part: Part
    seeds: tuple[Seed, ...]
    vectors: Vectors

    @property
    def name(self) -> str:
        return f"{self.code_id}: {self.seeds[0].text}"

    @cached_property
    def lone_items(self) -> frozenset[str]:
        """Those in which a seed was marked that was marked nowhere else."""
        return frozenset(item for seed in self.seeds if len(seed.items) == 1 for item in seed.items)

    def nearest(self, vectors: Vectors, *, without: str = "") -> tuple[Numbers, list[int]]:
        """Of each sentence how like it is to the seed that it is most like, and which this is: one that was marked in
        the item `without` alone does not count."""
        like = vectors @ self.vectors.T
        if without:
            like[:, [seed.items == {without} for seed in self.seeds]] = 0.0
        which = like.argmax(axis=1)
        highest = np.take_along_axis(like, which[:, None], axis=1)[:, 0]
        return round_cosines(highest), which.tolist()


def group_seeds(
    code_id: str, part: Part, seeds: Sequence[Seed], vectors: Vectors, n: int
) -> tuple[Micromodel, ...]:
    """Up to n micromodels: one around each of the seeds that stand best for all, with those that are most like it."""
    chosen = order_seeds(seeds, vectors.astype(np.float64), n)
    nearest = (vectors @ vectors[chosen].T).argmax(axis=1)
    nearest[chosen] = np.arange(len(chosen))
    found = []
    for group, first in enumerate(chosen):
        members = [first, *(at for at in np.flatnonzero(nearest == group).tolist() if at != first)]
        found.append(Micromodel(code_id, part, tuple(seeds[at] for at in members), vectors[members]))
    return tuple(found)
