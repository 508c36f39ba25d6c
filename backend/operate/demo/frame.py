"""What pages of the demo study say besides: that it is a demo, how far its making is, and where the tour goes."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from backend.core.accounts.models import User
from backend.core.jobs.models import Job, JobState
from backend.core.studies.access import role_in
from backend.core.studies.models import Study, StudyRole
from backend.operate.demo.models import Story
from backend.operate.demo.queue import RESET_DEMO


@dataclass(frozen=True, slots=True)
class TourStep:
    title: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class DemoFrame:
    """`role` names the tour: each has its own, and remembers by itself that it was put away."""

    story: Story
    role: StudyRole
    tour: tuple[TourStep, ...]

    @property
    def is_researcher(self) -> bool:
        return self.role is StudyRole.RESEARCHER

    @property
    def job(self) -> Job | None:
        return self.story.job

    @property
    def is_being_made(self) -> bool:
        return self.job is not None and not self.job.is_over

    @property
    def is_stuck(self) -> bool:
        return self.job is not None and self.job.state in (JobState.FAILED, JobState.CANCELLED)

    @property
    def heading(self) -> str:
        is_reset = self.job is not None and self.job.kind == RESET_DEMO
        return "The demo is being reset" if is_reset else "The demo is being made"

    @property
    def note(self) -> str:
        if self.job is None or not self.job.progress_total:
            return "Waiting for a worker"
        at = min(self.story.steps_done + 1, self.job.progress_total)
        return f"{at} of {self.job.progress_total} · {self.job.progress_note}"


def demo_frame(request: HttpRequest) -> dict[str, DemoFrame | None]:
    """A context processor; asks the database only where there can be a demo."""
    study: Study | None = getattr(request, "study", None)
    user = getattr(request, "user", None)
    if settings.DEMO != "story" or settings.PRODUCTION or study is None or not isinstance(user, User):
        return {"demo": None}
    return {"demo": frame_of(study, user)}


def frame_of(study: Study, user: User) -> DemoFrame | None:
    story = Story.objects.select_related("job", "study").filter(study=study).first()
    role = role_in(user, study) if story else None
    if story is None or role is None:
        return None
    return DemoFrame(story, role, tour_of(study, role))


def tour_of(study: Study, role: StudyRole) -> tuple[TourStep, ...]:
    """Five pages; where a report is not made yet, the tour ends at the list of reports."""

    def step(title: str, text: str, name: str, *arguments: object) -> TourStep:
        return TourStep(title, text, reverse(name, args=[study.slug, *arguments]))

    if role is not StudyRole.RESEARCHER:
        return (
            step("Your work", "“Your turn” waits for you. Its button opens the first text.", "batches:work"),
            step("The codebook", "What to look for, with examples for and against.", "codebooks:guideline"),
            step(
                "Judge a text",
                "Tick what you find and highlight the words. Nobody who annotates sees your answers.",
                "batches:work",
            ),
            step(
                "Not sure?",
                "Flag a text while you annotate. What is said about it is here.",
                "discussions:list",
            ),
            step("Ask the model", "Write a reply and see what the model finds in it.", "feedback:page"),
        )
    report = study.reports.order_by("number").first()
    return (
        step("A finished study", "The path from codebook to release. Every box leads on.", "overview:study"),
        step(
            "Two rounds side by side",
            "The team talked after round 1. Three themes were not clear; one still is not.",
            "agreement:rounds",
        ),
        step(
            "What was decided",
            "More than 300 items were adjudicated. What was flagged, or what the model doubts, is left for you.",
            "adjudication:settled",
        ),
        step(
            "Two models",
            "One passed the rule and is in service; the other was refused. Open its report to see why.",
            "models:list",
        ),
        step(
            "The report",
            "The model’s own counts are off. Choose “Both” at a figure to see where gold moves them.",
            *(("reports:detail", report.number) if report else ("reports:list",)),
        ),
    )
