"""Reads votes from a long table of item, annotator and label, and tells what of it was not used."""

from collections.abc import Collection
from dataclasses import dataclass

from annotation.consensus.values import Votes
from annotation.consensus.votes import TwoVotes, votes_from
from corpus.delimited import ITEM_NAMES, Table, TableUnreadable, names_items, read_delimited

_ANNOTATOR_NAMES = ("annotator", "worker", "rater")
_LABEL_NAMES = ("label",)


@dataclass(frozen=True, slots=True)
class VoteTable:
    """`item_column` names the items; `remarks` say which columns and rows were left out."""

    votes: Votes
    item_column: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Vote:
    line: int
    item: str
    annotator: str
    label: str


def read_votes(
    content: bytes,
    *,
    id_column: str | None = None,
    annotator: str | None = None,
    blank_is_label: bool = False,
) -> VoteTable:
    r"""Columns are found by name, in any order; where several would do, the first of the names in the docs counts.
    `id_column` names that of the items; with an `annotator` every row is theirs, and there is no column of annotators.

    >>> table = read_votes(b"rater,item,label,comment\nAda,1,yes,sure\nBen,1,,\n")
    >>> table.votes.items, table.votes.labels, table.remarks
    (('1',), ('yes',), ('Columns not used: comment.', '1 row without a label left out.'))
    """
    table = read_delimited(content)
    of_items = _item_names(table) if id_column is None else (id_column.lower(),)
    item, label = _place(table, of_items), _place(table, _LABEL_NAMES)
    by = None if annotator else _place(table, _ANNOTATOR_NAMES)
    rows = [
        _Vote(row.line, row.cells[item], annotator or row.cells[by or 0], row.cells[label])
        for row in table.rows
        if not row.is_blank
    ]
    for row in rows:
        _check(row)
    cast = [row for row in rows if row.label or blank_is_label]
    try:
        votes = votes_from((row.item, row.annotator, row.label) for row in cast)
    except TwoVotes as error:
        raise TableUnreadable(_with_lines(error, cast)) from error
    return VoteTable(
        votes, table.header[item], _remarks(table, {item, by, label}, n_blank=len(rows) - len(cast))
    )


def _item_names(table: Table) -> tuple[str, ...]:
    """Known names, then the one column that is called an id, of whatever but a person or a label."""
    others = (*_ANNOTATOR_NAMES, *_LABEL_NAMES)
    named = [name.lower() for name in table.header if names_items(name)]
    ids = [name for name in named if name not in ITEM_NAMES and not name.startswith(others)]
    return (*ITEM_NAMES, *ids) if len(ids) == 1 else ITEM_NAMES


def _place(table: Table, names: tuple[str, ...]) -> int:
    header = [name.lower() for name in table.header]
    for name in names:
        if name in header:
            return header.index(name)
    raise TableUnreadable(
        f"The header has no column called {' or '.join(names)}; its columns are {', '.join(table.header)}."
    )


def _check(row: _Vote) -> None:
    for name, cell in (("item", row.item), ("annotator", row.annotator)):
        if not cell:
            raise TableUnreadable(f"Line {row.line}: the {name} is missing; fill it in or remove the line.")


def _with_lines(error: TwoVotes, cast: list[_Vote]) -> str:
    at = [row.line for row in cast if (row.item, row.annotator) == (error.item, error.annotator)]
    return f"Lines {', '.join(map(str, at[:-1]))} and {at[-1]}: {error}"


def _remarks(table: Table, places: Collection[int | None], *, n_blank: int) -> tuple[str, ...]:
    unused = [name or "(no name)" for at, name in enumerate(table.header) if at not in places]
    columns = [f"Columns not used: {', '.join(unused)}."] if unused else []
    rows = "1 row" if n_blank == 1 else f"{n_blank} rows"
    return (*columns, *([f"{rows} without a label left out."] if n_blank else []))
