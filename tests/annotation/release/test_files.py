"""The folder: the same bytes from the same facts, readable by others, and every tampering found."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from annotation.release.columns import training_frame
from annotation.release.files import FolderTaken, write_release
from annotation.release.manifest import MANIFEST, Manifest, hashed, manifest_bytes, parse_manifest
from annotation.release.read import ReleaseBroken, read_release
from annotation.release.rows import SplitPart
from annotation.release.verify import ProblemKind, verify_release
from tests.annotation.release.scene import POST, small_release


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_release(tmp_path / "release", small_release())
    return tmp_path / "release"


def _bytes(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_release_is_read_back_as_it_was_written(folder: Path) -> None:
    release = small_release()
    read = read_release(folder)
    assert read.rows == tuple(release.rows)
    assert read.codebook == release.codebook
    assert read.manifest.counts == release.counts
    assert read.manifest.counts.items == 20


def test_the_same_release_has_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    write_release(tmp_path / "again", small_release())
    assert _bytes(tmp_path / "again") == _bytes(folder)
    assert set(_bytes(folder)) == {
        "README.md",
        "codebook.json",
        "data/test.parquet",
        "data/train.parquet",
        "data/validation.parquet",
        "items.jsonl",
        "labels.csv",
        "manifest.json",
        "split.csv",
        "split_table.csv",
        "split_table.tex",
    }


def test_a_release_is_never_written_over(folder: Path) -> None:
    before = _bytes(folder)
    with pytest.raises(FolderTaken):
        write_release(folder, small_release())
    assert _bytes(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["release"]


def test_without_being_asked_no_text_is_anywhere(folder: Path, tmp_path: Path) -> None:
    words = "lost at work"
    assert words in POST
    assert not any(words.encode() in content for content in _bytes(folder).values())
    assert pl.read_parquet(folder / "data/train.parquet")["post_text"].null_count() > 0
    write_release(tmp_path / "with", small_release(with_texts=True))
    assert words in (tmp_path / "with" / "items.jsonl").read_text()
    assert set(pl.read_parquet(tmp_path / "with/data/train.parquet")["post_text"]) == {POST}


def test_the_flat_table_has_labels_and_spans(folder: Path) -> None:
    frame = pl.concat([pl.read_parquet(folder / f"data/{part.value}.parquet") for part in SplitPart])
    assert frame.height == 20
    asking = frame.filter(pl.col("label__asking-advice") == 1)
    assert asking.height == 5
    assert asking["spans__asking-advice"].to_list() == [[{"start": 2, "end": 8, "confidence": 1.0}]] * 5
    assert set(asking["source__asking-advice"]) == {"agreed"}
    assert set(frame["inclusion_probability"]) == {0.25}


def test_the_long_table_has_a_row_for_every_label(folder: Path) -> None:
    with (folder / "labels.csv").open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 20 * 13
    found = [row for row in rows if row["value"] == "1"]
    assert {row["spans"] for row in found} == {"post:2-8"}
    assert {row["span_confidence"] for row in found} == {"1.000"}
    assert {row["answer"] for row in found} == {"yes"}


def test_hugging_face_opens_the_folder(folder: Path, tmp_path: Path) -> None:
    """In a process of its own: the library holds on to its settings, and has warnings of its own."""
    asked = (
        "import sys, json, datasets; found = datasets.load_dataset(sys.argv[1]);"
        "print(json.dumps({name: part.num_rows for name, part in found.items()}));"
        "print(found['train'].features['label__asking-advice'].dtype)"
    )
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", asked, str(folder)],
        env=os.environ | offline,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.strip().splitlines()
    assert json.loads(lines[-2]) == read_release(folder).manifest.counts.by_split
    assert set(json.loads(lines[-2])) == {"train", "validation", "test"}
    assert lines[-1] == "int64"


def _rewrite(folder: Path, change: Callable[[Manifest], Manifest]) -> None:
    path = folder / MANIFEST
    path.write_bytes(manifest_bytes(change(parse_manifest(path.read_bytes()))))


def _renamed(folder: Path) -> None:
    content = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(content | {"name": "Another"}))


def _recounted(folder: Path) -> None:
    """As somebody would who knows how the hash is made."""
    content = json.loads((folder / MANIFEST).read_text())
    content["counts"]["items"] += 1
    (folder / MANIFEST).write_text(json.dumps(content))
    _rewrite(folder, hashed)


def _linked_away(folder: Path) -> None:
    outside = folder.parent / "outside"
    (folder / "split.csv").rename(outside)
    (folder / "split.csv").symlink_to(outside)


TAMPERINGS: dict[str, tuple[Callable[[Path], object], ProblemKind]] = {
    "a byte of the labels": (
        lambda folder: (folder / "labels.csv").write_bytes((folder / "labels.csv").read_bytes() + b"\n"),
        ProblemKind.CHANGED_FILE,
    ),
    "a data file gone": (lambda folder: (folder / "data/test.parquet").unlink(), ProblemKind.MISSING_FILE),
    "a file more": (lambda folder: (folder / "notes.txt").write_text("mine"), ProblemKind.EXTRA_FILE),
    "a hidden file more": (lambda folder: (folder / "data/.x").write_text(""), ProblemKind.EXTRA_FILE),
    "the name": (_renamed, ProblemKind.CHANGED_MANIFEST),
    "no manifest": (lambda folder: (folder / MANIFEST).unlink(), ProblemKind.NO_MANIFEST),
    "no JSON": (lambda folder: (folder / MANIFEST).write_text("{"), ProblemKind.CHANGED_MANIFEST),
    "no UTF-8": (lambda folder: (folder / MANIFEST).write_bytes(b'"\xff"'), ProblemKind.CHANGED_MANIFEST),
    "another form": (lambda folder: (folder / MANIFEST).write_text("[]"), ProblemKind.CHANGED_MANIFEST),
    "the counts, hashed anew": (_recounted, ProblemKind.WRONG_COUNTS),
    "a link": (_linked_away, ProblemKind.CHANGED_FILE),
    "a linked folder": (
        lambda folder: (folder / "more").symlink_to(folder.parent),
        ProblemKind.EXTRA_FILE,
    ),
    "everything": (shutil.rmtree, ProblemKind.NO_MANIFEST),
}


def test_an_untouched_release_verifies(folder: Path) -> None:
    assert verify_release(folder) == []


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_is_found_and_the_release_is_refused(folder: Path, name: str) -> None:
    tamper, kind = TAMPERINGS[name]
    tamper(folder)
    assert {problem.kind for problem in verify_release(folder)} == {kind}
    with pytest.raises(ReleaseBroken):
        read_release(folder)


def test_a_name_in_the_manifest_cannot_lead_out_of_the_folder(folder: Path) -> None:
    secret = folder.parent / "secret"
    secret.write_text("x")
    content = json.loads((folder / MANIFEST).read_text())
    content["files"].append({"path": "../secret", "size": 1, "sha256": "0" * 64})
    (folder / MANIFEST).write_text(json.dumps(content))
    _rewrite(folder, hashed)
    assert [(problem.kind, problem.path) for problem in verify_release(folder)] == [
        (ProblemKind.MISSING_FILE, "../secret")
    ]


def test_spans_are_empty_where_nothing_was_marked_and_null_where_nothing_was_asked() -> None:
    release = small_release(n=2)
    first, second = release.rows
    rows = [first, replace(second, labels=second.labels[1:])]
    frame = training_frame(rows, release.codebook)
    assert frame["spans__asking-advice"].to_list() == [[{"start": 2, "end": 8, "confidence": 1.0}], None]
    assert frame["spans__sharing-emotions"].to_list() == [[], []]
    assert frame["source__asking-advice"].to_list() == ["agreed", None]
    assert training_frame([], release.codebook).height == 0
