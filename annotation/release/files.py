"""Writes the files of a release into a folder of their own, which is then renamed into place, whole or not at all."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from annotation.release.card import data_card
from annotation.release.card_facts import CardFacts
from annotation.release.label_tables import labels_csv, split_csv
from annotation.release.manifest import (
    MANIFEST,
    Counts,
    EditionEntry,
    Manifest,
    Request,
    StudyEntry,
    add_hash,
    file_entries,
    manifest_bytes,
)
from annotation.release.rows import ReleaseRow, SplitPart
from annotation.release.soft_labels import (
    ANNOTATOR_LABELS,
    SOFT_LABELS,
    annotator_labels_csv,
    soft_labels_csv,
)
from annotation.release.split_table import SplitTable, split_table, table_csv, table_latex
from annotation.release.write_protection import remove_folder
from codebook.editions import canonical_json
from codebook.schema import Codebook
from corpus.atomic_files import sync_directory

CODEBOOK, ITEMS, LABELS, SPLIT, CARD = "codebook.json", "items.jsonl", "labels.csv", "split.csv", "README.md"
TABLE_CSV, TABLE_LATEX = "split_table.csv", "split_table.tex"
DATA = "data"


class FolderTaken(FileExistsError):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} is there already: a release is never written over.")


@dataclass(frozen=True, slots=True)
class Release:
    """Everything that the files are made of; the same release gives the same bytes, byte for byte."""

    name: str
    number: int
    study: StudyEntry
    edition: EditionEntry
    codebook: Codebook
    request: Request
    counts: Counts
    notes: dict[str, str]
    rows: Sequence[ReleaseRow]
    facts: CardFacts
    made_at: datetime

    def table(self) -> SplitTable:
        return split_table(self.rows, self.codebook)

    def card(self) -> str:
        names = {code.id: code.name for _, code in self.codebook.coded_questions()}
        notes = {names[code]: note for code, note in self.notes.items()}
        return data_card(self.facts, self.counts, notes, self.table())


def write_files(
    folder: Path, release: Release, report: Callable[[str], None] = lambda name: None
) -> Manifest:
    """Into an empty folder; `report` hears the name of each file before it is written."""
    from annotation.release.training_table import training_frame  # polars comes with it
    from corpus.staging import write_parquet

    rows = sorted(release.rows, key=lambda row: row.item.item_id)
    (folder / DATA).mkdir(parents=True)
    table = release.table()
    texts: dict[str, Iterable[str]] = {
        CODEBOOK: [canonical_json(release.codebook)],
        ITEMS: (msgspec.json.encode(row).decode() + "\n" for row in rows),
        LABELS: labels_csv(rows, release.codebook),
        SPLIT: split_csv(rows),
        TABLE_CSV: [table_csv(table)],
        TABLE_LATEX: [table_latex(table)],
        CARD: [release.card()],
    }
    if release.request.soft_labels:
        texts[ANNOTATOR_LABELS] = annotator_labels_csv(rows, release.codebook)
        texts[SOFT_LABELS] = soft_labels_csv(rows, release.codebook)
    for name, pieces in texts.items():
        report(name)
        _write(folder / name, pieces)
    for part in SplitPart:
        inside = [row for row in rows if row.split is part]
        if inside:
            report(part_file(part))
            frame = training_frame(inside, release.codebook, soft=bool(release.request.soft_labels))
            write_parquet(frame, folder / part_file(part), compression="zstd")
    sync_directory(folder / DATA)
    report(MANIFEST)
    manifest = _manifest(folder, release)
    _write(folder / MANIFEST, [manifest_bytes(manifest).decode()])
    sync_directory(folder)
    return manifest


def move_into_place(folder: Path, target: Path) -> None:
    """One rename on the same disk: others see the whole release or none."""
    if target.exists():
        raise FolderTaken(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    folder.rename(target)
    sync_directory(target.parent)


def write_release(target: Path, release: Release) -> Manifest:
    """For those who keep no rows about releases: the folder appears whole, or nothing does."""
    temporary = target.with_name(f".{target.name}.making")
    remove_folder(temporary)
    try:
        manifest = write_files(temporary, release)
        move_into_place(temporary, target)
    finally:
        remove_folder(temporary)
    return manifest


def part_file(part: SplitPart) -> str:
    return f"{DATA}/{part.value}.parquet"


def _manifest(folder: Path, release: Release) -> Manifest:
    return add_hash(
        Manifest(
            name=release.name,
            number=release.number,
            study=release.study,
            edition=release.edition,
            request=release.request,
            counts=release.counts,
            notes=release.notes,
            made_at=release.made_at.isoformat(),
            files=file_entries(folder),
            hash="",
        )
    )


def _write(path: Path, pieces: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as handle:
        handle.writelines(pieces)
        handle.flush()
        os.fsync(handle.fileno())
