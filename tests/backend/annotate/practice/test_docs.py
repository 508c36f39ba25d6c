"""The examples of docs/practice.md can be imported as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backend.annotate.practice.files import read_gold_file
from backend.annotate.practice.services import import_gold
from tests.backend.annotate.practice.fixtures import add_codebook, add_item
from tests.backend.annotate.practice.reading import gold_of, reasons_of
from tests.cast import NOW, Cast

ROOT = Path(__file__).resolve().parents[4]
PAGE = ROOT / "backend/annotate/practice/templates/practice/import.html"
BLOCKS = re.findall(
    r"^```(yaml|json)\n(.*?)^```$", (ROOT / "docs/practice.md").read_text(), re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize(("language", "source"), BLOCKS)
def test_the_examples_of_the_docs_are_imported(cast: Cast, language: str, source: str) -> None:
    codebook = "epitome" if "interpretations" in source else "empathy-practices"
    edition = add_codebook(cast, codebook)
    name = "gold.yaml" if language == "yaml" else "gold.jsonl"
    ids = [entry.item_id for entry in read_gold_file(source, file_name=name).entries]
    for item_id in ids:
        add_item(
            cast,
            item_id,
            post="Asking after stepping on a triceratops. Is there a number?",
            reply="Reading this made my heart sink. How long has it been like this?"
            if codebook == "epitome"
            else None,
        )
    imported = import_gold(
        study=cast.study, edition=edition, source=source, file_name=name, actor=cast.rosa, now=NOW
    )
    assert imported.added == len(ids) > 0
    item = cast.study.items.get(item_id=ids[0])
    gold, reasons = gold_of(item, edition), reasons_of(item, edition)
    assert gold is not None
    assert reasons is not None
    assert any(judgment.value for judgment in gold.judgments)
    assert reasons.by_code


def test_there_are_examples_of_both_forms() -> None:
    assert {language for language, _ in BLOCKS} == {"yaml", "json"}


def test_the_example_on_the_import_page_can_be_read() -> None:
    block = re.search(r"{% code_block label=\"YAML\" %}(.*?){% endcode_block %}", PAGE.read_text(), re.DOTALL)
    assert block is not None
    file = read_gold_file(block[1], file_name="gold.yaml")
    assert (len(file.entries), file.problems) == (1, ())
