"""A model of sentences in a study: trained, examined, put in service, its errors read, and refused posts alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.release.rows import SplitPart
from backend.decide.releases.importing import import_release
from backend.design.corpora.models import Corpus
from backend.learn.error_analysis.selectors import errors_of
from backend.learn.models.selectors import adapter_in_service
from backend.learn.models.services import promote
from backend.publish.labelling.errors import NeedsReplies
from codebook.schema import Part
from codebook.shipped import load_shipped
from learning.scoring.values import Metric
from tests.backend.learn.models.fixtures import examine, train
from tests.backend.publish.labelling.fixtures import started
from tests.cast import NOW, Cast
from tests.ml_backend.fixtures import made_release

pytestmark = pytest.mark.django_db
CODE = "empathy-cause"


def test_a_model_of_causes_is_examined_and_serves_and_needs_replies(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path
) -> None:
    folder = made_release(tmp_path / "made", load_shipped(CODE), 60, parts=(Part.POST,))
    release = import_release(study=cast.study, folder=folder, actor=cast.rosa, now=NOW)
    adapter = train(release, "positions")
    scores = adapter.read_card().measures["test"].code(CODE)
    assert scores is not None and scores.headline.value == scores.scores[Metric.SENTENCE_F1].value
    report = examine(adapter)
    assert report.candidate == adapter and Metric.SENTENCE_F1.value in report.content
    promote(adapter=adapter, report=None, override_reason="Tests", actor=cast.rosa, now=NOW)
    assert adapter_in_service(cast.study) == adapter
    errors = list(errors_of(adapter, SplitPart.VALIDATION).all())
    assert all(error.code == CODE and (error.gold or error.model) for error in errors)
    assert errors, "every third item marks nothing, and positions cannot tell which"
    with pytest.raises(NeedsReplies, match=r"judges posts by a reply \(Cause of empathy\)"):
        started(cast.study, demo_corpus, adapter)
