"""Keeps what was measured, named by its hash; a job notes which it asks about, so that answers are decoded once and not
with every attempt."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from pydantic import BaseModel, ValidationError

from backend.annotate.batches.models import Batch
from backend.core.ml_tasks.folders import task_folder
from backend.core.studies.models import Study
from backend.decide.agreement.inputs import answers_mark, inputs_of
from backend.decide.agreement.models import ReportKind
from corpus.atomic_files import replace_file
from learning.tasks.folder import TaskFolder


def agreement_folder(study: Study) -> Path:
    return Path(settings.AGREEMENT_DIR) / study.slug


class KeptInputs(BaseModel):
    """`mark` tells of which answers they were made."""

    mark: str
    kind: ReportKind
    hash: str


@dataclass(frozen=True, slots=True)
class JobInputs:
    """`answers` is the file that the ML backend reads; there is none if they are empty."""

    kind: ReportKind
    hash: str
    answers: Path
    is_empty: bool


def inputs_for_job(batch: Batch, job_id: int) -> JobInputs:
    """The answers of a batch as they are now; decoded anew only if some came since the last attempt."""
    mark, folder = answers_mark(batch), task_folder(batch.study, job_id)
    kept = _read(folder)
    if kept is not None and kept.mark == mark and _answers(batch, kept.hash).exists():
        return JobInputs(kept.kind, kept.hash, _answers(batch, kept.hash), is_empty=False)
    inputs = inputs_of(batch)
    answers = _answers(batch, inputs.hash)
    if not inputs.is_empty:
        for place in (answers.parent, folder.path):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(answers, inputs.content)
        kept = KeptInputs(mark=mark, kind=inputs.kind, hash=inputs.hash)
        replace_file(_mark(folder), kept.model_dump_json().encode())
    return JobInputs(inputs.kind, inputs.hash, answers, inputs.is_empty)


def kept_hash(batch: Batch, job_id: int) -> str | None:
    """Of the inputs that a job has read; None if it has not looked yet."""
    kept = _read(task_folder(batch.study, job_id))
    return kept.hash if kept else None


def forget_inputs(batch: Batch, job_id: int) -> None:
    """The next attempt writes them again, in case their file was damaged. With all else that the job's task left."""
    shutil.rmtree(task_folder(batch.study, job_id).path, ignore_errors=True)


def _answers(batch: Batch, inputs_hash: str) -> Path:
    return agreement_folder(batch.study) / f"{inputs_hash}.inputs.json"


def _mark(folder: TaskFolder) -> Path:
    return folder.path / "inputs-kept.json"


def _read(folder: TaskFolder) -> KeptInputs | None:
    try:
        return KeptInputs.model_validate_json(_mark(folder).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
