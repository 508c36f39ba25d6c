"""What the queue needs to know of every item's answers; read once and kept until an answer comes or changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.answers import ItemText
from annotation.side_by_side import OneSide, disputed_codes, evidence_disputed
from backend.adjudication.given import (
    GivenAnswer,
    judgments_hash,
    sides,
    taken_answers,
    taking_part,
    with_content,
)
from backend.adjudication.memory import Fingerprint, Memories, fingerprint
from backend.codebooks.models import Edition
from backend.codebooks.selectors import codebook_of
from backend.samples.models import Item
from backend.samples.selectors import item_text
from backend.studies.models import Study
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


@dataclass(frozen=True, slots=True)
class _Memory:
    """What was worked out when the rows were as the fingerprint says; `of` names the submissions behind each item."""

    fingerprint: Fingerprint
    of: Mapping[int, tuple[int, ...]]
    found: Mapping[int, Summary]


_NOTHING = _Memory((), {}, {})
_memories: Memories[tuple[int, int, float], _Memory] = Memories()


def summaries(study: Study, edition: Edition, threshold: float) -> Mapping[int, Summary]:
    """By item. A changed answer is another row, so that the rows' numbers tell which items to look at again."""
    key, rows = (study.pk, edition.pk, threshold), fingerprint(taking_part(study))
    known = _memories.recall(key) or _NOTHING
    if known.fingerprint != rows:
        # Two threads may both work it out, which costs time and spoils nothing
        known = _renewed(study, edition, threshold, known, rows)
        _memories.keep(key, known)
    return known.found


def _renewed(study: Study, edition: Edition, threshold: float, known: _Memory, rows: Fingerprint) -> _Memory:
    codebook, submissions = codebook_of(edition), taking_part(study)
    taken = taken_answers(submissions)
    of = {pk: tuple(one.submission_pk for one in answers) for pk, answers in taken.items()}
    stale = {pk: taken[pk] for pk, behind in of.items() if known.of.get(pk) != behind}
    answers = with_content(stale)
    texts = _texts_to_compare(answers)
    fresh = {pk: _summary(codebook, texts.get(pk), given, threshold) for pk, given in answers.items()}
    return _Memory(rows, of, {pk: fresh.get(pk) or known.found[pk] for pk in of})


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
