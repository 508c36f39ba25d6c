"""How what was labelled is read: as two tables that never hold a text."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from learning.labelling.folder import RunFolder
from learning.predictions.long_table import SCHEMA

# A row for each unit and code of its part. A post judged by a reply has its label there, with spans in the post
LABEL_SCHEMA = pl.Schema(
    {"item_id": pl.String(), "part": pl.String(), **{k: v for k, v in SCHEMA.items() if k != "item_id"}}
)
# A row for each unit: a post, or a reply with its post
UNIT_SCHEMA = pl.Schema(
    {
        "item_id": pl.String(),
        "part": pl.String(),
        "platform": pl.String(),
        "community": pl.String(),
        "post_id": pl.String(),
        "reply_id": pl.String(),
        "shard": pl.Int64(),
    }
)


def scan_labels(folder: Path) -> pl.LazyFrame:
    """Of all shards that are written, which of a finished run is every one."""
    parts = sorted(RunFolder(folder).labels.glob("[0-9]*.parquet"))
    if not parts:
        return pl.LazyFrame(schema=LABEL_SCHEMA)
    return pl.scan_parquet(parts, schema=LABEL_SCHEMA, glob=False)


def scan_units(folder: Path) -> pl.LazyFrame:
    return pl.scan_parquet(RunFolder(folder).units, schema=UNIT_SCHEMA, glob=False)
