"""A corpus with what a model and annotators say about it, in columns: the one input of every analysis.

One frame for each part, a row for each item. `item_id`, `post` and `community` must be there; the others only for
what needs them. `post` names the post over all communities. For each code there is `model.CODE`, the model's answer,
and where there are any `probability.CODE` (of levels, the level that the model expects) and `gold.CODE`, empty on items
without gold; ticks are 0 and 1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.clusters import Clusters, Groups, clusters_of, groups_of
from analysis.errors import ColumnBroken, ColumnMissing, ModelSawGold, NeverDrawn, ProbabilityUnknown
from analysis.values import Places, Values
from codebook.schema import Part

ITEM_COLUMNS = pl.Schema(
    {
        "item_id": pl.String(),
        "post": pl.String(),
        "platform": pl.String(),
        "topic": pl.String(),
        "community": pl.String(),
        "author": pl.String(),
        "created": pl.Datetime("us", "UTC"),
        "length": pl.Int64(),
        "words": pl.Int64(),
        "n_replies": pl.Int64(),
        "answered": pl.Boolean(),
        "accepted": pl.Boolean(),
        # Whether gold was asked for, with which probability, and whether the model had seen it.
        "drawn": pl.Boolean(),
        "gold_probability": pl.Float64(),
        # In its place, where several samples drew gold: how many items one with gold stands for.
        "gold_weight": pl.Float64(),
        "seen_in_training": pl.Boolean(),
    }
)
# Before the level and the code: of codes with levels, how probable each is.
PROBABILITY_OF_LEVEL = "probability_of_level"
_ALWAYS = ("item_id", "post", "community")


@dataclass(frozen=True, slots=True, eq=False)
class LabelledCorpus:
    """`codes` has the names of codes by id; errors are clustered by the column `clustered_by`."""

    part: Part
    codes: Mapping[str, str]
    items: pl.DataFrame
    clustered_by: str
    clusters: Clusters

    def __len__(self) -> int:
        return self.items.height

    @property
    def things(self) -> str:
        return "posts" if self.part is Part.POST else "replies"

    def column(self, name: str, *, why: str) -> pl.Series:
        if name not in self.items.columns:
            raise ColumnMissing(name, why)
        return self.items[name]

    def model(self, code: str) -> Values:
        return _numbers(self.column(f"model.{code}", why="has the model's labels"))

    def surrogate(self, code: str) -> Values:
        """What stands for gold where there is none: the probability if the model gave one, else its answer."""
        name = f"probability.{code}"
        return _numbers(self.items[name]) if name in self.items.columns else self.model(code)

    def gold(self, code: str) -> tuple[Places, Values]:
        """The items with gold for the code, and what it says."""
        if f"gold.{code}" not in self.items.columns:
            return np.empty(0, dtype=np.int64), np.empty(0)
        gold = self.items[f"gold.{code}"]
        return _true(gold.is_not_null()), _numbers(gold.drop_nulls())

    def drawn(self) -> Places:
        """The items of which gold was asked: as `drawn` says, else those that have any."""
        if "drawn" in self.items.columns:
            return _true(self.items["drawn"].fill_null(False))
        gold = [f"gold.{code}" for code in self.codes if f"gold.{code}" in self.items.columns]
        if not gold:
            return np.empty(0, dtype=np.int64)
        return _true(self.items.select(pl.any_horizontal(pl.col(gold).is_not_null())).to_series())

    def draw_weights(self, drawn: Places) -> Values:
        """How many items each of the drawn ones stands for. Raises what says why gold cannot stand for the rest."""
        if "gold_weight" not in self.items.columns:
            return 1 / self._draw_probabilities(drawn)
        found = _numbers(self.items["gold_weight"].gather(drawn).fill_null(np.nan))
        unknown = int((~(found > 0)).sum())
        if unknown:
            raise ProbabilityUnknown(unknown)
        self._refuse_seen(drawn)
        return found

    def _draw_probabilities(self, drawn: Places) -> Values:
        stored = self.column("gold_probability", why="says how probable gold was on each item")
        never = int((stored == 0).sum())
        if never:
            raise NeverDrawn(never)
        found = _numbers(stored.gather(drawn).fill_null(np.nan))
        unknown = int((~((found > 0) & (found <= 1))).sum())
        if unknown:
            raise ProbabilityUnknown(unknown)
        self._refuse_seen(drawn)
        return found

    def _refuse_seen(self, drawn: Places) -> None:
        if "seen_in_training" in self.items.columns:
            seen = int(self.items["seen_in_training"].gather(drawn).fill_null(False).sum())
            if seen:
                raise ModelSawGold(seen)

    def groups(self, column: str) -> Groups:
        found = self.column(column, why="says which group each item is in")
        if found.null_count():
            raise ColumnBroken(f"{found.null_count():,} items have no {column}: name one, or leave them out.")
        return groups_of(found)

    def where(self, kept: NDArray[np.bool_]) -> Self:
        """The corpus of some of its items."""
        return replace(self, items=self.items.filter(pl.Series(kept)), clusters=self.clusters.where(kept))

    def by(self, column: str) -> Iterator[tuple[str, Self]]:
        """A corpus for each group, by name."""
        groups = self.groups(column)
        for at, name in enumerate(groups.names):
            yield name, self.where(groups.places == at)


def labelled_corpus(
    items: pl.DataFrame, *, part: Part, codes: Mapping[str, str], clustered_by: str = "post"
) -> LabelledCorpus:
    """Checks the columns. `clustered_by` names what is independent: post, author or community."""
    for name in (*_ALWAYS, clustered_by, *(f"model.{code}" for code in codes)):
        if name not in items.columns:
            raise ColumnMissing(name, "every analysis needs")
        if items[name].null_count():
            raise ColumnBroken(f"The column “{name}” has gaps: fill them, or leave those items out.")
    for name, dtype in ITEM_COLUMNS.items():
        if name in items.columns and not _alike(items.schema[name], dtype):
            raise ColumnBroken(f"The column “{name}” holds {items.schema[name]} and not {dtype}: cast it.")
    if not items.height:
        raise ColumnBroken("The corpus has no items: choose another sample.")
    corpus = LabelledCorpus(part, codes, items, clustered_by, clusters_of(items[clustered_by]))
    _check_posts(corpus)
    return corpus


def _alike(given: pl.DataType, wanted: pl.DataType) -> bool:
    if wanted.is_temporal():
        return given.is_temporal()
    return (given.is_numeric() and wanted.is_numeric()) or given == wanted or _is_text(given, wanted)


def _is_text(given: pl.DataType, wanted: pl.DataType) -> bool:
    return wanted == pl.String() and given in (pl.Categorical, pl.Enum)


def _check_posts(corpus: LabelledCorpus) -> None:
    posts = corpus.clusters if corpus.clustered_by == "post" else clusters_of(corpus.items["post"])
    community = corpus.groups("community").places
    of_post = np.empty(posts.n, dtype=np.int64)
    of_post[posts.places] = community
    if (of_post[posts.places] != community).any():
        raise ColumnBroken(
            "A post is in two communities: `post` must name it over all of them, such as community/number."
        )


def _numbers(column: pl.Series) -> Values:
    found: Values = column.cast(pl.Float64()).to_numpy()
    return found


def _true(column: pl.Series) -> Places:
    return np.flatnonzero(column.to_numpy())
