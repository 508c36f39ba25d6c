"""An alternative-annotator test written for people, programs, spreadsheets and papers."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO

from annotation.latex import latex_escaped, latex_row, tabular, two_digits
from corpus.delimited import safe_cell
from learning.alternative_annotator.procedure import LEAST_ITEMS, PASSING_RATE, AltTest, AltTests
from learning.alternative_annotator.scores import ScoreName

_COLUMNS = (
    *("annotator", "n", "advantage_probability", "disadvantage_probability", "p", "p_adjusted", "rejected"),
    *("p_clustered", "p_adjusted_clustered", "rejected_clustered"),
)
# With two annotators there is no majority to agree with.
_FEW_ANNOTATORS = 3


def as_json(tests: AltTests, score: ScoreName, remarks: Sequence[str] = ()) -> str:
    """The object of docs/alternative_annotator_test.md."""
    answer = {"score": score.value, **as_fields(tests)}
    answer["notes"] = [*remarks, *notes(tests.by_item)]
    return json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False)


def as_text(tests: AltTests, score: ScoreName, remarks: Sequence[str] = ()) -> str:
    test = tests.by_item
    lines = [
        verdict_words(test),
        f"items: {test.n_items:,}, score: {score.value}, epsilon: {test.epsilon:g}",
        "",
    ]
    if test.tested:
        lines.append(f"{'annotator':<20} {'n':>6} {'as good':>8} {'p':>8} {'adjusted':>9}  model wins")
    for each in test.tested:
        lines.append(
            f"{each.annotator:<20} {each.n:>6,} {each.advantage:>8.3f} {p_words(each.p):>8} "
            f"{p_words(each.p_adjusted):>9}  {'yes' if each.rejected else 'no'}"
        )
    if tests.clustered is not None:
        lines += ["", f"Items of a cluster taken together: {verdict_words(tests.clustered)}"]
    said = [*remarks, *notes(test)]
    return "\n".join([*lines, *(["", *said] if said else [])])


def as_csv(tests: AltTests) -> str:
    """A row for each annotator; the last columns are blank without clusters."""
    written = StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(_COLUMNS)
    clustered = {each.annotator: each for each in tests.clustered.tested} if tests.clustered else {}
    for each in tests.by_item.tested:
        second = clustered.get(each.annotator)
        cells = (
            each.annotator,
            each.n,
            each.advantage,
            each.disadvantage,
            each.p,
            each.p_adjusted,
            each.rejected,
        )
        more = ("", "", "") if second is None else (second.p, second.p_adjusted, second.rejected)
        rows.writerow(map(safe_cell, (*cells, *more)))
    return written.getvalue()


def as_latex(tests: AltTests) -> str:
    r"""For `\usepackage{booktabs}`: a row for each annotator, and the winning rate and advantage probability below."""
    test = tests.by_item
    lines = [r"Annotator & $n$ & Advantage & $p$ & Adjusted $p$ & Model wins \\", r"\midrule"]
    for each in test.tested:
        cells = (two_digits(each.advantage), _latex_p(each.p), _latex_p(each.p_adjusted))
        lines.append(
            latex_row(latex_escaped(each.annotator), f"{each.n:,}", *cells, "yes" if each.rejected else "no")
        )
    rates = (two_digits(test.winning_rate), two_digits(test.advantage_probability))
    lines += [r"\midrule", rf"\multicolumn{{6}}{{l}}{{$\varepsilon = {test.epsilon:g}$, "]
    lines[-1] += rf"$\omega = {rates[0]}$, $\rho = {rates[1]}$}} \\"
    return "\n".join(tabular(lines, "lrrrrl"))


def verdict_words(test: AltTest) -> str:
    """
    >>> verdict_words(AltTest(0.1, (), (("Ada", 12),), 12, 0))
    'The test cannot be made: no annotator has 30 items that another annotator and the model labelled too.'
    """
    if test.winning_rate is None or test.advantage_probability is None:
        return (
            f"The test cannot be made: no annotator has {LEAST_ITEMS} items that another annotator and the model "
            "labelled too."
        )
    n_won = sum(each.rejected for each in test.tested)
    passed = "passes" if test.passes else "does not pass"
    return (
        f"The model {passed}: it wins against {n_won} of {len(test.tested)} annotators (winning rate "
        f"{test.winning_rate:.2f}, at least {PASSING_RATE:g} needed); average advantage probability "
        f"{test.advantage_probability:.2f}."
    )


def notes(test: AltTest) -> list[str]:
    """What readers must know before they go by the test."""
    said = []
    if test.n_dropped:
        items = "1 item" if test.n_dropped == 1 else f"{test.n_dropped:,} items"
        said.append(f"Without {items} that have fewer than two annotators or no label of the model.")
    if test.left_out:
        names = ", ".join(f"{name} ({n:,})" for name, n in test.left_out)
        said.append(f"Left out for too few items: {names}.")
    if 0 < len(test.tested) < _FEW_ANNOTATORS:
        said.append(
            "With fewer than three annotators the test asks whom the model is closer to, not whether it stands for "
            "a group: have a third annotator label the items."
        )
    if any(each.n < LEAST_ITEMS for each in test.tested):
        said.append(f"Below {LEAST_ITEMS} items the test is Wilcoxon's signed-rank test.")
    return said


def p_words(p: float) -> str:
    """
    >>> p_words(0.0234), p_words(0.00001)
    ('0.023', '< 0.001')
    """
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _latex_p(p: float) -> str:
    return p_words(p).replace("<", "$<$")


def as_fields(tests: AltTests) -> dict[str, object]:
    """Both lines, as the JSON object has them."""
    clustered = None if tests.clustered is None else _fields(tests.clustered)
    return {**_fields(tests.by_item), "clustered": clustered}


def _fields(test: AltTest) -> dict[str, object]:
    return {
        "epsilon": test.epsilon,
        "winning_rate": test.winning_rate,
        "advantage_probability": test.advantage_probability,
        "passes": test.passes,
        "n_items": test.n_items,
        "n_dropped": test.n_dropped,
        "annotators": [
            {
                "annotator": each.annotator,
                "n": each.n,
                "n_clusters": each.n_clusters,
                "advantage_probability": each.advantage,
                "disadvantage_probability": each.disadvantage,
                "p": each.p,
                "p_adjusted": each.p_adjusted,
                "rejected": each.rejected,
            }
            for each in test.tested
        ],
        "left_out": [{"annotator": name, "n": n} for name, n in test.left_out],
    }
