"""Pages for the team meeting: the digest of a batch, and the changes to the codebook that discussions propose."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from backend.annotate.batches.selectors import batch_of
from backend.annotate.discussions.digest import digest
from backend.annotate.discussions.digest_exports import digest_csv, digest_markdown
from backend.annotate.discussions.selectors import codes_of_study, proposals_by_edition
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.selectors import latest_edition


@study_view(StudyRole.RESEARCHER)
@require_GET
def digest_page(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    discussed = study.batches.filter(assignments__assigned_items__discussion__isnull=False).distinct()
    context = {"study": study, "batch": batch, "digest": digest(batch), "batches": discussed}
    return render(request, "discussions/digest.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def export(request: HttpRequest, study: Study, batch_id: int, form: str) -> HttpResponse:
    """The texts of posts and replies only with ?text=1."""
    writers = {
        "md": (digest_markdown, "text/markdown; charset=utf-8"),
        "csv": (digest_csv, "text/csv; charset=utf-8"),
    }
    if form not in writers:
        raise Http404("A digest can be had as md or csv.")
    batch = batch_of(study, batch_id)
    write, content_type = writers[form]
    name = f"{study.slug}-digest-{batch.pk}.{form}"
    return HttpResponse(
        write(digest(batch), with_text=request.GET.get("text") == "1"),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@study_view(StudyRole.RESEARCHER)
@require_GET
def proposal_list(request: HttpRequest, study: Study) -> HttpResponse:
    """Proposals made since the newest edition are for the next one; earlier ones may have been taken up already."""
    codes = {code.id: code for code in codes_of_study(study)}
    found = proposals_by_edition(study)
    rows = [(entry, (entry.discussion, codes.get(entry.discussion.proposed_code))) for entry in found]
    context = {
        "study": study,
        "edition": latest_edition(study),
        "pending": [row for entry, row in rows if entry.is_pending],
        "earlier": [row for entry, row in rows if not entry.is_pending],
    }
    return render(request, "discussions/proposals.html", context)
