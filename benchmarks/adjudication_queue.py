"""How long a researcher's page waits for the badge of the queue: reading all answers, and counting rows.

    .venv/bin/python -m benchmarks.adjudication_queue [ITEMS]

Invents items that three annotators judged by 13 codes, in an SQLite of its own, of which every fourth is disputed.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from tests.batch_fixtures import CastAtWork

ITEMS = 10_000
LOOKS = 5


def run(n: int) -> None:
    """Imports what needs Django only now that it is set up."""
    from backend.annotate.judgments.models import Submission
    from backend.decide.adjudication.queue import count_queue
    from backend.decide.adjudication.queue_rows import rebuild_queue, refresh_queue
    from backend.decide.adjudication.queue_states import item_states
    from tests.backend.decide.adjudication.many import hand_in_thousands

    work = _study()
    hand_in_thousands(work, n)
    study, rosa = work.study, work.cast.rosa
    _print("all rows, once", _seconds(lambda: refresh_queue(study)))
    slow = _quickest(lambda: item_states(study))
    quick = _quickest(lambda: count_queue(rosa, study))
    one = Submission.objects.filter(assigned_item__assignment__batch__study=study)[0]

    def after_an_answer() -> None:
        one.save(update_fields=["edits"])
        count_queue(rosa, study)

    _print("the badge from all answers", slow)
    _print("the badge from rows", quick)
    _print("the badge after one new answer", _quickest(after_an_answer))
    _print("every row anew", _seconds(lambda: rebuild_queue(study)))
    print(f"{n:,} items: {slow / quick:,.0f} times as fast")


def _study() -> CastAtWork:
    from django.core.management import call_command

    from tests.batch_fixtures import CastAtWork, Work
    from tests.cast import made_cast

    call_command("migrate", verbosity=0)
    cast = made_cast()
    work = Work.of(cast.study, cast.rosa, [])
    return CastAtWork(work.study, work.researcher, work.edition, work.items, cast)


def _seconds(do: Callable[[], object]) -> float:
    begun = time.perf_counter()
    do()
    return time.perf_counter() - begun


def _quickest(do: Callable[[], object]) -> float:
    return min(_seconds(do) for _ in range(LOOKS))


def _print(what: str, seconds: float) -> None:
    print(f"{what:32} {seconds:10.4f} s", flush=True)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            ATTUNE_DATA_DIR=folder,
            DATABASE_URL=f"sqlite:///{Path(folder) / 'attune.sqlite3'}",
            DJANGO_SETTINGS_MODULE="backend.settings",
        )
        django.setup()
        run(int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
