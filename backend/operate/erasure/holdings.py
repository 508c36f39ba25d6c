"""How much of what a study holds, for those who are about to delete it."""

from __future__ import annotations

from backend.annotate.discussions.models import Discussion
from backend.annotate.judgments.models import AnnotationVersion
from backend.annotate.sync.models import Project
from backend.core.studies.models import Study
from backend.decide.adjudication.models import Decision


def holdings(study: Study) -> dict[str, int]:
    """By what it is; what there is none of is left out."""
    share = {"assignment__batch__study": study}
    counts = {
        "members": study.memberships.count(),
        "editions of the codebook": study.editions.count(),
        "corpora": study.corpora.count(),
        "samples": study.samples.count(),
        "items": study.items.count(),
        "batches": study.batches.count(),
        "projects in Label Studio": Project.objects.filter(**share).exclude(label_studio_id=None).count(),
        "answers, with their earlier versions": AnnotationVersion.objects.filter(**share).count(),
        "discussions": Discussion.objects.filter(assigned_item__assignment__batch__study=study).count(),
        "decisions": Decision.objects.filter(item__study=study).count(),
        "releases": study.releases.count(),
        "models": study.adapters.count(),
        "labelling runs": study.labelling_runs.count(),
        "reports": study.reports.count(),
    }
    return {what: n for what, n in counts.items() if n}
