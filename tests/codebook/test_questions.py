"""What a model is asked follows from the codebook alone."""

from hypothesis import given, settings

from codebook.questions import model_questions
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped
from tests.codebook.strategies import codebooks
from tests.examples import examples


def test_a_reply_is_judged_under_its_post_and_a_post_alone() -> None:
    questions = {entry.code_id: entry for entry in model_questions(load_shipped("empathy-practices"))}
    assert len(questions) == 13
    advice, offer = questions["asking-advice"], questions["offering-advice"]
    assert (advice.text, advice.context) == ("Does the post show “Asking for advice or opinions”?", ())
    assert (offer.part, offer.context, offer.wants_evidence) == (Part.REPLY, (Part.POST,), True)
    assert [(value.value, value.label) for value in offer.values] == [(0, "no"), (1, "yes")]


def test_levels_want_evidence_unless_the_code_is_absent() -> None:
    question = model_questions(load_shipped("epitome"))[0]
    assert [(value.label, value.wants_evidence) for value in question.values] == [
        ("None", False),
        ("Weak", True),
        ("Strong", True),
    ]
    assert question.text == "To what degree does the reply show “Emotional reactions” (None, Weak, Strong)?"


def test_scales_name_their_ends_and_causes_their_context() -> None:
    rating = model_questions(load_shipped("construct-ratings"))[0]
    assert rating.text.endswith("“Granularity of the definition”, from 1 (Not defined) to 5 (Detailed)?")
    cause = model_questions(load_shipped("empathy-cause"))[0]
    assert (cause.part, cause.context) == (Part.POST, (Part.REPLY,))
    assert cause.text == "Which sentences of the post show “Cause of empathy”?"


@settings(max_examples=examples(30), deadline=None)
@given(codebooks())
def test_there_is_one_question_per_code(codebook: Codebook) -> None:
    asked = model_questions(codebook)
    assert [entry.code_id for entry in asked] == [code.id for _, code in codebook.coded_questions()]
    assert all(len(entry.values) >= 2 for entry in asked)
