"""Trains an adapter on a release: the folder appears whole, loaded once and measured, or not at all."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import msgspec

from annotation.release.files import CODEBOOK, move_into_place
from annotation.release.manifest import file_entries
from annotation.release.read import ReadRelease, read_release
from annotation.release.rows import SplitPart
from codebook.editions import canonical_json
from codebook.questions import model_questions
from corpus.atomic_files import sync_directory
from learning.adapters.card import CARD, Card, ReleaseEntry, card_bytes, content_id
from learning.adapters.folder import SEEN
from learning.predictions.files import predictions_file, write_predictions
from learning.scoring.cases import NotMeasurable
from learning.scoring.evaluate import evaluate
from learning.scoring.values import Evaluation
from ml_backend.adapters.folder import load_learner
from ml_backend.adapters.parent import Parent, begin_from, seen_items
from ml_backend.examples import Example, NothingToLearn, examples_of, labelled_questions
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import Config, Learner, OnPoint, Report
from ml_backend.learners.registry import learner_type

RESAMPLES = 1000
LIBRARIES = ("torch", "transformers", "peft", "safetensors", "scikit-learn", "interpret-core", "numpy")


class AdapterTaken(ValueError):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} is there already: name a new folder, an adapter is never written over.")


class NotReproduced(RuntimeError):
    def __init__(self) -> None:
        super().__init__(
            "What was saved does not predict what was trained, so nothing was kept. Check the disk, then train again."
        )


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """`threads` is recorded because sums in another order can differ in the last digits.

    With `release_hash` only that very release is learned from. `measured` is a folder for the predictions on the parts
    that are measured. `parent` is the folder of an adapter to begin from.
    """

    release: Path
    target: Path
    learner: str
    config: Config
    seed: int
    threads: int
    release_hash: str = ""
    measured: Path | None = None
    parent: Path | None = None


def train_adapter(
    request: TrainingRequest,
    *,
    now: datetime,
    report: Report,
    checkpoints: Path | None = None,
    on_point: OnPoint | None = None,
) -> Card:
    """With a folder of `checkpoints`, the same request goes on where it was stopped, to the same adapter."""
    if request.target.exists():
        raise AdapterTaken(request.target)
    report(f"Reading the release {request.release}")
    release = read_release(request.release, expected_hash=request.release_hash)
    by_part = {part: examples_of(release, part) for part in SplitPart}
    train, dev = by_part[SplitPart.TRAIN], by_part[SplitPart.VALIDATION]
    if not train:
        raise NothingToLearn(SplitPart.TRAIN)
    questions = labelled_questions(model_questions(release.codebook), train)
    codes = f"{len(questions)} code{'' if len(questions) == 1 else 's'}"
    report(f"{len(train):,} items to learn from, {len(dev):,} to set thresholds by, {codes}")
    learner = learner_type(request.learner)(questions, request.config)
    parent = None if request.parent is None else begin_from(request.parent, learner, by_part, report)
    checkpoint = None
    if checkpoints is not None:
        checkpoint = Checkpoint(checkpoints, _request_key(request, release, parent))
    learner.fit(train, dev, seed=request.seed, report=report, checkpoint=checkpoint, on_point=on_point)
    request.target.parent.mkdir(parents=True, exist_ok=True)
    temporary = request.target.with_name(f".{request.target.name}.{uuid.uuid4().hex}.making")
    try:
        card = _make_folder(temporary, request, release, by_part, learner, parent, now, report)
        move_into_place(temporary, request.target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    if checkpoint is not None:
        checkpoint.discard()
    return card


def _request_key(request: TrainingRequest, release: ReadRelease, parent: Parent | None) -> str:
    """sha256 over all that decides what is learned: a state of another request is of no use to this one."""
    asked = {
        "release": release.manifest.hash,
        "learner": request.learner,
        "config": msgspec.to_builtins(request.config),
        "seed": request.seed,
        "threads": request.threads,
        "versions": _versions(),
        "parent": parent and parent.id,
    }
    return hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).hexdigest()


def _versions() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}}


def _make_folder(
    folder: Path,
    request: TrainingRequest,
    release: ReadRelease,
    by_part: dict[SplitPart, tuple[Example, ...]],
    learner: Learner,
    parent: Parent | None,
    now: datetime,
    report: Report,
) -> Card:
    folder.mkdir()
    learner.save(folder)
    (folder / CODEBOOK).write_text(canonical_json(release.codebook), encoding="utf-8")
    seen = seen_items(by_part, parent)
    (folder / SEEN).write_bytes(msgspec.json.encode(seen))
    draft = _draft(folder, request, release, learner, parent, now)
    card = msgspec.structs.replace(draft, id=content_id(draft))
    report("Loading what was saved, to see that it predicts the same")
    loaded = load_learner(folder, request.learner, release.codebook)
    _check_same(learner, loaded, by_part[SplitPart.VALIDATION] or by_part[SplitPart.TRAIN], card.id, report)
    measures = {}
    for part in (SplitPart.VALIDATION, SplitPart.TEST):
        if by_part[part]:
            with _noting_what_cannot_be_measured(report):
                measures[part.value] = measure_part(
                    release, loaded, part, card.id, seed=request.seed, report=report, keep=request.measured
                )
    card = msgspec.structs.replace(card, measures=measures)
    (folder / CARD).write_bytes(card_bytes(card))
    _sync(folder)
    return card


@contextmanager
def _noting_what_cannot_be_measured(report: Report) -> Iterator[None]:
    """A part in which every item was judged with suggestions in view has no score; the adapter is one all the same."""
    try:
        yield
    except NotMeasurable as problem:
        report(f"Note: {problem}")


def _draft(
    folder: Path,
    request: TrainingRequest,
    release: ReadRelease,
    learner: Learner,
    parent: Parent | None,
    now: datetime,
) -> Card:
    manifest = release.manifest
    learned = tuple(question.code_id for question in learner.questions)
    return Card(
        id="",
        learner=request.learner,
        release=ReleaseEntry(manifest.name, manifest.hash, manifest.edition.hash),
        config=msgspec.to_builtins(request.config),
        seed=request.seed,
        threads=request.threads,
        codes=learned,
        unlearned=tuple(code.id for _, code in release.codebook.coded_questions() if code.id not in learned),
        versions=_versions(),
        files=tuple(file_entries(folder)),
        measures={},
        made_at=now.isoformat(),
        parent=parent.id if parent else None,
    )


def _check_same(
    trained: Learner, loaded: Learner, examples: Sequence[Example], adapter_id: str, report: Report
) -> None:
    before = trained.predict(examples, adapter_id=adapter_id, report=report)
    if before != loaded.predict(examples, adapter_id=adapter_id, report=report):
        raise NotReproduced


def measure_part(
    release: ReadRelease,
    learner: Learner,
    part: SplitPart,
    adapter_id: str,
    *,
    seed: int,
    report: Report,
    keep: Path | None = None,
) -> Evaluation:
    """The predictions are kept in the folder `keep`, if there is one."""
    report(f"Measuring on the {part.value} part")
    predictions = learner.predict(examples_of(release, part), adapter_id=adapter_id, report=report)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        write_predictions(keep / predictions_file(part), predictions, release.codebook)
    return evaluate(
        release.rows, predictions, release.codebook, part_of_split=part, resamples=RESAMPLES, seed=seed
    )


def _sync(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_dir():
            sync_directory(path)
        else:
            with path.open("rb") as handle:
                os.fsync(handle.fileno())
    sync_directory(folder)
