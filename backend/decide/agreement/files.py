"""The files through which jobs and the ML backend talk: one folder a study, names from what is in them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from annotation.agreement.registry import method_version
from backend.core.studies.models import Study
from corpus.atomic_files import replace_file


def agreement_folder(study: Study) -> Path:
    return Path(settings.AGREEMENT_DIR) / study.slug


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Where the inputs of a report lie, where the ML backend puts it, and where it says why it could not.

    A report serves every job that asks for it; a failure is that of one job, so that an old one fails no new job.
    """

    folder: Path
    inputs_hash: str
    resamples: int
    seed: int
    job_id: int

    @property
    def inputs(self) -> Path:
        return self.folder / f"{self.inputs_hash}.inputs.json"

    @property
    def report(self) -> Path:
        return self.folder / f"{self._stem}.report.json"

    @property
    def failure(self) -> Path:
        return self.folder / f"{self._stem}-job-{self.job_id}.failure.txt"

    @property
    def _stem(self) -> str:
        return f"{self.inputs_hash}-{self.resamples}-{self.seed}-method-{method_version()}"

    def write_inputs(self, content: bytes) -> None:
        """Whole or not at all; again each time, so that a damaged file mends itself."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self.inputs, content)

    def take_failure(self) -> str | None:
        """What went wrong, once: asking again afterwards is a new try."""
        try:
            reason = self.failure.read_text()
        except FileNotFoundError:
            return None
        self.failure.unlink(missing_ok=True)
        return reason
