"""What of a sample looks like personal data, with the words around each place."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import BooleanField, Count, ExpressionWrapper, QuerySet

from backend.annotate.personal_data.models import Finding, FindingState
from backend.annotate.personal_data.services import findings_in, is_in_use
from backend.core.studies.models import Study
from backend.design.samples.models import Sample

AROUND = 60


@dataclass(frozen=True, slots=True)
class Place:
    """A finding with what stands before and after it; `is_fixed` where its text is in use already."""

    finding: Finding
    before: str
    words: str
    after: str
    is_fixed: bool

    @property
    def can_be_replaced(self) -> bool:
        return self.finding.state == FindingState.OPEN and not self.is_fixed


_FIXED = is_in_use("item")


def find_places(sample: Sample, *, state: str = "", kind: str = "") -> QuerySet[Finding]:
    """An empty state or kind filters nothing."""
    found = (
        findings_in(sample)
        .select_related("item", "decided_by")
        .annotate(is_fixed=ExpressionWrapper(_FIXED, output_field=BooleanField()))
    )
    found = found.filter(state=state) if state else found
    return found.filter(kind=kind) if kind else found


def replaceable(sample: Sample) -> QuerySet[Finding]:
    """Open places in texts that may be changed."""
    return findings_in(sample).filter(~_FIXED, state=FindingState.OPEN)


def place_of(finding: Finding) -> Place:
    text, start, end = finding.text, finding.start, finding.end
    before = f"{'…' if start > AROUND else ''}{text[max(0, start - AROUND) : start]}"
    after = f"{text[end : end + AROUND]}{'…' if len(text) > end + AROUND else ''}"
    return Place(finding, before, text[start:end], after, getattr(finding, "is_fixed", False))


def counts_by_kind(sample: Sample) -> dict[str, dict[str, int]]:
    """Of each kind that was found, how many places are in each state."""
    found: dict[str, dict[str, int]] = {}
    rows = findings_in(sample).order_by().values("kind", "state").annotate(n=Count("pk"))
    for row in rows.order_by("kind"):
        found.setdefault(row["kind"], dict.fromkeys(FindingState.values, 0))[row["state"]] = row["n"]
    return found


def open_places(study: Study) -> int:
    """How many places nobody has decided on."""
    return Finding.objects.filter(item__study=study, state=FindingState.OPEN).count()
