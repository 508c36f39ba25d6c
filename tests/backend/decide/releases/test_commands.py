"""Releases from the terminal."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from backend.decide.releases.models import Release
from tests.backend.decide.releases.fixtures import asked, frozen, judged_study, opened
from tests.batch_fixtures import CastAtWork


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_a_release_is_frozen_verified_and_imported(work: CastAtWork) -> None:
    judged_study(work)
    options = ["--consensus", "dawid-skene", "--spans", "union", "--superseded", "weight=0.5", "--seed", "5"]
    said = run(
        "freeze_release", "kind-words", "--name", "First", "--ratio", "8:1:1", *options, "--licence", "CC0"
    )
    release = Release.objects.get()
    assert release.hash in said
    assert str(release.folder) in said
    assert release.request == {
        "texts": False,
        "consensus": "dawid-skene",
        "spans": "union",
        "superseded": "weight",
        "superseded_weight": 0.5,
        "singles": True,
        "ratio": [8, 1, 1],
        "seed": 5,
        "split_like": "",
        "licence": "CC0",
        "ties": "seed",
    }
    assert "is as it was frozen: 12 items" in run("verify_release", "kind-words/1")
    assert "is as it was frozen: 12 items" in run("verify_release", str(release.folder))
    assert release.hash in run("import_release", str(release.folder), "elsewhere")


def test_what_was_left_out_is_said(work: CastAtWork) -> None:
    judged_study(work)
    said = run("freeze_release", "kind-words", "--name", "First", "--consensus", "none", "--no-singles")
    assert "Left out, with a disagreement that nobody adjudicated: 1" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("freeze_release", "nowhere", "--name", "x"), "There is no study"),
        (("freeze_release", "kind-words", "--name", "x"), "No item can be released"),
        (("freeze_release", "kind-words", "--name", "x", "--ratio", "1:2"), "ratio"),
        (("freeze_release", "kind-words", "--name", "x", "--superseded", "weight=2"), "superseded_weight"),
        (("freeze_release", "kind-words", "--name", "x", "--superseded", "burn"), "superseded"),
        (("freeze_release", "kind-words", "--name", "x", "--edition", "9"), "no edition 9"),
        (("verify_release", "kind-words/7"), "neither a folder nor a release"),
        (("verify_release", "nothing"), "neither a folder nor a release"),
        (("import_release", "/nowhere", "kind-words"), "is no folder"),
        (("import_release", ".", "kind-words"), "Nothing was imported"),
    ],
)
def test_what_cannot_be_done_is_explained(
    work: CastAtWork,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    with pytest.raises(CommandError, match=message):
        run(*arguments)
    assert Release.objects.count() == 0


def test_a_changed_file_is_named(work: CastAtWork) -> None:
    judged_study(work)
    release = frozen(work)
    (opened(release) / "split.csv").unlink()
    with pytest.raises(CommandError, match=r"split\.csv: it is not there"):
        run("verify_release", "kind-words/1")


def test_a_path_to_a_kept_release_is_held_against_its_row(work: CastAtWork, tmp_path: Path) -> None:
    """Another sound release in its place proves itself, and is found out all the same."""
    judged_study(work)
    first, second = frozen(work), frozen(work, asked("Second"))
    first.folder.rename(tmp_path / "first")
    second.folder.rename(first.folder)
    (tmp_path / "link").symlink_to(first.folder)
    for path in (str(first.folder), str(tmp_path / "link"), f"{first.folder}/../1"):
        with pytest.raises(CommandError, match="it is another release"):
            run("verify_release", path)


def test_a_folder_from_elsewhere_is_held_against_the_cited_hash(work: CastAtWork, tmp_path: Path) -> None:
    judged_study(work)
    release = frozen(work)
    folder = str(shutil.copytree(release.folder, tmp_path / "elsewhere"))
    assert release.hash in run("verify_release", folder)
    assert release.hash in run("verify_release", folder, "--hash", release.hash.upper())
    with pytest.raises(CommandError, match="it is another release"):
        run("verify_release", folder, "--hash", "0" * 64)
    with pytest.raises(CommandError, match="and not 000"):
        run("verify_release", "kind-words/1", "--hash", "0" * 64)
