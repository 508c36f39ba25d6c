"""Sets, on the validation part, how scores become answers: temperature, decision thresholds, thresholds for words.

Temperature scaling after Guo et al., “On Calibration of Modern Neural Networks” (ICML 2017): logits are divided by the
one number that makes the labels likeliest. Thresholds are those with the best F1, macro-F1 where there are levels,
found on many resamples and averaged (bagging: Breiman, “Bagging Predictors”, Machine Learning 24, 1996): the best on a
handful of rare answers is mostly luck.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.scoring.macro_f1 import macro_f1
from learning.scoring.precision_recall import f1
from ml_backend.examples import Example, Place, Target
from ml_backend.learners.scores import Numbers, Rule, Scores, best_place, marked_words, sigmoid, softmax
from ml_backend.learners.soft_targets import shares_in_order

TEMPERATURES = np.geomspace(0.2, 10.0, 60)
OFFSETS = np.linspace(-2.0, 2.0, 33)
# The first marks every word: on long evidence that is hard to beat, and where it is better it is done.
MARK_THRESHOLDS = np.array([0.0, *np.linspace(0.1, 0.9, 33)])
N_RESAMPLES = 30
# Fixed, so that the same scores always have the same thresholds.
SEED_OF_RESAMPLES = 1
# With fewer labels than this a threshold would be set by chance.
FEWEST = 10
FEWEST_OF_EACH = 3

Pair = tuple[Target, Scores]


def fitted_rules(
    questions: Sequence[ModelQuestion],
    dev: Sequence[Example],
    scores: Sequence[Mapping[str, Scores]],
    *,
    soft: bool = False,
) -> dict[str, Rule]:
    """If `soft`, temperatures are those that make the shares of annotators likeliest; thresholds are of labels."""
    rules = {}
    for question in questions:
        code = question.code_id
        pairs = [
            (example.targets[code], said[code])
            for example, said in zip(dev, scores, strict=True)
            if code in example.targets and code in said
        ]
        rules[code] = _rule(question, pairs, soft=soft) if len(pairs) >= FEWEST else Rule()
    return rules


def _rule(question: ModelQuestion, pairs: Sequence[Pair], *, soft: bool) -> Rule:
    if question.answer is AnswerKind.SENTENCES:
        return _sentence_rule(pairs)
    values = [each.value for each in question.values]
    gold = np.array([values.index(target.value) for target, _ in pairs])
    logits = np.stack([scores.logits for _, scores in pairs])
    shares = np.array([shares_in_order(question, target) for target, _ in pairs]) if soft else None
    temperature = _temperature(logits, gold) if shares is None else _soft_temperature(logits, shares)
    offsets: tuple[float, ...] = ()
    if question.answer is not AnswerKind.SCALE:
        offsets = _offsets(question.answer, softmax(logits / temperature), gold)
    positive = {each.value for each in question.values if each.wants_evidence}
    shown = [(target, scores) for target, scores in pairs if target.value in positive and target.marks]
    return Rule(temperature, offsets, _word_threshold(shown))


def _sentence_rule(pairs: Sequence[Pair]) -> Rule:
    asked = [(target, scores) for target, scores in pairs if scores.places and scores.marks is not None]
    if not asked:
        return Rule()
    marks = np.concatenate([_marks_of(scores) for _, scores in asked])
    gold = np.concatenate([find_overlaps(scores.places, target.marks) for target, scores in asked])
    temperature = _temperature(np.stack([np.zeros_like(marks), marks], axis=1), gold.astype(int))
    return Rule(temperature, (), _sentence_threshold(asked, temperature))


def _marks_of(scores: Scores) -> Numbers:
    return np.full(len(scores.places), -np.inf) if scores.marks is None else scores.marks


def find_overlaps(places: Sequence[Place], marks: Sequence[Place]) -> NDArray[np.bool_]:
    """Which places share a character with a mark.

    >>> find_overlaps([(0, 3), (4, 8)], [(5, 6)]).tolist()
    [False, True]
    """
    found = [any(start < end_ and start_ < end for start_, end_ in marks) for start, end in places]
    return np.array(found, dtype=bool)


def _temperature(logits: Numbers, gold: NDArray[np.int64]) -> float:
    rows = np.arange(len(gold))
    losses = [-np.log(np.maximum(softmax(logits / each)[rows, gold], 1e-12)).mean() for each in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmin(losses))])


def _soft_temperature(logits: Numbers, shares: Numbers) -> float:
    losses = [-(shares * np.log(np.maximum(softmax(logits / each), 1e-12))).sum() for each in TEMPERATURES]
    return float(TEMPERATURES[int(np.argmin(losses))])


def _offsets(answer: AnswerKind, probabilities: Numbers, gold: NDArray[np.int64]) -> tuple[float, ...]:
    """What to add to each answer's log-probability: the mean of what is best on each resample."""
    n_values = probabilities.shape[1]
    if np.bincount(gold, minlength=n_values).min() < FEWEST_OF_EACH:
        return (0.0,) * n_values
    rng = np.random.default_rng(SEED_OF_RESAMPLES)
    drawn = rng.integers(0, len(gold), size=(N_RESAMPLES, len(gold)))
    found = [_best_offsets(answer, probabilities[rows], gold[rows]) for rows in drawn]
    return tuple(np.mean(found, axis=0).tolist())


