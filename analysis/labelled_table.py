"""Reads a table of one's own: a row for each unit, with what a model says of it and gold where it was drawn.

`gold` (blank where a unit was not drawn), `prediction` (a decision or a probability) and `inclusion_probability` must
be there; `cluster`, `group`, `outcome` and `weight` may be. Other columns are left alone.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.clusters import Clusters, Groups, clusters_of, groups_of
from analysis.errors import ColumnBroken, ColumnMissing
from analysis.values import Places, Values
from corpus.delimited import Row, Table, read_delimited

# What statistics programs write into gaps.
_GAPS = ("", "na", "nan", "n/a", "null", "none")
_NEEDED = {
    "gold": "has the gold labels, blank where a unit was not drawn",
    "prediction": "has what the model says, a decision or a probability",
    "inclusion_probability": "says how probable it was that each unit is drawn for gold",
}


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTable:
    """Unit `at[j]` has gold `gold[j]` and was drawn with probability 1/`weight[j]`; `stands_for`, the column `weight`,
    is how much each unit counts itself. An outcome that a unit lacks is NaN."""

    prediction: Values
    at: Places
    gold: Values
    weight: Values
    stands_for: Values
    clusters: Clusters
    groups: Groups | None
    outcome: Values | None

    def __len__(self) -> int:
        return len(self.prediction)


def read_labelled_table(content: bytes) -> LabelledTable:
    r"""Raises TableUnreadable or NotAnalysable, which say what to do.

    >>> table = read_labelled_table(b"gold,prediction,inclusion_probability\n1,0.8,0.5\n,0.1,0.5\n")
    >>> table.at.tolist(), table.gold.tolist(), table.weight.tolist(), table.prediction.tolist()
    ([0], [1.0], [2.0], [0.8, 0.1])
    """
    table = read_delimited(content)
    columns = {name: [row.cells[place] for row in _rows(table)] for place, name in enumerate(table.header)}
    for name, why in _NEEDED.items():
        if name not in columns:
            raise ColumnMissing(name, why)
    prediction = _whole("prediction", columns["prediction"])
    if not len(prediction):
        raise ColumnBroken("The table has no rows below its header: add the units.")
    gold = _numbers("gold", columns["gold"])
    at = np.flatnonzero(~np.isnan(gold))
    if not len(at):
        raise ColumnBroken("The column “gold” is blank in every row: give the gold labels of what was drawn.")
    names = columns.get("cluster")
    outcome = columns.get("outcome")
    return LabelledTable(
        prediction=prediction,
        at=at,
        gold=gold[at],
        weight=1 / _probabilities(columns["inclusion_probability"], at),
        stands_for=_weights(columns.get("weight"), len(prediction)),
        clusters=_clusters(names, len(prediction)),
        groups=_groups(columns.get("group")),
        outcome=None if outcome is None else _numbers("outcome", outcome),
    )


def _rows(table: Table) -> list[Row]:
    # Spreadsheets leave rows of blanks at the end
    return [row for row in table.rows if not row.is_blank]


def _numbers(name: str, cells: list[str]) -> Values:
    """NaN where a cell is blank."""
    found = np.empty(len(cells))
    for place, cell in enumerate(cells):
        try:
            found[place] = np.nan if cell.casefold() in _GAPS else float(cell)
        except ValueError as error:
            raise ColumnBroken(
                f"The column “{name}” holds “{cell}” in row {place + 1}: write numbers, such as 0 and 1."
            ) from error
    if np.isinf(found).any():
        raise ColumnBroken(f"The column “{name}” holds a number that is infinite: write one that is not.")
    return found


def _whole(name: str, cells: list[str]) -> Values:
    found = _numbers(name, cells)
    n_gaps = int(np.isnan(found).sum())
    if n_gaps:
        raise ColumnBroken(
            f"The column “{name}” is blank in {n_gaps:,} rows: fill them, or leave those units out."
        )
    return found


def _probabilities(cells: list[str], at: Places) -> Values:
    """Of the units with gold; those without may be blank."""
    found = _numbers("inclusion_probability", cells)
    never = int((found == 0).sum())
    if never:
        raise ColumnBroken(
            f"{never:,} units had no chance of being drawn (inclusion_probability is 0), so that no gold speaks for"
            " them: leave them out of the table, or draw gold from all of it."
        )
    drawn = found[at]
    unknown = int((~((drawn > 0) & (drawn <= 1))).sum())
    if unknown:
        raise ColumnBroken(
            f"{unknown:,} units have gold and no probability above 0 and up to 1 of having been drawn, so that they"
            " cannot stand for others: fill inclusion_probability as they were drawn, or leave their gold blank."
        )
    return drawn


def _weights(cells: list[str] | None, n: int) -> Values:
    if cells is None:
        return np.ones(n)
    found = _whole("weight", cells)
    if not (found > 0).all():
        raise ColumnBroken(
            "The column “weight” holds numbers that are not above 0: leave out units without any weight."
        )
    return found


def _clusters(cells: list[str] | None, n: int) -> Clusters:
    """Without the column every unit is its own."""
    if cells is None:
        return Clusters(np.arange(n), n)
    if not all(cells):
        raise ColumnBroken("The column “cluster” has gaps: name the cluster of every unit.")
    return clusters_of(pl.Series(cells))


def _groups(cells: list[str] | None) -> Groups | None:
    if cells is None:
        return None
    if not all(cells):
        raise ColumnBroken("The column “group” has gaps: name the group of every unit.")
    return groups_of(pl.Series(cells))
