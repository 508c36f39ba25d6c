"""Makes the content of a release from what a study knows; nothing is written here, so a preview does the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from annotation.release.cases import disputed_codes
from annotation.release.counts import counts_of
from annotation.release.files import Release as Content
from annotation.release.judged_items import JudgedItem
from annotation.release.labels import final_labels
from annotation.release.manifest import EditionEntry, StudyEntry
from annotation.release.rows import FinalLabel, LabelSource, ReleaseRow, SplitPart
from annotation.release.soft_labels import NoSoftLabels, refuse_single_answers
from annotation.release.split import Post, read_ratio, split_items
from annotation.release.superseded import Definitions
from backend.core.studies.models import Study
from backend.decide.releases.errors import InvalidRequest
from backend.decide.releases.facts import card_facts
from backend.decide.releases.gathering import gather
from backend.decide.releases.models import Release
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.selectors import read_frozen
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of, edition_in_force
from codebook.schema import Codebook


def next_number(study: Study) -> int:
    latest = study.releases.first()
    return latest.number + 1 if latest else 1


def assemble(study: Study, request: FreezeRequest, *, number: int, now: datetime) -> Content:
    edition = request.edition_in(study)
    codebook = codebook_of(edition)
    editions = {row.hash: codebook_of(row) for row in study.editions.all()}
    gathered = gather(study, with_texts=request.texts)
    left_out = gathered.left_out
    items = _settle_items(gathered.items, request, codebook, Definitions(codebook, editions), left_out)
    final = final_labels(items, codebook, editions, request.rules())
    labels = final.by_item
    items = _keep_labelled(items, labels, left_out)
    rows = split_items(
        items,
        labels,
        codebook,
        ratio=read_ratio(request.ratio),
        seed=request.seed,
        settled=_settled_posts(request.earlier_in(study)),
    )
    if request.soft_labels and rows:
        _refuse_single_answers(rows)
    entry = _edition_entry(study, edition)
    return Content(
        name=request.name,
        number=number,
        study=StudyEntry(study.slug, study.name),
        edition=entry,
        codebook=codebook,
        request=request.as_stored(study),
        counts=counts_of(rows, left_out),
        notes=final.notes,
        rows=rows,
        facts=card_facts(study, request, rows, codebook, entry, number=number),
        made_at=now,
    )


def _refuse_single_answers(rows: Sequence[ReleaseRow]) -> None:
    try:
        refuse_single_answers(rows)
    except NoSoftLabels as problem:
        raise InvalidRequest(str(problem)) from problem


def _settled_posts(earlier: Release | None) -> dict[Post, SplitPart]:
    return {row.item.post: row.split for row in read_frozen(earlier).rows} if earlier else {}


def _edition_entry(study: Study, edition: Edition) -> EditionEntry:
    return EditionEntry(edition.number, edition_in_force(study).number, edition.hash)


def _settle_items(
    items: Sequence[JudgedItem],
    request: FreezeRequest,
    codebook: Codebook,
    definitions: Definitions,
    left_out: Counter[str],
) -> list[JudgedItem]:
    """Without disputed ones, if the request does not want them."""
    if request.consensus != "none":
        return list(items)
    superseded = request.rules().superseded
    kept = [judged for judged in items if not disputed_codes(judged, codebook, definitions, superseded)]
    if len(kept) < len(items):
        left_out["disputed"] += len(items) - len(kept)
    return kept


def _keep_labelled(
    items: Sequence[JudgedItem], labels: dict[str, tuple[FinalLabel, ...]], left_out: Counter[str]
) -> list[JudgedItem]:
    """Without those of which no label is left."""
    kept = []
    for judged in items:
        own = labels[judged.item.item_id]
        if any(label.source.has_value for label in own):
            kept.append(judged)
        else:
            left_out[_reason({label.source for label in own})] += 1
    return kept


def _reason(sources: set[LabelSource]) -> str:
    """Why an item has no label; the reason that somebody could do something about first."""
    if LabelSource.TOO_FEW in sources:
        return "single"
    if LabelSource.NOT_CARRIED in sources:
        return "not-carried"
    return "superseded" if LabelSource.SUPERSEDED in sources else "not-asked"
