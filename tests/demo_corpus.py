"""A corpus for tests of the backend: two communities of the demo dumps, imported by the real readers."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.accounts.models import User
from backend.corpora.import_requests import ImportRequest, RedditImport, StackExchangeImport
from backend.corpora.models import Corpus
from backend.corpora.services import ImportOutcome, create_corpus, import_into
from corpus.demo import DEMO_FOLDER
from corpus.progress import ignore_progress
from tests.cast import NOW, Cast

REDDIT = RedditImport(
    submissions=["NineToFive.submissions.ndjson"],
    comments=["NineToFive.comments.ndjson"],
    cutoff=date(2023, 1, 1),
)
STACK_EXCHANGE = StackExchangeImport(posts="manners.Posts.xml", community="manners", cutoff=date(2023, 1, 1))


def import_demo(corpus: Corpus, request: ImportRequest, actor: User) -> ImportOutcome:
    return import_into(
        corpus=corpus,
        request=request,
        resolve=lambda name: DEMO_FOLDER / name,
        actor=actor,
        clock=timezone.now,
        on_progress=ignore_progress,
    )


@pytest.fixture
def demo_corpus(cast: Cast, tmp_path: Path, settings: Settings) -> Corpus:
    settings.CORPORA_DIR = tmp_path / "corpora"
    corpus = create_corpus(study=cast.study, name="Texts", description="", actor=cast.rosa, now=NOW)
    for request in (REDDIT, STACK_EXCHANGE):
        import_demo(corpus, request, cast.rosa)
    return corpus
