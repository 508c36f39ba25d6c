"""The folder: the same bytes from the same facts, readable by others, and every tampering found."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import polars as pl
import pytest

from annotation.release.content_checks import ProblemKind
from annotation.release.counts import counts_of
from annotation.release.files import ITEMS, FolderTaken, write_release
from annotation.release.manifest import (
    MANIFEST,
    Manifest,
    add_hash,
    file_entries,
    manifest_bytes,
    parse_manifest,
)
from annotation.release.read import ReleaseBroken, copy_release, read_release, release_rows
from annotation.release.rows import Evidence, ReleaseRow, Snippet, SpanSource, SplitPart, Vote
from annotation.release.training_table import training_frame
from annotation.release.verify import verify_release
from annotation.release.write_protection import seal
from codebook.schema import Part
from tests.annotation.release.fixtures import POST, small_release
from tests.annotation.release.hugging_face import hugging_face


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


@pytest.mark.parametrize("name", ["whole", "with texts", "no validation part", "copied and sealed"])
def test_hugging_face_opens_the_folder(folder: Path, tmp_path: Path, name: str) -> None:
    if name == "with texts":
        folder = tmp_path / "with texts"
        write_release(folder, small_release(with_texts=True))
    elif name == "no validation part":
        folder = tmp_path / "few"
        write_release(folder, small_release(ratio=(8, 0, 2)))
    elif name == "copied and sealed":
        copy_release(folder, tmp_path / "copied")
        folder = tmp_path / "copied"
        seal(folder)
    opened = hugging_face(folder, tmp_path / "cache")
    by_split = read_release(folder).manifest.counts.by_split
    parts = {"train", "test"} if name == "no validation part" else {"train", "validation", "test"}
    assert opened.rows == by_split
    assert opened.rows.keys() == parts
    assert opened.label_type == "int64"
    assert opened.has_text == (name == "with texts")


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
    _rewrite(folder, add_hash)


def _linked_away(folder: Path) -> None:
    outside = folder.parent / "outside"
    (folder / "split.csv").rename(outside)
    (folder / "split.csv").symlink_to(outside)


def _forged(change: Callable[[ReleaseRow], ReleaseRow]) -> Callable[[Path], None]:
    """The first row of the items made otherwise, and everything add_hash and counted anew."""

    def forge(folder: Path) -> None:
        first, *rows = release_rows(folder)
        rows.insert(0, change(first))
        (folder / ITEMS).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
        counts = counts_of(rows, {"flag": 2})
        _rewrite(folder, lambda manifest: _rehashed(folder, msgspec.structs.replace(manifest, counts=counts)))

    return forge


def _rehashed(folder: Path, manifest: Manifest) -> Manifest:
    return add_hash(msgspec.structs.replace(manifest, files=file_entries(folder)))


def _relabelled(**changes: object) -> Callable[[Path], None]:
    return _forged(
        lambda row: replace(row, labels=(replace(row.labels[0], **changes), *row.labels[1:]))  # type: ignore[arg-type]
    )


def _rewritten(name: str, content: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def forge(folder: Path) -> None:
        (folder / name).write_bytes(content((folder / name).read_bytes()))
        _rewrite(folder, lambda manifest: _rehashed(folder, manifest))

    return forge


OUTSIDE = Evidence((Snippet(Part.POST, 0, len(POST) + 1, 1.0),), SpanSource.UNION)
NOWHERE = Evidence((Snippet(Part.REPLY, 0, 1, 1.0),), SpanSource.UNION)
FORGERIES: dict[str, tuple[Callable[[Path], None], ProblemKind, str]] = {
    "an unknown code": (_relabelled(code="astrology"), ProblemKind.WRONG_ITEMS, "no code astrology"),
    "an unknown answer": (_relabelled(value=7), ProblemKind.WRONG_ITEMS, "no answer 7"),
    "an unknown vote": (
        _relabelled(votes=(Vote("annotator-1", 9, "0" * 64),)),
        ProblemKind.WRONG_ITEMS,
        "no answer 9",
    ),
    "a label without a value": (_relabelled(value=None), ProblemKind.WRONG_ITEMS, "needs a value"),
    "a confidence above one": (_relabelled(confidence=1.5), ProblemKind.WRONG_ITEMS, "between 0 and 1"),
    "a span beyond the text": (_relabelled(evidence=OUTSIDE), ProblemKind.WRONG_ITEMS, "not in the post"),
    "a span in another part": (_relabelled(evidence=NOWHERE), ProblemKind.WRONG_ITEMS, "not in the post"),
    "a code twice": (
        _forged(lambda row: replace(row, labels=(*row.labels, row.labels[0]))),
        ProblemKind.WRONG_ITEMS,
        "2 labels for asking-advice",
    ),
    "an item twice": (
        _forged(lambda row: replace(row, item=replace(row.item, item_id="item-005"))),
        ProblemKind.WRONG_ITEMS,
        "item-005 is there 2 times",
    ),
    "a post in two parts": (
        _forged(lambda row: replace(row, split=next(part for part in SplitPart if part is not row.split))),
        ProblemKind.WRONG_ITEMS,
        "post p0 is in the parts",
    ),
    "another item": (
        _forged(lambda row: replace(row, item=replace(row.item, item_id="item-000b"))),
        ProblemKind.WRONG_COUNTS,
        "other items than items.jsonl",
    ),
    "an unknown way": (
        _rewritten(
            ITEMS,
            lambda raw: raw.replace(b'"decision":null', b'"decision":{"adjudicator":"x","way":"by lot"}', 1),
        ),
        ProblemKind.CHANGED_FILE,
        "cannot be read",
    ),
    "a label less in the table": (
        _rewritten("labels.csv", lambda raw: raw[: raw.rindex(b"\n", 0, -1) + 1]),
        ProblemKind.WRONG_COUNTS,
        "not one line for each of 260",
    ),
    "no Parquet": (
        _rewritten("data/test.parquet", lambda raw: b"x"),
        ProblemKind.WRONG_COUNTS,
        "other items than items.jsonl",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_with_sound_hashes_is_found_by_its_content(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "release"
    write_release(folder, small_release(with_texts=True))
    forge, kind, message = FORGERIES[name]
    forge(folder)
    problems = verify_release(folder)
    assert {problem.kind for problem in problems} == {kind}
    assert message in str(problems[0])


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
    "the counts, add_hash anew": (_recounted, ProblemKind.WRONG_COUNTS),
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
    _rewrite(folder, add_hash)
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


def test_a_copy_has_the_named_files_and_can_be_written_to(folder: Path, tmp_path: Path) -> None:
    seal(folder)
    copy_release(folder, tmp_path / "copy")
    assert _bytes(tmp_path / "copy") == _bytes(folder)
    assert all(path.stat().st_mode & 0o200 for path in (tmp_path / "copy").rglob("*"))


@pytest.mark.parametrize("name", ["a file more", "a data file gone", "a link", "no manifest", "the name"])
def test_what_does_not_look_like_a_release_is_not_even_copied(
    folder: Path, tmp_path: Path, name: str
) -> None:
    TAMPERINGS[name][0](folder)
    with pytest.raises(ReleaseBroken):
        copy_release(folder, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_another_release_is_told_by_its_hash(folder: Path) -> None:
    own = read_release(folder).manifest.hash
    assert verify_release(folder, expected_hash=own) == []
    assert [problem.kind for problem in verify_release(folder, expected_hash="0" * 64)] == [
        ProblemKind.OTHER_RELEASE
    ]
