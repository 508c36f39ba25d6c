"""Tests of several models on the codes of a codebook, as a table for papers and spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from annotation.latex import booktabs, latex_escaped, latex_row, two_digits
from corpus.delimited import safe_cell
from learning.alternative_annotator.procedure import FALSE_DISCOVERY_RATE, AltTest
from learning.alternative_annotator.releases import Aspect, CodeTest, ReleaseTest
from learning.alternative_annotator.scores import ScoreName

_COLUMNS = (
    *("model", "release", "code", "name", "aspect", "score", "epsilon"),
    *("n_annotators", "n_items", "winning_rate", "advantage_probability", "passes"),
    *("winning_rate_clustered", "passes_clustered"),
)
_SCORES = {ScoreName.ACCURACY: "Accuracy", ScoreName.RMSE: "RMSE", ScoreName.TOKEN_F1: "Token F1"}


@dataclass(frozen=True, slots=True)
class TestedModel:
    """A model's test on the release of this number."""

    name: str
    release: int
    test: ReleaseTest


def csv_tests(models: Sequence[TestedModel], names: Mapping[str, str]) -> str:
    """A row for each model, code, and answer or evidence; blank where nobody could be tested. `names` are those of
    codes."""
    written = StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for model in models:
        for code in model.test.codes:
            first, second = code.tests.by_item, code.tests.clustered
            cells = (
                *(model.name, model.release, code.code, names.get(code.code, code.code)),
                *(code.aspect.value, code.score.value, model.test.epsilon),
                *(len(first.tested), first.n_items, first.winning_rate, first.advantage_probability),
                *(_truth(first), second.winning_rate if second else None, _truth(second)),
            )
            rows.writerow([safe_cell(cell) for cell in cells])
    return written.getvalue()


def _truth(test: AltTest | None) -> str:
    return "" if test is None or test.passes is None else "true" if test.passes else "false"


def latex_tests(models: Sequence[TestedModel], names: Mapping[str, str]) -> str:
    r"""Codes down, for `\usepackage{booktabs}`; where nobody could be tested there is a dash."""
    lines = [r"Code & Score & Annotators & Items & $\omega$ & $\rho$ & $\omega$ by post & May stand in \\"]
    for model in models:
        named = (
            f"{latex_escaped(model.name)}, release {model.release}, $\\varepsilon = {model.test.epsilon:g}$"
        )
        lines += [r"\midrule", rf"\multicolumn{{8}}{{l}}{{\emph{{{named}}}}} \\", *_rows(model.test, names)]
    caption = (
        "The alternative-annotator test. ω is the share of annotators that the model wins against, "
        "\N{GREEK SMALL LETTER RHO} the average advantage probability; false discovery rate "
        f"{FALSE_DISCOVERY_RATE:g}. A model may stand in for an annotator if ω, with items of a post taken together, "
        "is at least .5."
    )
    return booktabs(lines, columns="llrrrrrl", caption=caption, label="alt-test", wide=True)


def _rows(test: ReleaseTest, names: Mapping[str, str]) -> Iterator[str]:
    for code in test.codes:
        first, second = code.tests.by_item, code.tests.clustered
        yield latex_row(
            latex_escaped(_name(code, names)),
            _SCORES[code.score],
            str(len(first.tested)),
            f"{first.n_items:,}",
            two_digits(first.winning_rate),
            two_digits(first.advantage_probability),
            two_digits(second.winning_rate if second else None),
            {None: "--", True: "yes", False: "no"}[code.tests.passes],
        )


def _name(code: CodeTest, names: Mapping[str, str]) -> str:
    name = names.get(code.code, code.code)
    return f"{name} (evidence)" if code.aspect is Aspect.EVIDENCE else name
