"""Many small models on the same texts."""

from __future__ import annotations

import numpy as np
import pytest

from codebook.questions import model_questions
from codebook.shipped import load_shipped
from ml_backend.curves.bench import Bench
from ml_backend.curves.features import Latent, Tfidf, UnknownFastLearner, featurizer
from ml_backend.examples import Example
from ml_backend.learners.tfidf import TfidfConfig, TfidfLogistic
from tests.ml_backend.fixtures import example, examples, quiet

EPITOME = load_shipped("epitome")


def bench(name: str = "epitome", n: int = 60, featurizer: type[Tfidf] | type[Latent] = Tfidf) -> Bench:
    codebook = load_shipped(name)
    return Bench(examples(codebook, n), model_questions(codebook), featurizer())


def test_it_is_the_learner_of_the_same_name_when_it_sees_the_same_texts() -> None:
    shown = examples(EPITOME, 60)
    learner = TfidfLogistic(model_questions(EPITOME), TfidfConfig())
    learner.fit(shown, [], seed=1, report=quiet)
    predictions = learner.predict(shown, adapter_id="a", report=quiet)
    on = bench()
    found = on.probabilities(on.fit(range(60)), range(60))
    for at, prediction in enumerate(predictions):
        for code, own in zip(prediction.codes, found, strict=True):
            assert own[at] == pytest.approx([p for _, p in code.probabilities], abs=1e-5)


@pytest.mark.parametrize("name", ["epitome", "empathy-practices", "empathy-cause", "construct-ratings"])
@pytest.mark.parametrize("kind", [Tfidf, Latent])
def test_it_learns_what_words_give_away(name: str, kind: type[Tfidf] | type[Latent]) -> None:
    on = bench(name, featurizer=kind)
    models = on.fit(range(45))
    in_test = np.repeat([0.0, 1.0], [45, 15])
    assert on.mean_score(models, in_test) > 0.9
    assert all(np.nansum(each, axis=1) == pytest.approx(1) for each in on.probabilities(models, range(60)))


def test_an_example_counts_by_its_weight_and_one_without_any_not_at_all() -> None:
    on = bench()
    # Only the first of three kinds of items was learned from, so the others are all wrong.
    models = on.fit([0, 3, 6])
    right, wrong = np.zeros(60), np.zeros(60)
    right[9] = wrong[10] = 1.0
    heavy = on.mean_score(models, 9 * right + wrong)
    # Of ten by weight nine are right: F1 of the first answer 18 / 19, of the others 0.
    assert heavy == pytest.approx(18 / 19 / 2)
    assert np.isnan(on.mean_score(models, np.zeros(60)))
    # One answer alone says nothing about the model, right or wrong.
    assert np.isnan(on.mean_score(models, right)) and np.isnan(on.mean_score(models, wrong))
    assert on.scores(models, right) == {}


def test_an_item_without_the_judged_part_is_not_asked() -> None:
    shown: list[Example] = [*examples(EPITOME, 9), example(EPITOME, 9, reply=False)]
    on = Bench(shown, model_questions(EPITOME), Tfidf())
    found = on.probabilities(on.fit(range(10)), range(10))
    assert np.isnan(found[0][9]).all() and not np.isnan(found[0][:9]).any()
    assert on.embeddings().shape[0] == 10


def test_the_same_numbers_come_out_again() -> None:
    one, other = (bench(featurizer=Latent) for _ in range(2))
    assert np.array_equal(one.embeddings(), other.embeddings())
    for a, b in zip(
        *(each.probabilities(each.fit(range(30)), range(60)) for each in (one, other)), strict=True
    ):
        assert np.array_equal(a, b)


def test_an_encoder_embeds_texts_and_long_ones_whole(tiny_backbone: str) -> None:
    embedded = featurizer("embedding-logistic", backbone=tiny_backbone, report=quiet)
    long = "sun " * 600
    found = embedded.features(["sun rain", long, long + "rain"])
    assert found.shape[0] == 3
    assert np.linalg.norm(np.asarray(found), axis=1) == pytest.approx(1)
    # The last word is in the third window, and it is read.
    assert not np.array_equal(found[1], found[2])


def test_an_unknown_learner_is_named() -> None:
    with pytest.raises(UnknownFastLearner, match="choose from tfidf-logistic"):
        featurizer("majority", backbone="", report=quiet)
