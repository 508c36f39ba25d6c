"""Gold is never rewritten: what stood before can be seen and restored."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from backend.annotate.batches.candidates import golden_items
from backend.annotate.practice.feedback import news_mark, practice_report
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.selectors import current_gold, gold_history
from backend.annotate.practice.services import delete_gold, restore_gold
from tests.backend.annotate.practice.fixtures import GOLD, Practice, add_codebook, add_gold, add_item
from tests.backend.annotate.practice.reading import reasons_of
from tests.cast import NOW, Cast

HERE = "/studies/kind-words/gold/item-1"


def test_what_was_changed_stays_and_can_be_restored(cast: Cast) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    first = add_gold(cast, item, edition)
    second = add_gold(cast, item, edition, replace(GOLD, remark="Other"))
    assert list(gold_history(item, edition)) == [first]
    first.refresh_from_db()
    assert (first.replaced_at, first.replaced_by, current_gold(item, edition)) == (NOW, cast.rosa, second)
    add_gold(cast, item, edition, replace(GOLD, remark="Other"))
    assert GoldAnswer.objects.count() == 2
    later = NOW + timedelta(hours=1)
    restored = restore_gold(gold=first, actor=cast.ravi, now=later)
    assert (restored.answers, restored.written_by, restored.written_at) == (first.answers, cast.ravi, later)
    assert [row.pk for row in gold_history(item, edition)] == [second.pk, first.pk]
    assert cast.study.events.order_by("-pk")[0].summary == "Restored an earlier gold answer of item item-1"


def test_deleted_gold_counts_nowhere_until_it_is_restored(practice: Practice) -> None:
    practice.submit(practice.amal, 0, practice.gold(0))
    item, edition, cast = practice.items[0], practice.edition, practice.cast
    practice.batch.state = "closed"
    practice.batch.save()
    mark = news_mark(practice.amal)
    delete_gold(item=item, edition=edition, actor=cast.rosa, now=NOW)
    assert item not in golden_items(cast.study, edition)
    assert item not in golden_items(cast.study)
    assert practice_report(practice.amal).items[0].comparison is None
    assert news_mark(practice.amal) != mark
    (past,) = gold_history(item, edition)
    restore_gold(gold=past, actor=cast.rosa, now=NOW)
    assert item in golden_items(cast.study, edition)
    assert practice_report(practice.amal).items[0].comparison is not None


def test_only_one_stands_at_a_time(cast: Cast) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    row = add_gold(cast, item, edition)
    with pytest.raises(IntegrityError), transaction.atomic():
        GoldAnswer.objects.create(
            item=item, edition=edition, answers=row.answers, reasons={}, written_by=cast.rosa, written_at=NOW
        )


def test_the_page_shows_the_history_and_undoes_a_deletion(cast: Cast) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    add_gold(cast, item, edition)
    client = Client()
    client.force_login(cast.rosa)
    deleted = client.post(f"{HERE}/delete", follow=True).content.decode()
    assert "deleted by Rosa" in deleted
    past = GoldAnswer.objects.get()
    restored = client.post(f"{HERE}/restore/{past.pk}", follow=True).content.decode()
    assert "The earlier gold answer stands again." in restored
    assert "replaced by Rosa" in restored
    assert reasons_of(item, edition) is not None
    assert client.post(f"{HERE}/restore/{past.pk + 999}").status_code == 404
    client.force_login(cast.amal)
    assert client.post(f"{HERE}/restore/{past.pk}").status_code == 403


def test_calls_read_and_restore_the_history(cast: Cast) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    add_gold(cast, item, edition)
    add_gold(cast, item, edition, replace(GOLD, remark="Other"))
    client = Client()
    client.force_login(cast.rosa)
    here = "/api/v1/studies/kind-words/gold/item-1/history"
    (past,) = client.get(here).json()
    assert (past["written_by"], past["replaced_by"]) == ("rosa", "rosa")
    answer = client.post(f"{here}/{past['id']}/restore").json()
    assert answer["remark"] == GOLD.remark
