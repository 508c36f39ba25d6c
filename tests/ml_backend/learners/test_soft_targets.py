"""Learning from the shares of annotators, and from each annotator by a head of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
import torch

from annotation.release.files import write_release
from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from annotation.release.soft_labels import shares_of
from codebook.questions import model_questions
from codebook.shipped import load_shipped
from learning.predictions.files import read_predictions, write_predictions
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.learner import EncoderLora
from ml_backend.examples import Example, examples_of
from ml_backend.learners.blend import BlendConfig, EncoderTfidf
from ml_backend.learners.interface import Learner, ParentUnfit
from ml_backend.learners.registry import InvalidOption, learner_type, make_config
from ml_backend.learners.soft_targets import NoSoftTargets, TooFewAnnotators
from ml_backend.learners.tfidf import TfidfConfig, TfidfLogistic
from tests.annotation.release.fixtures import REQUEST, RULES, judged, release_of, said
from tests.ml_backend.fixtures import SIGNS, examples, quiet

PRACTICES = load_shipped("empathy-practices")
QUESTIONS = tuple(each for each in model_questions(PRACTICES) if each.code_id == "asking-advice")
CODE = "asking-advice"
# Who finds the code after which sign: all after the third, one of them after the second too, nobody after the first
FINDS = {"strict": (0, 0, 1), "strict-too": (0, 0, 1), "easy": (0, 1, 1), "never": (0, 0, 0)}


def sign_of(each: Example) -> int:
    return next(at for at, sign in enumerate(SIGNS) if sign in each.text.post)


def soft(each: Example) -> Example:
    answers = tuple((who, finds[sign_of(each)]) for who, finds in FINDS.items())
    values = [value for _, value in answers]
    target = replace(
        each.targets[CODE],
        value=int(sum(values) > 2),
        shares=shares_of(values, (0, 1)),
        said=answers,
        marks=(),
    )
    return replace(each, targets={CODE: target})


def made(n: int, start: int = 0) -> list[Example]:
    return [soft(each) for each in examples(PRACTICES, n, start=start)]


def yes_by_sign(learner: Learner) -> list[float]:
    on = made(24, 200)
    found: list[list[float]] = [[], [], []]
    for each, prediction in zip(on, learner.predict(on, adapter_id="a", report=quiet), strict=True):
        found[sign_of(each)].append(dict(prediction.codes[0].probabilities)[1])
    return [float(np.mean(each)) for each in found]


def fitted(learner: Learner, n: int = 120) -> Learner:
    learner.fit(made(n), made(30, 150), seed=1, report=quiet)
    return learner


def encoder(backbone: str, targets: str) -> EncoderLora:
    config = EncoderConfig(
        backbone=backbone,
        full=True,
        learning_rate=5e-3,
        epochs=10,
        patience=10,
        max_tokens=64,
        overlap=8,
        evidence_weight=0.0,
        targets=targets,  # type: ignore[arg-type]
    )
    return EncoderLora(QUESTIONS, config)


SHARES = [0.0, 0.25, 0.75]


def test_counted_words_learn_the_shares_that_the_majority_hides() -> None:
    strong = TfidfConfig(strength=30, targets="distribution")
    assert yes_by_sign(fitted(TfidfLogistic(QUESTIONS, strong))) == pytest.approx(SHARES, abs=0.08)
    hard = yes_by_sign(fitted(TfidfLogistic(QUESTIONS, TfidfConfig(strength=30))))
    assert hard[1] < 0.1 and hard[2] > 0.9, "a majority knows no quarter"


def test_an_encoder_learns_the_shares(tiny_backbone: str) -> None:
    assert yes_by_sign(fitted(encoder(tiny_backbone, "distribution"))) == pytest.approx(SHARES, abs=0.12)


def test_heads_learn_annotators_who_differ_systematically(tiny_backbone: str, tmp_path: Path) -> None:
    learner = encoder(tiny_backbone, "annotators")
    fitted(learner)
    on = made(24, 200)
    with torch.inference_mode():
        logits, _ = learner.network.eval()(learner.prepare(on))[CODE]
    assert logits is not None and logits.shape == (24, len(FINDS), 2)
    best = logits.argmax(dim=-1)
    for head, who in enumerate(sorted(FINDS)):
        right = [int(best[row, head]) == FINDS[who][sign_of(each)] for row, each in enumerate(on)]
        assert np.mean(right) > 0.9, who
    assert yes_by_sign(learner) == pytest.approx(SHARES, abs=0.12), "the mean of the heads"
    predictions = learner.predict(on, adapter_id="a", report=quiet)
    spread = [prediction.codes[0].spread or 0 for prediction in predictions]
    by_sign = [
        np.mean([s for s, each in zip(spread, on, strict=True) if sign_of(each) == at]) for at in range(3)
    ]
    assert by_sign[0] < 0.15 and by_sign[1] > 0.25 and by_sign[2] > 0.25
    learner.save(tmp_path)
    assert b"strict" not in (tmp_path / "learner.json").read_bytes(), "an adapter names no annotator"
    loaded = EncoderLora.load(tmp_path, QUESTIONS)
    assert loaded.predict(on, adapter_id="a", report=quiet) == predictions
    for name in ("p.jsonl", "p.parquet"):
        write_predictions(tmp_path / name, predictions, PRACTICES)
        assert read_predictions(tmp_path / name, PRACTICES) == predictions
    with pytest.raises(ParentUnfit, match="heads are always learned anew"):
        encoder(tiny_backbone, "annotators").begin_from(loaded)


def test_both_together_pass_the_targets_on(tiny_backbone: str) -> None:
    config = BlendConfig(backbone=tiny_backbone, epochs=1, max_tokens=64, overlap=8, targets="annotators")
    learner = EncoderTfidf(QUESTIONS, config)
    fitted(learner, 48)
    assert learner.words.is_soft and learner.encoder.config.targets == "annotators"
    assert learner.predict(made(2), adapter_id="a", report=quiet)[0].codes[0].spread is not None


def test_an_item_without_shares_teaches_its_label_beside_them() -> None:
    """Such as one that came from a table with a label of nobody in particular."""
    train = [
        *made(60),
        *(
            replace(each, targets={CODE: replace(each.targets[CODE], shares=(), said=())})
            for each in made(60, 60)
        ),
    ]
    learner = TfidfLogistic(QUESTIONS, TfidfConfig(strength=30, targets="distribution"))
    learner.fit(train, [], seed=1, report=quiet)
    assert yes_by_sign(learner)[1] == pytest.approx(0.125, abs=0.05), "half of a quarter"


def test_what_cannot_be_is_refused_in_words(tiny_backbone: str) -> None:
    hard = [
        replace(each, targets={CODE: replace(each.targets[CODE], shares=(), said=())}) for each in made(12)
    ]
    for learner in (
        TfidfLogistic(QUESTIONS, TfidfConfig(targets="distribution")),
        encoder(tiny_backbone, "annotators"),
    ):
        with pytest.raises(NoSoftTargets, match="Freeze the release again with --soft-labels"):
            learner.fit(hard, [], seed=1, report=quiet)
    with pytest.raises(TooFewAnnotators, match="--targets distribution"):
        encoder(tiny_backbone, "annotators").fit(made(9), [], seed=1, report=quiet)
    with pytest.raises(
        InvalidOption,
        match=r"one label of an item; --targets is for encoder-lora, encoder-tfidf, tfidf-logistic",
    ):
        make_config(learner_type("majority"), {"targets": "distribution"})
    with pytest.raises(InvalidOption, match="annotators"):
        make_config(learner_type("tfidf-logistic"), {"targets": "annotators"})


def test_targets_come_from_releases_with_soft_labels_alone(tmp_path: Path) -> None:
    said_of = {who: said({CODE: value}) for who, value in (("a", 1), ("b", 1), ("c", 0))}
    items = [judged(f"i{at}", said_of, with_texts=True) for at in range(3)]
    for name, is_soft in (("soft", True), ("hard", False)):
        request = msgspec.structs.replace(REQUEST, texts=True, soft_labels=True if is_soft else msgspec.UNSET)
        write_release(tmp_path / name, release_of(items, rules=replace(RULES, soft=is_soft), request=request))
        release = read_release(tmp_path / name)
        targets = [each.targets[CODE] for part in SplitPart for each in examples_of(release, part)]
        expected = (((0, 1 / 3), (1, 2 / 3)), (("a", 1), ("b", 1), ("c", 0))) if is_soft else ((), ())
        assert {(target.shares, target.said) for target in targets} == {expected}
