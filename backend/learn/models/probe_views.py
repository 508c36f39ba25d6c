"""The page of an adapter's context probes: ask for one, and see what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from backend.core.accounts.access import user_of
from backend.core.jobs.selectors import active_jobs
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.design.codebooks.selectors import codebook_of
from backend.design.corpora.errors import CorporaError
from backend.learn.models.charts import METRIC_NAMES, sensitivity_chart
from backend.learn.models.errors import AdapterError
from backend.learn.models.forms import ProbeForm
from backend.learn.models.models import Adapter, ContextProbe
from backend.learn.models.probing import post_sources, probed_names
from backend.learn.models.queue import PROBE_ADAPTER, enqueue_probe
from backend.learn.models.selectors import adapter_numbered
from learning.probe.measure import NO_PAIRS, NothingProbed
from learning.probe.values import CodeProbe, Rate
from learning.probe.variants import contrasted
from learning.probe.words import probe_sentence


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """A theme; `rates` are of yes: words put in under unrelated posts, under the release's, nothing put in, and kept
    when the event of the post is turned around."""

    name: str
    code: CodeProbe
    rates: tuple[Rate | None, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, code: CodeProbe, names: Mapping[str, str], *, has_pairs: bool) -> ProbeRow:
        """Where no code has contrast pairs, the page says so once."""
        found = code.insertion
        inserted = (found.rate, found.own_posts, found.without) if found else (None, None, None)
        kept = code.contradiction.kept if code.contradiction else None
        notes = tuple(note for note in code.notes if has_pairs or note != NO_PAIRS)
        return cls(names.get(code.code_id, code.code_id), code, (*inserted, kept), notes)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "HEAD", "POST"])
def probe(request: HttpRequest, study: Study, number: int) -> HttpResponse:
    adapter = adapter_numbered(study, number)
    form = ProbeForm(request.POST or None, sources=post_sources(study))
    if form.is_valid():
        try:
            job = enqueue_probe(
                adapter=adapter, request=form.probe_request(), actor=user_of(request), now=timezone.now()
            )
            return redirect("jobs:detail", slug=study.slug, job_id=job.pk)
        except (AdapterError, CorporaError) as problem:
            messages.error(request, str(problem))
    return render(request, "models/probe.html", {"study": study, "form": form, **_page(request, adapter)})


def _page(request: HttpRequest, adapter: Adapter) -> dict[str, object]:
    names, codebook = probed_names(adapter), codebook_of(adapter.release.edition)
    has_pairs = bool(contrasted(codebook))
    probes = list(adapter.context_probes.select_related("created_by"))
    shown = _choose_probe(probes, request.GET.get("probe", ""))
    report = shown.read_report() if shown else None
    return {
        "adapter": adapter,
        "nothing_to_probe": "" if names else str(NothingProbed()),
        "without_pairs": "" if has_pairs else codebook.title,
        "jobs": active_jobs(adapter.study_id).filter(kind=PROBE_ADAPTER, arguments__adapter=adapter.number),
        "probes": [(each, each.read_report()) for each in probes],
        "shown": shown,
        "report": report,
        "rows": [ProbeRow.of(code, names, has_pairs=has_pairs) for code in report.codes] if report else [],
        "chart": sensitivity_chart(report, names) if report else None,
        "sentence": probe_sentence(report, names) if report else "",
        "metric": METRIC_NAMES.get(report.mean_metric, "") if report and report.mean_metric else "",
    }


def _choose_probe(probes: list[ContextProbe], asked: str) -> ContextProbe | None:
    """The newest, if none is asked for."""
    if not asked:
        return probes[0] if probes else None
    found = next((each for each in probes if each.pk == whole_number(asked, default=0)), None)
    if found is None:
        raise Http404("This adapter has no such context probe.")
    return found
