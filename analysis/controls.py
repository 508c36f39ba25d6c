"""What else may lie behind a difference, as columns of a regression: length, time and community."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from analysis.errors import ColumnBroken
from analysis.labelled import LabelledCorpus
from analysis.values import Values, varies


class Control(StrEnum):
    """Log of 1 + length in characters, years, and a column for each community but the first."""

    LENGTH = "length"
    TIME = "time"
    COMMUNITY = "community"


ALL_CONTROLS = tuple(Control)
_SECONDS_IN_YEAR = 365.25 * 24 * 3600


@dataclass(frozen=True, slots=True, eq=False)
class Controls:
    """`columns` begins with ones; the others have mean 0 and spread 1, which changes no coefficient of a label."""

    names: tuple[str, ...]
    columns: Values


def controls_of(corpus: LabelledCorpus, wanted: tuple[Control, ...]) -> Controls:
    """Leaves out what does not vary, such as the community of a single one."""
    names, columns = ["ones"], [np.ones(len(corpus))]
    for control in wanted:
        for name, column in _columns(corpus, control):
            if varies(column):
                names.append(name)
                columns.append((column - column.mean()) / column.std())
    return Controls(tuple(names), np.stack(columns, axis=1))


def years(corpus: LabelledCorpus) -> Values:
    """Since 1970, of each item."""
    created = _without_gaps(corpus, "created", "says when each item was written")
    seconds = created.cast(pl.Datetime("us")).cast(pl.Int64()).to_numpy() / 1e6
    return np.asarray(seconds / _SECONDS_IN_YEAR, dtype=np.float64)


def _columns(corpus: LabelledCorpus, control: Control) -> list[tuple[str, Values]]:
    if control is Control.LENGTH:
        length = _without_gaps(corpus, "length", "is to be controlled for")
        return [("length", np.log1p(length.cast(pl.Float64()).to_numpy()))]
    if control is Control.TIME:
        return [("time", years(corpus))]
    groups = corpus.groups("community")
    return [(name, (groups.places == at).astype(np.float64)) for at, name in enumerate(groups.names) if at]


def _without_gaps(corpus: LabelledCorpus, name: str, why: str) -> pl.Series:
    column = corpus.column(name, why=why)
    if column.null_count():
        raise ColumnBroken(f"{column.null_count():,} items have no “{name}”: fill it, or leave them out.")
    return column
