"""Answers in words: what was ticked, chosen or rated, for each kind of question."""

from __future__ import annotations

import pytest

from backend.annotate.discussions.answers import marked_texts, present_codes, shown_answers
from backend.annotate.judgments.models import Submission
from codebook.schema import Codebook
from codebook.shipped import load_shipped
from tests.backend.annotate.discussions.fixtures import POST, REPLY, Bench
from tests.cast import Cast


def handed_in(cast: Cast, codebook: Codebook, values: dict[str, int]) -> Submission:
    bench = Bench(cast, codebook.name)
    return bench.hand_in(bench.assign(bench.batch(), cast.amal, bench.item("one")), judgments=values)


@pytest.mark.parametrize(
    ("name", "value", "words", "is_present"),
    [
        ("empathy-practices", 1, "ticked", True),
        ("empathy-cause", 1, "sentences marked", True),
        ("epitome", 2, "strong", True),
        ("epitome", 0, "none", False),
        ("construct-ratings", 1, "1 · ", False),
    ],
)
def test_every_kind_of_answer_has_words(
    cast: Cast, name: str, value: int, words: str, is_present: bool
) -> None:
    codebook = load_shipped(name)
    _, code = next(codebook.coded_questions())
    (answer,) = shown_answers(handed_in(cast, codebook, {code.id: value}), codebook).answers
    assert answer.words.lower().startswith(words)
    assert answer.is_present is is_present


def test_what_was_not_ticked_is_not_told(cast: Cast) -> None:
    codebook = load_shipped("empathy-practices")
    codes = [code for _, code in codebook.coded_questions()]
    submission = handed_in(cast, codebook, {codes[2].id: 1, codes[1].id: 0, codes[0].id: 1})
    assert present_codes(submission, codebook) == (codes[0], codes[2])
    assert present_codes(None, codebook) == ()


def test_bare_texts_without_a_submission(bench: Bench) -> None:
    codebook = load_shipped("empathy-practices")
    texts = marked_texts(bench.item("one"), None, codebook)
    assert [(text.title, text.words) for text in texts] == [("Sorry", POST), ("", REPLY)]
    assert len(marked_texts(bench.item("two", reply=None), None, codebook)) == 1
    assert not any(passage.codes for text in texts for passage in text.passages)
