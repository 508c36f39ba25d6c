"""The table for papers has every model and theme, and says where nobody could be tested."""

from __future__ import annotations

import csv
from io import StringIO

from learning.alternative_annotator.paper_table import TestedModel as Model
from learning.alternative_annotator.paper_table import csv_tests, latex_tests
from learning.alternative_annotator.releases import run_release_test, usable_items
from tests.annotation.release.fixtures import EPITOME
from tests.learning.alternative_annotator.test_releases import CODE, predictions, rows_of

NAMES = {CODE: "Emotional reactions"}


def models() -> list[Model]:
    found = []
    for name, value, n in (("Model & Co", 2, 40), ("=cheap", 0, 40), ("Few", 2, 10)):
        rows = rows_of(*[(2, 2, 2)] * n)
        made = predictions(rows, value)
        items = usable_items(rows, made.keys(), learned=set(), learned_posts=set())
        found.append(Model(name, 3, run_release_test(items, made, EPITOME, epsilon=0.1, marks_words=False)))
    return found


def test_the_csv_has_a_row_for_each_model_and_code() -> None:
    rows = [row for row in csv.DictReader(StringIO(csv_tests(models(), NAMES))) if row["code"] == CODE]
    assert [(row["model"], row["passes_clustered"], row["winning_rate"]) for row in rows] == [
        ("Model & Co", "true", "1.0"),
        ("'=cheap", "false", "0.0"),
        ("Few", "", ""),
    ]
    assert (rows[0]["epsilon"], rows[0]["n_items"], rows[0]["score"]) == ("0.1", "40", "accuracy")


def test_the_latex_table_is_escaped_and_shows_dashes() -> None:
    table = latex_tests(models(), NAMES)
    assert r"\emph{Model \& Co, release 3, $\varepsilon = 0.1$}" in table
    assert r"Emotional reactions & Accuracy & 3 & 40 & 1.00 & 1.00 & 1.00 & yes \\" in table
    assert r"Emotional reactions & Accuracy & 0 & 10 & -- & -- & -- & -- \\" in table
    assert r"$\omega$ is the share" in table and r"$\rho$ the average" in table
