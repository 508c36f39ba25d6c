"""Gold as it stands, read for a comparison."""

from __future__ import annotations

from annotation.answers import Answers
from annotation.stored_answers import read_answers
from backend.annotate.practice.gold import Reasons, read_reasons
from backend.annotate.practice.selectors import current_gold
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item


def gold_of(item: Item, edition: Edition) -> Answers | None:
    found = current_gold(item, edition)
    return read_answers(found.answers) if found else None


def reasons_of(item: Item, edition: Edition) -> Reasons | None:
    found = current_gold(item, edition)
    return read_reasons(found.reasons) if found else None
