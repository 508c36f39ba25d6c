"""What of an adapter's answers annotators may see: no tick without the words that it requires, and no more
highlights than people mark."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec

from annotation.release.read import release_rows
from backend.design.codebooks.selectors import codebook_of
from backend.learn.models.models import Adapter
from codebook.schema import Code
from learning.suggestions.answers import SuggestionScope, codes_left_out
from learning.suggestions.highlights import WITHOUT_RELEASE, HighlightLimits, limits_by_code


def left_out_codes(adapter: Adapter) -> tuple[Code, ...]:
    """Those that it is never to suggest, in the order of the codebook."""
    return codes_left_out(codebook_of(adapter.edition), adapter.read_card().config)


def suggests_nothing(adapter: Adapter) -> bool:
    """Where all that it judges is left out."""
    judged = set(adapter.read_card().codes)
    return judged <= {code.id for code in left_out_codes(adapter)}


def suggestion_scope(adapter: Adapter) -> SuggestionScope:
    """With the highlights of the release that it was trained on as the measure of its own."""
    try:
        found = _limits(adapter.release.folder)
    except (OSError, msgspec.DecodeError):
        # A release whose files are gone costs its measure, not the suggestions.
        found = {}
    codes = (code.id for _, code in codebook_of(adapter.edition).coded_questions())
    limits = {code: found.get(code, WITHOUT_RELEASE) for code in codes}
    return SuggestionScope(frozenset(code.id for code in left_out_codes(adapter)), limits)


@lru_cache(maxsize=8)
def _limits(release: Path) -> dict[str, HighlightLimits]:
    """A release never changes."""
    return limits_by_code(release_rows(release))
