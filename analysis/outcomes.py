"""What may differ between items with a code and without: how many replies a post gets, whether the poster answers or
accepts a reply, how many words a text has."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from analysis.errors import NotAnalysable
from analysis.labelled import LabelledCorpus
from analysis.values import Values
from analysis.words import points, some_of

_MOST_NAMED = 6


class Outcome(StrEnum):
    """Named as the column that has it."""

    N_REPLIES = "n_replies"
    ANSWERED = "answered"
    ACCEPTED = "accepted"
    WORDS = "words"

    @property
    def is_share(self) -> bool:
        return self in (Outcome.ANSWERED, Outcome.ACCEPTED)

    @property
    def in_words(self) -> str:
        return _IN_WORDS[self]

    def difference_in_words(self, difference: float) -> str:
        """
        >>> Outcome.N_REPLIES.difference_in_words(-0.5), Outcome.ANSWERED.difference_in_words(0.25)
        ('get 0.50 replies less', 'are answered by the poster 25.0 percentage points more often')
        """
        more = "less" if difference < 0 else "more"
        if self is Outcome.N_REPLIES:
            return f"get {abs(difference):.2f} replies {more}"
        if self is Outcome.WORDS:
            return f"have {abs(difference):.1f} words {more}"
        return f"are {self.value} by the poster {points(difference)} often"


_IN_WORDS = {
    Outcome.N_REPLIES: "number of replies",
    Outcome.ANSWERED: "answered by the poster",
    Outcome.ACCEPTED: "accepted by the poster",
    Outcome.WORDS: "number of words",
}


@dataclass(frozen=True, slots=True, eq=False)
class WithOutcome:
    """The items for which the outcome is known, and what it is."""

    corpus: LabelledCorpus
    values: Values
    n_left_out: int
    # What else is left out, and why.
    also: str = ""

    @property
    def note(self) -> str:
        said = f"{self.n_left_out:,} items without the outcome are left out." if self.n_left_out else ""
        return " ".join(each for each in (said, self.also) if each)


def with_outcome(corpus: LabelledCorpus, outcome: Outcome) -> WithOutcome:
    """Platforms differ in what they know: one has accepted answers, another only the poster's own replies."""
    column = corpus.column(outcome.value, why="is what is to be compared")
    known = column.is_not_null().to_numpy()
    if not known.any():
        raise NotAnalysable(
            f"No item has a value of “{outcome.value}”: take communities of a platform that knows it."
        )
    kept = corpus if known.all() else corpus.where(known)
    values = column.filter(pl.Series(known)).cast(pl.Float64()).to_numpy()
    return WithOutcome(kept, values, int(len(known) - np.count_nonzero(known)))


def where_it_varies(known: WithOutcome, by: str) -> WithOutcome:
    """Without the groups in which a share is 0 or 1; all of them where it is so in each."""
    groups = known.corpus.groups(by)
    happened = np.bincount(groups.places, known.values, minlength=len(groups.names))
    is_mixed = (happened > 0) & (happened < groups.sizes)
    if is_mixed.all() or not is_mixed.any():
        return known
    kept = is_mixed[groups.places]
    names = [name for name, mixed in zip(groups.names, is_mixed, strict=True) if not mixed]
    said = (
        f"{np.count_nonzero(~kept):,} items of {some_of(names, _MOST_NAMED)} are left out: there all have the"
        " same outcome, which says nothing about odds."
    )
    return WithOutcome(known.corpus.where(kept), known.values[kept], known.n_left_out, said)
