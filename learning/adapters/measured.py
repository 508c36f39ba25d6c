"""The predictions of an adapter on the parts that it did not learn from, as they lie beside it."""

from __future__ import annotations

from pathlib import Path

from annotation.release.rows import SplitPart
from learning.predictions.files import PARQUET


def measured_folder(adapter: Path) -> Path:
    """Beside the adapter's folder: inside, everything is part of what its id names."""
    return adapter.with_name(f"{adapter.name}.measured")


def predictions_file(part: SplitPart) -> str:
    return f"{part.value}{PARQUET}"
