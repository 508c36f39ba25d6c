"""A table of pairs as it would be read, to be looked at before it comes in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from backend.core.studies.models import Study
from backend.design.corpora.files import file_path
from backend.design.corpora.import_requests import PairsImport
from backend.design.corpora.selectors import pseudonym_key
from corpus.column_roles import pair_warnings
from corpus.pairs import PairPreview, preview_pairs
from corpus.table_columns import table_head


@dataclass(frozen=True)
class PairsPreview:
    rows: list[PairPreview]
    warnings: list[str]
    mark: str


def preview_of(study: Study, asked: PairsImport) -> PairsPreview:
    path, columns, rules = file_path(study, asked.file), asked.columns(), asked.rules()
    rows = preview_pairs(
        path, columns=columns, rules=rules, key=pseudonym_key(study), community=asked.community or None
    )
    warnings = pair_warnings(path, table_head(path, rules.limits), columns)
    return PairsPreview(rows, warnings, seen_mark(asked))


def seen_mark(asked: PairsImport) -> str:
    """Sent back with the import, so that exactly what was shown is what comes in."""
    return hashlib.sha256(asked.model_dump_json().encode()).hexdigest()[:16]