def _best_offsets(answer: AnswerKind, probabilities: Numbers, gold: NDArray[np.int64]) -> list[float]:
    """Found answer by answer; 0 unless another value is better."""
    offsets = [0.0] * probabilities.shape[1]
    tried = sorted(OFFSETS, key=lambda offset: (abs(offset), offset))
    for _ in range(2):
        for place in range(1, len(offsets)):
            found = [
                _decision_f1(answer, probabilities, gold, [*offsets[:place], each, *offsets[place + 1 :]])
                for each in tried
            ]
            offsets[place] = float(tried[int(np.argmax(found))])
    return offsets


def _decision_f1(
    answer: AnswerKind, probabilities: Numbers, gold: NDArray[np.int64], offsets: Sequence[float]
) -> float:
    chosen = best_place(answer, probabilities, offsets)
    if answer is AnswerKind.TICK:
        return found_f1(chosen == 1, gold == 1)
    value = answers_f1(chosen, gold, probabilities.shape[1])
    return 0.0 if np.isnan(value) else value


def found_f1(said: NDArray[np.bool_], gold: NDArray[np.bool_]) -> float:
    """Of finding what is there; 0 where nothing is, so that a threshold is not chosen by it.

    >>> found_f1(np.array([True, True, False]), np.array([True, False, False]))
    0.6666666666666666
    """
    both, model_alone, gold_alone = (said & gold).sum(), (said & ~gold).sum(), (gold & ~said).sum()
    value = f1(*(np.array([float(n)]) for n in (both, model_alone, gold_alone)))[0]
    return 0.0 if np.isnan(value) else float(value)


def answers_f1(said: NDArray[np.int64], gold: NDArray[np.int64], n_values: int) -> float:
    """Macro-F1 of answers given by their places; NaN where gold has one answer alone.

    >>> answers_f1(np.array([0, 1, 1]), np.array([0, 0, 1]), n_values=3)
    0.6666666666666666
    """
    counts = np.bincount(gold * n_values + said, minlength=n_values**2).astype(float)
    return float(macro_f1(counts.reshape(1, n_values, n_values))[0])


def _word_threshold(pairs: Sequence[Pair]) -> float:
    """With the best F1 over words, item by item and then on average, as evidence is measured."""
    items = [
        (sigmoid(scores.marks), find_overlaps(scores.places, target.marks))
        for target, scores in pairs
        if scores.marks is not None
    ]
    if len(items) < FEWEST_OF_EACH:
        return Rule().mark_threshold
    return _best_threshold(
        lambda least: float(np.mean([found_f1(marked_words(marks, least), gold) for marks, gold in items]))
    )


def _sentence_threshold(pairs: Sequence[Pair], temperature: float) -> float:
    """With the best F1 over all sentences of these items together."""
    if len(pairs) < FEWEST_OF_EACH:
        return Rule().mark_threshold
    marks = sigmoid(np.concatenate([_marks_of(scores) for _, scores in pairs]) / temperature)
    gold = np.concatenate([find_overlaps(scores.places, target.marks) for target, scores in pairs])
    return _best_threshold(lambda least: found_f1(marks >= least, gold))


def _best_threshold(score: Callable[[float], float]) -> float:
    """The one nearest to the usual where several are as good."""
    nearest_first = sorted(MARK_THRESHOLDS, key=lambda each: (abs(each - Rule().mark_threshold), each))
    return float(nearest_first[int(np.argmax([score(each) for each in nearest_first]))])
