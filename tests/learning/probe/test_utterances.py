"""Which words are put into replies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from annotation.release.table_codebook import NO_EXAMPLE
from codebook.schema import Example, Question
from learning.probe.utterances import utterances_of
from tests.learning.probe.fixtures import CODE, EPITOME, KIND, context_release
from tests.ml_backend.fixtures import made_release

NOBODYS = Example(NO_EXAMPLE)


def _unwritten(question: Question) -> Question:
    """As of a table that came without a codebook."""
    return replace(question, codes=tuple(replace(each, examples_for=(NOBODYS,)) for each in question.codes))


def test_they_are_evidence_of_the_training_part_or_examples_of_the_codebook(tmp_path: Path) -> None:
    release = read_release(context_release(tmp_path))
    found = utterances_of(release.rows, release.codebook, 2)
    codes = {code.id: code for _, code in EPITOME.coded_questions()}
    assert found[CODE] == (KIND,)
    assert found["explorations"] == tuple(each.text for each in codes["explorations"].examples_for[:2])
    assert not utterances_of((), replace(EPITOME, questions=tuple(map(_unwritten, EPITOME.questions))), 2)[
        CODE
    ]
    held_out = [row for row in release.rows if row.split is not SplitPart.TRAIN]
    assert found[CODE] != utterances_of(held_out, release.codebook, 2)[CODE]


def test_words_that_differ_in_capitals_alone_are_one_and_the_commonest_come_first(tmp_path: Path) -> None:
    release = read_release(made_release(tmp_path / "release", EPITOME, 60))
    for words in utterances_of(release.rows, release.codebook, 5).values():
        assert sorted(words) == ["heavy clouds stay all day", "sunshine will come again"]
