"""Rows tell which corpora hold texts, whoever imported them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.jobs.runner import run_job
from backend.design.corpora.files import files_folder
from backend.design.corpora.models import Corpus
from backend.design.corpora.services import create_corpus, enqueue_import
from backend.operate.backups.inventory import take_inventory
from backend.operate.backups.making import Wishes, back_up
from backend.operate.backups.sources import KEPT
from corpus.demo import DEMO_FOLDER
from corpus.sampling.designs import PpsPosts
from tests.cast import NOW, Cast
from tests.demo_corpus import STACK_EXCHANGE, draw_demo


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    for name in KEPT.values():
        setattr(settings, name, tmp_path / "data" / name.lower())


def empty_corpus(cast: Cast, name: str) -> Corpus:
    return create_corpus(study=cast.study, name=name, description="", actor=cast.rosa, now=NOW)


def queue_import(cast: Cast, corpus: Corpus) -> int:
    files_folder(cast.study).mkdir(parents=True, exist_ok=True)
    shutil.copy(DEMO_FOLDER / STACK_EXCHANGE.file_names()[0], files_folder(cast.study))
    return enqueue_import(corpus=corpus, request=STACK_EXCHANGE, actor=cast.rosa, now=NOW).pk


@pytest.mark.django_db(transaction=True)
def test_corpora_hold_texts_after_an_import_and_where_something_was_drawn(
    cast: Cast, demo_corpus: Corpus
) -> None:
    empty_corpus(cast, "Empty")
    queue_import(cast, empty_corpus(cast, "Waiting"))
    imported = empty_corpus(cast, "Imported")
    run_job(job_id=queue_import(cast, imported), clock=timezone.now)
    draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    rows = take_inventory()
    assert len(rows.corpora) == 4
    assert rows.filled == {Path(imported.directory.name), Path(demo_corpus.directory.name)}


@pytest.mark.django_db(transaction=True)
def test_damaged_corpora_are_backed_up_with_the_rest_and_named(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path
) -> None:
    gone = empty_corpus(cast, "Gone")
    run_job(job_id=queue_import(cast, gone), clock=timezone.now)
    shutil.rmtree(gone.directory)
    demo_corpus.store.manifest_path.write_text("{")
    wishes = Wishes(with_label_studio=False)
    backup = back_up(target=tmp_path / "backups", wishes=wishes, now=NOW, report=lambda line: None)
    # In the order of their numbers as words: 10 stands before 9
    assert set(backup.manifest.damaged) == {
        f"corpus {demo_corpus.directory.name}: corpus.json cannot be read (ManifestBroken)",
        f"corpus {gone.directory.name}: corpus.json is missing: none of its texts can be found",
    }
    assert (backup.folder / "corpora" / demo_corpus.directory.name / "imports").is_dir()
