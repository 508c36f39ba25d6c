"""What a run's page says of the workers agrees with itself, whenever somebody looks."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.leases import claim_job
from backend.core.jobs.pulse import Pulse
from backend.design.corpora.models import Corpus
from backend.publish.labelling.following import ShardFollower
from backend.publish.labelling.places import label_folder
from learning.tasks.progress import ProgressWriter
from ml_backend.labelling.driver import WorkerCount
from ml_backend.pools.interface import PoolState
from tests.backend.publish.labelling.fixtures import adapter_in, look, started
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def a_state(n_workers: int) -> PoolState:
    return PoolState(n_workers=n_workers, n_starting=0, n_done=0, n_lost_workers=0)


def clock_of_seconds() -> Callable[[], datetime]:
    """So that nothing waits until the next write is due."""
    moments = (timezone.now() + timedelta(seconds=step) for step in count())
    return lambda: next(moments)


def test_how_many_work_is_said_in_one_place(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path, client: Client
) -> None:
    """Never “1 process at work” above “Processes 0”: the job says what is done, and the run alone by how many."""
    run = look(started(cast.study, demo_corpus, adapter_in(cast.study, tmp_path / "made")))
    claim = claim_job(job_id=run.job_id or 0, now=timezone.now())
    assert claim is not None
    pulse = Pulse(claim, interval=timedelta(hours=1), clock=timezone.now)
    follower = ShardFollower(JobContext(claim, pulse, clock=clock_of_seconds()), run)
    workers = WorkerCount(ProgressWriter(label_folder(run).progress))
    client.force_login(cast.rosa)

    def page() -> str:
        found = client.get(f"/studies/kind-words/labelling/{run.number}/progress").content.decode()
        return " ".join(re.sub(r"<[^>]+>", " ", found).split())

    workers(a_state(2))
    follower.report()
    assert "Labelling" in page() and "Workers 2 at work now" in page()
    workers(a_state(0))
    follower.report()
    assert "Starting workers" in page() and "Workers 0 at work now" in page()
    workers(a_state(1))
    follower.report()
    follower.report_waiting()
    assert "Waiting for the ML backend" in page() and "Workers 0 at work now" in page()
