"""From a release with soft labels to a model of shares, and its scores beside the annotators on its page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from annotation.release.files import write_release
from annotation.release.rows import SplitPart
from backend.decide.releases.importing import import_release
from backend.decide.releases.models import Release
from learning.scoring.values import Metric
from tests.annotation.release.fixtures import EPITOME, REQUEST, RULES, judged, release_of, said
from tests.backend.learn.models.fixtures import train
from tests.cast import NOW, Cast

WARM = "emotional-reactions"


@pytest.fixture
def soft_release(cast: Cast, tmp_path: Path) -> Release:
    """Three annotators an item, who agree on every third."""
    items = [
        judged(
            f"i{at:02}",
            {who: said({WARM: value}) for who, value in (("a", at % 3), ("b", at % 3), ("c", 0))},
            codebook=EPITOME,
            with_texts=True,
        )
        for at in range(30)
    ]
    request = msgspec.structs.replace(REQUEST, texts=True, soft_labels=True)
    write_release(
        tmp_path / "soft", release_of(items, EPITOME, rules=replace(RULES, soft=True), request=request)
    )
    return import_release(study=cast.study, folder=tmp_path / "soft", actor=cast.rosa, now=NOW)


def test_a_model_of_shares_is_measured_beside_the_annotators(soft_release: Release, cast: Cast) -> None:
    adapter = train(soft_release, "tfidf-logistic", options={"targets": "distribution"})
    card = adapter.read_card()
    assert card.config["targets"] == "distribution"
    scores = card.measures[SplitPart.TEST.value].codes[0].scores
    # All texts are the same, so that the model says the shares of the train part of all of them
    assert 0 < (scores[Metric.MANHATTAN_DISTANCE].value or 0) < 1.5
    assert (scores[Metric.CROSS_ENTROPY].value or 0) > (scores[Metric.ANNOTATOR_ENTROPY].value or 0) > 0
    client = Client()
    client.force_login(cast.rosa)
    page = client.get(reverse("models:detail", args=[cast.study.slug, adapter.number])).content.decode()
    assert "Beside the annotators" in page
    assert f"{scores[Metric.CROSS_ENTROPY].value:.2f}" in page
    assert f"{scores[Metric.MANHATTAN_DISTANCE].value:.2f}" in page


def test_without_soft_labels_the_page_has_no_such_scores(release: Release, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.rosa)
    address = reverse("models:detail", args=[cast.study.slug, train(release).number])
    assert "Beside the annotators" not in client.get(address).content.decode()
