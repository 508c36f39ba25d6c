"""Pages that draw samples, show them and let one read their items."""

from __future__ import annotations

import secrets
from collections import Counter

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from backend.core.accounts.access import user_of
from backend.core.jobs.selectors import active_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.charts import Bin, Chart, Histogram, histogram
from backend.design.samples import services
from backend.design.samples.exports import csv_lines, json_lines
from backend.design.samples.forms import DESIGNS, DrawForm
from backend.design.samples.models import Draw, Sample
from backend.design.samples.requests import DRAW_SAMPLE, enqueue_draw
from backend.design.samples.selectors import draws_by_community, draws_of, item_of, sample_of
from corpus.errors import CorpusError
from corpus.sampling.errors import SamplingError

ITEMS_A_PAGE = 50


@study_view(StudyRole.RESEARCHER)
@require_GET
def sample_list(request: HttpRequest, study: Study) -> HttpResponse:
    context = {
        "study": study,
        "samples": study.samples.select_related("corpus", "created_by"),
        "corpora": study.corpora.all(),
        "jobs": active_jobs(study.pk).filter(kind=DRAW_SAMPLE),
        "designs": {kind: label for kind, label, _ in DESIGNS},
    }
    return render(request, "samples/list.html", context)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def draw(request: HttpRequest, study: Study) -> HttpResponse:
    if not study.corpora.exists():
        messages.info(request, "A sample is drawn from a corpus: bring one in first.")
        return redirect("corpora:list", slug=study.slug)
    if request.method == "POST":
        form = DrawForm(request.POST, study=study)
        if form.is_valid():
            try:
                job = enqueue_draw(
                    study=study, request=form.draw_request(), actor=user_of(request), now=timezone.now()
                )
                return redirect("jobs:detail", slug=study.slug, job_id=job.pk)
            except (services.SampleError, SamplingError) as problem:
                form.add_error(None, str(problem))
    else:
        form = DrawForm(study=study, initial={"seed": secrets.randbelow(2**31), "kind": "pps_posts"})
    return render(request, "samples/draw.html", {"study": study, "form": form, "designs": DESIGNS})


@study_view(StudyRole.RESEARCHER)
@require_POST
def preview(request: HttpRequest, study: Study) -> HttpResponse:
    """What would be drawn from each community, as a fragment for the form."""
    form = DrawForm(request.POST, study=study)
    context: dict[str, object] = {"study": study}
    form.fields["name"].required = False
    if not form.is_valid():
        context["problem"] = "Fill in the design to see what it would draw."
        return render(request, "samples/preview.html", context)
    try:
        asked = form.draw_request()
        context["sample"] = services.preview_sample(
            corpus=asked.corpus_in(study),
            design=asked.design(),
            seed=asked.seed,
            disjoint_from=asked.samples_to_avoid(study),
        )
    except (SamplingError, CorpusError, services.SampleError) as problem:
        context["problem"] = str(problem)
    return render(request, "samples/preview.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def detail(request: HttpRequest, study: Study, sample_id: int) -> HttpResponse:
    sample = sample_of(study, sample_id)
    communities = draws_by_community(sample)
    community = request.GET.get("community", "")
    page = Paginator(draws_of(sample, community), ITEMS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "sample": sample,
        "communities": communities,
        "community": community,
        "page": page,
        "chart": probability_chart(sample),
        "design_label": next(label for kind, label, _ in DESIGNS if kind == sample.design["kind"]),
    }
    return render(request, "samples/detail.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def delete(request: HttpRequest, study: Study, sample_id: int) -> HttpResponse:
    sample = sample_of(study, sample_id)
    try:
        services.delete_sample(sample=sample, actor=user_of(request), now=timezone.now())
    except services.SampleError as problem:
        messages.error(request, str(problem))
        return redirect("samples:detail", slug=study.slug, sample_id=sample.pk)
    messages.success(request, f"“{sample.name}” is deleted.")
    return redirect("samples:list", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_GET
def item(request: HttpRequest, study: Study, item_id: str) -> HttpResponse:
    found = item_of(study, item_id)
    draws = list(found.draws.select_related("sample"))
    context = {"study": study, "item": found, "draws": [(draw, *_neighbours(draw)) for draw in draws]}
    return render(request, "samples/item.html", context)


def _neighbours(draw: Draw) -> tuple[str | None, str | None]:
    around = dict(
        Draw.objects.filter(
            sample_id=draw.sample_id, position__in=[draw.position - 1, draw.position + 1]
        ).values_list("position", "item__item_id")
    )
    return around.get(draw.position - 1), around.get(draw.position + 1)


@study_view(StudyRole.RESEARCHER)
@require_GET
def export(request: HttpRequest, study: Study, sample_id: int, form: str) -> HttpResponseBase:
    sample = sample_of(study, sample_id)
    writers = {"csv": (csv_lines, "text/csv; charset=utf-8"), "jsonl": (json_lines, "application/jsonl")}
    if form not in writers:
        raise Http404("A sample can be had as csv or jsonl.")
    write, content_type = writers[form]
    lines = write(sample, with_text=request.GET.get("text") == "1")
    name = f"{study.slug}-sample-{sample.pk}.{form}"
    return StreamingHttpResponse(
        lines, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


BINS = 20


def probability_chart(sample: Sample) -> Chart:
    """How the inclusion probabilities of the items are spread, in bins of equal width up to the largest."""
    values = list(sample.draws.values_list("inclusion_probability", flat=True))
    top = max(values, default=1.0)
    counts = Counter(min(int(value / top * BINS), BINS - 1) for value in values)
    width = top / BINS
    bins = tuple(Bin(index * width, (index + 1) * width, counts[index]) for index in range(BINS))
    return histogram(
        Histogram(
            title="Inclusion probabilities", bins=bins, x_label="π of the item", unit="items", wide=True
        )
    )
