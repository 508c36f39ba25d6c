"""Brings an instance's data up to date before its processes start; doing it twice changes nothing."""

from __future__ import annotations

import os

import django
from django.conf import settings
from django.core.management import call_command


def prepare() -> None:
    from backend.adapters.service_file import mend_service_files

    call_command("migrate", interactive=False, verbosity=0)
    if settings.PRODUCTION:
        call_command("collectstatic", interactive=False, verbosity=0)
    else:
        call_command("load_demo")
    mend_service_files()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.settings")
    django.setup()
    prepare()


if __name__ == "__main__":
    main()
