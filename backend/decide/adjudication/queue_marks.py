"""Triggers that mark an item as soon as anything changes that its place in the queue depends on.

The database sees every write: bulk ones, raw ones and cascades. The triggers are made anew after each migration, since
SQLite drops them when a migration makes a table anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connections
from django.db.models import Model

from backend.annotate.batches.models import AssignedItem, Assignment, Batch
from backend.annotate.discussions.models import Discussion
from backend.annotate.judgments.models import Quarantined, Submission
from backend.decide.adjudication.models import AdjudicationPlan, Decision, QueueItem, QueueMark, Suspicion
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item

ROW = "{row}"
# Where PostgreSQL believes a table to be empty, as after its rows were deleted, it holds reading a whole index for as
# cheap as looking a key up, for every row that comes later. What is left looks keys up whatever it believes.
_KEYS_ALONE = " ".join(f"SET enable_{way} = off" for way in ("seqscan", "indexscan", "indexonlyscan"))


@dataclass(frozen=True, slots=True)
class Watch:
    """`events` of a table, and which items they concern: SQL that selects item and study, given the changed row."""

    model: type[Model]
    events: tuple[str, ...]
    items: str


def watches() -> tuple[Watch, ...]:
    item, place, share, known = (_table(model) for model in (Item, AssignedItem, Assignment, QueueItem))
    of_place = (
        f"SELECT i.id, i.study_id FROM {item} i JOIN {place} p ON p.item_id = i.id "
        f"WHERE p.id = {ROW}.assigned_item_id"
    )
    of_item = f"SELECT i.id, i.study_id FROM {item} i WHERE i.id = {ROW}.item_id"
    # What nobody has judged or decided has no place in the queue, whoever it is given to. What was judged may have
    # lost its row, as when its annotator was withdrawn, and gets it back.
    judged = " OR ".join(
        f"EXISTS (SELECT 1 FROM {_table(model)} a WHERE a.assigned_item_id = p.id)"
        for model in (Submission, Quarantined)
    )

    def in_the_queue(condition: str) -> str:
        """Of assigned items `p` in shares `s` for which this is so."""
        joined = f"JOIN {share} s ON s.id = p.assignment_id WHERE {condition}"
        return (
            f"SELECT q.item_id, q.study_id FROM {known} q JOIN {place} p ON p.item_id = q.item_id {joined} UNION "
            f"SELECT i.id, i.study_id FROM {item} i JOIN {place} p ON p.item_id = i.id {joined} AND ({judged})"
        )

    known_item = f"SELECT q.item_id, q.study_id FROM {known} q WHERE q.item_id = {ROW}.item_id"
    of_assigned = f"{known_item} UNION {in_the_queue(f'p.id = {ROW}.id')}"
    of_share = in_the_queue(f"s.id = {ROW}.id")
    of_batch = in_the_queue(f"s.batch_id = {ROW}.id")
    in_study = f"SELECT q.item_id, q.study_id FROM {known} q WHERE q.study_id = {ROW}.study_id"
    own_items = f"p.item_id IN (SELECT n.id FROM {item} n WHERE n.study_id = {ROW}.study_id)"
    of_study = f"{in_study} UNION {in_the_queue(own_items)}"
    every = ("INSERT", "UPDATE", "DELETE")
    return (
        Watch(Submission, every, of_place),
        Watch(Quarantined, every, of_place),
        Watch(Discussion, ("INSERT", "UPDATE OF state, is_flagged", "DELETE"), of_place),
        Watch(Suspicion, every, of_item),
        Watch(Decision, ("INSERT", "DELETE"), of_item),
        Watch(AssignedItem, ("INSERT", "UPDATE OF taken_back_at", "DELETE"), of_assigned),
        Watch(Assignment, ("UPDATE OF withdrawn_at",), of_share),
        Watch(Batch, ("UPDATE OF state",), of_batch),
        Watch(Edition, ("INSERT", "DELETE"), of_study),
        Watch(AdjudicationPlan, ("INSERT", "UPDATE OF evidence_threshold", "DELETE"), of_study),
    )


def install_queue_marks(using: str = "default", **_: Any) -> None:
    _run(using, drops=True, creates=True)


def drop_queue_marks(using: str = "default", **_: Any) -> None:
    _run(using, drops=True, creates=False)


def _run(using: str, *, drops: bool, creates: bool) -> None:
    """Nothing where a table is missing: the database is not migrated so far."""
    connection = connections[using]
    found = watches()
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        used: list[type[Model]] = [Item, QueueItem, QueueMark, *(each.model for each in found)]
        needed = {_table(model) for model in used}
        if not needed <= tables:
            return
        for watch in found:
            for event in watch.events:
                for statement in _statements(connection.vendor, watch, event, drops=drops, creates=creates):
                    cursor.execute(statement)


def _statements(vendor: str, watch: Watch, event: str, *, drops: bool, creates: bool) -> Iterator[str]:
    table, verb = _table(watch.model), event.split()[0]
    name = f"{table}_{verb.lower()}_queue_mark"
    row = "OLD" if verb == "DELETE" else "NEW"
    mark = f"INSERT INTO {_table(QueueMark)} (item_pk, study_pk) {watch.items.replace(ROW, row)};"
    if vendor == "postgresql":
        if drops:
            yield f"DROP TRIGGER IF EXISTS {name} ON {table}"
            yield f"DROP FUNCTION IF EXISTS {name}()"
        if creates:
            yield (
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql {_KEYS_ALONE} AS "
                f"$$ BEGIN {mark} RETURN NULL; END $$"
            )
            yield f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"
        return
    if drops:
        yield f"DROP TRIGGER IF EXISTS {name}"
    if creates:
        yield f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {mark} END"


def _table(model: type[Model]) -> str:
    return model._meta.db_table
