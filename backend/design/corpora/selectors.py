"""What pages and calls read about corpora."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404

from backend.core.studies.models import Study
from backend.design.corpora.models import Corpus

if TYPE_CHECKING:
    from corpus.summary import CorpusSummary


def corpus_of(study: Study, slug: str) -> Corpus:
    corpus = study.corpora.select_related("study").filter(slug=slug).first()
    if corpus is None:
        raise Http404("This study has no such corpus.")
    return corpus


def pseudonym_key(study: Study) -> bytes:
    """A key per study, so that nobody can be followed from one study into another."""
    secret = settings.PSEUDONYM_KEY.encode()
    return hashlib.blake2b(study.slug.encode(), key=secret[:64], person=b"attune-pseudo").digest()


def corpus_counts(corpus: Corpus) -> tuple[int, int, int]:
    """Communities, posts and replies, from the manifest alone."""
    manifest = corpus.store.manifest()
    counts = [
        community
        for record in manifest.imports
        for community in record.communities
        if manifest.communities.get(community.name) == record.id
    ]
    return len(counts), sum(count.posts for count in counts), sum(count.replies for count in counts)


def summary_of(corpus: Corpus) -> CorpusSummary:
    """Computed once for each state of the corpus: a new import changes the manifest's time stamp."""
    manifest = corpus.store.manifest_path
    return _summary(corpus.directory, manifest.stat().st_mtime_ns if manifest.exists() else 0)


@lru_cache(maxsize=32)
def _summary(directory: Path, changed: int) -> CorpusSummary:
    from corpus.store import CorpusStore  # polars comes with it
    from corpus.summary import summarise_corpus

    return summarise_corpus(CorpusStore(directory))


def require_label_set(corpus: Corpus, name: str) -> None:
    if name not in corpus.store.label_sets():
        raise Http404("This corpus has no such label set.")


def label_counts(corpus: Corpus, name: str) -> list[tuple[str, str, int, int]]:
    """How often each code has each value, and how many of these have evidence."""
    import polars as pl

    counts = (
        corpus.store.scan_labels(name)
        .group_by("code", "value")
        .agg(pl.len().alias("labels"), (pl.col("spans").list.len() > 0).sum().alias("with_evidence"))
        .sort("code", "value")
    )
    return list(counts.collect().iter_rows())


def label_lines(corpus: Corpus, name: str) -> Iterator[str]:
    for row in corpus.store.scan_labels(name).collect().iter_rows(named=True):
        yield json.dumps(row, ensure_ascii=False) + "\n"
