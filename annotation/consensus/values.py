"""Votes of annotators on items, and the labels that are made of them."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


class Method(StrEnum):
    MAJORITY = "majority"
    DAWID_SKENE = "dawid-skene"
    MACE = "mace"


class Ties(StrEnum):
    """What becomes of an item whose votes are tied: chance decides by the seed, it gets no label, or the label that is
    more frequent over all items takes it, which adds to what is common already."""

    SEED = "seed"
    NONE = "none"
    FREQUENT = "frequent"


# The place of a label that an item does not have.
NO_LABEL = -1


class SpanRule(StrEnum):
    """Which of the words that annotators marked are kept."""

    UNION = "union"
    INTERSECTION = "intersection"
    MAJORITY = "majority"


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Vote k: annotator `by[k]` says label `said[k]` of item `on[k]`, as places in the three tuples of names."""

    items: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    on: NDArray[np.int64]
    by: NDArray[np.int64]
    said: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """`label[i]` is the place of item i's label or NO_LABEL, `confidence[i]` its probability under the method;
    `competence[a]` tells how far annotator a was trusted, NaN where the method weighs nobody."""

    label: NDArray[np.int64]
    confidence: NDArray[np.float64]
    competence: NDArray[np.float64]
    note: str
