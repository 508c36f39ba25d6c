"""A post's code may say which codes of a reply answer it; what cannot answer is refused, in words."""

import pytest

from codebook.editions import canonical_json, codebook_from_canonical, edition_hash
from codebook.loader import parse_codebook
from codebook.problems import CodebookError, Problem
from codebook.schema import Codebook

CODE = """
      - id: {id}
        name: {id}
        definition: Something.
        applies: [Then.]
        not_applies: [Not then.]
        examples: {{for: [Yes], against: [No]}}
        hotkey: "{keys}"
        colour: "#00000{at}"
"""
QUESTION = """
  - id: {id}
    part: {part}
    category: Talk
    text: What is there?
    answer: {answer}
"""
LEVELS = """
    levels:
      - {value: 1, label: Low, definition: Little.}
      - {value: 2, label: High, definition: Much.}
"""
HEAD = """
name: asking
title: Asking
description: Asking and answering.
language: en
parts: [post, reply]
questions:
"""


def text(answered_by: str = "", on_reply: str = "") -> str:
    asks = CODE.format(id="asks", keys="1", at=1) + (
        f"        answered_by: {answered_by}\n" if answered_by else ""
    )
    tells = CODE.format(id="tells", keys="2", at=2) + (
        f"        answered_by: {on_reply}\n" if on_reply else ""
    )
    return (
        HEAD
        + QUESTION.format(id="post", part="post", answer="tick")
        + "    evidence: none\n    codes:"
        + asks
        + QUESTION.format(id="reply", part="reply", answer="tick")
        + "    evidence: none\n    codes:"
        + tells
        + QUESTION.format(id="rating", part="reply", answer="scale")
        + LEVELS
        + "    codes:"
        + CODE.format(id="warmth", keys="34", at=3)
    )


def read(answered_by: str = "", on_reply: str = "") -> Codebook:
    return parse_codebook(text(answered_by, on_reply), source="asking.yaml")


def problem_of(answered_by: str = "", on_reply: str = "") -> Problem:
    with pytest.raises(CodebookError) as caught:
        read(answered_by, on_reply)
    (problem,) = caught.value.problems
    return problem


def test_a_code_of_the_post_names_what_answers_it() -> None:
    codebook = read("[tells]")
    asks = codebook.questions[0].codes[0]
    assert asks.answered_by == ("tells",)
    assert [code.id for code in codebook.answers_to(asks)] == ["tells"]
    assert codebook_from_canonical(canonical_json(codebook)) == codebook


def test_without_links_an_edition_keeps_the_name_it_always_had() -> None:
    assert "answered_by" not in canonical_json(read())
    assert edition_hash(read()) != edition_hash(read("[tells]"))


@pytest.mark.parametrize(
    ("answered_by", "wrong", "right"),
    [
        ("[tels]", "no code has the id 'tels'", "did you mean tells?"),
        ("[asks]", "the code 'asks' cannot answer a post", "codes of the reply"),
        ("[warmth]", "the code 'warmth' cannot answer a post", "can be there or not"),
        ("[tells, tells]", "the code 'tells' is listed twice", "once"),
        ("[]", "`answered_by` is an empty list", "at least one"),
        ("tells", "`answered_by` is a single text", "list"),
    ],
)
def test_what_cannot_answer_is_refused(answered_by: str, wrong: str, right: str) -> None:
    problem = problem_of(answered_by)
    assert (problem.wrong, right in problem.right) == (wrong, True)
    assert "asks" not in problem.path and problem.path.startswith("questions[0].codes[0].answered_by")


def test_a_reply_is_not_answered() -> None:
    assert "code of the reply" in problem_of(on_reply="[asks]").wrong
