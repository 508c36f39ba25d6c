"""A step of the overview is done when what it is for is reached."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.decide.adjudication.queue import count_queue
from backend.decide.agreement.verdicts import Headline
from backend.decide.releases.models import Release
from backend.design.corpora.models import Corpus
from backend.design.samples.forms import DrawForm
from backend.overview.steps import Steps, StepState, steps_of
from corpus.sampling.errors import SampleTooLarge, UnknownCommunity
from tests.backend.core.studies.test_access import keep_some_report
from tests.backend.decide.adjudication.conftest import bench
from tests.backend.decide.adjudication.fixtures import EMOTIONS, Bench
from tests.backend.decide.adjudication.test_views import client_of
from tests.cast import NOW, Cast
from tests.page_text import page_text

__all__ = ["bench"]
DONE, CURRENT, LATER = StepState


def steps(found: Bench, headline: Headline | None = None) -> Steps:
    return steps_of(found.study, headline, count_queue(found.cast.rosa, found.study))


def test_a_study_that_begins(cast: Cast) -> None:
    found = steps_of(cast.study, None, count_queue(cast.rosa, cast.study))
    assert (found.codebook, found.corpus, found.batches, found.release) == (CURRENT, LATER, LATER, LATER)


def test_a_corpus_is_there_when_it_holds_a_text(cast: Cast, demo_corpus: Corpus) -> None:
    def state() -> StepState:
        return steps_of(cast.study, None, count_queue(cast.rosa, cast.study)).corpus

    assert state() is DONE
    whole = list(cast.study.corpora.all())
    cast.study.corpora.create(name="Empty", slug="empty", created_by=cast.rosa, created_at=NOW)
    assert state() is DONE
    for corpus in whole:
        corpus.delete()
    assert state() is not DONE


@pytest.mark.parametrize(("trusted", "state"), [(0, CURRENT), (12, CURRENT), (13, DONE)])
def test_agreement_is_done_when_every_theme_is_trusted(bench: Bench, trusted: int, state: StepState) -> None:
    headline = Headline(keep_some_report(bench.batch), trusted, 13 - trusted, 0)
    assert steps(bench, headline).agreement is state


def test_batches_are_done_when_everybody_has_judged_what_they_were_given(bench: Bench) -> None:
    assert steps(bench).batches is CURRENT
    for item in bench.items:
        bench.all_say(item, [], [], [])
    assert steps(bench).batches is DONE


def test_a_release_is_done_when_nothing_waits_to_be_settled(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    Release.objects.create(
        study=bench.study,
        number=1,
        name="First",
        edition=bench.work.edition,
        hash="0" * 64,
        request={},
        counts={},
        created_by=bench.cast.rosa,
        created_at=NOW,
    )
    assert (steps(bench).adjudication, steps(bench).release) == (CURRENT, CURRENT)
    page = page_text(client_of(bench.cast.rosa).get(f"/studies/{bench.study.slug}"))
    assert "Made before adjudication was finished: 0 of 1 item is settled." in page
    bench.decide(item, bench.cast.rosa, EMOTIONS)
    assert (steps(bench).adjudication, steps(bench).release) == (DONE, DONE)
    counting = replace(count_queue(bench.cast.rosa, bench.study), is_counting=True)
    found = steps_of(bench.study, None, counting)
    assert (found.adjudication, found.release) == (CURRENT, CURRENT)


def test_nobody_elses_numbers_stand_in_the_form(cast: Cast) -> None:
    assert DrawForm(study=cast.study)["n"].value() is None


def test_what_is_wrong_with_a_sample_is_said_without_names_of_fields() -> None:
    for problem in (SampleTooLarge("work", "pairs", 30, 217), UnknownCommunity(["wrk"], ["work"])):
        assert "_" not in str(problem)
