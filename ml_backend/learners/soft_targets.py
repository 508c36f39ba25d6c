"""Learning from the shares of annotators, or from each of them, instead of one label for an item.

With shares p_i(v) of item i's answers v and a learner's probabilities q_i(v), what training lowers is

    - Σ_i w_i Σ_v p_i(v) ln q_i(v),

the cross-entropy with soft labels (Uma et al. 2021, JAIR 72, 1385–1470). A learner that takes hard labels alone is
given each item once for each of its answers, weighted by the share. Answers are not balanced: probabilities are to be
shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from ml_backend.examples import Example, Target
from ml_backend.learners.interface import Report

MAJORITY: Final = "majority"
DISTRIBUTION: Final = "distribution"
ANNOTATORS: Final = "annotators"
# With fewer labels an annotator's head would be what it began as.
FEWEST_LABELS = 10


class NoSoftTargets(ValueError):
    def __init__(self, targets: str) -> None:
        super().__init__(
            f"--targets {targets} needs soft labels, and the train part of this release has none of a code that is "
            "answered by ticks, levels or ratings. Freeze the release again with --soft-labels, or train with "
            "--targets majority."
        )


class TooFewAnnotators(ValueError):
    def __init__(self) -> None:
        super().__init__(
            f"--targets annotators needs two annotators with {FEWEST_LABELS} labels each of the same code in the train "
            "part, and there are none. Train with --targets distribution."
        )


def refuse_without_shares(questions: Sequence[ModelQuestion], train: Sequence[Example], targets: str) -> None:
    codes = [question.code_id for question in questions if question.answer is not AnswerKind.SENTENCES]
    if not any(
        example.targets[code].shares for example in train for code in codes if code in example.targets
    ):
        raise NoSoftTargets(targets)


def shares_in_order(question: ModelQuestion, target: Target) -> tuple[float, ...]:
    """Of each answer of the question; all of it is the label's where nobody's shares are known."""
    shares = dict(target.shares) or {target.value: 1.0}
    return tuple(shares.get(each.value, 0.0) for each in question.values)


def annotators_with_heads(
    questions: Sequence[ModelQuestion], train: Sequence[Example], report: Report
) -> dict[str, tuple[str, ...]]:
    """By code, those who labelled enough; a code with fewer than two of them has one head, and learns the shares."""
    found: dict[str, tuple[str, ...]] = {}
    for question in questions:
        if question.answer is AnswerKind.SENTENCES:
            continue
        code = question.code_id
        counts = Counter(who for each in train if code in each.targets for who, _ in each.targets[code].said)
        kept = tuple(sorted(who for who, n in counts.items() if n >= FEWEST_LABELS))
        if len(kept) > 1:
            found[code] = kept
            report(f"Heads for {code}: {len(kept)} of {len(counts)} annotators")
    if not found:
        raise TooFewAnnotators
    return found


def said_by_heads(
    question: ModelQuestion, target: Target, annotators: Sequence[str]
) -> tuple[tuple[int, int], ...]:
    """Head and place of the answer; a label of nobody in particular is taught to all heads."""
    values = [each.value for each in question.values]
    if not target.said:
        return tuple((head, values.index(target.value)) for head in range(len(annotators)))
    said = dict(target.said)
    return tuple((head, values.index(said[who])) for head, who in enumerate(annotators) if who in said)
