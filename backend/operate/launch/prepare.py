"""Brings an instance's data up to date before its processes start; doing it twice changes nothing."""

from __future__ import annotations

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError

from backend.operate.instance.half_restored import UnfinishedRestore, refuse_half_restored
from backend.operate.launch.refusals import why_it_cannot_start


def prepare() -> None:
    from backend.learn.models.service_file import mend_service_files

    refuse_half_restored()
    call_command("migrate", interactive=False, verbosity=0)
    if settings.PRODUCTION:
        call_command("collectstatic", interactive=False, verbosity=0)
    else:
        call_command("load_demo")
    mend_service_files()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.settings")
    try:
        django.setup()
        prepare()
    except UnfinishedRestore as problem:
        sys.exit(str(problem))
    except (OSError, OperationalError) as problem:
        sentence = why_it_cannot_start(problem)
        if sentence is None:
            raise
        sys.exit(f"Attune cannot start: {sentence}")


if __name__ == "__main__":
    main()
