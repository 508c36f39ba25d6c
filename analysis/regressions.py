"""How an outcome goes with a code once length, time and community are held equal.

    T_i = β L_i + γᵀ controls_i + ε_i        or        log odds(T_i = 1) = β L_i + γᵀ controls_i

with errors clustered by post (or author, or community), as `regression_fit` has it. Still no proof of cause: what was
not measured is not held equal. Where community is held equal, one in which all items have the same outcome says nothing
about odds, and is left out of them.
(Cameron & Miller 2015, Journal of Human Resources 50, 317–372.)
"""

from enum import StrEnum

import numpy as np

from analysis.clusters import Clusters
from analysis.controls import ALL_CONTROLS, Control, Controls, controls_of
from analysis.gold_notes import (
    NO_GOLD_HERE,
    basis_of,
    gold_note,
    lacks_gold,
    withhold_unsupported,
)
from analysis.labelled import LabelledCorpus
from analysis.labels import check_gold, ticks_here
from analysis.multiple_testing import adjust_p_values
from analysis.normal import interval, t_test
from analysis.outcomes import Outcome, WithOutcome, where_it_varies, with_outcome
from analysis.regression_fit import fit, why_not
from analysis.values import (
    ROUNDING,
    Effect,
    Estimate,
    Finding,
    Measure,
    Significance,
    Values,
    Way,
    odds_ratio,
    varies,
)

# Below this, clustered errors are too small: Cameron & Miller speak of 20 to 50.
FEW_CLUSTERS = 30
NO_ERROR = (
    "No interval: the outcome is the same for all items here, or exactly what code and controls make it."
)


class Model(StrEnum):
    LINEAR = "linear"
    LOGISTIC = "logistic"


def regressions(
    corpus: LabelledCorpus,
    *,
    outcome: Outcome,
    way: Way,
    model: Model = Model.LINEAR,
    controls: tuple[Control, ...] = ALL_CONTROLS,
    where: str = "",
) -> tuple[Finding, ...]:
    """A regression for each code; p-values are adjusted over them. Give a corpus of one community for it alone."""
    check_gold(corpus, way)
    return adjust_p_values(_findings(corpus, outcome, way, model, controls, where))


def regressions_by(
    corpus: LabelledCorpus,
    *,
    outcome: Outcome,
    way: Way,
    by: str = "community",
    model: Model = Model.LINEAR,
    controls: tuple[Control, ...] = (Control.LENGTH, Control.TIME),
) -> tuple[Finding, ...]:
    """The same in each community that knows the outcome, to stand beside `differences`; adjusted over all."""
    check_gold(corpus, way)
    known = with_outcome(corpus, outcome).corpus
    found = []
    for where, part in known.by(by):
        found += _findings(part, outcome, way, model, controls, where)
    return adjust_p_values(found)


def _findings(
    corpus: LabelledCorpus,
    outcome: Outcome,
    way: Way,
    model: Model,
    controls: tuple[Control, ...],
    where: str,
) -> list[Finding]:
    known = with_outcome(corpus, outcome)
    if model is Model.LOGISTIC and Control.COMMUNITY in controls:
        known = where_it_varies(known, "community")
    beside = controls_of(known.corpus, controls)
    return [_fit(known, outcome, code, way, model, beside, where) for code in corpus.codes]


def _fit(
    known: WithOutcome,
    outcome: Outcome,
    code: str,
    way: Way,
    model: Model,
    beside: Controls,
    where: str,
) -> Finding:
    corpus, is_logistic = known.corpus, model is Model.LOGISTIC
    labels = ticks_here(corpus, code, way)
    given = labels, beside.columns, known.values, corpus.clusters, way
    fitted = None if lacks_gold(labels, way) else fit(*given, is_logistic=is_logistic)
    name = f"{model.value} regression, clustered"
    measure = Measure.LOG_ODDS if is_logistic else Measure.COEFFICIENT
    says = f"{_in(where)}{corpus.things} with “{corpus.codes[code]}”"
    basis = basis_of(labels, corpus.clusters, way)
    if fitted is None:
        nothing = Estimate(None, None, None), Significance(name, None, (), None), Effect(_effect(model), None)
        note = NO_GOLD_HERE if lacks_gold(labels, way) else why_not(*given, is_logistic=is_logistic)
        return Finding(code, where, measure, way, basis, *nothing, f"{says} cannot be compared", note)
    value, error = fitted.value, fitted.error
    is_exact = not is_logistic and error <= ROUNDING * float(np.abs(known.values).max())
    if is_exact:
        error = 0.0
    notes = [known.note, NO_ERROR * is_exact, gold_note(labels, way), _cluster_note(corpus.clusters)]
    found = Finding(
        code,
        where,
        measure,
        way,
        basis,
        interval(value, error, fitted.df),
        t_test(name, value, error, fitted.df),
        Effect(_effect(model), _effect_size(model, value, known.values)),
        f"{says} {_sentence(model, outcome, value)}, {_held_equal(beside)}",
        " ".join(note for note in notes if note),
        in_percent=outcome.is_share and not is_logistic,
        weight=fitted.weight,
    )
    return withhold_unsupported(found)


def _effect(model: Model) -> str:
    return "odds ratio" if model is Model.LOGISTIC else "standard deviations of the outcome"


def _effect_size(model: Model, value: float, outcome: Values) -> float | None:
    if model is Model.LOGISTIC:
        return odds_ratio(value)
    return value / float(outcome.std()) if varies(outcome) else None


def _in(where: str) -> str:
    return f"In {where}, " if where else "Over all communities, "


def _sentence(model: Model, outcome: Outcome, value: float) -> str:
    if model is Model.LINEAR:
        return f"{outcome.difference_in_words(value)} than those without"
    return f"have {odds_ratio(value):.2f} times the odds of being {outcome.value} by the poster"


def _held_equal(beside: Controls) -> str:
    kinds = [name if name in ("length", "time") else "community" for name in beside.names[1:]]
    return f"with {' and '.join(dict.fromkeys(kinds))} held equal" if kinds else "with nothing held equal"


def _cluster_note(clusters: Clusters) -> str:
    return f"Only {clusters.n} clusters: the interval is too narrow." if clusters.n < FEW_CLUSTERS else ""
