"""What readers must know about the votes before they trust what a method makes of them."""

import numpy as np

from annotation.consensus.values import Votes

# With two annotators every split between them can be explained in many equally good ways.
_IDENTIFIABLE = 3


def note_on(votes: Votes, *about_method: str) -> str:
    n_single = int((np.bincount(votes.on, minlength=len(votes.items)) == 1).sum())
    said = list(about_method)
    if len(votes.labels) == 1:
        said.append("Only one label occurs: there is nothing to decide.")
    if len(votes.annotators) == 1:
        said.append("One annotator only: these are their own labels.")
    elif n_single:
        said.append(f"{n_single} of {len(votes.items)} items have a single vote.")
    return " ".join(said)


def note_on_weighting(votes: Votes, *about_method: str) -> str:
    """For methods that estimate how good annotators are, which takes at least three of them."""
    few = 1 < len(votes.annotators) < _IDENTIFIABLE
    weak = "With fewer than three annotators nobody can tell who is right: do not trust the weights."
    return note_on(votes, *about_method, *([weak] if few else []))
