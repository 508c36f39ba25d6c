"""How far a study is, step by step: a step is done when what it is for is reached, not when something of it exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from enum import StrEnum

from backend.annotate.batches.models import BatchState
from backend.annotate.batches.selectors import unfinished_work
from backend.core.studies.models import Study
from backend.decide.adjudication.queue import QueueCounts
from backend.decide.agreement.verdicts import Headline
from backend.design.corpora.models import Corpus
from backend.design.corpora.selectors import corpus_counts
from backend.learn.models.selectors import adapter_in_service
from backend.publish.labelling.selectors import finished_runs


class StepState(StrEnum):
    """As the page names its classes; nothing for what cannot begin yet."""

    DONE = "step--done"
    CURRENT = "step--current"
    LATER = ""


@dataclass(frozen=True, slots=True)
class Steps:
    codebook: StepState
    corpus: StepState
    sample: StepState
    batches: StepState
    agreement: StepState
    adjudication: StepState
    release: StepState
    model: StepState
    labelling: StepState
    report: StepState

    def current(self) -> list[str]:
        """What can be worked on, the earliest first."""
        names = [field.name for field in fields(self)]
        return [name for name, state in zip(names, astuple(self), strict=True) if state is StepState.CURRENT]


def steps_of(study: Study, headline: Headline | None, queue: QueueCounts) -> Steps:
    """Agreement is done when every theme is trusted, a release when nothing waits to be decided any more."""
    batches = study.batches.exclude(state=BatchState.DISCARDING)
    has_work, is_judged = batches.exists(), not is_unfinished(study)
    nothing_waits = queue.settled == queue.total and not queue.with_annotators and not queue.is_counting
    is_settled = queue.total > 0 and nothing_waits
    has_release = study.releases.exists()
    has_model, has_labels = adapter_in_service(study) is not None, finished_runs(study).exists()
    done = [
        study.editions.exists(),
        any(_holds_texts(corpus) for corpus in study.corpora.all()),
        study.items.exclude(draws=None).exists(),
        has_work and is_judged,
        headline is not None and headline.n_themes > 0 and headline.is_good,
        is_settled,
        has_release and nothing_waits,
        has_model,
        has_labels,
        study.reports.exists(),
    ]
    began = [
        True,
        done[0],
        done[1],
        has_work or done[2],
        has_work,
        queue.total > 0,
        has_release or is_settled,
        has_release,
        has_model,
        has_labels,
    ]
    return Steps(*_states(done, began))


def _holds_texts(corpus: Corpus) -> bool:
    _, n_posts, n_replies = corpus_counts(corpus)
    return n_posts + n_replies > 0


def is_unfinished(study: Study) -> bool:
    """Whether annotators have something left to judge."""
    work = unfinished_work().filter(assignment__batch__study=study)
    return work.exclude(assignment__batch__state=BatchState.DISCARDING).exists()


def _states(done: Sequence[bool], began: Sequence[bool]) -> list[StepState]:
    return [
        StepState.DONE if is_done else StepState.CURRENT if is_begun else StepState.LATER
        for is_done, is_begun in zip(done, began, strict=True)
    ]
