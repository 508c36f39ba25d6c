"""Each thing that can be wrong with an annotation is found and named, one fault at a time."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.answers import ItemText
from annotation.label_studio.decoding import decode_results
from annotation.label_studio.encoding import encode_answers
from annotation.problems import ProblemKind
from codebook.schema import AnswerKind
from tests.annotation.label_studio.decoding.corruptions import CODEBOOK, CORRUPTIONS, Sent
from tests.annotation.strategies import answers_to, items
from tests.examples import examples

FIXABLE = {
    ProblemKind.BAD_OFFSETS,
    ProblemKind.MISSING_EVIDENCE,
    ProblemKind.ORPHAN_SPAN,
    ProblemKind.UNANSWERED,
    ProblemKind.CONTRADICTION,
}
# What was spoilt cannot be read, so that what belongs to it may stand alone.
CONSEQUENCES = {ProblemKind.MISSING_EVIDENCE, ProblemKind.ORPHAN_SPAN, ProblemKind.UNANSWERED}


def test_the_codebook_of_these_tests_has_everything() -> None:
    assert {question.answer for question in CODEBOOK.questions} == set(AnswerKind)
    code_ids = [code.id for _, code in CODEBOOK.coded_questions()]
    assert len(set(code_ids)) == len(code_ids)


@pytest.mark.parametrize(("spoil", "kind"), CORRUPTIONS)
@settings(
    max_examples=examples(10),
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(data=st.data(), item=items())
def test_a_single_fault_is_found_and_named(
    spoil: Callable[[Sent], None], kind: ProblemKind, data: st.DataObject, item: ItemText
) -> None:
    rows = encode_answers(CODEBOOK, item, data.draw(answers_to(CODEBOOK, item)))
    sent = Sent(item, rows, data)
    spoil(sent)
    problems = decode_results(CODEBOOK, sent.item, [*sent.rows, *sent.strays]).problems
    kinds = {problem.kind for problem in problems}
    assert kind in kinds
    assert kinds - {kind} <= CONSEQUENCES
    assert all(problem.fixable for problem in problems if problem.kind in FIXABLE)
