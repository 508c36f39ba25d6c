"""Gold answers as a file of the same form that an import reads, so that a study's gold can be kept and taken along."""

from __future__ import annotations

import json
from enum import StrEnum

import yaml

from backend.annotate.practice.entries import CodeEntry, GoldEntry, entry_of
from backend.annotate.practice.selectors import gold_rows, read_gold
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook, Question


class GoldForm(StrEnum):
    YAML = "yaml"
    JSON_LINES = "jsonl"


def gold_file(edition: Edition, form: GoldForm) -> str:
    """All gold under this edition, by item id, so that two exports can be compared line by line."""
    codebook = codebook_of(edition)
    entries: dict[str, dict[str, object]] = {}
    for row in gold_rows(edition.study, edition).order_by("item__item_id"):
        gold, text = read_gold(row), item_text(row.item)
        entries[text.item_id] = _written(codebook, entry_of(text, gold.answers, gold.reasons))
    if form is GoldForm.JSON_LINES:
        lines = (json.dumps({"item": key} | entry, ensure_ascii=False) for key, entry in entries.items())
        return "".join(f"{line}\n" for line in lines)
    if not entries:
        return ""
    return str(yaml.safe_dump(entries, allow_unicode=True, sort_keys=False, width=110))


def _written(codebook: Codebook, entry: GoldEntry) -> dict[str, object]:
    questions = {code.id: question for question, code in codebook.coded_questions()}
    codes = {
        code_id: written
        for code_id, code in entry.codes.items()
        if (written := _code(questions[code_id], code))
    }
    return ({"remark": entry.remark} if entry.remark else {}) | {"codes": codes}


def _code(question: Question, code: CodeEntry) -> dict[str, object]:
    """A tick that is not there and of which nothing is said need not be mentioned."""
    written: dict[str, object] = {}
    if question.answer.has_levels:
        written["value"] = code.value
    elif code.value or code.why:
        written["ticked"] = bool(code.value)
    if code.quotes:
        written["quotes"] = list(code.quotes)
    if code.why:
        written["why"] = code.why
    return written
