"""Gathers the facts that a data card tells: samples, batches, decisions and agreement behind the released items."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from annotation.agreement.reports import BatchAgreement, CodeAgreement
from annotation.release.card_facts import AgreementFact, AgreementRow, BatchFact, CardFacts, SampleFact
from annotation.release.counts import rare_themes
from annotation.release.manifest import EditionEntry, StudyEntry
from annotation.release.rows import ReleaseRow
from annotation.release.soft_labels import soft_facts
from backend.annotate.batches.models import AssignedItem, Batch
from backend.annotate.batches.selectors import unfinished_work
from backend.annotate.judgments.models import SubmissionState
from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import LEFT_OUT
from backend.decide.adjudication.models import Way
from backend.decide.agreement.models import ReportKind
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.selectors import latest_report
from backend.decide.hooks import adapters_in_words
from backend.decide.releases.requests import FreezeRequest
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.forms import DESIGNS
from codebook.schema import Codebook


def card_facts(
    study: Study,
    request: FreezeRequest,
    rows: Sequence[ReleaseRow],
    codebook: Codebook,
    edition: EditionEntry,
    *,
    number: int,
) -> CardFacts:
    batches = _batches(study, {row.item.item_id for row in rows})
    return CardFacts(
        name=request.name,
        number=number,
        study=StudyEntry(study.slug, study.name),
        description=study.description,
        language=codebook.language,
        edition=edition,
        codebook_title=codebook.title,
        editions_judged_under=_editions(study, rows),
        request=request.as_stored(study),
        platforms=tuple(sorted({row.item.platform for row in rows})),
        communities=tuple(sorted(Counter(row.item.community for row in rows).items())),
        samples=_samples(study, rows),
        n_undrawn=sum(not row.item.draws for row in rows),
        n_unfinished=_n_unfinished(study, {row.item.item_id for row in rows}),
        batches=tuple(fact for _, fact in batches),
        decisions=_decisions(rows),
        agreement=_agreement([batch for batch, _ in batches]),
        rare_themes=rare_themes(rows, codebook),
        n_suggested=sum(bool(row.item.suggested_by) for row in rows),
        suggesting=suggesting_models(study, rows),
        soft_labels=soft_facts(rows, codebook) if request.soft_labels else (),
    )


def suggesting_models(study: Study, rows: Sequence[ReleaseRow]) -> tuple[str, ...]:
    """How each model whose suggestions were in view entered service, and what a context probe found."""
    used = {adapter for row in rows for adapter in row.item.suggested_by}
    return tuple(words for found in adapters_in_words(study, used) for words in found)


def _editions(study: Study, rows: Sequence[ReleaseRow]) -> tuple[int, ...]:
    used = {label.edition for row in rows for label in row.labels if label.edition}
    return tuple(sorted(study.editions.filter(hash__in=used).values_list("number", flat=True)))


def _samples(study: Study, rows: Sequence[ReleaseRow]) -> tuple[SampleFact, ...]:
    released = Counter(draw.sample for row in rows for draw in row.item.draws)
    words = {kind: label for kind, label, _ in DESIGNS}
    return tuple(
        SampleFact(
            name=sample.name,
            design=words.get(sample.design["kind"], sample.design["kind"]),
            seed=sample.seed,
            frame_hash=sample.frame_hash,
            n_items=sample.n_items,
            n_released=released[sample.name],
        )
        for sample in study.samples.order_by("name")
        if released[sample.name]
    )


def _batches(study: Study, released: set[str]) -> list[tuple[Batch, BatchFact]]:
    """Those in which a released item was answered, with how many of them and by how many."""
    items: dict[int, set[str]] = defaultdict(set)
    people: dict[int, set[int]] = defaultdict(set)
    answered = (
        AssignedItem.objects.filter(
            assignment__batch__study=study, submission__state=SubmissionState.SUBMITTED
        )
        .exclude(assignment__batch__kind__in=LEFT_OUT)
        .values_list("assignment__batch_id", "item__item_id", "assignment__annotator_id")
    )
    for batch_id, item, annotator in answered:
        if item in released:
            items[batch_id].add(item)
            people[batch_id].add(annotator)
    return [
        (
            batch,
            BatchFact(
                name=batch.name,
                kind=batch.get_kind_display(),
                edition=batch.edition.number,
                n_items=len(items[batch.pk]),
                n_annotators=len(people[batch.pk]),
            ),
        )
        for batch in study.batches.select_related("edition").order_by("opened_at", "pk")
        if items[batch.pk]
    ]


def _n_unfinished(study: Study, released: set[str]) -> int:
    waiting = unfinished_work().filter(assignment__batch__study=study)
    waiting = waiting.exclude(assignment__batch__kind__in=LEFT_OUT)
    return len(released & set(waiting.values_list("item__item_id", flat=True)))


def _decisions(rows: Sequence[ReleaseRow]) -> tuple[tuple[str, int], ...]:
    """An item is decided as a whole, so its first decided label tells."""
    ways = Counter(next((label.decision.way for label in row.labels if label.decision), None) for row in rows)
    return tuple((Way(way).label, n) for way, n in sorted(ways.items(), key=str) if way)


def _agreement(batches: Sequence[Batch]) -> tuple[AgreementFact, ...]:
    return tuple(fact for batch in batches if (fact := agreement_facts(batch)) is not None)


def agreement_facts(batch: Batch) -> AgreementFact | None:
    """From the batch's newest report; None where none was made."""
    report = latest_report(batch)
    if report is None or report.kind != ReportKind.AGREEMENT:
        return None
    measured = read_report(report)
    if not isinstance(measured, BatchAgreement):
        return None
    names = {code.id: code.name for _, code in codebook_of(report.edition).coded_questions()}
    return AgreementFact(
        batch=batch.name,
        is_partial=report.is_partial,
        rows=tuple(_row(names.get(code.code_id, code.code_id), code) for code in measured.codes),
        alpha_check=measured.alpha_check.says if measured.alpha_check else "",
    )


def _row(theme: str, code: CodeAgreement) -> AgreementRow:
    ratings = code.ratings
    return AgreementRow(
        theme=theme,
        estimates=ratings.estimates,
        n_items=ratings["fleiss_kappa"].n_items,
        warning=code.prevalence_warning,
    )
