"""A whole instance with a model and a corpus of a few thousand texts to label."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from django.conf import settings as all_settings
from pytest_django.fixtures import Settings

from backend.core.studies.models import Study
from backend.design.corpora.models import Corpus
from backend.publish.labelling.models import LabellingRun
from backend.publish.labelling.places import label_folder
from backend.publish.labelling.selectors import run_numbered
from learning.tasks.folder import TaskFolder
from tests.backend.publish.labelling.fixtures import adapter_in
from tests.cast import NOW
from tests.integration.instance import Instance, is_alive
from tests.learning.labelling.corpora import written_corpus

SHARD_TEXTS = 5


def labelling_instance(folder: Path, settings: Settings, broker_url: str, *, processes: int = 2) -> Instance:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "CORPORA", "ML"):
        setattr(settings, f"{name}_DIR", folder / name.lower())
    extra = {
        "OMP_NUM_THREADS": "1",
        "ATTUNE_SHARD_TEXTS": str(SHARD_TEXTS),
        "ML_LABEL_PROCESSES": str(processes),
    }
    return Instance(folder, broker_url, extra=extra)


def corpus_in(study: Study, n_posts: int) -> Corpus:
    """With two replies under each post."""
    corpus = Corpus.objects.create(
        study=study, name="Large", slug="large", created_by=study.created_by, created_at=NOW
    )
    written_corpus(corpus.directory, {"lane": [2] * n_posts})
    return corpus


def prepare(study: Study, folder: Path, settings: Settings, n_posts: int) -> None:
    """The model is trained within the test, where nobody waits for an ML backend."""
    settings.ML_PATIENCE = timedelta(0)
    adapter_in(study, folder / "made", "tfidf-logistic")
    corpus_in(study, n_posts)


def label_corpus(instance: Instance, study: Study, *options: str) -> str:
    """From a process of its own, as a person in a terminal would."""
    command = [sys.executable, "manage.py", "label_corpus", study.slug, *options]
    done = subprocess.run(
        command, env=instance.environment(), capture_output=True, text=True, cwd=all_settings.ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def folder_of_run(study: Study, number: int) -> TaskFolder:
    return label_folder(run_numbered(study, number))


def n_written(run: LabellingRun) -> int:
    return len(run.files.written_shards())


def driver_of(folder: TaskFolder) -> list[int]:
    """The one process that drives the run, if there is any at the moment."""
    try:
        pid = int(folder.pid.read_text())
    except FileNotFoundError:
        return []
    return [pid] if folder.is_worked_on() and is_alive(pid) else []


def workers_of(folder: TaskFolder) -> list[int]:
    """Those that the driver has started."""
    found = []
    for pid in driver_of(folder):
        with suppress(psutil.NoSuchProcess):
            found += [child.pid for child in psutil.Process(pid).children() if is_alive(child.pid)]
    return found
