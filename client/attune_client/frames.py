"""What the API gives as rows, as DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

# Of each list of the API: what a table of it shows, also when it is empty
COLUMNS = {
    "studies": ("slug", "name", "description", "created_at"),
    "corpora": ("slug", "name", "description"),
    "samples": ("id", "name", "corpus", "n_items", "seed", "created_at"),
    "batches": ("id", "name", "kind", "state", "edition", "due_on", "opened_at", "counts"),
    "releases": ("number", "name", "edition", "hash", "created_at"),
    "models": ("number", "name", "learner", "release", "state", "validation_score", "created_at"),
    "reports": ("number", "title", "run", "release", "created_at"),
}
SUBMISSION = ("item_id", "annotator", "batch", "kind", "edition", "submitted_at", "seconds", "flagged")


def table(of: str, rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """
    >>> table("corpora", [{"slug": "tea", "name": "Tea", "description": "", "created_at": ""}]).to_dict("list")
    {'slug': ['tea'], 'name': ['Tea'], 'description': ['']}
    """
    return pd.DataFrame(
        [{name: row[name] for name in COLUMNS[of]} for row in rows], columns=list(COLUMNS[of])
    )


def judgment_rows(submissions: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """
    >>> line = {"item_id": "a", "annotator": "amal", "batch": "B", "kind": "overlap", "edition": 1, "seconds": 9.0,
    ...         "submitted_at": "2026-03-02T09:00:00+00:00", "flagged": False, "judgments": {"warmth": 1, "advice": 0}}
    >>> judgment_rows([line])[["item_id", "annotator", "code", "value"]].to_dict("list")
    {'item_id': ['a', 'a'], 'annotator': ['amal', 'amal'], 'code': ['warmth', 'advice'], 'value': [1, 0]}
    """
    rows = [
        {**_submission(line), "code": code, "value": value}
        for line in submissions
        for code, value in line["judgments"].items()
    ]
    return _parse_dates(pd.DataFrame(rows, columns=[*SUBMISSION, "code", "value"]))


def span_rows(submissions: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    rows = [{**_submission(line), **span} for line in submissions for span in line["spans"]]
    return _parse_dates(pd.DataFrame(rows, columns=[*SUBMISSION, "code", "part", "start", "end"]))


def _submission(line: Mapping[str, Any]) -> dict[str, Any]:
    return {name: line[name] for name in SUBMISSION}


def _parse_dates(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(submitted_at=pd.to_datetime(frame["submitted_at"], format="ISO8601", utc=True))
