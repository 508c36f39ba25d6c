"""What every page's frame needs: the study one is in, and where one can go from here."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from backend.annotate.batches.candidates import is_annotator
from backend.annotate.batches.models import Batch
from backend.annotate.discussions.selectors import waiting_for
from backend.core.accounts.models import User
from backend.core.notices.selectors import unread_notices
from backend.core.studies.access import role_in
from backend.core.studies.models import Study, StudyRole
from backend.decide.adjudication.choosing import read_counts
from backend.decide.releases.models import Release
from backend.design.codebooks.models import Edition
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Sample
from backend.learn.models.models import Adapter, AdapterState
from backend.publish.labelling.models import LabellingRun, LabellingState


@dataclass(frozen=True)
class NavigationItem:
    """`waiting` is how many things there wait for this person; `is_counting` if that is being counted again.

    `needs` says what has to be there before the page is of use; empty once it is.
    """

    label: str
    url: str
    icon: str
    current: bool
    waiting: int
    is_counting: bool
    needs: str = ""


@dataclass(frozen=True)
class NavigationStage:
    """A part of the menu; annotators' few pages, and what lies above all stages, have no label."""

    label: str
    items: tuple[NavigationItem, ...]

    @property
    def current(self) -> bool:
        return any(item.current for item in self.items)

    @property
    def waiting(self) -> int:
        return sum(item.waiting for item in self.items)


@dataclass(frozen=True)
class Bell:
    """Leads to the notices; only researchers have any."""

    url: str
    unread: int


Frame = dict[str, Study | list[NavigationStage] | Bell | None]
Pages = tuple[tuple[str, str, str], ...]

WORK = "batches:work"
DISCUSSIONS = "discussions:list"
ADJUDICATION = "adjudication:queue"
RESEARCHER_STAGES: dict[str, Pages] = {
    "": (("Overview", "overview:study", "home"),),
    "Design": (
        ("Codebook", "codebooks:guideline", "codebook"),
        ("Corpora", "corpora:list", "corpus"),
        ("Samples", "samples:list", "sample"),
    ),
    "Annotate": (
        ("Gold", "practice:gold", "key"),
        ("Batches", "batches:list", "batch"),
        ("Discussions", DISCUSSIONS, "quote"),
        ("Sync", "sync:status", "refresh"),
    ),
    "Decide": (
        ("Agreement", "agreement:list", "chart"),
        ("Adjudication", ADJUDICATION, "scale"),
        ("Releases", "releases:list", "lock"),
    ),
    "Learn": (
        ("Models", "models:list", "model"),
        ("Pre-labels", "prelabels:page", "check"),
        ("Active learning", "active_learning:overview", "filter"),
        ("Retraining", "retraining:overview", "history"),
        ("Transfer", "transfer:list", "link"),
    ),
    "Publish": (
        ("Pre-registration", "preregistration:page", "lock"),
        ("Gold planner", "planning:page", "chart"),
        ("Labelling", "labelling:list", "tag"),
        ("Reports", "reports:list", "file"),
        ("Feedback", "feedback:page", "edit"),
    ),
    "Operate": (
        ("Jobs", "jobs:list", "clock"),
        ("Members", "studies:members", "people"),
        ("Archive and delete", "lifecycle:life", "lock"),
    ),
}
# What a page is of no use without, and how to tell that it is there
NEEDS = {
    "samples:list": "a corpus",
    "preregistration:page": "a codebook",
    "practice:gold": "a sample",
    "batches:list": "a sample",
    DISCUSSIONS: "a batch",
    "sync:status": "a batch",
    "agreement:list": "a batch",
    ADJUDICATION: "a batch",
    "releases:list": "a batch",
    "models:list": "a release",
    "retraining:overview": "a release",
    "transfer:list": "a release",
    "prelabels:page": "a model in service",
    "active_learning:overview": "a model in service",
    "labelling:list": "a model in service",
    "feedback:page": "a model in service",
    "reports:list": "a labelled corpus",
}
_THERE: dict[str, QuerySet[Model]] = {
    "a codebook": Edition.objects.filter(study=OuterRef("pk")),
    "a corpus": Corpus.objects.filter(study=OuterRef("pk")),
    "a sample": Sample.objects.filter(study=OuterRef("pk")),
    "a batch": Batch.objects.filter(study=OuterRef("pk")),
    "a release": Release.objects.filter(study=OuterRef("pk")),
    "a model in service": Adapter.objects.filter(study=OuterRef("pk"), state=AdapterState.IN_SERVICE),
    "a labelled corpus": LabellingRun.objects.filter(study=OuterRef("pk"), state=LabellingState.FINISHED),
}
# Apps whose pages lie below those of another
BELOW = {"competence": "agreement", "error_analysis": "models", "alternative_annotator": "models"}
ANNOTATOR_PAGES: Pages = (
    ("Your work", WORK, "check"),
    ("Codebook", "codebooks:guideline", "codebook"),
    ("Discussions", DISCUSSIONS, "quote"),
    ("Feedback", "feedback:page", "edit"),
)


def navigation(request: HttpRequest) -> Frame:
    study: Study | None = getattr(request, "study", None)
    user = getattr(request, "user", None)
    if study is None or not isinstance(user, User):
        return {"nav_study": None, "nav_stages": [], "nav_bell": None}
    role = role_in(user, study)
    stages, missing, bell, is_counting = {"": ANNOTATOR_PAGES}, frozenset[str](), None, False
    waiting = {DISCUSSIONS: waiting_for(user, study, role).count()}
    if role == StudyRole.RESEARCHER:
        stages, missing = RESEARCHER_STAGES, _missing(study)
        if is_annotator(user, study):
            stages = stages | {"": (*RESEARCHER_STAGES[""], ANNOTATOR_PAGES[0])}
        counts = read_counts(request, user, study)
        waiting[ADJUDICATION], is_counting = counts.waiting, counts.is_counting
        bell = Bell(reverse("notices:list", args=[study.slug]), unread_notices(user, study).count())
    here = request.resolver_match
    section = f"{here.app_name}:{here.url_name}" if here else ""

    def item(label: str, name: str, icon: str) -> NavigationItem:
        return NavigationItem(
            label=label,
            url=reverse(name, args=[study.slug]),
            icon=icon,
            current=_is_current(name, section),
            waiting=waiting.get(name, 0),
            is_counting=name == ADJUDICATION and is_counting,
            needs=NEEDS[name] if NEEDS.get(name) in missing else "",
        )

    return {
        "nav_study": study,
        "nav_bell": bell,
        "nav_stages": [
            NavigationStage(label, tuple(item(*page) for page in pages)) for label, pages in stages.items()
        ],
    }


def _missing(study: Study) -> frozenset[str]:
    """In one query, whatever there is."""
    names = {f"has_{number}": need for number, need in enumerate(_THERE)}
    asked = {alias: Exists(_THERE[need]) for alias, need in names.items()}
    (row,) = Study.objects.filter(pk=study.pk).annotate(**asked).values(*names)
    return frozenset(need for alias, need in names.items() if not row[alias])


def _is_current(name: str, section: str) -> bool:
    """A study's own pages are told apart by name, every other app but one's own work is one section."""
    if WORK in (name, section):
        return name == section
    app, section_app = name.partition(":")[0], section.partition(":")[0]
    return name == section if app == "studies" else app == BELOW.get(section_app, section_app)
