"""Fills an empty instance with a little of everything that a backup takes along; run as a process of its own.

One study has a corpus, a file, judgments and two releases, the other one an adapter; beside them stands a Label
Studio with one table.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import django


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from backend.decide.releases.requests import FreezeRequest
    from backend.decide.releases.services import freeze_release
    from backend.design.corpora.files import files_folder
    from backend.design.corpora.services import create_corpus
    from tests.backend.decide.releases.fixtures import judged_study
    from tests.backend.learn.models.fixtures import release_in, train
    from tests.batch_fixtures import CastAtWork, Work, made_items
    from tests.cast import NOW, made_cast
    from tests.demo_corpus import REDDIT, import_demo

    call_command("migrate", interactive=False, verbosity=0)
    cast = made_cast()
    work = Work.of(cast.study, cast.rosa, made_items(cast.study, 12))
    judged_study(CastAtWork(work.study, work.researcher, work.edition, work.items, cast))
    import_demo(
        create_corpus(study=cast.study, name="Texts", description="", actor=cast.rosa, now=NOW),
        REDDIT,
        cast.rosa,
    )
    folder = files_folder(cast.study)
    folder.mkdir(parents=True)
    (folder / "notes.csv").write_text("a,b\n1,2\n")
    for name in ("First", "Second"):
        request = FreezeRequest(name=name, seed=1)
        freeze_release(study=cast.study, request=request, actor=cast.rosa, now=NOW)
    settings.ML_PATIENCE = timedelta(0)
    with TemporaryDirectory() as folder_of_release:
        train(release_in(cast.other_study, Path(folder_of_release) / "made"))
    label_studio = settings.DATA_DIR / "label-studio" / "label_studio.sqlite3"
    label_studio.parent.mkdir()
    with closing(sqlite3.connect(label_studio)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE task_completion (id INTEGER PRIMARY KEY, result TEXT)")
        database.executemany("INSERT INTO task_completion (result) VALUES (?)", [("[]",)] * 40)
        database.commit()


if __name__ == "__main__":
    main()
