"""Answers as they come in, decisions and editions, for tests of releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from annotation.answers import Answers
from annotation.release.files import write_release
from annotation.release.write_protection import unseal
from backend.annotate.batches.models import Batch, BatchKind
from backend.annotate.judgments.models import Change
from backend.annotate.judgments.version_store import Arrival
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.services import Draft, decide
from backend.decide.releases.importing import import_release
from backend.decide.releases.models import Release
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.services import freeze_release
from backend.design.codebooks.models import Edition
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from codebook.shipped import shipped_path
from tests.annotation.release.fixtures import EPITOME, judged, release_of, said
from tests.backend.annotate.judgments.arriving import Workspace
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

ADVICE, EMOTIONS, VALIDATION = "asking-advice", "sharing-emotions", "expressing-validation"
_ids = count(1)


def answer(
    work: CastAtWork, batch: Batch, annotator: User, item: Item, *codes: str, flag: str | None = None
) -> None:
    workspace = _workspace(work, batch, annotator)
    workspace.receive(_arrival(workspace, item, work.answers(item, *codes, flag=flag)))


def skip(work: CastAtWork, batch: Batch, annotator: User, item: Item) -> None:
    workspace = _workspace(work, batch, annotator)
    workspace.receive(_arrival(workspace, item, None, change=Change.SKIPPED))


def spoil(work: CastAtWork, batch: Batch, annotator: User, item: Item) -> None:
    """An answer that cannot be read."""
    workspace = _workspace(work, batch, annotator)
    workspace.receive(_arrival(workspace, item, None, results=[{"type": "choices", "from_name": "nothing"}]))


def _workspace(work: CastAtWork, batch: Batch, annotator: User) -> Workspace:
    return Workspace(work, batch.assignments.get(annotator=annotator))


def _arrival(
    workspace: Workspace,
    item: Item,
    answers: Answers | None,
    *,
    change: Change = Change.SUBMITTED,
    results: Sequence[object] = (),
) -> Arrival:
    position = workspace.share.assigned_items.get(item=item).position
    return workspace.arrival(next(_ids), answers, position=position, change=change, results=list(results))


def settle(work: CastAtWork, item: Item, *codes: str, actor: User | None = None) -> Decision:
    draft = Draft(work.answers(item, *codes), reason="Read again.", way=Way.WRITTEN)
    return decide(
        item=item,
        draft=draft,
        actor=actor or work.cast.rosa,
        decision_round=DecisionRound.FIRST,
        expected_number=0,
        now=NOW,
    )


def judged_study(work: CastAtWork) -> Batch:
    """Twelve items that all three judged alike, but one where Chen differs and one where all agree on advice."""
    cast = work.cast
    batch = work.batch(cast.amal, cast.bea, cast.chen, items=work.items, kind=BatchKind.OVERLAP)
    for annotator in (cast.amal, cast.bea, cast.chen):
        workspace = _workspace(work, batch, annotator)
        arrivals = []
        for number, item in enumerate(work.items):
            codes = [ADVICE] if number % 3 == 0 else []
            if number == 1 and annotator == cast.chen:
                codes.append(EMOTIONS)
            arrivals.append(_arrival(workspace, item, work.answers(item, *codes)))
        workspace.receive(*arrivals)
    return batch


def asked(name: str = "First", **options: object) -> FreezeRequest:
    return FreezeRequest.model_validate({"name": name, "seed": 3, **options})


def frozen(work: CastAtWork, request: FreezeRequest | None = None) -> Release:
    return freeze_release(study=work.study, request=request or asked(), actor=work.cast.rosa, now=NOW)


def opened(release: Release) -> Path:
    """Its folder, for who tampers with it."""
    unseal(release.folder)
    for path in release.folder.rglob("*"):
        path.chmod(path.stat().st_mode | 0o200)
    return release.folder


def next_edition(work: CastAtWork, old: str, new: str) -> Edition:
    """With other words in one place."""
    source = work.edition.source
    assert old in source
    return add_edition(
        study=work.study,
        source=source.replace(old, new, 1),
        file_name=shipped_path("empathy-practices").name,
        note="Reworded",
        actor=work.cast.rosa,
        now=NOW,
    )


def bring_in(study: Study, item_id: str, folder: Path) -> Release:
    """A release of one item that was made elsewhere with the shipped codebook of the study."""
    values = {code.id: 0 for _, code in EPITOME.coded_questions()}
    given = judged(item_id, {"annotator-1": said(values)}, codebook=EPITOME)
    own = study.items.filter(item_id=item_id).first()
    if own is not None:
        place = {name: getattr(own, name) for name in ("platform", "community", "post_id", "reply_id")}
        given = replace(given, item=replace(given.item, **place))
    made = release_of([given], EPITOME)
    write_release(folder, made)
    return import_release(study=study, folder=folder, actor=study.created_by, now=NOW)
