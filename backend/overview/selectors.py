"""What the list of studies shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from backend.core.accounts.models import User
from backend.core.studies.access import studies_of
from backend.core.studies.models import ANNOTATING, RESEARCHING, Membership, Study
from backend.design.codebooks.models import Edition
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Item


@dataclass(frozen=True)
class StudyCard:
    """A study as the home page shows it."""

    study: Study
    annotators: int
    researchers: int
    editions: int
    corpora: int
    items: int


def study_cards(user: User, *, archived: bool = False) -> list[StudyCard]:
    """Those in use, or those in the archive. Each count is a query inside the one query: joined they would multiply."""
    studies = (
        studies_of(user)
        .filter(archived_at__isnull=not archived)
        .annotate(
            annotators=_count(Membership.objects.filter(role__in=ANNOTATING)),
            researchers=_count(Membership.objects.filter(role__in=RESEARCHING)),
            edition_count=_count(Edition.objects.all()),
            corpus_count=_count(Corpus.objects.all()),
            item_count=_count(Item.objects.all()),
        )
        .order_by("name")
    )
    return [
        StudyCard(
            study=study,
            annotators=study.annotators,
            researchers=study.researchers,
            editions=study.edition_count,
            corpora=study.corpus_count,
            items=study.item_count,
        )
        for study in studies
    ]


def _count(rows: QuerySet[Any]) -> Coalesce:
    """How many of these rows belong to the study of the outer query."""
    counted = rows.filter(study=OuterRef("pk")).order_by().values("study").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
