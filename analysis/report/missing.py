"""What a section could not compute, collected in plain words so that the rest of the report is made all the same."""

from collections.abc import Callable
from typing import TypeVar

from analysis.errors import NotAnalysable
from analysis.labelled import LabelledCorpus

T = TypeVar("T")

_WHAT_TO_DO = {
    "platform": "it is not known from which platform they are. Import the corpus with its platforms.",
    "topic": "no topics are named. Say which topic each community has, and make the report again.",
    "created": "it is not known when they were written. Import the corpus with its dates.",
    "words": "it is not known how many words they have. Import the corpus with its texts.",
    "n_replies": "it is not known how many replies they got. Label posts of a corpus that has its replies.",
    "answered": "it is not known which the poster answered. Import the corpus with authors and threads.",
    "accepted": "it is not known which the poster accepted. Take communities of a platform that has this.",
    "author": "it is not known who wrote them. Import the corpus with pseudonyms.",
}


class Missing:
    def __init__(self) -> None:
        self._said: dict[str, None] = {}

    @property
    def sentences(self) -> tuple[str, ...]:
        """Each once, in order."""
        return tuple(self._said)

    def say(self, sentence: str) -> None:
        self._said[sentence] = None

    def attempt(self, what: str, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except NotAnalysable as problem:
            self.say(f"{what} could not be computed. {problem}")
            return None

    def has(self, corpus: LabelledCorpus, column: str, what: str) -> bool:
        """Whether any item has a value there; if not, says what to do."""
        if column in corpus.items.columns and corpus.items[column].null_count() < len(corpus):
            return True
        self.say(f"{what}: nothing can be said for {corpus.things}, because {_WHAT_TO_DO[column]}")
        return False

    def known(self, corpus: LabelledCorpus, column: str) -> LabelledCorpus:
        """The items that have a value there; says how many are left out."""
        gaps = corpus.items[column].null_count()
        if not gaps:
            return corpus
        self.say(f"{gaps:,} {corpus.things} without a {column} are left out.")
        return corpus.where(corpus.items[column].is_not_null().to_numpy())
