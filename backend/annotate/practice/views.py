"""Pages on which researchers write gold answers, choose items for them and bring them in from a file."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from annotation.answers import Span
from backend.annotate.practice import selectors, services
from backend.annotate.practice.carrying import carried_gold
from backend.annotate.practice.entries import entry_of, read_entry
from backend.annotate.practice.errors import GoldFileRefused, PracticeError
from backend.annotate.practice.forms import GoldFileForm, GoldForm, initial_of
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.selectors import Gold
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.core.web.addresses import whole_number
from backend.design.codebooks.errors import NoCodebook
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of, edition_in_force, latest_edition
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_of, item_text, sample_of

ITEMS_A_PAGE = 50


@study_view(StudyRole.RESEARCHER)
@require_GET
def gold_list(request: HttpRequest, study: Study) -> HttpResponse:
    edition = latest_edition(study)
    if edition is None:
        return render(request, "practice/no_codebook.html", {"study": study})
    rows = selectors.gold_rows(study, edition, user_of(request))
    context = {
        "study": study,
        "edition": edition,
        "page": Paginator(rows, ITEMS_A_PAGE).get_page(request.GET.get("page")),
        "older": selectors.latest_older_gold(study, edition, user_of(request)),
        "has_samples": study.samples.exists(),
    }
    return render(request, "practice/gold.html", context)


@study_view(StudyRole.RESEARCHER)
@require_GET
def choose(request: HttpRequest, study: Study) -> HttpResponse:
    """Items of a sample that have no gold yet."""
    edition = latest_edition(study)
    samples = list(study.samples.all())
    if edition is None or not samples:
        return redirect("practice:gold", slug=study.slug)
    wanted = whole_number(request.GET.get("sample"), default=samples[0].pk)
    sample = sample_of(study, wanted)
    draws = selectors.draws_without_gold(sample, edition)
    page = Paginator(draws, ITEMS_A_PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "samples": samples, "sample": sample, "page": page}
    return render(request, "practice/choose.html", context)


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def edit_gold(request: HttpRequest, study: Study, item_id: str) -> HttpResponse:
    item = item_of(study, item_id)
    edition = latest_edition(study)
    if edition is None:
        return redirect("practice:gold", slug=study.slug)
    codebook, text = codebook_of(edition), item_text(item)
    row = selectors.current_gold(item, edition)
    older = None if row else selectors.older_gold_of(item, edition)
    gold = _prefill(row, older, edition)
    prior = gold.answers.spans if gold else ()
    if request.method == "POST":
        form = GoldForm(request.POST, codebook=codebook, item=text)
        if form.is_valid() and _save(request, form, item, edition, prior):
            return redirect("practice:gold", slug=study.slug)
    else:
        entry = entry_of(text, gold.answers, gold.reasons) if gold else None
        form = GoldForm(codebook=codebook, item=text, initial=initial_of(entry) if entry else None)
    context = {
        "study": study,
        "item": item,
        "edition": edition,
        "codebook": codebook,
        "gold": row,
        "older": older,
        "history": selectors.gold_history(item, edition),
        "form": form,
    }
    return render(request, "practice/edit_gold.html", context)


def _prefill(row: GoldAnswer | None, older: GoldAnswer | None, edition: Edition) -> Gold | None:
    if row is not None:
        return selectors.read_gold(row)
    return carried_gold(older, codebook_of(edition)) if older else None


def _save(
    request: HttpRequest, form: GoldForm, item: Item, edition: Edition, prior: tuple[Span, ...]
) -> bool:
    reading = read_entry(codebook_of(edition), item_text(item), form.entry(), prior=prior)
    if reading.problems:
        form.add_problems(reading.problems)
        return False
    services.write_gold(
        item=item,
        edition=edition,
        answers=reading.answers,
        reasons=reading.reasons,
        actor=user_of(request),
        now=timezone.now(),
    )
    messages.success(request, "The gold answer is saved.")
    for note in reading.notes:
        messages.warning(request, note)
    return True


@study_view(StudyRole.RESEARCHER)
@require_http_methods(["GET", "POST"])
def import_file(request: HttpRequest, study: Study) -> HttpResponse:
    form = GoldFileForm(request.POST or None, request.FILES or None)
    context: dict[str, object] = {"study": study, "form": form, "edition": latest_edition(study)}
    if request.method == "POST" and form.is_valid():
        try:
            imported = services.import_gold(
                study=study,
                edition=edition_in_force(study),
                source=form.source(),
                file_name=form.cleaned_data["file"].name,
                actor=user_of(request),
                now=timezone.now(),
            )
        except GoldFileRefused as refusal:
            context["problems"] = refusal.problems
        except UnicodeDecodeError:
            form.add_error("file", "The file is not UTF-8: save it as UTF-8.")
        except (PracticeError, NoCodebook) as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, f"Imported: {imported.summary}.")
            for note in imported.notes:
                messages.warning(request, note)
            return redirect("practice:gold", slug=study.slug)
    return render(request, "practice/import.html", context)
