"""What the queue needs to know of an item's answers: where they differ, and whose they are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from annotation.answers import ItemText
from annotation.compare_answers import OneSide, disputed_codes, evidence_disputed
from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import (
    GivenAnswer,
    judgments_hash,
    sides,
    taken_answers,
    taking_part,
    with_content,
)
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook

CHUNK = 500


@dataclass(frozen=True, slots=True)
class Summary:
    """Where the answers to an item differ, in codes of the newest edition."""

    disputed: tuple[str, ...]
    evidence_disputed: tuple[str, ...]
    judgments_hash: str
    annotators: frozenset[int]
    batches: frozenset[int]


def summaries(
    study: Study, edition: Edition, threshold: float, items: Collection[int] | None = None
) -> dict[int, Summary]:
    """By item, of these or of all that were answered."""
    codebook, submissions = codebook_of(edition), taking_part(study)
    if items is not None:
        submissions = submissions.filter(assigned_item__item__in=items)
    answers = with_content(taken_answers(submissions))
    texts = _texts_to_compare(answers)
    return {pk: _summary(codebook, texts.get(pk), given, threshold) for pk, given in answers.items()}


def _summary(
    codebook: Codebook, text: ItemText | None, given: list[GivenAnswer], threshold: float
) -> Summary:
    said = sides(given)
    codes = [code.id for _, code in codebook.coded_questions()]
    return Summary(
        disputed=disputed_codes(said, codes),
        evidence_disputed=differing_evidence(codebook, text, said, threshold) if text else (),
        judgments_hash=judgments_hash(given),
        annotators=frozenset(answer.annotator_id for answer in given),
        batches=frozenset(answer.taken.batch_id for answer in given),
    )


def differing_evidence(
    codebook: Codebook, text: ItemText, said: list[OneSide], threshold: float
) -> tuple[str, ...]:
    return tuple(
        code.id
        for question, code in codebook.coded_questions()
        if evidence_disputed(text.text_of(question.part) or "", code.id, question, said, threshold)
    )


def _texts_to_compare(answers: Mapping[int, list[GivenAnswer]]) -> dict[int, ItemText]:
    """Texts are read only where two marked different words for the same code."""
    wanted = [pk for pk, given in answers.items() if _marks_differ(sides(given))]
    found: dict[int, ItemText] = {}
    for start in range(0, len(wanted), CHUNK):
        rows = Item.objects.filter(pk__in=wanted[start : start + CHUNK])
        found |= {item.pk: item_text(item) for item in rows}
    return found


def _marks_differ(said: list[OneSide]) -> bool:
    places: dict[str, frozenset[tuple[int, int]]] = {}
    for side in said:
        own: dict[str, set[tuple[int, int]]] = {}
        for span in side.spans:
            own.setdefault(span.code_id, set()).add((span.start, span.end))
        for code_id, marked in own.items():
            if places.setdefault(code_id, frozenset(marked)) != marked:
                return True
    return False
