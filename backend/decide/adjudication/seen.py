"""Holds a decision to what its author was shown: answers or an edition that came since are not decided unseen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backend.core.accounts.models import User
from backend.decide.adjudication.annotator_answers import taking_part
from backend.decide.adjudication.candidate_answers import CandidateAnswers
from backend.decide.adjudication.errors import ChangedMeanwhile
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page or a call showed and when; None where whoever decides does not tell."""

    judgments_hash: str | None = None
    edition: int | None = None
    opened_at: datetime | None = None


def refuse_changed(seen: Seen, item: Item, candidates: CandidateAnswers, edition: Edition) -> None:
    is_other_edition = seen.edition is not None and seen.edition != edition.number
    if is_other_edition or (seen.judgments_hash or candidates.judgments_hash) != candidates.judgments_hash:
        raise ChangedMeanwhile(
            edition=edition.number,
            is_other_edition=is_other_edition,
            judgments_hash=candidates.judgments_hash,
            annotators=_heard_since(item, seen.opened_at) if seen.opened_at else [],
        )


def _heard_since(item: Item, moment: datetime) -> list[str]:
    """Whose answer came in after this moment, by our clock; who took one back is not among them."""
    since = taking_part(item.study).filter(assigned_item__item=item, version__seen_at__gt=moment)
    annotators = since.values("assigned_item__assignment__annotator")
    return [str(user) for user in User.objects.filter(pk__in=annotators).order_by("pk")]
