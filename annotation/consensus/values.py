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


# What readers must know about the votes before they trust what a method makes of them.
# With two annotators every split between them can be explained in many equally good ways.
_IDENTIFIABLE = 3
# A label that is this common leaves one vote in five, or fewer, to all others.
_SKEWED = 0.8


def note_on(votes: Votes, *about_method: str) -> str:
    n_single = int((np.bincount(votes.on, minlength=len(votes.items)) == 1).sum())
    said = [words for words in about_method if words]
    if len(votes.labels) == 1:
        said.append("Only one label occurs: there is nothing to decide.")
    if len(votes.annotators) == 1:
        said.append("One annotator only: these are their own labels.")
    elif n_single:
        said.append(f"{n_single} of {len(votes.items)} items have a single vote.")
    return " ".join(said)


def note_on_skew(votes: Votes) -> str:
    """For methods that take all labels for equally common beforehand; empty where they about are."""
    most = float(np.bincount(votes.said).max() / len(votes.said))
    if len(votes.labels) == 1 or most < _SKEWED:
        return ""
    return (
        f"One label makes up {100 * most:.0f}% of the votes, and this method takes labels for about equally common: "
        "with few annotators it can do worse than the majority on the rare ones. Prefer Dawid–Skene."
    )


def note_on_weighting(votes: Votes, *about_method: str) -> str:
    """For methods that estimate how good annotators are, which takes at least three of them."""
    few = 1 < len(votes.annotators) < _IDENTIFIABLE
    weak = "With fewer than three annotators nobody can tell who is right: do not trust the weights."
    return note_on(votes, *about_method, *([weak] if few else []))
