"""kill -9 of a pool's worker, the driver, the ML worker and the worker, each in its turn at random moments.

On each broker, and in the end every post and every reply is labelled exactly once.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from contextlib import ExitStack, suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from backend.core.jobs.leases import WORKER_KEPT_STOPPING
from backend.core.jobs.models import ACTIVE_STATES, Job
from backend.core.studies.models import Study
from backend.publish.labelling.models import LabellingState
from backend.publish.labelling.selectors import current_state, labelling_runs
from backend.publish.labelling.services import resume_run
from tests.backend.publish.labelling.fixtures import assert_whole
from tests.cast import NOW, Cast
from tests.integration import sweep_often
from tests.integration.instance import Instance, is_alive, wait_until
from tests.integration.kills import kills
from tests.integration.labelling_instance import (
    driver_of,
    folder_of_run,
    label_corpus,
    labelling_instance,
    prepare,
    workers_of,
)
from tests.integration.test_training_faults import ML, WORKER, Disturbed

pytestmark = [pytest.mark.broker, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
LONGEST_SECONDS, PATIENCE, N_POSTS = 2.5, 240.0, 500
POOL_WORKER, DRIVER = "pool worker", "driver"
AT_WORK = {POOL_WORKER: workers_of, DRIVER: driver_of}
VICTIMS = (POOL_WORKER, ML, DRIVER, WORKER, POOL_WORKER)
KEPT_STOPPING = (WORKER_KEPT_STOPPING, "stopped 3 times in the middle", "stopped its worker 3 times")


@pytest.fixture
def instance(broker_url: str, tmp_path: Path, settings: Settings) -> Instance:
    return labelling_instance(tmp_path, settings, broker_url)


def under_way(study: Study) -> list[int]:
    """The numbers of runs that are not finished; those that failed are started again, as a researcher would."""
    for run in labelling_runs(study):
        if current_state(run) == LabellingState.FAILED and run.job and run.job.is_over:
            assert any(words in run.job.error for words in KEPT_STOPPING), run.job.error
            resume_run(run=run, actor=None, now=NOW)
    return [run.number for run in labelling_runs(study) if run.state != LabellingState.FINISHED]


def is_labelling(study: Study) -> bool:
    """Or nothing is left to label, so that a kill hits idle processes."""
    numbers = under_way(study)
    return not numbers or any(workers_of(folder_of_run(study, number)) for number in numbers)


def kill_at_work(study: Study, victim: str, chance: random.Random) -> int:
    n_killed = 0
    for number in under_way(study):
        if pids := AT_WORK[victim](folder_of_run(study, number)):
            with suppress(ProcessLookupError):
                os.kill(chance.choice(pids), signal.SIGKILL)
                n_killed += 1
    return n_killed


@kills(few=5, many=20)
def test_random_kills_leave_every_text_labelled_exactly_once(
    instance: Instance, cast: Cast, tmp_path: Path, settings: Settings, n_kills: int
) -> None:
    study, chance = cast.study, random.Random(20260302)
    prepare(study, tmp_path, settings, N_POSTS)
    seen: set[int] = set()
    with ExitStack() as stack:
        sweeping = (sys.executable, "-m", sweep_often.__name__)
        stack.enter_context(instance._process(sweeping, instance.environment(), "sweep"))
        disturbed = Disturbed(instance, stack)

        def find_some_at_work() -> None:
            if not under_way(study):
                label_corpus(instance, study, "--adapter", "1")
            wait_until(partial(is_labelling, study), patience=PATIENCE)

        for victim in islice(cycle(VICTIMS), n_kills):
            find_some_at_work()
            time.sleep(chance.uniform(0.0, LONGEST_SECONDS))
            for number in under_way(study):
                folder = folder_of_run(study, number)
                seen.update([*driver_of(folder), *workers_of(folder)])
            if victim in AT_WORK:
                while not kill_at_work(study, victim, chance):
                    find_some_at_work()
            else:
                disturbed.kill(victim)
        wait_until(lambda: not under_way(study), patience=PATIENCE)
        wait_until(lambda: not Job.objects.filter(state__in=ACTIVE_STATES).exists())
        wait_until(lambda: not any(is_alive(pid) for pid in seen))
    runs = list(labelling_runs(study))
    assert runs
    for run in runs:
        assert_whole(run)
        assert (run.n_posts, run.n_replies) == (N_POSTS, 2 * N_POSTS)
