"""Names an edition by its content, so that a judgment can say for ever which codebook it was made with."""

import hashlib
import json
import unicodedata
from typing import TypeAlias

from codebook.loader import parse_codebook
from codebook.problems import CodebookError, Problem
from codebook.schema import Code, Codebook, ContrastPair, Example, Level, Question
from codebook.yaml_tree import MAX_BYTES

_Json: TypeAlias = "str | int | bool | list[_Json] | dict[str, _Json]"

_SOURCE = "edition"
# The canonical form escapes quotes and writes defaults out, so it may be longer than any file we accept.
_LARGEST_CANONICAL = 4 * MAX_BYTES


def canonical_json(codebook: Codebook) -> str:
    """The codebook in its file format as JSON in NFC: keys sorted, no spaces, every default written out."""
    text = json.dumps(_codebook(codebook), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return unicodedata.normalize("NFC", text)


def edition_hash(codebook: Codebook) -> str:
    """The sha256 of the canonical form, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(codebook).encode()).hexdigest()


def codebook_from_canonical(text: str) -> Codebook:
    """The codebook a canonical form stands for. Raises CodebookError if `text` is not exactly such a form."""
    codebook = parse_codebook(text, source=_SOURCE, max_bytes=_LARGEST_CANONICAL)
    if canonical_json(codebook) != text:
        wrong = "this is a codebook, but not in canonical form"
        raise CodebookError((Problem(_SOURCE, 1, "", wrong, "store what canonical_json returns"),))
    return codebook


def _codebook(codebook: Codebook) -> dict[str, _Json]:
    return {
        "name": codebook.name,
        "title": codebook.title,
        "description": codebook.description,
        "language": codebook.language,
        "parts": list(codebook.parts),
        "questions": [_question(question) for question in codebook.questions],
    }


def _question(question: Question) -> dict[str, _Json]:
    form: dict[str, _Json] = {
        "id": question.id,
        "part": question.part,
        "context": list(question.context),
        "category": question.category,
        "text": question.text,
        "answer": question.answer,
        "evidence": question.evidence,
        "codes": [_code(code) for code in question.codes],
    }
    if question.levels:
        form["levels"] = [_level(level) for level in question.levels]
    if question.contrast_pairs:
        form["contrast_pairs"] = [_contrast_pair(pair) for pair in question.contrast_pairs]
    return form


def _level(level: Level) -> dict[str, _Json]:
    return {
        "value": level.value,
        "label": level.label,
        "definition": level.definition,
        "absent": level.absent,
    }


def _code(code: Code) -> dict[str, _Json]:
    form: dict[str, _Json] = {
        "id": code.id,
        "name": code.name,
        "definition": code.definition,
        "applies": list(code.applies),
        "not_applies": list(code.not_applies),
        "examples": {
            "for": [_example(example) for example in code.examples_for],
            "against": [_example(example) for example in code.examples_against],
        },
        "hotkey": code.hotkey,
        "colour": code.colour,
    }
    if code.answered_by:
        # This, contrast pairs and former ids are written only where there are any: older editions keep their names.
        form["answered_by"] = list(code.answered_by)
    if code.contrast_pairs:
        form["contrast_pairs"] = [_contrast_pair(pair) for pair in code.contrast_pairs]
    if code.formerly:
        form["formerly"] = list(code.formerly)
    return form


def _contrast_pair(pair: ContrastPair) -> dict[str, _Json]:
    return {"post": pair.post, "contrary": pair.contrary, "reply": pair.reply}


def _example(example: Example) -> _Json:
    return {"text": example.text, "why": example.why} if example.why else example.text
