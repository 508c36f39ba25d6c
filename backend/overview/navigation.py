"""What every page's frame needs: the study one is in, and where one can go from here."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from backend.annotate.discussions.selectors import waiting_for
from backend.core.accounts.models import User
from backend.core.notices.selectors import unread_notices
from backend.core.studies.access import role_in
from backend.core.studies.models import Study, StudyRole
from backend.decide.adjudication.choosing import read_counts


@dataclass(frozen=True)
class NavigationItem:
    """`waiting` is how many things there wait for this person; `is_counting` if that is being counted again."""

    label: str
    url: str
    icon: str
    current: bool
    waiting: int
    is_counting: bool


@dataclass(frozen=True)
class Bell:
    """Leads to the notices; only researchers have any."""

    url: str
    unread: int


Frame = dict[str, Study | list[NavigationItem] | Bell | None]

DISCUSSIONS = "discussions:list"
ADJUDICATION = "adjudication:queue"
RESEARCHER_PAGES = (
    ("Overview", "overview:study", "home"),
    ("Codebook", "codebooks:guideline", "codebook"),
    ("Corpora", "corpora:list", "corpus"),
    ("Samples", "samples:list", "sample"),
    ("Gold", "practice:gold", "key"),
    ("Batches", "batches:list", "batch"),
    ("Discussions", DISCUSSIONS, "quote"),
    ("Agreement", "agreement:list", "chart"),
    ("Adjudication", ADJUDICATION, "scale"),
    ("Releases", "releases:list", "lock"),
    ("Models", "models:list", "model"),
    ("Pre-labels", "prelabels:page", "check"),
    ("Feedback", "feedback:page", "edit"),
    ("Active learning", "active_learning:overview", "filter"),
    ("Retraining", "retraining:overview", "history"),
    ("Labelling", "labelling:list", "tag"),
    ("Reports", "reports:list", "file"),
    ("Sync", "sync:status", "refresh"),
    ("Jobs", "jobs:list", "clock"),
    ("Members", "studies:members", "people"),
)
# Apps whose pages lie below those of another
BELOW = {"error_analysis": "models"}
ANNOTATOR_PAGES = (
    ("Your work", "batches:work", "home"),
    ("Codebook", "codebooks:guideline", "codebook"),
    ("Discussions", DISCUSSIONS, "quote"),
    ("Feedback", "feedback:page", "edit"),
)


def navigation(request: HttpRequest) -> Frame:
    study: Study | None = getattr(request, "study", None)
    user = getattr(request, "user", None)
    if study is None or not isinstance(user, User):
        return {"nav_study": None, "nav_items": [], "nav_bell": None}
    role = role_in(user, study)
    pages = RESEARCHER_PAGES if role == StudyRole.RESEARCHER else ANNOTATOR_PAGES
    waiting, bell, is_counting = {DISCUSSIONS: waiting_for(user, study, role).count()}, None, False
    if role == StudyRole.RESEARCHER:
        counts = read_counts(request, user, study)
        waiting[ADJUDICATION], is_counting = counts.waiting, counts.is_counting
        bell = Bell(reverse("notices:list", args=[study.slug]), unread_notices(user, study).count())
    here = request.resolver_match
    section = f"{here.app_name}:{here.url_name}" if here else ""
    return {
        "nav_study": study,
        "nav_bell": bell,
        "nav_items": [
            NavigationItem(
                label=label,
                url=reverse(name, args=[study.slug]),
                icon=icon,
                current=_is_current(name, section),
                waiting=waiting.get(name, 0),
                is_counting=name == ADJUDICATION and is_counting,
            )
            for label, name, icon in pages
        ],
    }


def _is_current(name: str, section: str) -> bool:
    """A study's own pages are told apart by name, every other app is one section."""
    app, section_app = name.partition(":")[0], section.partition(":")[0]
    return name == section if app == "studies" else app == BELOW.get(section_app, section_app)
