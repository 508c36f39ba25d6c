"""The terminal opens batches and says how far they are."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from backend.annotate.batches.models import Batch
from tests.backend.annotate.batches.fixtures import asked, opened, places, submit
from tests.cast import Cast


def run(*words: str) -> str:
    said = StringIO()
    call_command(*words, stdout=said)
    return said.getvalue()


WISH = ("open_batch", "kind-words", "--kind", "main", "--name", "Batch 1", "--seed", "3", "-n", "4")


def test_a_dry_run_prints_the_plan_and_opens_nothing(ready: Cast) -> None:
    said = run(*WISH, "--samples", "Main", "--dry-run")
    assert said.startswith("amal: 4 items\nbea: 4 items\nchen: 4 items\nplan ")
    assert not Batch.objects.exists()


def test_a_batch_is_opened_for_those_who_are_named(ready: Cast) -> None:
    said = run(*WISH, "--samples", "Main", "--annotators", "bea", "--due", "2999-01-01")
    batch = Batch.objects.get()
    assert said.endswith(f"Opened “Batch 1” (batch {batch.pk}).\n")
    assert [share.annotator for share in batch.assignments.all()] == [ready.bea]
    assert batch.opened_by == ready.rosa


def test_what_is_wrong_is_an_error(ready: Cast) -> None:
    with pytest.raises(CommandError, match="Choose at least one sample"):
        run(*WISH)
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        run("open_batch", "nowhere", *WISH[2:])
    with pytest.raises(CommandError, match="due_on"):
        run(*WISH, "--samples", "Main", "--due", "soon")
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        run("batch_progress", "nowhere")


def test_progress_is_printed(ready: Cast) -> None:
    assert run("batch_progress", "kind-words") == "No batch yet.\n"
    batch = opened(ready, asked("overlap", n=2, annotators=["amal", "bea"]))
    submit(places(batch, ready.amal)[0], seconds=93, flagged=True)
    assert run("batch_progress", "kind-words").splitlines() == [
        f"{batch.pk} Batch 1 (overlap, open): 1 of 4 done, 0 skipped, 1 flagged, 0 in quarantine",
        "  amal: 1 of 2 done, 0 skipped, 1 flagged, 0 in quarantine, median 1 min 33 s",
        "  bea: 0 of 2 done, 0 skipped, 0 flagged, 0 in quarantine, median –",
    ]
