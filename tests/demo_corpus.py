"""A corpus for tests of the backend: two communities of the demo dumps, imported by the real readers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.accounts.models import User
from backend.design.corpora.import_requests import ImportRequest, dump_import
from backend.design.corpora.models import Corpus
from backend.design.corpora.services import ImportOutcome, create_corpus, import_into
from backend.design.samples.models import Sample
from backend.design.samples.services import draw_into_study
from corpus.demo import DEMO_FOLDER
from corpus.progress import ignore_progress
from corpus.sampling.designs import Design
from tests.cast import NOW, Cast

REDDIT = dump_import(
    "reddit",
    submissions=["NineToFive.submissions.ndjson"],
    comments=["NineToFive.comments.ndjson"],
    cutoff=date(2023, 1, 1),
)
STACK_EXCHANGE = dump_import(
    "stackexchange", posts="manners.Posts.xml", community="manners", cutoff=date(2023, 1, 1)
)


def import_demo(corpus: Corpus, request: ImportRequest, actor: User) -> ImportOutcome:
    return import_into(
        corpus=corpus,
        request=request,
        resolve=lambda name: DEMO_FOLDER / name,
        actor=actor,
        clock=timezone.now,
        on_progress=ignore_progress,
    )


def draw_demo(
    corpus: Corpus,
    name: str,
    design: Design,
    actor: User,
    *,
    seed: int = 1,
    disjoint_from: Sequence[Sample] = (),
) -> Sample:
    return draw_into_study(
        corpus=corpus,
        name=name,
        design=design,
        seed=seed,
        disjoint_from=disjoint_from,
        actor=actor,
        now=NOW,
    )


@pytest.fixture
def demo_corpus(cast: Cast, tmp_path: Path, settings: Settings) -> Corpus:
    settings.CORPORA_DIR = tmp_path / "corpora"
    corpus = create_corpus(study=cast.study, name="Texts", description="", actor=cast.rosa, now=NOW)
    for request in (REDDIT, STACK_EXCHANGE):
        import_demo(corpus, request, cast.rosa)
    return corpus
