"""Whether the files of a release make sense together: a manifest that was hashed anew proves nothing about that."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import polars as pl

from annotation.release.counting import counts_of
from annotation.release.files import CODEBOOK, ITEMS, LABELS, SPLIT, part_file
from annotation.release.manifest import Manifest
from annotation.release.problems import ProblemKind, ReleaseProblem
from annotation.release.row_checks import wrong_with_rows
from annotation.release.rows import ReleaseRow, SplitPart
from codebook.editions import codebook_from_canonical, edition_hash
from codebook.problems import CodebookError
from codebook.schema import Codebook
from corpus.delimited import RecordBroken, records


def content_problems(folder: Path, manifest: Manifest) -> list[ReleaseProblem]:
    codebook = _codebook(folder, manifest)
    if codebook is None:
        wrong = "it is not the edition that the manifest names"
        return [ReleaseProblem(ProblemKind.WRONG_CODEBOOK, CODEBOOK, wrong)]
    try:
        rows = msgspec.json.Decoder(ReleaseRow).decode_lines((folder / ITEMS).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        wrong = f"it cannot be read as the items of a release ({error})"
        return [ReleaseProblem(ProblemKind.CHANGED_FILE, ITEMS, wrong)]
    problems = [
        ReleaseProblem(ProblemKind.WRONG_ITEMS, ITEMS, wrong) for wrong in wrong_with_rows(rows, codebook)
    ]
    if counts_of(rows, manifest.counts.left_out) != manifest.counts:
        wrong = "it holds other numbers of items or labels than the manifest says"
        problems.append(ReleaseProblem(ProblemKind.WRONG_COUNTS, ITEMS, wrong))
    return problems or list(_of_tables(folder, rows))


def _codebook(folder: Path, manifest: Manifest) -> Codebook | None:
    try:
        codebook = codebook_from_canonical((folder / CODEBOOK).read_text(encoding="utf-8"))
    except (OSError, CodebookError, UnicodeDecodeError):
        return None
    return codebook if edition_hash(codebook) == manifest.edition.hash else None


def _of_tables(folder: Path, rows: Sequence[ReleaseRow]) -> Iterator[ReleaseProblem]:
    """By their lengths and items only, which is cheap; every value would mean to write them all again."""
    n_labels = sum(len(row.labels) for row in rows)
    for name, n in ((LABELS, n_labels), (SPLIT, len(rows))):
        if _n_records(folder / name) != n:
            yield ReleaseProblem(ProblemKind.WRONG_COUNTS, name, f"it has not one line for each of {n:,}")
    for part in SplitPart:
        items = [row.item.item_id for row in rows if row.split is part]
        if _items_of(folder / part_file(part)) != items:
            wrong = f"it holds other items than {ITEMS} has in this part"
            yield ReleaseProblem(ProblemKind.WRONG_COUNTS, part_file(part), wrong)


def _n_records(path: Path) -> int | None:
    """Without the header; None if it is no table."""
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            return sum(1 for _ in records(handle)) - 1
    except (OSError, UnicodeDecodeError, RecordBroken):
        return None


def _items_of(path: Path) -> list[str] | None:
    """Empty if there is no file, as for an empty part; None if it is no table with item ids."""
    if not path.exists():
        return []
    try:
        return pl.read_parquet(path, columns=["item_id"])["item_id"].to_list()
    except (OSError, pl.exceptions.PolarsError):
        return None
