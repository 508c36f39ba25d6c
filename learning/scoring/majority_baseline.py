"""Whether a model was shown to know more of a code than a model that always gives the commonest answer.

A model that always says yes has an F1 of 87.5 where seven of nine items have the code, and knows nothing. What it has
to beat is, by how the code is answered:

    boxes       macro-F1 of the commonest answer, which has the share p:    (1/2) · 2p / (1 + p)
    levels      quadratic κ of 0: one answer for all agrees no better than chance
    scales      Krippendorff's alpha of 0, likewise
    sentences   sentence F1 of 0: most sentences are not marked, and marking none finds nothing

It is shown where the lower end of the 95% interval lies above that, on at least five items with the code and five
without it: intervals of fewer are resampled from next to nothing.
"""

from collections.abc import Iterable

from codebook.schema import AnswerKind
from learning.scoring.values import CodeScores, Evaluation, Metric

LEAST_OF_EACH = 5
_METRICS = {
    AnswerKind.TICK: (Metric.MACRO_F1, "macro-F1"),
    AnswerKind.LEVELS: (Metric.QUADRATIC_KAPPA, "quadratic κ"),
    AnswerKind.SCALE: (Metric.ALPHA, "Krippendorff's alpha"),
    AnswerKind.SENTENCES: (Metric.SENTENCE_F1, "F1 of sentences"),
}
NOT_MEASURED = "it was not measured on a test part"


def majority_macro_f1(n_items: int, n_found: int) -> float:
    """Of a box, if the commonest answer is given to all items.

    >>> round(majority_macro_f1(9, 7), 4), round(majority_macro_f1(10, 5), 4)
    (0.4375, 0.3333)
    """
    share = max(n_found, n_items - n_found) / n_items
    return share / (1 + share)


def why_unproven(code: CodeScores | None) -> str:
    """In words that follow “the model is not shown to find it:”; empty where it is shown."""
    if code is None:
        return NOT_MEASURED
    if few := _too_few(code):
        return few
    metric, name = _METRICS[code.answer]
    score = code.scores.get(metric)
    if score is None or score.value is None:
        return f"its {name} could not be measured"
    bar = 0.0
    if code.answer is AnswerKind.TICK and code.n_found is not None:
        bar = majority_macro_f1(code.n_items, code.n_found)
    if score.low is not None and score.low > bar:
        return ""
    ends = "without an interval" if score.low is None else f"with an interval from {100 * score.low:.1f}"
    return (
        f"its {name} of {100 * score.value:.1f}, {ends}, is not clearly above the {100 * bar:.1f} of always giving"
        " the commonest answer"
    )


def unproven_codes(codes: Iterable[str], tested: Evaluation | None) -> dict[str, str]:
    """Of these codes, those that a model is not shown to find on the test part, each with the reason."""
    found = {code: why_unproven(tested.code(code) if tested else None) for code in codes}
    return {code: why for code, why in found.items() if why}


def _too_few(code: CodeScores) -> str:
    if code.n_found is None:
        least = 2 * LEAST_OF_EACH
        return (
            f"it was measured on {code.n_items} items, and {least} are needed" if code.n_items < least else ""
        )
    for n, words in ((code.n_found, "with"), (code.n_items - code.n_found, "without")):
        # Every item may have a marked sentence
        if n < LEAST_OF_EACH and not (words == "without" and code.answer is AnswerKind.SENTENCES):
            return f"it was measured on {n} item{'' if n == 1 else 's'} {words} it, and {LEAST_OF_EACH} are needed"
    return ""
