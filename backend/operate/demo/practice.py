"""Gold answers for ten items of the demo's sample, so that its annotators can practise."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.services import import_gold
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from codebook.editions import edition_hash
from codebook.shipped import load_shipped

GOLD_FILE = Path(__file__).with_name("practice.yaml")
CODEBOOK = "empathy-practices"


def load_practice_gold(study: Study, actor: User, now: datetime) -> int:
    """How many gold answers were added; none where the study has some already or judges by another codebook."""
    edition = study.editions.filter(hash=edition_hash(load_shipped(CODEBOOK))).first()
    if edition is None or GoldAnswer.objects.filter(item__study=study).exists():
        return 0
    imported = import_gold(
        study=study,
        edition=edition,
        source=GOLD_FILE.read_text(encoding="utf-8"),
        file_name=GOLD_FILE.name,
        actor=actor,
        now=now,
    )
    return imported.added
