"""What labelled tables say, before it becomes a release: which columns hold what, and the labels of each item."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from annotation.answers import Features
from annotation.release.rows import SplitPart
from codebook.schema import Codebook

Pair = tuple[str, str | None]
# What a column of annotators is called, if nobody says
ANNOTATORS = ("annotator", "worker", "rater")
Place = tuple[int, int]


class UnknownCode(ValueError):
    def __init__(self, code: str, codebook: Codebook) -> None:
        known = ", ".join(code.id for _, code in codebook.coded_questions())
        super().__init__(f"The codebook has no code {code!r}. Its codes: {known}.")


class NoQuotes(ValueError):
    def __init__(self, code: str) -> None:
        super().__init__(
            f"{code!r} asks which sentences, and nothing says which. Name a column of lists with 0 or 1 for each "
            f"sentence with --label {code}=COLUMN, or a column of quotes with --evidence {code}=COLUMN, or leave out "
            f"--label {code}."
        )


class MarksUnwanted(ValueError):
    def __init__(self, code: str, column: str) -> None:
        super().__init__(
            f"The column {column!r} marks sentences, and {code!r} does not ask which sentences. Name another column."
        )


class NothingNamed(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} has no texts, and the table of texts has no column that names its items, so that labels cannot be "
            "told whose they are. Name one with --item-column, in both tables the same."
        )


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Which columns hold the texts and, where there are any, the ids; those that are None are not there.

    `item` names a row, and `group` what a split keeps together if that is not the post. Columns of texts among
    `lists` have a list of sentences in each cell; `speakers` has a list of who says them, and `features` are what
    else is known of an item. `part` says to which part of the split a row belongs, and `annotator` whose labels it has.
    """

    post: str | None
    reply: str | None = None
    title: str | None = None
    post_id: str | None = None
    reply_id: str | None = None
    group: str | None = None
    item: str | None = None
    part: str | None = None
    speakers: str | None = None
    annotator: str | None = None
    lists: frozenset[str] = frozenset()
    features: tuple[str, ...] = ()

    def names(self) -> list[str]:
        ids = (self.post_id, self.reply_id, self.group, self.item, self.part, self.speakers, self.annotator)
        return [name for name in (self.post, self.reply, self.title, *ids, *self.features) if name]


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """Where the answers to one code are; `quotes` has the words behind them, several between bars. If it `is_marks`, a
    cell is a list of 0 and 1, one for each sentence."""

    code: str
    path: Path
    value: str
    quotes: str | None = None
    is_marks: bool = False


@dataclass(frozen=True, slots=True)
class TableLabel:
    value: int
    places: tuple[Place, ...]


_Labels = dict[str, set[TableLabel]]


@dataclass(slots=True)
class TableItem:
    """What the tables say about one pair; `labels` has by code everything said, so that contradictions show, and
    `said` the same by annotator, of tables that name them."""

    title: str
    post: str
    reply: str | None
    post_id: str | None
    reply_id: str | None
    group: str | None = None
    item: str | None = None
    part: SplitPart | None = None
    features: Features = field(default_factory=Features)
    labels: _Labels = field(default_factory=dict)
    said: dict[str, _Labels] = field(default_factory=dict)

    @property
    def is_contradictory(self) -> bool:
        """Whether rows of nobody in particular, or of one annotator, contradict each other."""
        everything = [self.labels, *self.said.values()]
        return any(len({each.value for each in own}) > 1 for labels in everything for own in labels.values())

    def add(self, code: str, label: TableLabel, annotator: str | None) -> None:
        own = self.labels if annotator is None else self.said.setdefault(annotator, {})
        own.setdefault(code, set()).add(label)

    def label(self, code: str, annotator: str | None = None) -> TableLabel | None:
        """Where a pair is there twice with the same answer, all its quotes count."""
        said = (self.labels if annotator is None else self.said[annotator]).get(code)
        if not said:
            return None
        places = sorted({place for label in said for place in label.places})
        return TableLabel(next(iter(said)).value, tuple(places))


@dataclass(slots=True)
class ReadTables:
    """`n_repeated` rows of one table repeat a pair; `n_rounded` ratings lay between two steps; `quotes` were found as
    they are, loosely, or not at all. `reworded` are pairs that have the same ids and other words elsewhere: they are
    one, with the words that were read first. `n_textless` labels are of items that the table of texts does not have."""

    items: dict[Pair, TableItem] = field(default_factory=dict)
    quotes: Counter[str] = field(default_factory=Counter)
    n_repeated: int = 0
    n_rounded: int = 0
    n_textless: int = 0
    reworded: set[Pair] = field(default_factory=set)
    by_ids: dict[tuple[str, str | None], Pair] = field(default_factory=dict)

    def pair_of(self, item: TableItem, *, has_replies: bool) -> Pair:
        """By its ids, where the table has them, else by its words. Items that have names of their own may have the
        same words."""
        words = (without_spacing(item.post), None if item.reply is None else without_spacing(item.reply))
        if item.item:
            ids: tuple[str, str | None] = (item.item, f"in {item.part}")
        elif item.post_id and (item.reply_id or not has_replies):
            ids = (item.post_id, item.reply_id)
        else:
            return words
        known = self.by_ids.setdefault(ids, words)
        if known != words:
            self.reworded.add(known)
        return ids if item.item else known

    def by_name(self) -> dict[str, TableItem]:
        """Items that have names of their own."""
        return {name: item for item in self.items.values() if (name := item.item or item.reply_id)}

    def forget_doubtful_speakers(self) -> None:
        """Names before colons are speakers where all sentences of all items have them."""
        lists = [own for item in self.items.values() for own in item.features.sentences.values()]
        if not all(own.features for own in lists):
            for own in lists:
                own.features.clear()


def without_spacing(text: str) -> str:
    """
    >>> without_spacing(" so  sorry\\n")
    'so sorry'
    """
    return " ".join(text.split())
