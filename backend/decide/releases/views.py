"""Pages that freeze releases, show and verify them, and hand them out."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.exchange.registry import FORMATS
from annotation.release.card_words import LEFT_OUT_WORDS, SOURCE_WORDS
from annotation.release.rows import LabelSource, SplitPart
from annotation.release.split_table import table_block
from backend.annotate.personal_data.selectors import open_places
from backend.core.accounts.access import user_of
from backend.core.jobs.selectors import active_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.releases.assembling import assemble, next_number
from backend.decide.releases.errors import ReleaseError
from backend.decide.releases.explaining import explain_refusals
from backend.decide.releases.forms import CONSENSUS, FreezeForm, request_words
from backend.decide.releases.selectors import card_of, problems_of, refuse_hidden_labels, release_numbered
from backend.decide.releases.services import FREEZE_RELEASE, enqueue_freezing
from backend.decide.releases.storage import exchange_name, zip_exchange, zip_name, zip_release
from backend.design.codebooks.errors import NoCodebook
from backend.design.codebooks.selectors import latest_edition

# An accuracy of 80% on 30 items has a 95% interval of about 14 points on either side
SMALL_TEST = 30
DEFAULTS = {
    "consensus": "majority",
    "ties": "seed",
    "spans": "majority",
    "superseded": "keep",
    "superseded_weight": 0.5,
    "ratio": "6:2:2",
    "singles": True,
}


@study_view(StudyRole.RESEARCHER)
@require_GET
def release_list(request: HttpRequest, study: Study) -> HttpResponse:
    context = {
        "study": study,
        "releases": study.releases.select_related("edition", "created_by"),
        "newest": latest_edition(study),
        "jobs": active_jobs(study.pk).filter(kind=FREEZE_RELEASE),
    }
    return render(request, "releases/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def freeze(request: HttpRequest, study: Study) -> HttpResponse:
    newest = latest_edition(study)
    if newest is None:
        messages.info(request, "A release needs labels, and labels need a codebook: write one first.")
        return redirect("codebooks:guideline", slug=study.slug)
    if request.method == "POST":
        form = FreezeForm(request.POST, study=study)
        if form.is_valid():
            try:
                job = enqueue_freezing(
                    study=study, request=form.freeze_request(), actor=user_of(request), now=timezone.now()
                )
                return redirect("jobs:detail", slug=study.slug, job_id=job.pk)
            except ReleaseError as problem:
                form.add_error(None, str(problem))
    else:
        last = study.releases.first()
        initial = DEFAULTS | {
            "seed": secrets.randbelow(2**31),
            "edition": newest.number,
            "split_like": last.number if last else "",
        }
        form = FreezeForm(study=study, initial=initial)
    return render(request, "releases/freeze.html", {"study": study, "form": form, "consensus": CONSENSUS})


@study_view(StudyRole.RESEARCHER)
@require_POST
def preview(request: HttpRequest, study: Study) -> HttpResponse:
    """What would be frozen, as a fragment for the form; without scripts as the whole page."""
    form = FreezeForm(request.POST, study=study)
    form.fields["name"].required = False
    context = {"study": study, "form": form, "consensus": CONSENSUS, "has_preview": True}
    context |= _preview(study, form)
    is_fragment = request.headers.get("HX-Request") == "true"
    return render(request, f"releases/{'preview' if is_fragment else 'freeze'}.html", context)


def _preview(study: Study, form: FreezeForm) -> dict[str, object]:
    if not form.is_valid():
        said = " ".join(str(problem) for problems in form.errors.values() for problem in problems)
        return {"problem": f"Something in the form is not right yet: {said}"}
    try:
        content = assemble(study, form.freeze_request(), number=next_number(study), now=timezone.now())
    except (ReleaseError, NoCodebook) as problem:
        return {"problem": str(problem)}
    return {
        "counts": content.counts,
        "edition": content.edition,
        "left_out": _left_out(content.counts.left_out),
        "sources": _sources(content.counts.by_source),
        "table": table_block(content.table()),
        "with_texts": content.request.texts,
        "n_unfinished": content.facts.n_unfinished,
        "n_test": content.counts.by_split.get(SplitPart.TEST.value, 0),
        "small_test": SMALL_TEST,
        "open_places": open_places(study),
    }


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    release = release_numbered(study, number)
    newest = latest_edition(study)
    context = {
        "study": study,
        "release": release,
        "is_older": newest is not None and release.edition.number < newest.number,
        "newest": newest,
        "words": request_words(release.request),
        "left_out": _left_out(release.counts["left_out"]),
        "sources": _sources(release.counts["by_source"]),
        "card": [(type(block).__name__.lower(), block) for block in card_of(release)],
        "others": study.releases.exclude(pk=release.pk),
        "formats": FORMATS.values(),
    }
    return render(request, "releases/detail.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def verify(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    release = release_numbered(study, number)
    problems = problems_of(release)
    if problems:
        messages.error(request, f"The files are not what was frozen. {'; '.join(problems)}")
    else:
        messages.success(request, "Every file is, byte for byte, what was frozen.")
    return redirect("releases:detail", slug=study.slug, number=number)


@study_view(StudyRole.RESEARCHER)
@require_GET
@explain_refusals
def download(request: HttpRequest, study: Study, number: int) -> HttpResponseBase:
    release = release_numbered(study, number)
    refuse_hidden_labels(release, user_of(request))
    return StreamingHttpResponse(
        zip_release(release),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{zip_name(release)}"'},
    )


@study_view(StudyRole.RESEARCHER)
@require_GET
@explain_refusals
def export(request: HttpRequest, study: Study, number: int, format_name: str) -> HttpResponseBase:
    release = release_numbered(study, number)
    refuse_hidden_labels(release, user_of(request))
    return HttpResponse(
        zip_exchange(release, format_name),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{exchange_name(release, format_name)}"'},
    )


def _left_out(counts: dict[str, int]) -> list[tuple[str, int]]:
    return [(LEFT_OUT_WORDS.get(reason, reason), n) for reason, n in counts.items()]


def _sources(counts: dict[str, int]) -> list[tuple[str, str, int]]:
    return [(source, SOURCE_WORDS[LabelSource(source)], n) for source, n in counts.items()]
