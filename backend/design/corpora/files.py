"""The files that a study brings in: one folder per study, filled by uploads or by copying into it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkstemp

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from backend.core.studies.models import Study
from backend.design.corpora.errors import BadFileName, FileExists, FileTooLarge, UnknownFile

_NAME = re.compile(r"[\w][\w .-]{0,199}", re.ASCII)


@dataclass(frozen=True)
class StudyFile:
    name: str
    bytes: int
    modified: datetime


def files_folder(study: Study) -> Path:
    return Path(settings.FILES_DIR) / study.slug


def study_files(study: Study) -> list[StudyFile]:
    folder = files_folder(study)
    if not folder.is_dir():
        return []
    found = [path for path in folder.iterdir() if path.is_file() and _NAME.fullmatch(path.name)]
    return [
        StudyFile(path.name, path.stat().st_size, datetime.fromtimestamp(path.stat().st_mtime, UTC))
        for path in sorted(found)
    ]


def file_path(study: Study, name: str) -> Path:
    """The path of a file that is there; a link that somebody with access to the server made is as good as one."""
    path = files_folder(study) / _check_name(name)
    if not path.is_file():
        raise UnknownFile(name)
    return path


def save_upload(study: Study, upload: UploadedFile[bytes]) -> StudyFile:
    """Written under another name and renamed: a broken upload leaves no file that looks whole."""
    name = _check_name(Path(upload.name or "").name)
    if (upload.size or 0) > settings.UPLOAD_MAX_BYTES:
        raise FileTooLarge(name, settings.UPLOAD_MAX_BYTES)
    folder = files_folder(study)
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, draft = mkstemp(prefix=".", suffix=".part", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            for chunk in upload.chunks():
                handle.write(chunk)
        os.link(draft, folder / name)
    except FileExistsError:
        raise FileExists(name) from None
    finally:
        os.unlink(draft)
    return next(file for file in study_files(study) if file.name == name)


def delete_file(study: Study, name: str) -> None:
    file_path(study, name).unlink()


def _check_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise BadFileName(name)
    return name
