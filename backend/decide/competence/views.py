"""How annotators did under three models: for researchers, and for annotators their own part if the study allows."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotation.consensus.competence_values import LEAST, Model
from backend.core.accounts.access import user_of
from backend.core.studies.access import study_view
from backend.core.studies.models import Study, StudyRole
from backend.decide.competence.selectors import annotators_see_own, newest_estimate
from backend.decide.competence.services import choose_visibility, estimating, request_estimate
from backend.decide.competence.themes import ThemeCompetence, own_themes, read_themes

MODELS = (
    (Model.DAWID_SKENE, "Dawid–Skene"),
    (Model.MACE, "MACE"),
    (Model.RASCH, "Rasch"),
)


@study_view(StudyRole.RESEARCHER)
@require_GET
def page(request: HttpRequest, study: Study) -> HttpResponse:
    found = newest_estimate(study)
    context = {
        "study": study,
        "estimate": found,
        "themes": shown(read_themes(found)) if found else [],
        "models": MODELS,
        "least": LEAST,
        "job": estimating(study),
        "has_edition": study.editions.exists(),
        "annotators_see_own": annotators_see_own(study),
    }
    return render(request, "competence/page.html", context)


@study_view(StudyRole.ANNOTATOR)
@require_GET
def own(request: HttpRequest, study: Study) -> HttpResponse:
    """Whoever asks sees their own row alone, and nothing at all unless the study allows it."""
    found = newest_estimate(study) if annotators_see_own(study) else None
    themes = own_themes(read_themes(found), user_of(request).username) if found else []
    context = {"study": study, "estimate": found, "themes": shown(themes), "models": MODELS, "least": LEAST}
    return render(request, "competence/own.html", context)


@study_view(StudyRole.RESEARCHER)
@require_POST
def start(request: HttpRequest, study: Study) -> HttpResponse:
    request_estimate(study=study, actor=user_of(request), now=timezone.now())
    messages.success(request, "Competence is being estimated. This takes a few minutes.")
    return redirect("competence:page", slug=study.slug)


@study_view(StudyRole.RESEARCHER)
@require_POST
def visibility(request: HttpRequest, study: Study) -> HttpResponse:
    choose_visibility(
        study=study,
        annotators_see_own=request.POST.get("annotators_see_own") == "on",
        actor=user_of(request),
        now=timezone.now(),
    )
    return redirect("competence:page", slug=study.slug)


def shown(themes: list[ThemeCompetence]) -> list[tuple[ThemeCompetence, list[dict[str, object]]]]:
    """Each theme with a row for each annotator and a cell for each model."""
    return [
        (
            theme,
            [
                {
                    "annotator": row.annotator,
                    "n": row.n,
                    "missing": row.missing,
                    "cells": [row.values[model] for model, _ in MODELS] if row.values else [],
                }
                for row in theme.annotators
            ],
        )
        for theme in themes
    ]
