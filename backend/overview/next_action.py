"""The one thing that brings a study further now."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from backend.core.studies.models import Study
from backend.decide.adjudication.queue import QueueCounts
from backend.decide.agreement.verdicts import Headline
from backend.overview.steps import Steps, StepState, is_unfinished


@dataclass(frozen=True, slots=True)
class NextAction:
    """`label` is on the button that leads to `url`."""

    heading: str
    why: str
    label: str
    url: str


# Where a step leads that asks for no look at the study: heading, why, label, address.
_BEGIN = {
    "codebook": (
        "Choose a codebook",
        "It says what annotators look for. The guideline, the labelling page and the tables follow from it.",
        "Choose a codebook",
        "codebooks:guideline",
    ),
    "corpus": (
        "Import the texts",
        "A Reddit, Stack Exchange or Mastodon dump, or a table of posts and replies that you already have.",
        "Import texts",
        "corpora:list",
    ),
    "sample": (
        "Draw a sample",
        "It says which texts are annotated, and keeps the probability of each.",
        "Draw a sample",
        "samples:list",
    ),
    "batches": (
        "Open a batch",
        "It gives items to annotators. Begin with an overlap batch: the same items for all, to see whether they agree.",
        "Open a batch",
        "batches:plan",
    ),
    "release": (
        "Freeze a release",
        "Everything is settled. A release keeps the labels as they are, with their sources and a split for training.",
        "Freeze a release",
        "releases:freeze",
    ),
    "model": (
        "Train a model",
        "The newest release is ready to learn from. A model enters service when the promotion rule finds it better.",
        "Train a model",
        "models:list",
    ),
    "labelling": (
        "Label the corpus",
        "A model is in service. It can label every text of the corpus.",
        "Label the corpus",
        "labelling:list",
    ),
    "report": (
        "Make a report",
        "The corpus is labelled. A report has the tables and figures for the paper, corrected by what people decided.",
        "Make a report",
        "reports:new",
    ),
}


def next_action(
    study: Study, steps: Steps, headline: Headline | None, queue: QueueCounts
) -> NextAction | None:
    """What waits for researchers comes before what waits for annotators; None once all steps are done."""
    if queue.waiting:
        n = queue.waiting
        return NextAction(
            f"Settle {n:,} item{'' if n == 1 else 's'}",
            "Annotators disagree on them or were not sure. The labels you decide on go into the release.",
            "Adjudicate",
            reverse("adjudication:queue", args=[study.slug]),
        )
    current = steps.current()
    if steps.batches is StepState.CURRENT and is_unfinished(study):
        return NextAction(
            "Annotators are at work",
            "What they submit arrives here by itself. There is nothing to do for you until they are done.",
            "See their progress",
            reverse("batches:list", args=[study.slug]),
        )
    for step in current:
        if step == "agreement" and (found := _for_agreement(study, headline, steps)):
            return found
        if step in _BEGIN:
            heading, why, label, address = _BEGIN[step]
            return NextAction(heading, why, label, reverse(address, args=[study.slug]))
    return None


def _for_agreement(study: Study, headline: Headline | None, steps: Steps) -> NextAction | None:
    """Another round helps only before labels are frozen; without a report there is nothing to say."""
    if headline is None or steps.release is StepState.DONE:
        return None
    return NextAction(
        "Look at the themes that need another round",
        f"{headline.words} Talk about them, sharpen the codebook, and open another overlap batch.",
        "See the report",
        reverse("agreement:report", args=[study.slug, headline.report.pk]),
    )
