"""The guideline shows annotators everything the codebook says, numbered as in the interface."""

import re

from hypothesis import given, settings

from codebook.guideline import answer_instruction, escape_markdown, guideline, guideline_markdown
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped, shipped_codebooks
from tests.codebook.strategies import codebooks
from tests.examples import examples


def test_questions_are_numbered_by_part() -> None:
    parts = guideline(load_shipped("empathy-practices")).parts
    assert [[entry.number for entry in part.questions] for part in parts] == [
        ["1.1", "1.2"],
        ["2.1", "2.2", "2.3"],
    ]
    assert [part.heading for part in parts] == ["Please read the post", "Please read the reply"]


def test_a_part_without_questions_is_context() -> None:
    reply, post = guideline(load_shipped("empathy-cause")).parts
    assert (reply.part, reply.heading, reply.questions) == (Part.REPLY, "Please read the reply (context)", ())
    assert post.questions[0].number == "2.1"


def test_instructions_say_what_to_highlight_and_when_not() -> None:
    instructions = {name: answer_instruction(load_shipped(name).questions[0]) for name in shipped_codebooks()}
    assert instructions == {
        "construct-ratings": "Choose one point on each scale.",
        "empathy-cause": "Mark whole sentences of the post; mark none if none fits.",
        "empathy-practices": "Tick everything that applies. "
        "For each tick, highlight the words of the post that show it.",
        "epitome": "Choose one level in each row. "
        "Highlight the words of the reply behind your choice, unless you chose None.",
    }


@settings(max_examples=examples(40), deadline=None)
@given(codebooks())
def test_the_markdown_holds_every_text(codebook: Codebook) -> None:
    document = guideline_markdown(codebook)
    for question, code in codebook.coded_questions():
        texts = [
            question.text,
            question.category,
            code.name,
            code.definition,
            *code.applies,
            *code.not_applies,
        ]
        texts += [example.text for example in (*code.examples_for, *code.examples_against)]
        texts += [example.why for example in code.examples_against] + [
            level.label for level in question.levels
        ]
        assert all(escape_markdown(text) in document for text in texts)


def test_what_answers_what_stands_at_the_end() -> None:
    document = guideline_markdown(load_shipped("empathy-practices"))
    assert "- **Asking for advice or opinions**: Offering personalised advice\n" in document
    assert "answers what" not in guideline_markdown(load_shipped("epitome"))


def test_codebook_text_cannot_become_markup() -> None:
    assert escape_markdown("<b> [x](y) *z*") == r"\<b\> \[x\](y) \*z\*"
    assert escape_markdown("- a\n\n12. b") == "\\- a\n\n12\\. b"
    document = guideline_markdown(load_shipped("epitome"))
    assert re.findall(r"^#+ ", document, re.MULTILINE).count("#### ") == 3
