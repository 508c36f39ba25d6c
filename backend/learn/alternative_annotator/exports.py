"""The newest test of every model of a study, as a table for a paper."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.studies.models import Study
from backend.design.codebooks.selectors import codebook_of
from backend.learn.alternative_annotator.models import AlternativeTest
from backend.learn.models.charts import theme_names
from learning.alternative_annotator.paper_table import TestedModel, csv_tests, latex_tests


def code_names(study: Study) -> dict[str, str]:
    """Of all editions; where one was renamed, the newest name holds."""
    found: dict[str, str] = {}
    for edition in study.editions.order_by("number"):
        found.update(theme_names(codebook_of(edition)))
    return found


def export_tests(tests: Sequence[AlternativeTest], form: str, names: dict[str, str]) -> str:
    models = [TestedModel(test.alternative.name, test.release.number, test.read()) for test in tests]
    write = csv_tests if form == "csv" else latex_tests
    return write(models, names)
