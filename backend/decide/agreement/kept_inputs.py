"""Keeps the inputs of a job between its attempts, so that answers are decoded once and not with every look."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from backend.annotate.batches.models import Batch
from backend.decide.agreement.files import agreement_folder
from backend.decide.agreement.inputs import answers_mark, inputs_of
from backend.decide.agreement.models import ReportKind
from corpus.atomic_files import replace_file


class KeptInputs(BaseModel):
    """`mark` tells of which answers they were made."""

    mark: str
    kind: ReportKind
    hash: str


@dataclass(frozen=True, slots=True)
class JobInputs:
    """`content` is None where it lies in its file already."""

    kind: ReportKind
    hash: str
    content: bytes | None
    is_empty: bool


def inputs_for_job(batch: Batch, job_id: int) -> JobInputs:
    """The answers of a batch as they are now; decoded anew only if some came since the last attempt."""
    mark, path = answers_mark(batch), _path(batch, job_id)
    kept = _read(path)
    if kept is not None and kept.mark == mark and (path.parent / f"{kept.hash}.inputs.json").exists():
        return JobInputs(kept.kind, kept.hash, None, is_empty=False)
    inputs = inputs_of(batch)
    if not inputs.is_empty:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = KeptInputs(mark=mark, kind=inputs.kind, hash=inputs.hash)
        replace_file(path, kept.model_dump_json().encode())
    return JobInputs(inputs.kind, inputs.hash, inputs.content, inputs.is_empty)


def kept_hash(batch: Batch, job_id: int) -> str | None:
    """Of the inputs that a job has read; None if it has not looked yet."""
    kept = _read(_path(batch, job_id))
    return kept.hash if kept else None


def forget_inputs(batch: Batch, job_id: int) -> None:
    """The next attempt writes them again, in case their file was damaged."""
    _path(batch, job_id).unlink(missing_ok=True)


def _path(batch: Batch, job_id: int) -> Path:
    return agreement_folder(batch.study) / f"job-{job_id}.inputs-kept.json"


def _read(path: Path) -> KeptInputs | None:
    try:
        return KeptInputs.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
