"""A corpus that a model has labelled, and a release of items drawn from it: all that a report can be made of."""

from __future__ import annotations

from annotation.agreement.batch import measure_batch
from annotation.agreement.files import decode_batch_judgments, encode
from annotation.answers import Answers
from backend.annotate.batches.models import BatchKind
from backend.decide.agreement.inputs import inputs_of
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.services import Precision, keep_report
from backend.decide.releases.models import Release
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.services import freeze_release
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Item
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.models import Report
from backend.publish.reports.requests import ReportRequest
from backend.publish.reports.services import make_report
from corpus.sampling.designs import PpsPosts
from tests.backend.decide.agreement.fixtures import Team
from tests.backend.learn.models.fixtures import train
from tests.backend.publish.labelling.fixtures import any_chance, labelled_run
from tests.batch_fixtures import Work
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo

N_PER_COMMUNITY = 15
TOPICS = {"NineToFive": "Work", "manners": "Manners"}
CODES = ("sharing-emotions", "asking-advice", "offering-advice", "expressing-validation")


def judged_release(cast: Cast, corpus: Corpus) -> Release:
    """Amal has judged a sample of the corpus, each item by a coin that its id decides."""
    sample = draw_demo(corpus, "Main annotation", PpsPosts(n=N_PER_COMMUNITY), cast.rosa)
    items = list(Item.objects.filter(draws__sample=sample).order_by("item_id"))
    work = Work.of(cast.study, cast.rosa, items)
    batch = work.batch(cast.amal, items=items, name="Main", kind=BatchKind.MAIN)
    Team(work).answer_all(batch, {cast.amal: lambda item: work.answers(item, *_there(item))})
    request = FreezeRequest.model_validate({"name": "First", "seed": 3, "texts": True})
    return freeze_release(study=cast.study, request=request, actor=cast.rosa, now=NOW)


def _there(item: Item) -> list[str]:
    return [code for code in CODES if any_chance(f"truth {item.item_id}", code) < 0.5]


def finished_run(cast: Cast, corpus: Corpus) -> LabellingRun:
    """By a model that learned from the release."""
    adapter = train(judged_release(cast, corpus), "majority")
    return labelled_run(cast.study, corpus=corpus, adapter=adapter)


def wanted(**changed: object) -> ReportRequest:
    """One section, unless others are asked for: drawing all of them takes a while."""
    given = {"run": 1, "release": 1, "topics": TOPICS, "sections": ["overall"], **changed}
    return ReportRequest.model_validate(given)


def made_report(cast: Cast, **changed: object) -> Report:
    return make_report(study=cast.study, request=wanted(**changed), actor=cast.rosa, now=NOW)


def measured_overlap(cast: Cast, name: str, *, disagreeing: int) -> AgreementReport:
    """Amal and Bea on twelve items, who differ on the first so many of them."""
    items = list(Item.objects.filter(study=cast.study).order_by("item_id")[:12])
    work = Work.of(cast.study, cast.rosa, items)
    batch = work.batch(cast.amal, cast.bea, items=items, name=name, kind=BatchKind.OVERLAP)
    apart = {item.item_id for item in items[:disagreeing]}

    def by_bea(item: Item) -> Answers:
        codes = set(_there(item)) ^ ({CODES[0]} if item.item_id in apart else set())
        return work.answers(item, *codes)

    Team(work).answer_all(
        batch, {cast.amal: lambda item: work.answers(item, *_there(item)), cast.bea: by_bea}
    )
    inputs = inputs_of(batch)
    measures = measure_batch(decode_batch_judgments(inputs.content), resamples=100, seed=1)
    return keep_report(
        batch=batch,
        inputs=inputs,
        measures=encode(measures).decode(),
        precision=Precision(resamples=100, seed=1),
        actor=cast.rosa,
        now=NOW,
    )
