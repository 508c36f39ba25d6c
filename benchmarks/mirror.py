"""Compares the mirror, database and all, with the bare SDK: push, pull, and a poll with nothing new."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import django
import httpx
from label_studio_sdk import LabelStudio

from tests.integration.label_studio_server import RunningLabelStudio, new_instance, run_label_studio

ITEMS = 20_000
ANNOTATED = 4_000
WANTED_RATIO = 0.7
WANTED_SECONDS = 1.0


def run(running: RunningLabelStudio) -> None:
    """Imports what needs Django only now that it is set up."""
    from django.core.management import call_command
    from django.utils import timezone

    from annotation.encoding import encode_answers
    from annotation.label_config import label_config
    from annotation.task_data import task_data
    from backend.accounts.models import AccountRole, User
    from backend.batches.models import Batch
    from backend.judgments.models import Submission
    from backend.label_studio.client import HttpLabelStudio
    from backend.mirror.models import Project
    from backend.mirror.polling import poll_project
    from backend.mirror.pull import pull_changes, pull_everything
    from backend.mirror.push import bring_in_line
    from backend.mirror.reading_point import SLOWEST_COMMIT
    from backend.samples.selectors import item_text
    from backend.studies.models import StudyRole
    from backend.studies.services import create_study, set_member
    from tests.given_work import Work, made_items

    call_command("migrate", verbosity=0)
    rosa = User.objects.create(username="rosa", role=AccountRole.RESEARCHER)
    amal = User.objects.create(username="amal", role=AccountRole.ANNOTATOR)
    study = create_study(name="Bench", description="", created_by=rosa, now=timezone.now())
    set_member(study=study, user=amal, role=StudyRole.ANNOTATOR, actor=rosa, now=timezone.now())
    work = Work.of(study, rosa, made_items(study, ITEMS))
    server = HttpLabelStudio(running.url, running.instance.token)
    connections = httpx.Client(trust_env=False, timeout=600)
    sdk = LabelStudio(  # type: ignore[no-untyped-call]
        base_url=running.url, api_key=running.instance.token, httpx_client=connections
    )

    def project_of(batch: Batch) -> Project:
        return Project.objects.select_related(
            "assignment__annotator", "assignment__batch__study", "assignment__batch__edition"
        ).get(assignment__batch=batch)

    texts: Any = [task_data(item_text(item)) for item in work.items]
    bare = server.create_project(title="bare", marker="", label_config=label_config(work.codebook))
    batch = work.batch(amal, items=work.items, name="Push")
    bare_seconds = _seconds(lambda: sdk.projects.import_tasks(bare, request=texts))
    our_seconds = _seconds(
        lambda: bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    )
    _compare("push", ITEMS, bare_seconds, our_seconds)

    project = project_of(batch)
    seen = next(found for found in server.projects() if found.id == project.label_studio_id)
    pull_changes(project, server, now=timezone.now())
    pull_changes(project_of(batch), server, now=timezone.now() + SLOWEST_COMMIT)
    quiet = project_of(batch)
    seconds = _seconds(lambda: poll_project(quiet, server, seen, clock=timezone.now))
    print(
        f"poll with nothing new over {ITEMS:,} items: {seconds:.3f} s (at most {WANTED_SECONDS:.1f} wanted)"
    )

    # A second project with annotated items, imported as they would have been submitted.
    batch = work.batch(amal, items=work.items[:ANNOTATED], name="Pull")
    empty = work.batch(amal, items=work.items[:1], name="Account")
    bring_in_line(empty, server, now=timezone.now(), report=lambda done, total: None)
    account = amal.label_studio_account.label_studio_id
    number = server.create_project(title="pull", marker="pull", label_config=label_config(work.codebook))
    annotated: Any = [
        {
            "data": task_data(item_text(item)),
            "annotations": [
                {
                    "result": encode_answers(
                        work.codebook,
                        item_text(item),
                        work.answers(item, "asking-advice", "sharing-emotions"),
                    ),
                    "completed_by": account,
                    "lead_time": 30.0,
                }
            ],
        }
        for item in work.items[:ANNOTATED]
    ]
    sdk.projects.import_tasks(number, request=annotated)
    mirrored = Project.objects.create(
        assignment=batch.assignments.get(), marker="pull", label_studio_id=number, state="ready"
    )

    def list_bare() -> None:
        listed: Iterable[Any] = sdk.tasks.list(project=number, page_size=500, fields="all")
        if sum(len(task.annotations) for task in listed) != ANNOTATED:
            raise SystemExit("The bare listing is not whole.")

    bare_seconds = _seconds(list_bare)
    our_seconds = _seconds(lambda: pull_everything(project_of(batch), server, now=timezone.now()))
    if Submission.objects.count() != ANNOTATED:
        raise SystemExit(f"{Submission.objects.count()} of {ANNOTATED} submissions of {mirrored} arrived.")
    _compare("pull", ANNOTATED, bare_seconds, our_seconds)
    server.close()
    connections.close()


def _compare(what: str, number: int, bare: float, ours: float) -> None:
    print(
        f"{what} of {number:,} items: bare SDK {number / bare:6.0f}/s   mirror {number / ours:6.0f}/s   "
        f"ratio {bare / ours:.2f} (at least {WANTED_RATIO:.2f} wanted)",
        flush=True,
    )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="attune-bench-") as name:
        instance = new_instance(Path(name) / "label-studio")
        os.environ |= {
            "ATTUNE_DATA_DIR": name,
            "ATTUNE_LABEL_STUDIO_URL": instance.public_url,
            "ATTUNE_LABEL_STUDIO_TOKEN": instance.token,
            "DJANGO_SETTINGS_MODULE": "backend.settings",
        }
        django.setup()
        for running in run_label_studio(instance):
            run(running)
    return 0


if __name__ == "__main__":
    sys.exit(main())
