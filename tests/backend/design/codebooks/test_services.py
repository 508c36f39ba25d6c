"""Editions are added with a reason, never twice, never changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction

from backend.design.codebooks.errors import EditionError
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.codebooks.services import add_edition
from codebook.editions import canonical_json, edition_hash
from codebook.problems import CodebookError
from codebook.shipped import load_shipped, shipped_path
from tests.cast import NOW, Cast

SOURCE = shipped_path("empathy-practices").read_text()


def added(cast: Cast, source: str = SOURCE, note: str = "First version") -> Edition:
    return add_edition(
        study=cast.study, source=source, file_name="c.yaml", note=note, actor=cast.rosa, now=NOW
    )


def test_the_first_edition_is_number_one_and_named_by_its_hash(cast: Cast) -> None:
    edition = added(cast)
    assert edition.number == 1
    assert edition.hash == edition_hash(load_shipped("empathy-practices"))
    assert codebook_of(edition) == load_shipped("empathy-practices")


def test_an_edition_needs_a_reason(cast: Cast) -> None:
    with pytest.raises(EditionError, match="what changed and why"):
        added(cast, note="  ")
    assert not cast.study.editions.exists()


def test_the_same_content_is_no_new_edition_whatever_its_formatting(cast: Cast) -> None:
    added(cast)
    with pytest.raises(EditionError, match="Nothing differs from edition 1"):
        added(cast, source=f"# a comment\n{SOURCE}", note="Reformatted")


def test_another_codebook_needs_a_study_of_its_own(cast: Cast) -> None:
    added(cast)
    with pytest.raises(EditionError, match="study of its own"):
        added(cast, source=shipped_path("epitome").read_text(), note="Another one")


def test_a_broken_file_adds_nothing_and_names_the_line(cast: Cast) -> None:
    with pytest.raises(CodebookError) as found:
        added(cast, source=SOURCE.replace("questions:", "quetsions:", 1))
    assert "questions" in str(found.value)
    assert not cast.study.editions.exists()


def test_numbers_go_on_and_the_note_stays(cast: Cast) -> None:
    added(cast)
    title = load_shipped("empathy-practices").title
    second = added(cast, source=SOURCE.replace(title, f"{title}, revised", 1), note="Clearer title")
    assert (second.number, second.note) == (2, "Clearer title")
    assert list(cast.study.editions.values_list("number", flat=True)) == [2, 1]


def test_the_database_refuses_to_change_an_edition(cast: Cast) -> None:
    edition = added(cast)
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        Edition.objects.filter(pk=edition.pk).update(note="Something else")
    edition.refresh_from_db()
    assert edition.note == "First version"


def test_a_former_code_that_never_was_is_refused_and_the_nearest_is_named(cast: Cast) -> None:
    """A study that begins with a codebook that has a history has no earlier answers to leave behind."""
    book = load_shipped("empathy-practices")
    first, *others = book.questions
    renamed = replace(first.codes[0], id="wanting-advice", formerly=("asking-advise",))
    new = replace(book, questions=(replace(first, codes=(renamed, *first.codes[1:])), *others))
    added(cast)
    with pytest.raises(EditionError, match="Did you mean asking-advice"):
        added(cast, source=canonical_json(new), note="Renamed")
    right = canonical_json(new).replace("asking-advise", "asking-advice")
    assert added(cast, source=right, note="Renamed").number == 2
