"""Copies corpora while imports write to them."""

from __future__ import annotations

from pathlib import Path

from annotation.release.manifest import FileEntry
from annotation.release.sealing import remove_folder
from backend.backups.copying import Heard, copy_folder
from backend.backups.errors import ChangedMeanwhile
from backend.backups.sources import STAGING, is_passing
from corpus.store import CorpusStore

TRIES = 3


def copy_corpora(source: Path, target: Path, *, heard: Heard) -> list[FileEntry]:
    target.mkdir(parents=True, exist_ok=True)
    entries = []
    for corpus in sorted(source.iterdir()) if source.is_dir() else []:
        if corpus.is_dir() and not is_passing(Path(corpus.name)):
            found = _copy_corpus(corpus, target / corpus.name, heard)
            entries += [FileEntry(f"{corpus.name}/{entry.path}", entry.size, entry.sha256) for entry in found]
    return entries


def _copy_corpus(source: Path, target: Path, heard: Heard) -> list[FileEntry]:
    """An import that replaces texts rewrites the manifest before it removes the old ones: as long as the manifest is
    still the one that was copied, everything that it names was there to be copied."""
    for _ in range(TRIES):
        entries = copy_folder(source, target, heard=heard, leaves=_leaves)
        if CorpusStore(source).manifest() == CorpusStore(target).manifest():
            return entries
        remove_folder(target)
    raise ChangedMeanwhile(f"Imports went on changing {source.name}")


def _leaves(name: Path) -> bool:
    return is_passing(name) or name == Path(STAGING)
