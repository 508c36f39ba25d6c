"""Freezes a release and is killed at a chosen step, for the test of faults; run as a process of its own."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import django

BEFORE_COMMIT, AFTER_COMMIT = "before the commit", "after the commit"


def main(deadly_step: str) -> None:
    django.setup()
    from django.db import transaction

    from backend.core.studies.models import Study
    from backend.decide.releases.requests import FreezeRequest
    from backend.decide.releases.services import freeze_release
    from tests.cast import NOW

    def die_at(step: str) -> None:
        print(step, flush=True)
        if step == deadly_step:
            os.kill(os.getpid(), signal.SIGKILL)

    @contextmanager
    def writing() -> Iterator[None]:
        with transaction.atomic():
            yield
            die_at(BEFORE_COMMIT)
        die_at(AFTER_COMMIT)

    study = Study.objects.get(slug="kind-words")
    request = FreezeRequest(name="First", seed=3)
    freeze_release(
        study=study, request=request, actor=study.created_by, now=NOW, report=die_at, writing=writing
    )


if __name__ == "__main__":
    main(sys.argv[1])
