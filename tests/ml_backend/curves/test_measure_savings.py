"""The savings meter on made-up studies of which it is known whether choosing helped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from annotation.answers import ItemText
from codebook.editions import canonical_json
from codebook.shipped import load_shipped
from learning.learning_curves.meter import decode_reading, encode_reading
from learning.learning_curves.savings import SavingsVerdict
from learning.learning_curves.stopping import Advice
from learning.learning_curves.study_labels import (
    KnownAnswer,
    LabelledItem,
    LabelsUnreadable,
    StudyLabels,
    decode_study_labels,
    encode_study_labels,
)
from ml_backend.curves.measure_savings import MeterSettings, NothingMeasured, measure_savings
from tests.ml_backend.fixtures import quiet

EPITOME = load_shipped("epitome")
CODE = "explorations"
SETTINGS = MeterSettings(n_trials=8, seed=1, n_next=50, worthwhile=0.01)
MANY = MeterSettings(n_trials=20, seed=1, n_next=50, worthwhile=0.01)
N_WORDS = 30


def item(number: int, *, word: int, is_random: bool, gold_weight: float = 1.0) -> LabelledItem:
    """Which of many words is in the reply decides the answer, so each word has to be learned."""
    text = ItemText(f"item-{number}", "", "A post.", f"the reply says word{word:02d} to you")
    answers = {CODE: KnownAnswer(2 if word % 2 else 0, 1.0)}
    return LabelledItem(text, f"post-{number}", answers, is_random, gold_weight)


def study(n_random: int, n_chosen: int, *, chosen_words: int, gold_weight: float = 1.0) -> StudyLabels:
    """Random items have the first word mostly; chosen ones, which weigh nothing, have all words or only a few."""
    rng = np.random.default_rng(5)
    words = np.where(rng.random(n_random) < 0.6, 0, rng.integers(1, N_WORDS, n_random))
    items = [
        item(at, word=int(word), is_random=True, gold_weight=gold_weight) for at, word in enumerate(words)
    ]
    items += [
        item(n_random + at, word=at % chosen_words, is_random=False, gold_weight=0.0)
        for at in range(n_chosen)
    ]
    return StudyLabels(canonical_json(EPITOME), tuple(items))


def test_labels_that_teach_more_are_seen_to_have_gained() -> None:
    found = measure_savings(study(240, 240, chosen_words=N_WORDS), MANY, quiet)
    assert found.savings is not None and found.savings_reason == ""
    assert found.savings.verdict is SavingsVerdict.GAINED and found.savings.at_labels == 180
    assert found.savings.labels.saved is not None and found.savings.labels.saved > 60
    assert (found.n_random, found.n_chosen, found.n_gold, found.n_codes) == (240, 240, 240, 1)
    assert found.n_effective == pytest.approx(240)


def test_labels_that_teach_nothing_new_are_seen_to_have_lost() -> None:
    found = measure_savings(study(240, 240, chosen_words=1), replace(MANY, n_trials=40), quiet)
    assert found.savings is not None
    assert found.savings.verdict is SavingsVerdict.LOST and found.savings.gain.value < -0.05


def test_the_same_labels_give_the_same_reading_and_it_can_be_kept() -> None:
    labels = study(60, 40, chosen_words=5)
    one, other = (measure_savings(labels, SETTINGS, quiet) for _ in range(2))
    assert one == other and decode_reading(encode_reading(one)) == one
    assert decode_study_labels(encode_study_labels(labels)) == labels
    with pytest.raises(LabelsUnreadable, match="Ask for it again"):
        decode_study_labels(b"{}")


def test_without_chosen_labels_there_is_advice_but_nothing_to_compare() -> None:
    found = measure_savings(study(120, 0, chosen_words=1), SETTINGS, quiet)
    assert found.savings is None and "0 that a strategy chose" in found.savings_reason
    assert found.advice is not None and found.advice.n_labels == 120 and found.advice.n_next == 50
    assert found.advice.advice in set(Advice)


def test_with_hardly_any_labels_nothing_is_said() -> None:
    for n in (0, 10):
        found = measure_savings(study(n, 0, chosen_words=1), SETTINGS, quiet)
        assert found.savings is None and found.advice is None
        assert "there must be 40" in found.advice_reason


def test_what_may_not_measure_does_not() -> None:
    with pytest.raises(NothingMeasured, match="without suggestions"):
        measure_savings(study(60, 40, chosen_words=5, gold_weight=0.0), SETTINGS, quiet)
