"""What readers must know about the votes before they trust what a method makes of them."""

import numpy as np

from annotation.consensus.values import Votes

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
