"""Pairs of posts with the event turned around: read, kept in an edition, and refused where they cannot be asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codebook.editions import canonical_json, codebook_from_canonical, edition_hash
from codebook.loader import parse_codebook
from codebook.problems import CodebookError, Problem
from codebook.schema import Codebook, ContrastPair
from tests.codebook.test_links import CODE, HEAD, LEVELS, QUESTION

PAIR = "[{post: I got the job, contrary: I lost the job, reply: How lovely for you}]"


def read(*, at_code: str = "", at_question: str = "", at_post: str = "", at_scale: str = "") -> Codebook:
    def question(name: str, part: str, answer: str, pairs: str, rest: str) -> str:
        own = f"    contrast_pairs: {pairs}\n" if pairs else ""
        return QUESTION.format(id=name, part=part, answer=answer) + own + rest + "    codes:"

    text = (
        HEAD
        + question("post", "post", "tick", at_post, "    evidence: none\n")
        + CODE.format(id="asks", keys="1", at=1)
        + question("reply", "reply", "tick", at_question, "    evidence: none\n")
        + CODE.format(id="tells", keys="2", at=2)
        + (f"        contrast_pairs: {at_code}\n" if at_code else "")
        + question("rating", "reply", "scale", at_scale, LEVELS)
        + CODE.format(id="warmth", keys="34", at=3)
    )
    return parse_codebook(text, source="asking.yaml")


def problem_of(**given: str) -> Problem:
    with pytest.raises(CodebookError) as caught:
        read(**given)
    (problem,) = caught.value.problems
    return problem


def test_codes_and_questions_carry_pairs_and_an_edition_keeps_them() -> None:
    codebook = read(at_code=PAIR, at_question=PAIR)
    question = codebook.questions[1]
    assert question.contrast_pairs == (ContrastPair("I got the job", "I lost the job", "How lovely for you"),)
    assert question.codes[0].contrast_pairs == question.contrast_pairs
    assert codebook_from_canonical(canonical_json(codebook)) == codebook


def test_without_pairs_an_edition_keeps_the_name_it_always_had() -> None:
    assert "contrast_pairs" not in canonical_json(read())
    assert len({edition_hash(each) for each in (read(), read(at_code=PAIR), read(at_question=PAIR))}) == 3
    codebook = read(at_question=PAIR)
    without = replace(codebook.questions[1], contrast_pairs=())
    bare = replace(codebook, questions=(codebook.questions[0], without, codebook.questions[2]))
    assert edition_hash(bare) == edition_hash(read())


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"at_post": PAIR}, "`contrast_pairs` for the post"),
        ({"at_scale": PAIR}, "`contrast_pairs` for a question answered by scale"),
        ({"at_code": "[]"}, "empty list"),
        ({"at_code": PAIR.replace("I lost", "I got")}, "the same"),
    ],
)
def test_pairs_that_cannot_be_asked_are_refused(given: dict[str, str], wrong: str) -> None:
    assert wrong in problem_of(**given).wrong
