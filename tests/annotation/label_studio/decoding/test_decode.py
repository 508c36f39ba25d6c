"""What was answered comes back unchanged, and nothing that comes back can stop the decoder."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.answers import Answers, Flag, ItemText, Judgment, Span, canonical_answers
from annotation.label_studio.decoding import Decoding, decode_results
from annotation.label_studio.decoding.controls import controls_of
from annotation.label_studio.encoding import encode_answers
from annotation.problems import ProblemKind
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped, shipped_codebooks
from tests.annotation.strategies import answers_to, items
from tests.codebook.strategies import codebooks
from tests.examples import examples

PRACTICES = load_shipped("empathy-practices")
ITEM = ItemText("i1", "Tired", "I need help now.", "Oh no. I feel with you. Call me.")

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(), max_size=5)
)
WORDS = """type from_name to_name value choices labels textarea text start end post reply_0 flag comment
ticks_requests span_asking-advice asking-advice"""
words = st.sampled_from(WORDS.split())
json_values = st.recursive(
    st.one_of(scalars, words),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(words, st.text(max_size=3)), inner, max_size=5)
    ),
    max_leaves=20,
)
almost_rows = st.fixed_dictionaries(
    {"type": st.sampled_from(["choices", "labels", "textarea", "relation"])},
    optional={
        "from_name": st.one_of(
            st.sampled_from([name.in_results() for name in controls_of(PRACTICES).by_name]), json_values
        ),
        "to_name": st.one_of(st.sampled_from(["post", "reply_0"]), json_values),
        "value": st.one_of(
            st.fixed_dictionaries(
                {},
                optional=dict.fromkeys(("choices", "labels", "text", "start", "end"), json_values),
            ),
            json_values,
        ),
    },
)


def check_round_trip(codebook: Codebook, item: ItemText, answers: Answers) -> None:
    sent = json.loads(json.dumps(encode_answers(codebook, item, answers)))
    assert decode_results(codebook, item, sent) == Decoding(answers, ())


@settings(max_examples=examples(80), deadline=None)
@given(st.data(), codebooks(), items())
def test_answers_to_any_codebook_come_back(data: st.DataObject, codebook: Codebook, item: ItemText) -> None:
    check_round_trip(codebook, item, data.draw(answers_to(codebook, item)))


@pytest.mark.parametrize("name", shipped_codebooks())
@settings(max_examples=examples(15), deadline=None)
@given(data=st.data(), item=items())
def test_answers_to_the_shipped_codebooks_come_back(name: str, data: st.DataObject, item: ItemText) -> None:
    codebook = load_shipped(name)
    check_round_trip(codebook, item, data.draw(answers_to(codebook, item)))


@settings(max_examples=examples(300), deadline=None)
@given(st.one_of(json_values, st.lists(st.one_of(almost_rows, json_values), max_size=4)), st.booleans())
def test_no_json_stops_the_decoder_and_what_it_says_can_be_stored(sent: object, has_reply: bool) -> None:
    item = ITEM if has_reply else ItemText("i1", "", ITEM.post, None)
    decoding = decode_results(PRACTICES, item, sent)
    for problem in decoding.problems:
        stored = f"{problem.subject}{problem.message}".encode()
        assert b"\x00" not in stored
        assert problem.message.endswith(".")
    if not isinstance(sent, list):
        assert [problem.kind for problem in decoding.problems] == [ProblemKind.UNREADABLE]
    for span in decoding.answers.spans:
        assert item.words_of(span).strip() == item.words_of(span) != ""
    assert len(decoding.answers.judgments) == sum(
        item.text_of(question.part) is not None for question, _ in PRACTICES.coded_questions()
    )


def test_the_order_of_rows_and_rows_sent_twice_make_no_difference() -> None:
    spans = [Span("asking-advice", Part.POST, 2, 11), Span("asking-advice", Part.POST, 7, 15)]
    answers = canonical_answers(PRACTICES, ITEM, {"asking-advice": 1}, spans, Flag("Why?"))
    rows = encode_answers(PRACTICES, ITEM, answers)
    assert decode_results(PRACTICES, ITEM, [*rows[::-1], *rows]) == Decoding(answers, ())


def test_the_words_that_label_studio_sends_along_are_not_trusted() -> None:
    span = Span("asking-advice", Part.POST, 2, 11)
    answers = canonical_answers(PRACTICES, ITEM, {"asking-advice": 1}, [span], None)
    ticks, mark = encode_answers(PRACTICES, ITEM, answers)
    for text in ("something else", None, 7):
        value = {"start": 1, "end": 12, "text": text, "labels": ["asking-advice"]}
        assert decode_results(PRACTICES, ITEM, [ticks, {**mark, "value": value}]) == Decoding(answers, ())


def test_a_comment_without_its_flag_is_no_flag() -> None:
    answers = canonical_answers(PRACTICES, ITEM, {}, [], Flag("Why?"))
    flag, comment = encode_answers(PRACTICES, ITEM, answers)
    assert decode_results(PRACTICES, ITEM, [comment]) == Decoding(
        canonical_answers(PRACTICES, ITEM, {}, [], None), ()
    )
    assert decode_results(PRACTICES, ITEM, [flag]).answers.flag == Flag("")
    assert decode_results(PRACTICES, ITEM, [comment, flag]).answers.flag == Flag("Why?")


def test_marks_become_whole_sentences() -> None:
    codebook = load_shipped("empathy-cause")
    code_id, part = next(
        (code.id, question.part)
        for question, code in codebook.coded_questions()
        if question.answer == "sentences"
    )
    item = ItemText("i1", "", ITEM.reply or "", ITEM.reply)
    loose = canonical_answers(codebook, item, {}, [Span(code_id, part, 0, 22)], None)
    decoding = decode_results(codebook, item, encode_answers(codebook, item, loose)[-1:])
    assert decoding.answers.spans == (Span(code_id, part, 0, 6), Span(code_id, part, 7, 23))
    assert Judgment(code_id, 1) in decoding.answers.judgments


def row(row_id: str, from_name: str, row_type: str, value: dict[str, object]) -> dict[str, object]:
    kept = {"from_name": from_name, "to_name": "post", "type": row_type, "origin": "manual"}
    return {"value": value, "id": row_id, **kept}


TYPED = ItemText("i1", "Tired", "I need help 😀 now.\nPlease, Dr. Lee, tell me. What should I do?", None)


def test_rows_as_label_studio_1_23_2_sent_them_from_a_browser() -> None:
    place = {"start": 7, "end": 25, "text": "help 😀 now.\\nPlease", "labels": ["asking-advice"]}
    sent = [
        row("IoSOQLKT7O", "ticks_requests", "choices", {"choices": ["asking-advice"]}),
        row("JD_t2Lehep", "span_asking-advice", "labels", place),
        row("RZ5d8yCrMD", "flag", "choices", {"choices": ["discuss"]}),
        row("L2WjaiHVOx", "comment", "textarea", {"text": ["Hm, why?\nreally"]}),
    ]
    span = Span("asking-advice", Part.POST, 7, 25)
    answers = canonical_answers(PRACTICES, TYPED, {"asking-advice": 1}, [span], Flag("Hm, why?\nreally"))
    assert decode_results(PRACTICES, TYPED, sent) == Decoding(answers, ())
    encoded = encode_answers(PRACTICES, TYPED, answers)
    assert [{**ours, "id": theirs["id"]} for ours, theirs in zip(encoded, sent, strict=True)] == sent


def test_label_studio_cuts_sentences_otherwise_and_ours_count() -> None:
    codebook = load_shipped("empathy-cause")
    cut = [(31, 45, "Lee, tell me. "), (0, 19, "I need help 😀 now.\\n")]
    sent = [
        row(
            f"row-{start}",
            "sentence_empathy-cause",
            "labels",
            {"start": start, "end": end, "text": text, "labels": ["empathy-cause"]},
        )
        for start, end, text in cut
    ]
    decoding = decode_results(codebook, TYPED, sent)
    assert decoding.problems == ()
    assert [TYPED.words_of(span) for span in decoding.answers.spans] == [
        "I need help 😀 now.",
        "Please, Dr. Lee, tell me.",
    ]
