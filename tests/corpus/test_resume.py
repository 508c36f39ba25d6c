"""An import killed at any moment leaves nothing visible, and running it again gives the undisturbed result."""

import signal
import subprocess
import sys
from errno import ENOSPC
from itertools import count
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

import corpus.staging as staging_module
from corpus.progress import Progress, ProgressSink, ignore_progress
from corpus.readers.reddit import import_reddit
from corpus.records import ImportRecord
from corpus.staging import Place, StagedChunk, Staging
from corpus.store import CorpusStore
from tests.corpus.dumps import KEY, comment, now, submission, write_ndjson
from tests.corpus.import_and_die import RULES

pytestmark = pytest.mark.slow

CHUNKS = 12


def write_dump(folder: Path) -> tuple[Path, Path]:
    posts = [submission(f"p{number}", f"Text number {number % 90}") for number in range(100)]
    comments = [comment(f"c{number}", f"t3_p{number % 110}") for number in range(300)]
    comments += [
        comment(f"n{number}", f"t1_c{number}", link_id=f"t3_p{number}", author=f"poster_p{number}")
        for number in range(100)
    ]
    return write_ndjson(folder / "submissions.zst", posts), write_ndjson(folder / "comments.zst", comments)


def finish(
    store: CorpusStore, dump: tuple[Path, Path], on_progress: ProgressSink = ignore_progress
) -> ImportRecord:
    return import_reddit(
        store,
        submissions=[dump[0]],
        comments=[dump[1]],
        rules=RULES,
        key=KEY,
        now=now,
        on_progress=on_progress,
    )


def parts(store: CorpusStore) -> dict[str, bytes]:
    return {str(path.relative_to(store.root)): path.read_bytes() for path in store.root.rglob("*.parquet")}


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write_dump(tmp_path_factory.mktemp("dump"))


@pytest.fixture(scope="module")
def undisturbed(dump: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> CorpusStore:
    store = CorpusStore(tmp_path_factory.mktemp("undisturbed"))
    finish(store, dump)
    return store


def test_the_dump_is_long_enough_to_be_stopped_in_the_middle(dump: tuple[Path, Path], tmp_path: Path) -> None:
    heard: list[Progress] = []
    finish(CorpusStore(tmp_path), dump, heard.append)
    assert len(heard) == CHUNKS


# The clock is asked once at the start, once per chunk, and once when all parts are written but not visible.
@pytest.mark.parametrize("moment", ["1", "4", "9", str(CHUNKS + 1), "manifest"])
def test_killed_and_run_again(
    dump: tuple[Path, Path], undisturbed: CorpusStore, tmp_path: Path, moment: str
) -> None:
    store = CorpusStore(tmp_path / "corpus")
    command = [sys.executable, "-m", "tests.corpus.import_and_die", str(store.root), *map(str, dump), moment]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert (store.exists, store.communities(), len(store.unfinished())) == (False, [], 1)
    record = finish(store, dump)
    assert not record.already_imported
    assert record == undisturbed.imports()[0]
    assert parts(store) == parts(undisturbed)
    assert_frame_equal(store.scan_replies().collect(), undisturbed.scan_replies().collect())
    assert store.unfinished() == []


def test_a_resumed_import_does_not_read_finished_sources_again(
    dump: tuple[Path, Path], tmp_path: Path
) -> None:
    store = CorpusStore(tmp_path / "corpus")

    def stop(progress: Progress) -> None:
        if progress.records > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        finish(store, dump, stop)
    heard: list[Progress] = []
    finish(store, dump, heard.append)
    assert heard[0].done_bytes > dump[0].stat().st_size
    assert heard[0].records > 100


def test_a_torn_journal_line_is_forgotten(tmp_path: Path) -> None:
    staging = Staging.open(tmp_path / "staging")
    staging.write(0, Place(10, 2), StagedChunk(posts_read=2))
    staging.write(0, Place(20, 4), StagedChunk(posts_read=2))
    journal = tmp_path / "staging" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-5])
    reopened = Staging.open(tmp_path / "staging")
    assert reopened.place(0) == Place(10, 2)
    reopened.write(0, Place(20, 4), StagedChunk(posts_read=2))
    assert Staging.open(tmp_path / "staging").place(0) == Place(20, 4)


def test_unfinished_work_can_be_discarded(dump: tuple[Path, Path], tmp_path: Path) -> None:
    store = CorpusStore(tmp_path / "corpus")
    Staging.open(store.staging_root / "abc")
    assert store.unfinished() == ["abc"]
    store.discard_unfinished()
    assert store.unfinished() == []


def test_a_write_that_fails_once_leaves_no_hole(
    dump: tuple[Path, Path], undisturbed: CorpusStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk for a moment: later chunks, already made, must not be taken for what comes next."""
    store = CorpusStore(tmp_path / "full")
    real, calls = staging_module.write_parquet, count(1)

    def full_at_the_fourth(*args: object, **kwargs: object) -> None:
        if next(calls) == 4:
            raise OSError(ENOSPC, "No space left on device")
        real(*args, **kwargs)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(staging_module, "write_parquet", full_at_the_fourth)
        with pytest.raises(OSError, match="No space left"):
            finish(store, dump)
    finish(store, dump)
    assert_frame_equal(store.scan_posts().collect(), undisturbed.scan_posts().collect())
    assert_frame_equal(store.scan_replies().collect(), undisturbed.scan_replies().collect())
