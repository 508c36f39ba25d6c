"""A study's folder takes uploads whole or not at all, and nothing leads out of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings

from backend.design.corpora import files
from backend.design.corpora.errors import BadFileName, FileExists, FileTooLarge, UnknownFile
from tests.cast import Cast


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.FILES_DIR = tmp_path
    return tmp_path


def upload(name: str, content: bytes = b"{}") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def test_an_upload_is_listed_and_found(cast: Cast) -> None:
    saved = files.save_upload(cast.study, upload("dump.ndjson", b"12345"))
    assert (saved.name, saved.bytes) == ("dump.ndjson", 5)
    assert files.study_files(cast.study) == [saved]
    assert files.file_path(cast.study, "dump.ndjson").read_bytes() == b"12345"


def test_a_file_copied_into_the_folder_appears(cast: Cast) -> None:
    files.files_folder(cast.study).mkdir()
    (files.files_folder(cast.study) / "big.zst").write_bytes(b"x")
    assert [file.name for file in files.study_files(cast.study)] == ["big.zst"]


def test_an_upload_never_overwrites(cast: Cast) -> None:
    files.save_upload(cast.study, upload("dump.ndjson", b"first"))
    with pytest.raises(FileExists, match="delete it first"):
        files.save_upload(cast.study, upload("dump.ndjson", b"second"))
    assert files.file_path(cast.study, "dump.ndjson").read_bytes() == b"first"
    assert [path.name for path in files.files_folder(cast.study).iterdir()] == ["dump.ndjson"]


def test_one_study_does_not_see_the_files_of_another(cast: Cast) -> None:
    files.save_upload(cast.study, upload("dump.ndjson"))
    assert files.study_files(cast.other_study) == []
    with pytest.raises(UnknownFile):
        files.file_path(cast.other_study, "dump.ndjson")


@pytest.mark.parametrize("name", ["../secrets.json", "a/b", "", ".hidden", "x\n", "a" * 300])
def test_names_that_could_lead_elsewhere_are_refused(cast: Cast, name: str) -> None:
    with pytest.raises(BadFileName):
        files.file_path(cast.study, name)


def test_a_link_to_a_large_dump_is_as_good_as_a_copy_and_only_the_link_is_deleted(
    cast: Cast, folder: Path
) -> None:
    (folder / "dump").write_text("large")
    files.files_folder(cast.study).mkdir()
    (files.files_folder(cast.study) / "linked.ndjson").symlink_to(folder / "dump")
    assert files.file_path(cast.study, "linked.ndjson").read_text() == "large"
    files.delete_file(cast.study, "linked.ndjson")
    assert (folder / "dump").read_text() == "large"


def test_two_uploads_of_one_name_at_once_leave_one_whole_file(cast: Cast) -> None:
    contents = [bytes([number]) * 300_000 for number in range(4)]

    def attempt(content: bytes) -> bool:
        try:
            files.save_upload(cast.study, upload("dump.ndjson", content))
        except FileExists:
            return False
        return True

    with ThreadPoolExecutor(max_workers=4) as pool:
        saved = list(pool.map(attempt, contents))
    assert sum(saved) == 1
    assert files.file_path(cast.study, "dump.ndjson").read_bytes() == contents[saved.index(True)]


def test_a_too_large_upload_is_refused_with_the_way_out(cast: Cast, settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 3
    with pytest.raises(FileTooLarge, match="copy it into the study's folder"):
        files.save_upload(cast.study, upload("dump.ndjson", b"1234"))
    assert files.study_files(cast.study) == []


def test_a_deleted_file_is_gone(cast: Cast) -> None:
    files.save_upload(cast.study, upload("dump.ndjson"))
    files.delete_file(cast.study, "dump.ndjson")
    assert files.study_files(cast.study) == []
