"""Reads annotators' labels and a model's from long tables, and puts them to the test."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from annotation.consensus.values import Votes
from annotation.consensus.vote_table import read_votes
from annotation.consensus.votes import NoVotes
from corpus.delimited import TableUnreadable, read_delimited
from learning.alternative_annotator.procedure import LEAST_ITEMS, AltTests, Score, both_lines
from learning.alternative_annotator.scores import ScoreName, mean_token_f1, minus_rmse, share_equal

_MODEL = "the model"
_WORD = re.compile(r"\w+")
# Numbers as people write them. A leading zero or an exponent may be part of a name.
_PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class LabelTables:
    """`clusters` names the post of each item, None where the table does not say; `remarks` tell what was not used."""

    annotations: Mapping[str, Mapping[str, str]]
    model: Mapping[str, str]
    clusters: Mapping[str, str] | None
    remarks: tuple[str, ...]


def read_label_tables(
    annotations: bytes, model: bytes, *, score: ScoreName, cluster: str | None = None
) -> LabelTables:
    r"""`annotations` has the columns item, annotator and label, `model` item and label; `cluster` names a column of the
    former. A blank label is none, except that of token F1: there it says that nothing was marked.

    >>> tables = read_label_tables(
    ...     b"item,annotator,label\n1,Ada,yes\n1,Ben,no\n", b"item,label\n1,no\n", score=ScoreName.ACCURACY
    ... )
    >>> tables.annotations, tables.model
    ({'1': {'Ada': 'yes', 'Ben': 'no'}}, {'1': 'no'})
    """
    marks = score is ScoreName.TOKEN_F1
    try:
        votes = read_votes(annotations, blank_is_label=marks)
        said = read_votes(model, annotator=_MODEL, blank_is_label=marks)
    except NoVotes as error:
        raise TableUnreadable(
            "A table has no labels: give one of the annotators and one of the model, each with a row for every label."
        ) from error
    used = f"Columns not used: {cluster}." if cluster else ""
    return LabelTables(
        _by_item(votes.votes),
        {item: by[_MODEL] for item, by in _by_item(said.votes).items()},
        _clusters(annotations, cluster, of=votes.item_column) if cluster else None,
        (
            *(f"Annotators: {remark}" for remark in votes.remarks if remark != used),
            *(f"Model: {remark}" for remark in said.remarks),
        ),
    )


def run_alt_test(
    tables: LabelTables, score: ScoreName, *, epsilon: float, least_items: int = LEAST_ITEMS
) -> AltTests:
    match score:
        case ScoreName.ACCURACY:
            return _run(tables, _label, share_equal, epsilon, least_items)
        case ScoreName.RMSE:
            return _run(tables, _number, minus_rmse, epsilon, least_items)
        case ScoreName.TOKEN_F1:
            return _run(tables, _word_reader(), mean_token_f1, epsilon, least_items)


def _run(
    tables: LabelTables, read: Callable[[str], _T], score: Score[_T], epsilon: float, least_items: int
) -> AltTests:
    annotations = {
        item: {name: read(label) for name, label in by.items()} for item, by in tables.annotations.items()
    }
    model = {item: read(label) for item, label in tables.model.items()}
    return both_lines(
        annotations, model, score, epsilon=epsilon, clusters=tables.clusters, least_items=least_items
    )


def _by_item(votes: Votes) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {item: {} for item in votes.items}
    for item, who, said in zip(votes.on.tolist(), votes.by.tolist(), votes.said.tolist(), strict=True):
        found[votes.items[item]][votes.annotators[who]] = votes.labels[said]
    return found


def _label(label: str) -> str | float:
    """As it is written, but a plain number as a number: 3 and 3.0 are one label."""
    return float(label) if _PLAIN_NUMBER.fullmatch(label) else label


def _number(label: str) -> float:
    try:
        number = float(label)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise TableUnreadable(
            f"The label “{label}” is no number, and rmse needs numbers: replace words by numbers in their order, or "
            "use --score accuracy."
        )
    return number


def _word_reader() -> Callable[[str], frozenset[int]]:
    """Words (or places of words) as numbers, the same one wherever it is read again; a word that is there twice counts
    twice."""
    places: dict[tuple[str, int], int] = {}

    def read(label: str) -> frozenset[int]:
        times: dict[str, int] = {}
        found = set()
        for word in _WORD.findall(label.casefold()):
            times[word] = times.get(word, 0) + 1
            found.add(places.setdefault((word, times[word]), len(places)))
        return frozenset(found)

    return read


def _clusters(content: bytes, column: str, *, of: str) -> dict[str, str]:
    table = read_delimited(content)
    if column not in table.header:
        raise TableUnreadable(f"There is no column “{column}”; the columns are {', '.join(table.header)}.")
    at, item_at = table.header.index(column), table.header.index(of)
    found: dict[str, str] = {}
    for row in table.rows:
        if row.is_blank:
            continue
        item, cluster = row.cells[item_at], row.cells[at]
        if not cluster:
            raise TableUnreadable(f"Line {row.line}: the {column} is missing; fill it in or remove the line.")
        if found.setdefault(item, cluster) != cluster:
            raise TableUnreadable(
                f"Line {row.line}: item {item} belongs to “{found[item]}” and to “{cluster}”; keep one of them."
            )
    return found
