"""What a data card tells of a batch's agreement."""

from __future__ import annotations

from annotation.release.card_facts import AgreementFact
from backend.batches.models import Batch


def agreement_facts(batch: Batch) -> AgreementFact | None:
    """None where no report was made."""
    return None
