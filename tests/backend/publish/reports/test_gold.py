"""Gold of a release corrects only what it is about, and a report tells what was left out and why."""

from __future__ import annotations

import pytest
from django.test import Client

from analysis.report.facts import GoldLeftOut
from analysis.values import Way
from annotation.release.rows import SplitPart
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.selectors import rows_of
from backend.decide.releases.services import freeze_release
from backend.design.codebooks.models import Edition
from backend.design.codebooks.services import add_edition
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.facts import newest_agreement
from backend.publish.reports.files import read_content
from codebook.schema import Part
from codebook.shipped import shipped_path
from tests.backend.publish.reports.fixtures import made_report, measured_overlap
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db


def next_edition(cast: Cast, old: str, new: str) -> Edition:
    path = shipped_path("empathy-practices")
    source = path.read_text()
    assert old in source
    return add_edition(
        study=cast.study,
        source=source.replace(old, new, 1),
        file_name=path.name,
        note="Another wording",
        actor=cast.rosa,
        now=NOW,
    )


def labelled_by(run: LabellingRun, edition: Edition) -> None:
    LabellingRun.objects.filter(pk=run.pk).update(edition=edition)
    run.refresh_from_db()


def test_gold_of_a_code_that_was_asked_otherwise_is_not_used(run: LabellingRun, cast: Cast) -> None:
    judged = run.edition
    labelled_by(run, next_edition(cast, "name: Sharing emotions", "name: Sharing feelings"))
    content = read_content(made_report(cast))
    assert content.facts.gold and content.facts.gold.unlike == ("sharing-emotions",)
    assert content.ways == tuple(Way), "other codes mean what they meant"
    notes = " ".join(content.notes)
    assert "Gold for “Sharing feelings” in posts was not used" in notes
    assert "no gold for “Sharing feelings”" in notes
    said = " ".join(each.text for each in content.methods)
    assert f"edition 1 (sha256 {judged.hash[:12]}…). The model labelled by it, edition 2" in said


def test_agreement_is_of_the_edition_that_the_release_was_judged_by(run: LabellingRun, cast: Cast) -> None:
    measured = measured_overlap(cast, "Calibration", disagreeing=6)
    later = next_edition(cast, "name: Sharing emotions", "name: Sharing feelings")
    assert newest_agreement(run.edition) == measured and newest_agreement(later) is None
    labelled_by(run, later)
    assert made_report(cast).request["agreement"] == measured.pk
    assert made_report(cast, release=None).request["agreement"] is None


def test_the_form_proposes_a_release_of_the_runs_edition(run: LabellingRun, cast: Cast) -> None:
    next_edition(cast, "name: Sharing emotions", "name: Sharing feelings")
    request = FreezeRequest.model_validate({"name": "Second", "seed": 3})
    assert freeze_release(study=cast.study, request=request, actor=cast.rosa, now=NOW).edition.number == 2
    client = Client()
    client.force_login(cast.rosa)
    form = client.get("/studies/kind-words/reports/new").context["form"]
    assert form.initial["release"] == 1


def test_what_was_left_out_is_counted_and_told(run: LabellingRun, cast: Cast) -> None:
    content = read_content(made_report(cast))
    posts = {row.item.post: row.split for row in rows_of(run.adapter.release)}
    n_seen = sum(split is not SplitPart.TEST for split in posts.values())
    assert content.facts.gold
    assert content.facts.gold.left_out_of(Part.POST) == GoldLeftOut(part=Part.POST, n_seen=n_seen)
    said = " ".join(each.text for each in content.methods)
    assert f"of {n_seen:,} posts ({n_seen:,} that the model had learned from)" in said
    assert "each label is as frequent as in all that was judged" in said
