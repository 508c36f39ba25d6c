"""Twenty annotators submit for some minutes to the whole running product; prints speeds, errors and losses."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

from benchmarks.running_product import running_product

ANNOTATORS = 20
ITEMS = 200
PAUSE = 1.5
SLOWEST_WEBHOOK_MS = 100
PATIENCE_SECONDS = 120


@dataclass
class Annotator:
    """Submits item after item, with a pause after each, and remembers what was acknowledged."""

    entrance: str
    project: int
    work: Sequence[tuple[int, list[dict[str, object]]]]
    seed: int
    pause: float
    acknowledged: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def run(self, until: float) -> None:
        import httpx

        from backend.annotate.label_studio.annotator_session import AnnotatorSession

        rng = random.Random(self.seed)
        with AnnotatorSession(self.entrance) as session:
            for task, results in self.work:
                if time.monotonic() > until:
                    return
                begun = time.monotonic()
                try:
                    self.acknowledged.append(session.submit(self.project, task, results))
                except httpx.HTTPError as problem:
                    self.errors.append(str(problem))
                self.seconds.append(time.monotonic() - begun)
                time.sleep(rng.uniform(self.pause / 3, self.pause * 5 / 3))


def main() -> int:
    """Arguments: for how many minutes, and how many seconds of thought go before each submit on average."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 3
    pause = float(sys.argv[2]) if len(sys.argv) > 2 else PAUSE
    with running_product() as data_dir:
        annotators = _given_out(pause)
        until = time.monotonic() + minutes * 60
        threads = [threading.Thread(target=annotator.run, args=(until,)) for annotator in annotators]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return _report(annotators, minutes, data_dir)


def _given_out(pause: float) -> list[Annotator]:
    """Imports what needs Django only now that it is set up."""
    from django.utils import timezone

    from annotation.label_studio.encoding import encode_answers
    from backend.annotate.batches.models import Assignment
    from backend.annotate.batches.queue import enqueue_preparation
    from backend.annotate.label_studio.client import connect
    from backend.annotate.sync.models import Project
    from backend.annotate.sync.seats import entrance_for
    from backend.core.accounts.models import AccountRole, User
    from backend.core.studies.models import Study, StudyRole
    from backend.core.studies.services import set_member
    from backend.design.samples.selectors import item_text
    from tests.batch_fixtures import Work, made_items

    study = Study.objects.get()
    rosa = User.objects.get(username="rosa")
    users = [
        User.objects.create(username=f"load-{number}", role=AccountRole.ANNOTATOR)
        for number in range(ANNOTATORS)
    ]
    for user in users:
        set_member(study=study, user=user, role=StudyRole.ANNOTATOR, actor=rosa, now=timezone.now())
    work = Work.of(study, rosa, made_items(study, ITEMS))
    batch = work.batch(*users, items=work.items, name="Load")
    job = enqueue_preparation(batch=batch, actor=rosa, now=timezone.now())
    while not job.is_over:
        time.sleep(0.5)
        job.refresh_from_db()
    print(f"{ANNOTATORS} projects with {ITEMS} items each: {job.state} {job.error}")
    results = {
        item.item_id: encode_answers(work.codebook, item_text(item), work.answers(item, "asking-advice"))
        for item in work.items
    }
    annotators = []
    for number, share in enumerate(
        Assignment.objects.filter(batch=batch).select_related("batch", "annotator")
    ):
        project = Project.objects.get(assignment=share)
        todo = [(task.id, results[task.item]) for task in connect().task_index(project.label_studio_id or 0)]
        entrance = entrance_for(share, None, connect())
        annotators.append(Annotator(entrance, project.label_studio_id or 0, todo, number, pause))
    return annotators


def _report(annotators: Sequence[Annotator], minutes: float, data_dir: Path) -> int:
    acknowledged = {number for annotator in annotators for number in annotator.acknowledged}
    errors = [error for annotator in annotators for error in annotator.errors]
    rate = len(acknowledged) / minutes / 60
    print(f"submits {len(acknowledged)} in {minutes:g} min ({rate:.1f}/s), errors {len(errors)}")
    _print_spread("submit, ms", [1000 * each for annotator in annotators for each in annotator.seconds])
    webhooks = webhook_milliseconds(data_dir / "logs")
    slow = (
        _print_spread(f"webhook answered, ms (99%: at most {SLOWEST_WEBHOOK_MS} wanted)", webhooks)
        > SLOWEST_WEBHOOK_MS
    )
    begun = time.monotonic()
    missing = _still_missing(acknowledged)
    print(f"missing in the sync {time.monotonic() - begun:.1f} s after the last submit: {len(missing)}")
    _print_spread("from Label Studio to Attune, ms", _lag_milliseconds())
    return 1 if errors or missing or slow else 0


def _print_spread(what: str, values: Sequence[float]) -> float:
    """Returns the 99th percentile."""
    cuts = quantiles(values, n=100)
    print(f"{what}: median {cuts[49]:.0f}, 95% {cuts[94]:.0f}, 99% {cuts[98]:.0f} (n = {len(values)})")
    return cuts[98]


def webhook_milliseconds(logs: Path) -> list[float]:
    """From the web server's own access log."""
    lines = (logs / "web.log").read_text().splitlines()
    return [float(line.split()[-2]) for line in lines if "/label-studio/webhook/" in line]


def _lag_milliseconds() -> list[float]:
    from backend.annotate.judgments.models import AnnotationVersion

    versions = AnnotationVersion.objects.values_list("seen_at", "changed_there_at")
    return [1000 * (seen - changed).total_seconds() for seen, changed in versions]


def _still_missing(acknowledged: set[int]) -> set[int]:
    """Gives the sync some time to catch up."""
    from backend.annotate.judgments.models import AnnotationVersion

    deadline = time.monotonic() + PATIENCE_SECONDS
    while missing := acknowledged - set(AnnotationVersion.objects.values_list("annotation_id", flat=True)):
        if time.monotonic() > deadline:
            break
        time.sleep(0.2)
    return missing


if __name__ == "__main__":
    sys.exit(main())
