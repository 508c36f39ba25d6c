"""A whole study by annotators of known quality: what the platform measures, makes and freezes is held to the truth."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_django.fixtures import Settings

from annotation.agreement.batch import measure_batch
from annotation.agreement.reports import BatchAgreement
from annotation.answers import Answers, ItemText, canonical_answers, shown_codes
from annotation.consensus.methods import consensus
from annotation.consensus.values import Method, Votes
from annotation.consensus.votes import votes_from
from annotation.release.read import ReadRelease
from annotation.release.rows import LabelSource
from annotation.stored_answers import stored_answers
from backend.annotate.batches.models import Batch
from backend.annotate.judgments.models import AnnotationVersion
from backend.annotate.judgments.selectors import annotator_answers, submissions
from backend.decide.adjudication.models import DecisionRound, Way
from backend.decide.adjudication.queue import Reason, queue_for
from backend.decide.adjudication.services import Draft, decide
from backend.decide.agreement.inputs import batch_judgments
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.selectors import read_frozen
from backend.decide.releases.services import freeze_release
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from tests.backend.annotate.judgments.arriving import Workspace
from tests.batch_fixtures import CastAtWork, Work, made_items
from tests.cast import NOW, Cast
from tests.simulated_annotators import Quality, Truth, expected_kappa, made_truth, simulated_answers

ITEMS = 240
QUALITIES = {
    "amal": Quality(0.97, 0.98, flags_when_wrong=0.9, flags_when_right=0.02),
    "bea": Quality(0.80, 0.88),
    "chen": Quality(0.70, 0.85, flags_when_wrong=0.1, flags_when_right=0.1),
}


@dataclass(frozen=True)
class Simulation:
    work: CastAtWork
    batch: Batch
    texts: dict[str, ItemText]
    prevalence: dict[str, float]
    truth: Truth


@pytest.fixture
def simulation(cast: Cast, tmp_path: Path, settings: Settings) -> Simulation:
    """Everybody judges every item; what they submit arrives as annotations of Label Studio do."""
    settings.RELEASES_DIR = tmp_path / "releases"
    given = Work.of(cast.study, cast.rosa, made_items(cast.study, ITEMS))
    work = CastAtWork(given.study, given.researcher, given.edition, given.items, cast)
    rng = np.random.default_rng(20261117)
    texts = {item.item_id: item_text(item) for item in work.items}
    codes = [code.id for _, code in work.codebook.coded_questions()]
    prevalence = dict(zip(codes, np.linspace(0.15, 0.6, len(codes)).tolist(), strict=True))
    truth = made_truth(work.codebook, list(texts.values()), prevalence, rng)
    batch = work.batch(cast.amal, cast.bea, cast.chen, items=work.items)
    number = count(1)
    for share in batch.assignments.select_related("annotator"):
        workspace, quality = Workspace(work, share), QUALITIES[share.annotator.username]
        places = share.assigned_items.select_related("item").order_by("position")
        workspace.receive(
            *(
                workspace.arrival(
                    next(number),
                    simulated_answers(work.codebook, texts[place.item.item_id], truth, quality, rng),
                    position=place.position,
                )
                for place in places
            )
        )
    return Simulation(work, batch, texts, prevalence, truth)


def test_agreement_consensus_and_final_labels_are_what_the_truth_says(simulation: Simulation) -> None:
    before = _kept(simulation)
    report = measure_batch(batch_judgments(simulation.batch), resamples=500, seed=1)
    _hold_kappa_to_theory(simulation, report)
    _hold_flags_to_what_was_put_in(report)
    _hold_consensus_to_truth(simulation)
    _adjudicate_by_truth(simulation)
    release = read_frozen(
        freeze_release(
            study=simulation.work.study,
            request=FreezeRequest(name="Simulated", consensus="none", seed=1),
            actor=simulation.work.cast.rosa,
            now=NOW,
        )
    )
    _hold_release_to_truth(simulation, release)
    assert _kept(simulation) == before
    again = measure_batch(batch_judgments(simulation.batch), resamples=500, seed=1)
    assert again == report


def _hold_kappa_to_theory(simulation: Simulation, report: BatchAgreement) -> None:
    """13 intervals at 95%: fewer than 11 that hold the true value would be odd (p < 0.03)."""
    held, errors = 0, []
    for code in report.codes:
        expected = expected_kappa(simulation.prevalence[code.code_id], list(QUALITIES.values()))
        found = code.ratings["fleiss_kappa"]
        assert found.value is not None and found.low is not None and found.high is not None
        held += found.low <= expected <= found.high
        errors.append(found.value - expected)
    assert held >= 11
    assert abs(float(np.mean(errors))) < 0.03
    kappas = {pair.rater + pair.other: pair.kappa.value or 0 for pair in report.pairs}
    assert kappas["amalbea"] > max(kappas["amalchen"], kappas["beachen"])


def _hold_flags_to_what_was_put_in(report: BatchAgreement) -> None:
    amal, bea, chen = report.flags
    assert amal.difference.low is not None and amal.difference.low > 0
    assert bea.difference.value is None and "flagged" in bea.difference.note
    assert chen.difference.low is not None and chen.difference.high is not None
    assert chen.difference.low <= 0 <= chen.difference.high


def _hold_consensus_to_truth(simulation: Simulation) -> None:
    """Weighing annotators by how good they prove to be brings the labels nearer to the truth than counting heads.

    MACE takes all labels for equally common, so it is held to that on codes where this is about so.
    """
    right: dict[Method, list[NDArray[np.bool_]]] = {method: [] for method in Method}
    common: list[NDArray[np.bool_]] = []
    for code_id, share in simulation.prevalence.items():
        votes = _votes(simulation, code_id)
        true = np.array([simulation.truth.values[item][code_id] for item in votes.items])
        common.append(np.full(len(true), share >= 0.4))
        for method in Method:
            found = consensus(votes, method, seed=1)
            right[method].append(np.array([int(votes.labels[at]) for at in found.label]) == true)
    hits = {method: np.concatenate(found) for method, found in right.items()}
    assert hits[Method.MAJORITY].mean() > 0.9
    assert hits[Method.DAWID_SKENE].mean() > hits[Method.MAJORITY].mean() + 0.005
    balanced = np.concatenate(common)
    assert hits[Method.MACE][balanced].mean() > hits[Method.MAJORITY][balanced].mean() + 0.005


def _votes(simulation: Simulation, code_id: str) -> Votes:
    rows = submissions(simulation.work.study)
    return votes_from(
        (row.assigned_item.item.item_id, row.assigned_item.assignment.annotator.username, str(judgment.value))
        for row in rows
        for judgment in row.judgments.all()
        if judgment.code == code_id
    )


def _adjudicate_by_truth(simulation: Simulation) -> None:
    """Rosa knows the truth and settles whatever is in the queue, flags included."""
    rosa = simulation.work.cast.rosa
    queue = queue_for(rosa, simulation.work.study)
    disputed = {item.pk for item in simulation.work.items if _is_disputed(simulation, item)}
    in_queue = {entry.item_pk for entry in queue.entries if Reason.DISAGREEMENT in entry.points}
    assert in_queue == disputed
    points = [entry.n_points for entry in queue.entries]
    assert points == sorted(points, reverse=True)
    items = {item.pk: item for item in simulation.work.items}
    for entry in queue.entries:
        draft = Draft(
            _true_answers(simulation, items[entry.item_pk]),
            reason="Read again.",
            way=Way.WRITTEN,
            settles_discussions=Reason.FLAG in entry.points,
        )
        decide(
            item=items[entry.item_pk],
            draft=draft,
            actor=rosa,
            decision_round=DecisionRound.FIRST,
            expected_number=0,
            now=NOW,
        )
    settled = queue_for(rosa, simulation.work.study)
    assert (len(settled.entries), settled.settled) == (0, len(queue.entries))


def _is_disputed(simulation: Simulation, item: Item) -> bool:
    return any(len(values) > 1 for values in _said(simulation, item).values())


def _said(simulation: Simulation, item: Item) -> dict[str, set[int]]:
    said: dict[str, set[int]] = {}
    for row in submissions(simulation.work.study).filter(assigned_item__item=item):
        for judgment in row.judgments.all():
            said.setdefault(judgment.code, set()).add(judgment.value)
    return said


def _true_answers(simulation: Simulation, item: Item) -> Answers:
    text = simulation.texts[item.item_id]
    values = simulation.truth.values[item.item_id]
    spans = [simulation.truth.spans[item.item_id][code] for code, value in values.items() if value]
    return canonical_answers(simulation.work.codebook, text, values, spans, None)


def _hold_release_to_truth(simulation: Simulation, release: ReadRelease) -> None:
    """An adjudicated label is the truth; of those that all agreed on, as many are wrong as chance makes all err."""
    assert len(release.rows) == ITEMS
    wrong_by_source: dict[LabelSource, list[bool]] = {}
    for row in release.rows:
        asked = {code.id for _, code in shown_codes(release.codebook, simulation.texts[row.item.item_id])}
        for label in row.labels:
            if label.code in asked:
                true = simulation.truth.values[row.item.item_id][label.code]
                wrong_by_source.setdefault(label.source, []).append(label.value != true)
    assert set(wrong_by_source) == {LabelSource.ADJUDICATED, LabelSource.AGREED}
    assert not any(wrong_by_source[LabelSource.ADJUDICATED])
    assert np.mean(wrong_by_source[LabelSource.AGREED]) < 0.01
    rare = {"train": 0, "validation": 0, "test": 0}
    for row in release.rows:
        rare[row.split] += any(label.code == "asking-advice" and label.value for label in row.labels)
    assert min(rare.values()) > 0


def _kept(simulation: Simulation) -> tuple[list[object], list[object]]:
    """Every annotation as it came and every judgment as it was derived: adjudication touches neither."""
    versions: list[object] = list(AnnotationVersion.objects.order_by("pk").values())
    judged = [
        stored_answers(
            annotator_answers(simulation.work.codebook, simulation.texts[row.assigned_item.item.item_id], row)
        )
        for row in submissions(simulation.work.study)
    ]
    return versions, judged
