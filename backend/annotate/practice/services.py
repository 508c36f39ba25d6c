"""What writes gold answers; nothing unsound gets past it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.answers import Answers
from annotation.stored_answers import read_answers
from backend.annotate.batches.models import Batch, BatchKind, BatchState
from backend.annotate.practice.carrying import carry_over, carry_over_all
from backend.annotate.practice.entries import read_entry
from backend.annotate.practice.errors import (
    FileProblem,
    ForeignEdition,
    GoldFileRefused,
    GoldInUse,
    NoGold,
)
from backend.annotate.practice.files import FileEntry, read_gold_file
from backend.annotate.practice.gold import (
    Outcome,
    Reasons,
    held_gold,
    retire_gold,
    store_gold,
)
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.selectors import current_gold, read_gold
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text

__all__ = [
    "ImportedGold",
    "carry_over",
    "carry_over_all",
    "delete_gold",
    "import_gold",
    "restore_gold",
    "write_gold",
]


@dataclass(frozen=True, slots=True)
class ImportedGold:
    added: int
    changed: int
    unchanged: int
    notes: tuple[str, ...]

    @property
    def summary(self) -> str:
        return f"{self.added} added, {self.changed} changed, {self.unchanged} as they were"


class _EntryRefused(Exception):
    def __init__(self, problems: Iterable[FileProblem]) -> None:
        self.problems = tuple(problems)


@transaction.atomic
def write_gold(
    *, item: Item, edition: Edition, answers: Answers, reasons: Reasons, actor: User, now: datetime
) -> GoldAnswer:
    """Raises GoldRefused with every problem. Writing what stands already leaves no trace."""
    row, outcome = store_gold(item, edition, answers, reasons, actor, now)
    if outcome is not Outcome.UNCHANGED:
        verb = "Wrote" if outcome is Outcome.ADDED else "Changed"
        summary = f"{verb} the gold answer of item {item}"
        record_event(study=item.study, actor=actor, summary=summary, now=now)
    return row


@transaction.atomic
def delete_gold(*, item: Item, edition: Edition, actor: User, now: datetime) -> None:
    """Not while annotators practise on it: they would be left without feedback. Its history can give it back."""
    row = held_gold(item, edition)
    if row is None:
        raise NoGold
    running = Batch.objects.filter(
        kind=BatchKind.PRACTICE, edition=edition, assignments__assigned_items__item=item
    ).exclude(state=BatchState.CLOSED)
    batch = running.first()
    if batch is not None:
        raise GoldInUse(batch.name)
    retire_gold(row, actor, now)
    summary = f"Deleted the gold answer of item {item}"
    record_event(study=item.study, actor=actor, summary=summary, now=now)


@transaction.atomic
def restore_gold(*, gold: GoldAnswer, actor: User, now: datetime) -> GoldAnswer:
    """Writes again what stood before, and leaves the history as it is."""
    past = read_gold(gold)
    row, outcome = store_gold(gold.item, gold.edition, past.answers, past.reasons, actor, now)
    if outcome is not Outcome.UNCHANGED:
        summary = f"Restored an earlier gold answer of item {gold.item}"
        record_event(study=gold.item.study, actor=actor, summary=summary, now=now)
    return row


@transaction.atomic
def import_gold(
    *, study: Study, edition: Edition, source: str, file_name: str, actor: User, now: datetime
) -> ImportedGold:
    """All of the file or nothing of it; GoldFileRefused lists every problem. A second import changes nothing."""
    if edition.study_id != study.pk:
        raise ForeignEdition
    file = read_gold_file(source, file_name=file_name)
    ids = [entry.item_id for entry in file.entries]
    items = {item.item_id: item for item in study.items.filter(item_id__in=ids)}
    problems, notes, outcomes = list(file.problems), list[str](), Counter[Outcome]()
    for entry in file.entries:
        try:
            outcome, said = _import_entry(items.get(entry.item_id), edition, entry, actor, now)
        except _EntryRefused as refusal:
            problems.extend(refusal.problems)
        else:
            outcomes[outcome] += 1
            notes.extend(f"Line {entry.line}, item {entry.item_id}: {note}" for note in said)
    if problems:
        raise GoldFileRefused(file_name, problems)
    counts = {outcome.value: outcomes[outcome] for outcome in Outcome}
    imported = ImportedGold(**counts, notes=tuple(notes))
    if imported.added or imported.changed:
        summary = f"Imported gold answers from {file_name}: {imported.summary}"
        record_event(study=study, actor=actor, summary=summary, now=now)
    return imported


def _import_entry(
    item: Item | None, edition: Edition, entry: FileEntry, actor: User, now: datetime
) -> tuple[Outcome, tuple[str, ...]]:
    if item is None:
        wrong = "this study has no such item: check its id"
        raise _EntryRefused([FileProblem(entry.line, entry.item_id, wrong)])
    stands = current_gold(item, edition)
    prior = read_answers(stands.answers).spans if stands else ()
    reading = read_entry(codebook_of(edition), item_text(item), entry.entry, prior=prior)
    if reading.problems:
        raise _EntryRefused(
            FileProblem(entry.line, entry.item_id, found.message) for found in reading.problems
        )
    _, outcome = store_gold(item, edition, reading.answers, reading.reasons, actor, now)
    return outcome, reading.notes
