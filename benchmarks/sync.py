"""Compares the sync, database and all, with the bare SDK: push, pull, and a poll with nothing new."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
import httpx
from label_studio_sdk import LabelStudio

from tests.integration.label_studio_server import RunningLabelStudio, new_instance, run_label_studio

if TYPE_CHECKING:
    from backend.annotate.label_studio.client import HttpLabelStudio
    from backend.annotate.sync.models import Project
    from tests.batch_fixtures import Work

ITEMS = 20_000
WANTED_RATIO = 0.7
WANTED_SECONDS = 1.0
LOOKS = 5


def run(running: RunningLabelStudio) -> bool:
    """Whether every goal is met. Imports what needs Django only now that it is set up."""
    from backend.annotate.label_studio.client import HttpLabelStudio

    work = _study()
    server = HttpLabelStudio(running.url, running.instance.token)
    with httpx.Client(trust_env=False, timeout=600) as connections:
        sdk = LabelStudio(  # type: ignore[no-untyped-call]
            base_url=running.url, api_key=running.instance.token, httpx_client=connections
        )
        outcomes = [_push(work, server, sdk), _pull(work, server, sdk), _quiet_poll(server)]
    server.close()
    return all(outcomes)


def _study() -> Work:
    from django.core.management import call_command
    from django.utils import timezone

    from backend.core.accounts.models import AccountRole, User
    from backend.core.studies.models import StudyRole
    from backend.core.studies.services import create_study, set_member
    from tests.batch_fixtures import Work, made_items

    call_command("migrate", verbosity=0)
    rosa = User.objects.create(username="rosa", role=AccountRole.RESEARCHER)
    study = create_study(name="Bench", description="", created_by=rosa, now=timezone.now())
    for name in ("amal", "bea"):
        annotator = User.objects.create(username=name, role=AccountRole.ANNOTATOR)
        set_member(study=study, user=annotator, role=StudyRole.ANNOTATOR, actor=rosa, now=timezone.now())
    return Work.of(study, rosa, made_items(study, ITEMS))


def _push(work: Work, server: HttpLabelStudio, sdk: LabelStudio) -> bool:
    from django.utils import timezone

    from annotation.label_studio.config import label_config
    from annotation.label_studio.task_data import task_data
    from backend.annotate.sync.push import bring_in_line
    from backend.core.accounts.models import User
    from backend.design.samples.selectors import item_text

    tasks: Any = [task_data(item_text(item)) for item in work.items]
    bare = server.create_project(title="bare", marker="", label_config=label_config(work.codebook))
    batch = work.batch(User.objects.get(username="amal"), items=work.items, name="Push")
    bare_seconds = _seconds(lambda: sdk.projects.import_tasks(bare, request=tasks))
    our_seconds = _seconds(
        lambda: bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    )
    server.delete_project(bare)
    return _compare("push", bare_seconds, our_seconds)


def _pull(work: Work, server: HttpLabelStudio, sdk: LabelStudio) -> bool:
    """A project whose items are all annotated, imported as they would have been submitted."""
    from django.utils import timezone

    from backend.annotate.judgments.models import Submission
    from backend.annotate.sync.models import Project, ProjectState
    from backend.annotate.sync.pull import pull_everything
    from backend.annotate.sync.push import bring_in_line
    from backend.annotate.sync.selectors import projects_with_work
    from backend.core.accounts.models import User

    bea = User.objects.get(username="bea")
    batch = work.batch(bea, items=work.items, name="Pull")
    share = batch.assignments.get()
    share.assigned_items.update(taken_back_at=timezone.now())
    bring_in_line(batch, server, now=timezone.now(), report=lambda done, total: None)
    share.assigned_items.update(taken_back_at=None)
    project = Project.objects.get(assignment=share, state=ProjectState.READY)
    number = project.label_studio_id or 0
    annotated = _annotate(work, bea.label_studio_account.label_studio_id)
    for start in range(0, ITEMS, 1000):
        sdk.projects.import_tasks(number, request=annotated[start : start + 1000])

    def list_bare() -> None:
        listed: Iterable[Any] = sdk.tasks.list(project=number, page_size=500, fields="all")
        if sum(len(task.annotations) for task in listed) != ITEMS:
            raise SystemExit("The bare listing is not whole.")

    synced = projects_with_work().get(pk=project.pk)
    bare_seconds = _seconds(list_bare)
    our_seconds = _seconds(lambda: pull_everything(synced, server, now=timezone.now()))
    if Submission.objects.count() != ITEMS:
        raise SystemExit(f"{Submission.objects.count()} of {ITEMS} submissions arrived.")
    return _compare("pull", bare_seconds, our_seconds)


def _annotate(work: Work, account: int) -> Any:
    from annotation.label_studio.encoding import encode_answers
    from annotation.label_studio.task_data import task_data
    from backend.design.samples.selectors import item_text

    return [
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
        for item in work.items
    ]


def _quiet_poll(server: HttpLabelStudio) -> bool:
    """Of the project with all items synced, once the minute behind the newest change is over."""
    from django.utils import timezone

    from backend.annotate.sync.cursor import SLOWEST_COMMIT
    from backend.annotate.sync.models import ProjectState
    from backend.annotate.sync.polling import count_project, poll_all
    from backend.annotate.sync.pull import NOTHING, pull_changes
    from backend.annotate.sync.selectors import projects_with_work

    def project() -> Project:
        return projects_with_work().get(assignment__batch__name="Pull", state=ProjectState.READY)

    projects_with_work().exclude(pk=project().pk).get().delete()
    pull_changes(project(), server, now=timezone.now() + SLOWEST_COMMIT)
    counting = _seconds(lambda: count_project(project(), server, clock=timezone.now))
    if poll_all(server, clock=timezone.now) != NOTHING:
        raise SystemExit("There was something new.")
    seconds = sorted(_seconds(lambda: poll_all(server, clock=timezone.now)) for _ in range(LOOKS))
    print(
        f"poll with nothing new over {ITEMS:,} synced items: {seconds[LOOKS // 2]:.3f} s, median of {LOOKS} "
        f"(at most {WANTED_SECONDS:.1f} wanted); counting them one by one, every 5 minutes: {counting:.1f} s"
    )
    return seconds[LOOKS // 2] <= WANTED_SECONDS


def _compare(what: str, bare: float, ours: float) -> bool:
    print(
        f"{what} of {ITEMS:,} items: bare SDK {ITEMS / bare:6.0f}/s   sync {ITEMS / ours:6.0f}/s   "
        f"ratio {bare / ours:.2f} (at least {WANTED_RATIO:.2f} wanted)",
        flush=True,
    )
    return bare / ours >= WANTED_RATIO


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
        outcomes = [run(running) for running in run_label_studio(instance)]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
