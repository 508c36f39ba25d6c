"""The form asks what the codebook asks, and gives back what was typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.answers import ItemText
from backend.annotate.practice.entries import entry_of, read_entry
from backend.annotate.practice.forms import GoldForm, initial_of
from codebook.shipped import load_shipped, shipped_codebooks
from tests.backend.annotate.practice.fixtures import POST, PRACTICES, REPLY
from tests.backend.annotate.practice.sound_gold import items, sound_gold

ITEM = ItemText("i", "Hall", POST, REPLY)


def typed(form: GoldForm) -> dict[str, str]:
    """What a browser sends for a form as it is first shown: an unticked box and an open level send nothing."""
    ticks = {
        f"value-{fields.code.id}" for part in form.questions() for fields in part.codes if fields.is_tick
    }
    sent = {field.html_name: field.value() for field in form}
    return {
        name: str(value) for name, value in sent.items() if value is not None and (value or name not in ticks)
    }


@pytest.mark.parametrize("name", shipped_codebooks())
@given(data=st.data())
def test_opening_and_saving_the_form_changes_nothing(name: str, data: st.DataObject) -> None:
    codebook = load_shipped(name)
    item = data.draw(items())
    answers, reasons = data.draw(sound_gold(codebook, item))
    shown = GoldForm(codebook=codebook, item=item, initial=initial_of(entry_of(item, answers, reasons)))
    sent = GoldForm(typed(shown), codebook=codebook, item=item)
    assert sent.is_valid(), sent.errors
    reading = read_entry(codebook, item, sent.entry(), prior=answers.spans)
    assert reading.problems == ()
    assert reading.answers == answers


def test_without_a_reply_nothing_is_asked_about_it() -> None:
    alone = GoldForm(codebook=PRACTICES, item=ItemText("i", "", POST, None))
    assert {fields.question.part for fields in alone.questions()} == {"post"}
    both = GoldForm(codebook=PRACTICES, item=ITEM)
    assert [len(fields.codes) for fields in both.questions()] == [4, 2, 2, 2, 3]


def test_a_problem_stands_beside_its_code() -> None:
    form = GoldForm({"value-asking-advice": "on"}, codebook=PRACTICES, item=ITEM)
    assert form.is_valid()
    form.add_problems(read_entry(PRACTICES, ITEM, form.entry()).problems)
    codes = {row.code.id: row for fields in form.questions() for row in fields.codes}
    assert form.problem_count == 1
    assert "needs evidence" in codes["asking-advice"].errors[0]
    assert codes["sharing-emotions"].errors == []


def test_levels_are_offered_with_their_keys() -> None:
    form = GoldForm({"value-interpretations": "2"}, codebook=load_shipped("epitome"), item=ITEM)
    codes = {row.code.id: row for fields in form.questions() for row in fields.codes}
    assert [(level.label, key, chosen) for level, key, chosen in codes["interpretations"].levels] == [
        ("None", "4", False),
        ("Weak", "5", False),
        ("Strong", "6", True),
    ]


def test_a_level_that_is_not_there_is_no_choice() -> None:
    form = GoldForm({"value-interpretations": "7"}, codebook=load_shipped("epitome"), item=ITEM)
    assert not form.is_valid()
