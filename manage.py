#!/usr/bin/env python
"""Django's command line for Attune: `manage.py help` lists every command."""

import os
import sys

from backend.learn.models.ml_process import asked_of_ml_backend, run_ml_backend


def main() -> None:
    asked = asked_of_ml_backend(sys.argv[1:])
    if asked is not None:
        sys.exit(run_ml_backend(asked))
    # Only now: what the ML backend is asked for needs nothing of Django
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.settings")
    try:
        execute_from_command_line(sys.argv)
    except Exception as problem:
        from backend.operate.launch.refusals import why_it_cannot_start

        sentence = why_it_cannot_start(problem)
        if sentence is None:
            raise
        sys.exit(f"{' '.join(sys.argv[:2])}: {sentence}")


if __name__ == "__main__":
    main()
