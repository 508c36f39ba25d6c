"""What pages and calls read about a study's codebook."""

from __future__ import annotations

from functools import lru_cache

from django.http import Http404

from backend.core.studies.models import Study
from backend.design.codebooks.errors import NoCodebook
from backend.design.codebooks.models import Edition
from codebook.editions import codebook_from_canonical
from codebook.schema import Codebook, Part


def latest_edition(study: Study) -> Edition | None:
    return study.editions.select_related("created_by").first()


def edition_in_force(study: Study) -> Edition:
    """The newest one; raises NoCodebook where there is none."""
    edition = latest_edition(study)
    if edition is None:
        raise NoCodebook
    return edition


def edition_numbered(study: Study, number: int) -> Edition:
    edition = study.editions.select_related("created_by").filter(number=number).first()
    if edition is None:
        raise Http404(f"This study's codebook has no edition {number}.")
    return edition


def codebook_of(edition: Edition) -> Codebook:
    return _parse(edition.canonical)


@lru_cache(maxsize=64)
def _parse(canonical: str) -> Codebook:
    return codebook_from_canonical(canonical)


def asks_about_posts(edition: Edition) -> bool:
    """Every item has a post. A codebook that asks about replies alone says nothing of an item without one."""
    return any(question.part is Part.POST for question, _ in codebook_of(edition).coded_questions())
