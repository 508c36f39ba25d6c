"""Encoded answers are the rows that Label Studio itself would send."""

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.answers import Flag, ItemText, Span, canonical_answers
from annotation.label_studio.config import label_config
from annotation.label_studio.encoding import encode_answers
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped
from tests.annotation.strategies import answers_to, items
from tests.codebook.strategies import codebooks
from tests.examples import examples

ITEM = ItemText("i1", "Tired", "I need\nhelp 😀 now", "Oh no. I feel with you.")


def test_ticks_highlights_and_the_flag_become_rows() -> None:
    codebook = load_shipped("empathy-practices")
    spans = [Span("asking-advice", Part.POST, 2, 11), Span("asking-advice", Part.POST, 14, 17)]
    answers = canonical_answers(codebook, ITEM, {"asking-advice": 1}, spans, Flag("Why?"))
    rows = encode_answers(codebook, ITEM, answers)
    seen = [
        {key: value for key, value in row.items() if key not in ("id", "to_name", "origin")} for row in rows
    ]
    label = {"from_name": "span_asking-advice", "type": "labels"}
    mark = {"labels": ["asking-advice"]}
    assert seen == [
        {"from_name": "ticks_requests", "type": "choices", "value": {"choices": ["asking-advice"]}},
        {**label, "value": {"start": 2, "end": 11, "text": "need\\nhelp", **mark}},
        {**label, "value": {"start": 14, "end": 17, "text": "now", **mark}},
        {"from_name": "flag", "type": "choices", "value": {"choices": ["discuss"]}},
        {"from_name": "comment", "type": "textarea", "value": {"text": ["Why?"]}},
    ]
    assert {(row["to_name"], row["origin"]) for row in rows} == {("post", "manual")}


def test_levels_of_a_reply_name_its_position() -> None:
    codebook = load_shipped("epitome")
    span = Span("interpretations", Part.REPLY, 7, 23)
    answers = canonical_answers(codebook, ITEM, {"interpretations": 2}, [span], None)
    level, mark = encode_answers(codebook, ITEM, answers)
    assert (level["from_name"], level["to_name"]) == ("level_interpretations_0", "reply_0")
    assert level["value"] == {"choices": ["2"]}
    assert (mark["from_name"], mark["to_name"]) == ("span_interpretations_0", "reply_0")


@settings(max_examples=examples(40), deadline=None)
@given(st.data(), codebooks(), items())
def test_rows_name_controls_of_the_config_and_have_ids_that_stay(
    data: st.DataObject, codebook: Codebook, item: ItemText
) -> None:
    answers = data.draw(answers_to(codebook, item))
    rows = encode_answers(codebook, item, answers)
    config = label_config(codebook)
    for row in rows:
        name = str(row["from_name"])
        in_config = name[:-1] + "{{idx}}" if name.endswith("_0") else name
        assert f'name="{in_config}"' in config
    ids = [row["id"] for row in rows]
    assert len(set(ids)) == len(ids)
    assert ids == [row["id"] for row in encode_answers(codebook, item, answers)]
