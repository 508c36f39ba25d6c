"""An edition's name depends on what the codebook says and on nothing else."""

import json
import unicodedata
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings

from codebook.editions import canonical_json, codebook_from_canonical, edition_hash
from codebook.loader import parse_codebook
from codebook.problems import CodebookError
from codebook.schema import Codebook
from codebook.shipped import load_shipped, shipped_path
from tests.codebook.strategies import codebooks
from tests.examples import examples


@settings(max_examples=examples(60), deadline=None)
@given(codebooks())
def test_the_canonical_form_gives_the_codebook_back(codebook: Codebook) -> None:
    text = canonical_json(codebook)
    assert codebook_from_canonical(text) == codebook
    assert unicodedata.is_normalized("NFC", text)
    assert text == json.dumps(json.loads(text), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@settings(max_examples=examples(40), deadline=None)
@given(codebooks())
def test_formatting_and_key_order_do_not_change_the_edition(codebook: Codebook) -> None:
    content = json.loads(canonical_json(codebook))
    reordered = dict(reversed(list(content.items())))
    rewritten = "# a comment\n" + yaml.safe_dump(reordered, sort_keys=False, allow_unicode=True, width=20)
    assert edition_hash(parse_codebook(rewritten, source="x")) == edition_hash(codebook)


def test_comments_and_folding_do_not_change_the_edition() -> None:
    text = shipped_path("epitome").read_text(encoding="utf-8")
    spaced = "# note\n" + text.replace("    codes:\n", "\n    # the codes\n    codes:\n").replace(
        ": >\n", ": |\n"
    )
    assert spaced != text
    assert edition_hash(parse_codebook(spaced, source="x")) == edition_hash(load_shipped("epitome"))


def test_composed_and_decomposed_letters_are_one_edition() -> None:
    text = shipped_path("epitome").read_text(encoding="utf-8").replace("title: Com", "title: Cafe\u0301 com")
    composed = unicodedata.normalize("NFC", text)
    assert composed != text
    assert edition_hash(parse_codebook(text, source="x")) == edition_hash(
        parse_codebook(composed, source="x")
    )


def test_any_word_changes_the_edition() -> None:
    codebook = load_shipped("epitome")
    assert edition_hash(replace(codebook, title="Another title")) != edition_hash(codebook)
    assert len(edition_hash(codebook)) == 64


def test_a_form_that_is_not_canonical_is_refused() -> None:
    text = canonical_json(load_shipped("epitome"))
    with pytest.raises(CodebookError, match="not in canonical form"):
        codebook_from_canonical(text + "\n")
    with pytest.raises(CodebookError):
        codebook_from_canonical(text[:-1])


def test_an_edition_whose_canonical_form_outgrows_the_file_can_be_read_back() -> None:
    codebook = replace(load_shipped("epitome"), description='"' * 400_000)
    assert codebook_from_canonical(canonical_json(codebook)) == codebook
