"""Pages of the queue and of what is done with one discussion."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.annotate.batches.selectors import batch_of
from backend.annotate.discussions import services
from backend.annotate.discussions.digest import digest
from backend.annotate.discussions.digest_exports import digest_csv, digest_markdown
from backend.annotate.discussions.errors import DiscussionError
from backend.annotate.discussions.forms import ReplyForm, SettleForm
from backend.annotate.discussions.models import Discussion, Message
from backend.annotate.discussions.pages import detail_context, queue_for, tabs_of
from backend.annotate.discussions.selectors import (
    codes_of_study,
    counts_by_state,
    discussion_for,
    proposals,
    proposals_by_edition,
    waits_for,
)
from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies.access import role_in, study_view
from backend.core.studies.models import Study, StudyRole
from backend.design.codebooks.selectors import latest_edition

DISCUSSIONS_A_PAGE = 50


@study_view(StudyRole.ANNOTATOR)
@require_GET
def discussion_list(request: HttpRequest, study: Study) -> HttpResponse:
    user = user_of(request)
    is_researcher = role_in(user, study) == StudyRole.RESEARCHER
    queue = queue_for(request, study)
    said = Prefetch("messages", Message.objects.select_related("author"))
    page = Paginator(queue.rows.prefetch_related(said), DISCUSSIONS_A_PAGE).get_page(request.GET.get("page"))
    rows = [
        (row, waits_for(row, user, is_researcher=is_researcher), list(row.messages.all())) for row in page
    ]
    counts = counts_by_state(queue.of_all_states)
    context = {
        "study": study,
        "is_researcher": is_researcher,
        "choice": queue.choice,
        "tabs": tabs_of(counts, is_researcher=is_researcher),
        "page": page,
        "rows": rows,
        "any": any(counts.values()),
    }
    return render(
        request, "discussions/list.html", context | (_filters(study, user) if is_researcher else {})
    )


def _filters(study: Study, viewer: User) -> dict[str, object]:
    assigned = study.memberships.filter(user__assignments__batch__study=study)
    return {
        "batches": study.batches.all(),
        "annotators": assigned.select_related("user").distinct(),
        "codes": codes_of_study(study),
        "proposal_count": proposals(study, viewer).count(),
    }


@study_view(StudyRole.ANNOTATOR)
@require_http_methods(["GET", "POST"])
def detail(request: HttpRequest, study: Study, discussion_id: int) -> HttpResponse:
    """What is posted here is a reply."""
    discussion = discussion_for(user_of(request), study, discussion_id)
    form = ReplyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.reply(
                discussion=discussion,
                author=user_of(request),
                body=form.cleaned_data["body"],
                now=timezone.now(),
            )
            return redirect(request.get_full_path())
        except DiscussionError as problem:
            form.add_error("body", str(problem))
    context = detail_context(request, study, discussion) | {"reply_form": form}
    return render(request, "discussions/detail.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def settle(request: HttpRequest, study: Study, discussion_id: int) -> HttpResponse:
    discussion = discussion_for(user_of(request), study, discussion_id)
    form = SettleForm(request.POST, codes=codes_of_study(study))
    if form.is_valid():
        try:
            services.settle(
                discussion=discussion, actor=user_of(request), now=timezone.now(), **form.cleaned_data
            )
            messages.success(request, "Settled. The annotator can read the reason.")
            return _back(request, study, discussion)
        except DiscussionError as problem:
            form.add_error(None, str(problem))
    context = detail_context(request, study, discussion) | {"settle_form": form}
    return render(request, "discussions/detail.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def reopen(request: HttpRequest, study: Study, discussion_id: int) -> HttpResponse:
    return _change(request, study, discussion_id, services.reopen, "The discussion is open again.")


@study_view(StudyRole.RESEARCHER)
@require_POST
def share(request: HttpRequest, study: Study, discussion_id: int) -> HttpResponse:
    done = "Every annotator of the study can now read it and reply."
    return _change(request, study, discussion_id, services.share_with_team, done)


@study_view(StudyRole.RESEARCHER)
@require_POST
def unshare(request: HttpRequest, study: Study, discussion_id: int) -> HttpResponse:
    done = "Only its annotator and the researchers can read it now."
    return _change(request, study, discussion_id, services.unshare, done)


def _change(
    request: HttpRequest, study: Study, discussion_id: int, change: Callable[..., Discussion], done: str
) -> HttpResponse:
    discussion = discussion_for(user_of(request), study, discussion_id)
    try:
        change(discussion=discussion, actor=user_of(request), now=timezone.now())
        messages.success(request, done)
    except DiscussionError as problem:
        messages.error(request, str(problem))
    return _back(request, study, discussion)


def _back(request: HttpRequest, study: Study, discussion: Discussion) -> HttpResponse:
    """To the discussion, and still in the queue from which it was opened."""
    answer = redirect("discussions:detail", slug=study.slug, discussion_id=discussion.pk)
    if request.GET:
        answer["Location"] += f"?{request.GET.urlencode()}"
    return answer


@study_view(StudyRole.RESEARCHER)
@require_GET
def digest_page(request: HttpRequest, study: Study, batch_id: int) -> HttpResponse:
    batch = batch_of(study, batch_id)
    discussed = study.batches.filter(assignments__assigned_items__discussion__isnull=False).distinct()
    context = {
        "study": study,
        "batch": batch,
        "digest": digest(batch, user_of(request)),
        "batches": discussed,
    }
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
        write(digest(batch, user_of(request)), with_text=request.GET.get("text") == "1"),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@study_view(StudyRole.RESEARCHER)
@require_GET
def proposal_list(request: HttpRequest, study: Study) -> HttpResponse:
    """Proposals made since the newest edition are for the next one; earlier ones may have been taken up already."""
    codes = {code.id: code for code in codes_of_study(study)}
    found = proposals_by_edition(study, user_of(request))
    rows = [(entry, (entry.discussion, codes.get(entry.discussion.proposed_code))) for entry in found]
    context = {
        "study": study,
        "edition": latest_edition(study),
        "pending": [row for entry, row in rows if entry.is_pending],
        "earlier": [row for entry, row in rows if not entry.is_pending],
    }
    return render(request, "discussions/proposals.html", context)
