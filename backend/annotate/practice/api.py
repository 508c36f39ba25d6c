"""Calls about gold answers."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router, Status

from backend.annotate.batches.blindness import hidden_keys
from backend.annotate.practice import selectors, services
from backend.annotate.practice.api_shapes import (
    CarriedOut,
    CodeOut,
    GoldFileIn,
    GoldListed,
    GoldOut,
    ImportedOut,
    PastGoldOut,
    QuoteOut,
)
from backend.annotate.practice.entries import read_entry
from backend.annotate.practice.errors import GoldRefused
from backend.annotate.practice.files import GoldForm, gold_file
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.requests import GoldIn
from backend.core.accounts.access import user_of
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of, edition_in_force, edition_numbered
from backend.design.samples.selectors import item_of, item_text

router = Router(auth=RESEARCHER)


@router.get("", response=list[GoldListed])
def list_gold(request: HttpRequest, edition: int | None = None) -> list[GoldAnswer]:
    """The items with gold, newest first; under the edition in force unless another number is asked for."""
    study = study_of(request)
    return list(
        selectors.gold_rows(study, _edition(study, edition), user_of(request)).select_related("edition")
    )


@router.get("export")
def export_gold(
    request: HttpRequest, form: GoldForm = GoldForm.YAML, edition: int | None = None
) -> HttpResponse:
    """A file that the import reads; it quotes texts. `form` is yaml or jsonl."""
    study = study_of(request)
    kinds = {GoldForm.YAML: "application/yaml", GoldForm.JSON_LINES: "application/jsonl"}
    return HttpResponse(gold_file(_edition(study, edition), form, user_of(request)), content_type=kinds[form])


@router.post("import", response=ImportedOut)
def import_gold(request: HttpRequest, body: GoldFileIn) -> services.ImportedGold:
    """All of the file or nothing of it; refused with every problem and its line."""
    study = study_of(request)
    return services.import_gold(
        study=study,
        edition=edition_in_force(study),
        source=body.source,
        file_name=body.file_name,
        actor=user_of(request),
        now=timezone.now(),
    )


@router.post("carry-over", response=CarriedOut)
def carry_over(request: HttpRequest) -> CarriedOut:
    """Copies the gold of earlier editions to the edition in force, as far as it still asks the same."""
    study = study_of(request)
    edition = edition_in_force(study)
    carried = services.carry_over_all(
        study=study, edition=edition, actor=user_of(request), now=timezone.now()
    )
    hidden = hidden_keys(user_of(request), study)
    left = {
        entry.item.item_id: [found.message for found in entry.problems]
        for entry in carried.left
        if entry.item.item_id not in hidden
    }
    return CarriedOut(items=carried.items, left=left)


@router.get("{item_id}", response=GoldOut)
def read_gold(request: HttpRequest, item_id: str, edition: int | None = None) -> GoldOut:
    study = study_of(request)
    item = item_of(study, item_id)
    rows = selectors.gold_rows(study, _edition(study, edition)).select_related("edition")
    row = rows.filter(item=item).first()
    if row is None:
        raise Http404("This item has no gold answer under that edition.")
    return _gold_out(row, ())


@router.put("{item_id}", response=GoldOut)
def write_gold(request: HttpRequest, item_id: str, body: GoldIn) -> GoldOut:
    """Under the edition in force; refused with every problem. Ticks that are not mentioned are not there."""
    study = study_of(request)
    item, edition = item_of(study, item_id), edition_in_force(study)
    reading = read_entry(codebook_of(edition), item_text(item), body.entry())
    if reading.problems:
        raise GoldRefused(reading.problems)
    row = services.write_gold(
        item=item,
        edition=edition,
        answers=reading.answers,
        reasons=reading.reasons,
        actor=user_of(request),
        now=timezone.now(),
    )
    return _gold_out(row, reading.notes)


@router.delete("{item_id}", response={204: None})
def delete_gold(request: HttpRequest, item_id: str) -> Status[None]:
    """Refused while annotators practise on the item."""
    study = study_of(request)
    services.delete_gold(
        item=item_of(study, item_id),
        edition=edition_in_force(study),
        actor=user_of(request),
        now=timezone.now(),
    )
    return Status(204, None)


@router.get("{item_id}/history", response=list[PastGoldOut])
def read_history(request: HttpRequest, item_id: str, edition: int | None = None) -> list[GoldAnswer]:
    """What stood before, latest first."""
    study = study_of(request)
    return list(selectors.gold_history(item_of(study, item_id), _edition(study, edition)))


@router.post("{item_id}/history/{int:gold_id}/restore", response=GoldOut)
def restore_gold(request: HttpRequest, item_id: str, gold_id: int) -> GoldOut:
    """Lets gold of the history stand again."""
    past = selectors.past_gold(item_of(study_of(request), item_id), gold_id)
    row = services.restore_gold(gold=past, actor=user_of(request), now=timezone.now())
    return _gold_out(row, ())


def _edition(study: Study, number: int | None) -> Edition:
    return edition_in_force(study) if number is None else edition_numbered(study, number)


def _gold_out(row: GoldAnswer, notes: tuple[str, ...]) -> GoldOut:
    gold, text = selectors.read_gold(row), item_text(row.item)
    quotes: dict[str, list[QuoteOut]] = {}
    for span in gold.answers.spans:
        quote = QuoteOut(part=span.part, start=span.start, end=span.end, text=text.words_of(span))
        quotes.setdefault(span.code_id, []).append(quote)
    codes = {
        judgment.code_id: CodeOut(
            value=judgment.value,
            quotes=quotes.get(judgment.code_id, []),
            why=gold.reasons.by_code.get(judgment.code_id, ""),
        )
        for judgment in gold.answers.judgments
    }
    return GoldOut(
        item=row.item.item_id,
        edition=row.edition.number,
        codes=codes,
        remark=gold.reasons.remark,
        written_by=row.written_by.username,
        written_at=row.written_at,
        notes=list(notes),
    )
