"""What every registered statistic of agreement must keep to; a new one inherits all of it."""

import doctest
import importlib
import json
import pkgutil
import re
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement import statistics as package
from annotation.agreement.batch import measure_batch
from annotation.agreement.files import decode_batch_agreement, encode
from annotation.agreement.rating_table import read_ratings
from annotation.agreement.rating_table_report import as_csv, as_json, as_latex, as_text
from annotation.agreement.registry import (
    Statistic,
    UnknownStatistic,
    docs_table,
    method_version,
    rule_statistics,
    statistic,
    statistics,
)
from annotation.agreement.reports import BatchAgreement
from annotation.agreement.tables import csv_table, latex_table
from annotation.agreement.trust_rule import Bound, Rule
from annotation.agreement.values import MeasurementLevel
from tests.annotation.agreement.batch_cases import SENTENCES, TICK, batch, said
from tests.annotation.agreement.measured import measured, tables

MODULES = [
    importlib.import_module(f"{package.__name__}.{each.name}")
    for each in pkgutil.iter_modules(package.__path__)
]
every_statistic = pytest.mark.parametrize("each", statistics(), ids=lambda each: each.name)
Rows = list[list[float | None]]


@pytest.fixture(scope="module")
def report() -> BatchAgreement:
    rng = np.random.default_rng(1)
    answers = [
        said(f"i{at}", rater, {"comfort": int(rng.integers(2)), "cause": 1}, sentences={"cause": (0,)})
        for at in range(9)
        for rater in ("Ada", "Ben")
    ]
    return measure_batch(batch([TICK, SENTENCES], answers), resamples=20, seed=1)


def test_every_file_has_one_statistic_and_each_its_own_place() -> None:
    assert {module.STATISTIC.name for module in MODULES} == {each.name for each in statistics()}
    assert len(MODULES) == len(statistics()) == len({each.name for each in statistics()})
    assert len({each.order for each in statistics()}) == len(statistics())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_its_file_has_formula_source_and_a_worked_example(module: ModuleType) -> None:
    says = module.__doc__ or ""
    assert re.search(r"^    \S.* = ", says, re.MULTILINE), "an indented formula"
    assert re.search(r"\b(19|20)\d\d\b", says), "a source with its year"
    run = doctest.testmod(module)
    assert run.attempted >= 2 and not run.failed


@every_statistic
def test_its_facts_are_complete(each: Statistic) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,29}", each.name)
    assert all((each.label, each.head, each.tex, each.formula, each.gaps, each.source, each.weighing))
    assert each.docs_row.count("|") == 5 and each.docs_row in docs_table()
    assert 1 <= each.since <= method_version()
    assert statistic(each.name) is each


def test_a_statistic_that_nobody_wrote_is_named_in_the_error() -> None:
    with pytest.raises(UnknownStatistic, match=r"'kendall'.*fleiss_kappa"):
        statistic("kendall")


@every_statistic
@given(st.lists(st.sampled_from([0.0, 1.0, 3.0]), min_size=2), st.integers(2, 5))
def test_perfect_agreement_is_one(each: Statistic, truth: list[float], n_raters: int) -> None:
    found = measured([[value] * n_raters for value in truth])[each.name].value
    if len(set(truth)) > 1:
        assert found == 1
    else:
        assert found is None or not each.has_band


@every_statistic
@given(tables(gaps=True), st.sampled_from(MeasurementLevel))
def test_the_order_of_raters_and_items_does_not_matter(
    each: Statistic, rows: Rows, level: MeasurementLevel
) -> None:
    turned = [row[::-1] for row in rows[::-1]]
    one, other = (measured(table, level=level)[each.name].value for table in (rows, turned))
    assert one == pytest.approx(other, abs=1e-12)


@every_statistic
@given(tables(gaps=True))
def test_gaps_cost_what_its_notes_say(each: Statistic, rows: Rows) -> None:
    gap: list[float | None] = [None] * (len(rows[0]) - 1)
    before, blank, single = (
        measured(table)[each.name] for table in (rows, [*rows, [None, *gap]], [*rows, [9.0, *gap]])
    )
    assert blank.value == pytest.approx(before.value, abs=1e-12)
    assert before.n_items == blank.n_items == single.n_items
    if before.n_items:
        assert "fewer than two ratings" in blank.note
    if not each.counts_single_ratings:
        assert single.value == pytest.approx(before.value, abs=1e-12)


@every_statistic
def test_one_category_for_everything_is_told_and_neither_0_nor_1(each: Statistic) -> None:
    found = measured([[1, 1, None], [1, 1, 1]])[each.name]
    if each.has_band or not each.can_be_rule:
        assert found.value is None and found.note.startswith("Undefined")
    else:
        assert found.value == 1


@every_statistic
def test_without_two_ratings_of_one_item_it_is_undefined(each: Statistic) -> None:
    tables: list[Rows] = [[], [[None, None]], [[1, None], [None, 0]]]
    for rows in tables:
        found = measured(rows, resamples=5)[each.name]
        assert (found.value, found.low) == (None, None) and found.note.startswith("Undefined")


@pytest.mark.parametrize("each", rule_statistics(), ids=lambda each: each.name)
def test_a_rule_can_rest_on_it(each: Statistic) -> None:
    assert str(Rule(each.name, Bound.VALUE, 0.5)) == f"{each.label} is at least 0.50"
    bounds = [measured([[1, 1], [0, 0]] * n, resamples=50)[each.name].low for n in (5, 50, 500)]
    assert bounds == sorted(bound for bound in bounds if bound is not None)
    assert bounds[-1] is not None and bounds[-1] < 1


@every_statistic
def test_it_stands_in_every_table(each: Statistic, report: BatchAgreement) -> None:
    ratings = read_ratings(b"id,a,b\n1,x,x\n2,y,x\n3,y,y\n", level=MeasurementLevel.NOMINAL)
    found = measured([[0, 0], [1, 0], [1, 1]])
    texts: list[Callable[[], str]] = [
        lambda: as_text(ratings, found, MeasurementLevel.NOMINAL).lower(),
        lambda: as_latex(found, MeasurementLevel.NOMINAL).lower(),
    ]
    assert all(each.label.lower() in text() for text in texts)
    assert each.name in json.loads(as_json(ratings, found, MeasurementLevel.NOMINAL))
    assert f"\n{each.name}," in as_csv(found)
    long = csv_table(report, {})
    assert f",{each.name}," in long and f",per_sentence_{each.name}," in long
    assert not each.in_short_tables or each.tex in latex_table(report, {})


@every_statistic
def test_reports_that_are_older_than_it_can_be_read(each: Statistic, report: BatchAgreement) -> None:
    stored = json.loads(encode(report))
    for measured_once in (stored["codes"][0]["ratings"], *stored["means"]):
        del measured_once[each.name]
    found = decode_batch_agreement(json.dumps(stored).encode())
    for old in (found.codes[0].ratings[each.name], found.means[-1][each.name]):
        assert old.value is None and old.note.startswith("Not in this report")
    assert found.codes[1] == report.codes[1]
