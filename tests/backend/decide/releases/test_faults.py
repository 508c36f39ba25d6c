"""kill -9 while a release is frozen, at every step and at random moments: it is there whole, or not at all."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings

from backend.core.studies.models import Study
from backend.decide.releases.models import Release, releases_folder
from backend.decide.releases.selectors import problems_of
from tests.backend.decide.releases import freeze_and_die
from tests.backend.decide.releases.fixtures import frozen, judged_study
from tests.backend.decide.releases.freeze_and_die import AFTER_COMMIT, BEFORE_COMMIT
from tests.batch_fixtures import CastAtWork
from tests.integration.instance import Instance, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
RANDOM_KILLS = 8
LONGEST_SECONDS = 0.25


def freezing(folder: Path, deadly_step: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", freeze_and_die.__name__, deadly_step],
        env=Instance(folder, "filesystem://").environment() | {"DJANGO_SETTINGS_MODULE": "backend.settings"},
        stdout=subprocess.PIPE,
        text=True,
        cwd=settings.ROOT,
    )


def whole_or_nothing(study: Study) -> int:
    """How many releases there are; each of them is sound."""
    for release in study.releases.all():
        assert problems_of(release) == []
    return study.releases.count()


@pytest.mark.parametrize(
    "step",
    [
        "Reading judgments",
        "Writing codebook.json",
        "Writing labels.csv",
        "Writing data/test.parquet",
        "Writing manifest.json",
        "Putting it into place",
        BEFORE_COMMIT,
        AFTER_COMMIT,
    ],
)
def test_a_kill_at_any_step_leaves_one_release_or_none(work: CastAtWork, tmp_path: Path, step: str) -> None:
    judged_study(work)
    process = freezing(tmp_path, step)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert said.splitlines()[-1] == step
    assert whole_or_nothing(work.study) == (step == AFTER_COMMIT)
    assert frozen(work).number == 1
    assert whole_or_nothing(work.study) == 1
    names = sorted(path.name for path in releases_folder(work.study).iterdir())
    assert names[:2] == [".lock", "1"]
    # Whole, without a row: it might be one that a restored database forgot, so it is kept.
    assert [name[:6] for name in names[2:]] == (["aside-"] if step == BEFORE_COMMIT else [])


def test_random_kills_leave_one_release_or_none(work: CastAtWork, tmp_path: Path) -> None:
    judged_study(work)
    chance = random.Random(20260301)
    home = releases_folder(work.study)
    for _ in range(RANDOM_KILLS):
        with freezing(tmp_path, "never") as process:
            wait_until(lambda: any(home.glob(".making-*")) or process.poll() is not None)
            time.sleep(chance.uniform(0, LONGEST_SECONDS))
            process.kill()
        assert whole_or_nothing(work.study) in (0, 1)
        # The next one begins anew, beside whatever this one left on disk.
        Release.objects.all().delete()
    assert frozen(work).number == 1
    assert whole_or_nothing(work.study) == 1
