"""Copies corpora while imports write to them, and tells whether all texts that a corpus names are there."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from annotation.release.manifest import FileEntry
from annotation.release.write_protection import remove_folder
from backend.operate.backups.copying import Heard, copy_folder
from backend.operate.backups.errors import ChangedMeanwhile, TextsLeftOut
from backend.operate.backups.sources import is_passing
from corpus.errors import CorpusError
from corpus.records import CommunityCount
from corpus.store import CorpusStore

TRIES = 3


def copy_corpora(source: Path, target: Path, *, heard: Heard) -> list[FileEntry]:
    target.mkdir(parents=True, exist_ok=True)
    entries = []
    for corpus in sorted(source.iterdir()) if source.is_dir() else []:
        if corpus.is_dir() and not is_passing(corpus):
            copy = CorpusStore(target / corpus.name)
            found = _copy_corpus(CorpusStore(corpus), copy, heard)
            entries += [FileEntry(f"{corpus.name}/{entry.path}", entry.size, entry.sha256) for entry in found]
    return entries


def _copy_corpus(source: CorpusStore, target: CorpusStore, heard: Heard) -> list[FileEntry]:
    """An import that replaces texts rewrites the manifest before it removes the old ones: as long as the manifest is
    still the one that was copied, everything that it names was there to be copied. Imports under way are left out:
    they are begun again from their files."""

    def leaves(path: Path) -> bool:
        return is_passing(path) or path == source.staging_root

    for _ in range(TRIES):
        entries = copy_folder(source.root, target.root, heard=heard, leaves=leaves)
        if _read_manifest(source) == _read_manifest(target):
            _refuse_less(source, target)
            return entries
        remove_folder(target.root)
    raise ChangedMeanwhile(f"Imports went on changing {source.root.name}")


def _read_manifest(store: CorpusStore) -> bytes | None:
    """The manifest as it stands there, which may be damaged: then it is copied as it is."""
    return store.manifest_path.read_bytes() if store.exists else None


def _refuse_less(source: CorpusStore, target: CorpusStore) -> None:
    """What the source has lost itself is damage from before, which keeps nobody from backing up the rest."""
    missing = corpus_problems(target)
    from_before = set(corpus_problems(source)) if missing else set()
    left_out = [problem for problem in missing if problem not in from_before]
    if left_out:
        raise TextsLeftOut(source.root.name, left_out)


def corpus_problems(store: CorpusStore, *, filled: bool = False) -> list[str]:
    """Texts and labels that the corpus' manifest counts and its files do not hold, or that nobody can count.

    A corpus has no manifest before its first import; `filled` says that there was one.
    """
    if not store.exists:
        lost = filled or store.import_path("").is_dir()
        return [f"{store.manifest_path.name} is missing: none of its texts can be found"] if lost else []
    try:
        return _not_as_counted(store)
    except CorpusError as error:
        return [f"{store.manifest_path.name} cannot be read ({type(error).__name__})"]


def _not_as_counted(store: CorpusStore) -> list[str]:
    manifest = store.manifest()
    counted = {(record.id, count.name): count for record in manifest.imports for count in record.communities}
    problems = []
    for community, owner in sorted(manifest.communities.items()):
        count = counted.get((owner, community), CommunityCount(community, 0, 0))
        problems += _missing(community, "posts", count.posts, store.scan_posts(community))
        problems += _missing(community, "replies", count.replies, store.scan_replies(community))
    for label in store.labels():
        name = f"label set {label.label_set}"
        problems += _missing(name, "labels", label.rows_kept, store.scan_label_files([label]))
    return problems


def _missing(where: str, what: str, expected: int, rows: pl.LazyFrame) -> list[str]:
    try:
        there = int(rows.select(pl.len()).collect().item())
    except (OSError, pl.exceptions.PolarsError) as error:
        return [f"{where}: its {what} cannot be read ({type(error).__name__})"]
    return [] if there == expected else [f"{where}: {there} of {expected} {what} are there"]
