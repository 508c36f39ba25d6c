"""Probes an adapter on the test part of a release, as a task."""

from __future__ import annotations

from pathlib import Path

from annotation.release.read import read_release
from learning.probe.unrelated import read_unrelated
from learning.tasks.contract import ProbeRequest, ProbeResult, UnrelatedFile
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.adapters.folder import load_adapter
from ml_backend.probing import ProbeSettings, Unrelated, probe_adapter
from ml_backend.torch_setup import use_threads


def probe(folder: TaskFolder, request: ProbeRequest, progress: ProgressWriter) -> ProbeResult:
    release = read_release(Path(request.release), expected_hash=request.release_hash)
    progress.say("Loading the adapter")
    adapter = load_adapter(Path(request.adapter))
    use_threads(request.threads, with_torch=adapter.learner.uses_torch)
    settings = ProbeSettings(resamples=request.resamples, seed=request.seed)
    unrelated = _read(request.unrelated) if request.unrelated else None
    return ProbeResult(report=probe_adapter(adapter, release, unrelated, settings, progress.say))


def _read(file: UnrelatedFile) -> Unrelated:
    return Unrelated(file.source, read_unrelated(Path(file.path)))
