"""Whatever sound gold is written comes back the same, from the stored form, from quotes and from the database."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.stored_answers import AnswersUnreadable, read_answers, stored_answers
from backend.annotate.practice.entries import entry_of, read_entry
from backend.annotate.practice.errors import GoldUnreadable
from backend.annotate.practice.gold import gold_problems, read_reasons, stored_reasons
from backend.annotate.practice.services import write_gold
from backend.design.samples.models import Item
from codebook.shipped import load_shipped, shipped_codebooks
from tests.backend.annotate.practice.fixtures import PRACTICES, add_codebook, add_item
from tests.backend.annotate.practice.reading import gold_of, reasons_of
from tests.backend.annotate.practice.sound_gold import items, sound_gold
from tests.cast import NOW, Cast
from tests.examples import examples


@pytest.mark.parametrize("name", shipped_codebooks())
@given(data=st.data())
def test_gold_survives_storing_and_being_written_out_as_quotes(name: str, data: st.DataObject) -> None:
    codebook = load_shipped(name)
    item = data.draw(items())
    answers, reasons = data.draw(sound_gold(codebook, item))
    assert gold_problems(codebook, item, answers, reasons) == ()
    assert read_answers(json.loads(json.dumps(stored_answers(answers)))) == answers
    assert read_reasons(json.loads(json.dumps(stored_reasons(reasons)))) == reasons
    reading = read_entry(codebook, item, entry_of(item, answers, reasons), prior=answers.spans)
    assert (reading.answers, reading.reasons, reading.problems) == (answers, reasons, ())


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_gold_written_to_the_database_is_read_back_the_same(cast: Cast, data: st.DataObject) -> None:
    edition = cast.study.editions.first() or add_codebook(cast)
    text = data.draw(items())
    Item.objects.filter(study=cast.study).delete()
    item = add_item(cast, title=text.title, post=text.post, reply=text.reply)
    answers, reasons = data.draw(sound_gold(PRACTICES, text))
    write_gold(item=item, edition=edition, answers=answers, reasons=reasons, actor=cast.rosa, now=NOW)
    assert gold_of(item, edition) == answers
    assert reasons_of(item, edition) == reasons


@pytest.mark.parametrize("stored", [None, [], {}, {"judgments": [{"code": "x"}], "spans": []}])
def test_what_is_not_a_stored_answer_is_named(stored: object) -> None:
    with pytest.raises(AnswersUnreadable):
        read_answers(stored)


def test_what_are_not_stored_reasons_is_named() -> None:
    with pytest.raises(GoldUnreadable):
        read_reasons({"codes": {"x": 1}, "remark": ""})
