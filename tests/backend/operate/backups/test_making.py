"""Backups of an instance that goes on changing: one moment, or none."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from annotation.release.manifest import file_entry
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.design.corpora.models import Corpus
from backend.operate.backups.corpora import copy_corpora
from backend.operate.backups.errors import (
    AnotherIsRunning,
    BadTarget,
    ChangedMeanwhile,
    DatabaseUnreachable,
    NotEnoughSpace,
    SecretsElsewhere,
)
from backend.operate.backups.making import MadeBackup, Wishes, back_up
from backend.operate.backups.places import backups_in
from backend.operate.backups.sources import KEPT
from backend.operate.backups.sqlite import SqliteDatabase
from corpus.atomic_files import sole_writer
from corpus.store import CorpusStore
from tests.backend.decide.releases.fixtures import frozen, judged_study
from tests.backend.learn.models.fixtures import release_in, train
from tests.backend.publish.labelling.fixtures import adapter_in, labelled_run
from tests.backend.publish.reports.fixtures import finished_run, made_report
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast

OWN_ALONE = Wishes(with_label_studio=False)
needs_commits = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    for name in KEPT.values():
        setattr(settings, name, tmp_path / "data" / name.lower())


def made(target: Path, hours: int = 0) -> MadeBackup:
    return back_up(
        target=target, wishes=OWN_ALONE, now=NOW + timedelta(hours=hours), report=lambda line: None
    )


@needs_commits
def test_a_backup_is_one_folder_that_lists_all_it_holds(work: CastAtWork, tmp_path: Path) -> None:
    judged_study(work)
    release = frozen(work)
    backup = made(tmp_path / "backups")
    assert backup.folder.name == "attune-20260301T120000Z"
    assert backup.manifest.damaged == ()
    assert backup.manifest.database.rows[Release._meta.db_table] == 1
    named = {entry.path: entry.sha256 for entry in backup.manifest.files}
    labels = file_entry(release.folder, "labels.csv")
    assert named[f"releases/{work.study.pk}-kind-words/1/labels.csv"] == labels.sha256
    assert not any("lock" in path for path in named)


@needs_commits
def test_a_study_deleted_meanwhile_makes_no_backup(cast: Cast, tmp_path: Path) -> None:
    """Its rows would be in the copy, and its files gone."""

    def delete(line: str) -> None:
        if line == "Copying files":
            Study.objects.filter(pk=cast.other_study.pk).delete()

    with pytest.raises(ChangedMeanwhile, match="deleted while the backup was made"):
        back_up(target=tmp_path / "backups", wishes=OWN_ALONE, now=NOW, report=delete)
    assert backups_in(tmp_path / "backups") == []


@needs_commits
def test_what_was_damaged_before_is_backed_up_and_named(work: CastAtWork, tmp_path: Path) -> None:
    """No backup at all would be worse."""
    judged_study(work)
    labels = frozen(work).folder / "labels.csv"
    labels.chmod(0o600)
    labels.write_text("forged")
    (problem,) = made(tmp_path / "backups").manifest.damaged
    assert problem.startswith(f"release {work.study.pk}-kind-words/1: labels.csv")


@needs_commits
def test_an_adapter_is_held_against_its_card(cast: Cast, tmp_path: Path, settings: Settings) -> None:
    settings.ML_DIR, settings.ML_PATIENCE = tmp_path / "ml", timedelta(0)
    adapter = train(release_in(cast.study, tmp_path / "made"))
    backup = made(tmp_path / "backups")
    place = Path("adapters") / adapter.folder.relative_to(settings.ADAPTERS_DIR)
    assert f"{place}/card.json" in {entry.path for entry in backup.manifest.files}
    assert backup.manifest.damaged == ()
    (adapter.folder / "card.json").write_text("{}")
    (problem,) = made(tmp_path / "backups", hours=1).manifest.damaged
    assert problem.startswith(f"adapter {cast.study.pk}-kind-words/{adapter.adapter_id}")


@needs_commits
def test_labels_of_a_corpus_are_held_against_their_manifest(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings
) -> None:
    settings.ML_DIR, settings.ML_PATIENCE = tmp_path / "ml", timedelta(0)
    run = labelled_run(cast.study, corpus=demo_corpus, adapter=adapter_in(cast.study, tmp_path / "made"))
    backup = made(tmp_path / "backups")
    place = Path("labelled") / run.folder.relative_to(settings.LABELLED_DIR)
    assert f"{place}/labels/00000.parquet" in {entry.path for entry in backup.manifest.files}
    assert backup.manifest.damaged == ()
    run.files.labels_of(0).unlink()
    (problem,) = made(tmp_path / "backups", hours=1).manifest.damaged
    assert problem == f"labelling run {cast.study.pk}-kind-words/run-1: labels/00000.parquet is missing"


@needs_commits
def test_reports_are_held_against_their_manifests(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings
) -> None:
    settings.ML_DIR, settings.ML_PATIENCE = tmp_path / "ml", timedelta(0)
    finished_run(cast, demo_corpus)
    report = made_report(cast)
    backup = made(tmp_path / "backups")
    place = Path("reports") / report.folder.relative_to(settings.REPORTS_DIR)
    assert f"{place}/manifest.json" in {entry.path for entry in backup.manifest.files}
    assert backup.manifest.damaged == ()
    (report.folder / "methods.md").write_text("We did nothing.")
    (problem,) = made(tmp_path / "backups", hours=1).manifest.damaged
    assert problem == f"report {cast.study.pk}-kind-words/report-1: methods.md was changed"


@needs_commits
def test_only_as_many_backups_stay_as_are_to_be_kept(cast: Cast, tmp_path: Path) -> None:
    target = tmp_path / "backups"
    older = [made(target, hours).folder.name for hours in range(3)]
    (target / "mine").mkdir()
    call_command("back_up", str(target), "--without-label-studio", "--keep", "2")
    names = [path.name for path in backups_in(target)]
    assert len(names) == 2 and names[1] == older[-1]
    assert sorted(path.name for path in target.iterdir()) == sorted([".lock", "mine", *names])
    with pytest.raises(CommandError, match="--keep takes a number from 1"):
        call_command("back_up", str(target), "--keep", "0")


@needs_commits
def test_what_cannot_work_is_refused_at_once(cast: Cast, tmp_path: Path, settings: Settings) -> None:
    with sole_writer(tmp_path / "busy"), pytest.raises(AnotherIsRunning, match="busy"):
        made(tmp_path / "busy")
    with pytest.raises(BadTarget, match="itself backed up"):
        made(settings.FILES_DIR / "backups")
    settings.LABEL_STUDIO_DATABASE_URL = f"sqlite:///{tmp_path / 'nowhere.sqlite3'}"
    with pytest.raises(DatabaseUnreachable, match="--without-label-studio"):
        back_up(target=tmp_path / "backups", wishes=Wishes(), now=NOW, report=lambda line: None)
    settings.PRODUCTION = True
    with pytest.raises(SecretsElsewhere, match=r"\.env"):
        back_up(target=tmp_path, wishes=Wishes(with_secrets=True), now=NOW, report=lambda line: None)


@needs_commits
def test_a_disk_that_is_too_small_is_noticed_before_it_is_full(
    cast: Cast, tmp_path: Path, settings: Settings
) -> None:
    settings.FILES_DIR.mkdir(parents=True)
    with (settings.FILES_DIR / "dump.zst").open("wb") as large:
        large.truncate(shutil.disk_usage(tmp_path).total)  # a file of nothing, which takes no room
    with pytest.raises(NotEnoughSpace, match="are needed"):
        made(tmp_path / "backups")
    assert [path.name for path in (tmp_path / "backups").iterdir()] == [".lock"]


def test_a_sqlite_database_is_copied_as_of_one_moment(tmp_path: Path) -> None:
    """A writer adds to two tables in each transaction: in the copy both have as many rows."""
    path = tmp_path / "live.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        for table in ("first", "second"):
            database.execute(f"CREATE TABLE {table} (text TEXT)")
            database.executemany(f"INSERT INTO {table} VALUES (?)", [("x" * 2000,)] * 8000)
        database.commit()
    done = threading.Event()
    written = []

    def write() -> None:
        with closing(sqlite3.connect(path, timeout=20)) as database:
            while not done.is_set():
                with database:
                    database.execute("INSERT INTO first VALUES ('y')")
                    database.execute("INSERT INTO second VALUES ('y')")
                written.append(1)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        entries = []
        for number in range(3):
            folder = tmp_path / str(number)
            folder.mkdir()
            entries.append(SqliteDatabase("It", path).dump(folder, lambda line: None))
    finally:
        done.set()
        writer.join()
    assert len(written) > 3
    for number, entry in enumerate(entries):
        assert entry.rows["first"] == entry.rows["second"] >= 8000
        assert [found.name for found in (tmp_path / str(number)).iterdir()] == [entry.file]


def test_a_corpus_that_is_replaced_meanwhile_is_copied_again(demo_corpus: Corpus, tmp_path: Path) -> None:
    """The manifest changes after the first file was read; the copy has what the manifest names in the end."""
    store = demo_corpus.store
    heard = []

    def replace(n_bytes: int) -> None:
        heard.append(n_bytes)
        if len(heard) == 2:
            manifest = store.manifest()
            communities = {name: owner for name, owner in manifest.communities.items() if name != "manners"}
            store.write_manifest(type(manifest)(communities=communities, imports=manifest.imports))

    entries = copy_corpora(store.root.parent, tmp_path / "copy", heard=replace)
    copied = CorpusStore(tmp_path / "copy" / store.root.name)
    assert copied.manifest() == store.manifest()
    assert len(heard) > len(entries)
    assert copied.scan_posts().collect().equals(store.scan_posts().collect())


def test_a_corpus_that_never_rests_makes_no_backup(demo_corpus: Corpus, tmp_path: Path) -> None:
    store = demo_corpus.store

    def replace(n_bytes: int) -> None:
        manifest = store.manifest()
        communities = {**manifest.communities, f"c{n_bytes}{len(manifest.communities)}": "x"}
        store.write_manifest(type(manifest)(communities=communities))

    with pytest.raises(ChangedMeanwhile, match="Imports went on"):
        copy_corpora(store.root.parent, tmp_path / "copy", heard=replace)
