"""Labels of the majority, shares of annotators, or a head for each annotator: what comes nearest to what people say?

Six annotators differ by habit and not by chance alone. A text may have a kind sign, a sad one and a dull one; two of
them say yes to any kind sign, two only where nothing sad stands beside it, two to a dull one as well, and all slip in
one of ten answers. Each text is judged by three of the six, drawn by chance. Learners are measured on other texts
against the shares that all six would give, which are known here:

    accuracy    of the answer that is likeliest, against the answer of most of the six
    CE          cross-entropy, which cannot be less than the entropy of the shares
    MD          Manhattan distance

The encoder is a tiny random one, so that this takes a minute: the rows of one learner are to be compared.

python -m benchmarks.soft_labels
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotation.answers import ItemText
from annotation.release.soft_labels import shares_of
from codebook.questions import ModelQuestion, model_questions
from codebook.shipped import load_shipped
from learning.scoring.cross_entropy import cross_entropy
from learning.scoring.manhattan_distance import manhattan_distance
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.learner import EncoderLora
from ml_backend.examples import Example, Target
from ml_backend.learners.interface import Learner
from ml_backend.learners.tfidf import TfidfConfig, TfidfLogistic
from tests.ml_backend.fixtures import SIGNS
from tests.ml_backend.tiny_backbone import make_backbone

CODE, SLIP, EACH = "asking-advice", 0.1, 3
Numbers = NDArray[np.float64]
Targets = Literal["majority", "distribution", "annotators"]


def opinions(kind: bool, sad: bool, dull: bool) -> list[int]:
    """What each of the six says if nobody slips."""
    return [kind, kind, kind and not sad, kind and not sad, kind or dull, kind or dull]


def invent(rng: np.random.Generator, n: int) -> tuple[list[Example], Numbers]:
    """Items with three annotators each, and the share of all six that says yes."""
    found, shares = [], []
    for number in range(n):
        dull, sad, kind = signs = [bool(each) for each in rng.integers(0, 2, 3)]
        said = np.array(opinions(kind, sad, dull))
        shares.append(float(np.mean(np.where(said == 1, 1 - SLIP, SLIP))))
        who = rng.permutation(len(said))[:EACH]
        answers = np.where(rng.random(EACH) < SLIP, 1 - said[who], said[who])
        words = [sign for sign, is_there in zip(SIGNS, signs, strict=True) if is_there]
        text = ItemText(f"item-{number}", "", f"Well, {number}. {'. '.join(rng.permutation(words))}.", None)
        target = Target(
            value=int(answers.sum() * 2 > EACH),
            weight=1.0,
            shares=shares_of(answers.tolist(), (0, 1)),
            said=tuple((f"annotator-{at}", int(answer)) for at, answer in zip(who, answers, strict=True)),
        )
        found.append(Example(text, {CODE: target}))
    return found, np.array(shares)


def learner_of(name: str, targets: Targets, questions: tuple[ModelQuestion, ...], backbone: str) -> Learner:
    if name == "TF-IDF":
        return TfidfLogistic(questions, TfidfConfig(strength=10, targets=targets))  # type: ignore[arg-type]
    config = EncoderConfig(
        backbone=backbone,
        full=True,
        learning_rate=5e-3,
        epochs=8,
        patience=8,
        max_tokens=64,
        overlap=8,
        evidence_weight=0.0,
        targets=targets,
    )
    return EncoderLora(questions, config)


def measure(learner: Learner, on: list[Example], shares: Numbers) -> tuple[float, float, float, float]:
    """Accuracy, cross-entropy and distance; and how the spread of heads goes with how much the six differ."""
    codes = [each.codes[0] for each in learner.predict(on, adapter_id="a", report=quiet)]
    said = np.array([[probability for _, probability in code.probabilities] for code in codes])
    truth = np.stack([1 - shares, shares], axis=1)
    right = float(np.mean(said.argmax(axis=1) == truth.argmax(axis=1)))
    spread = np.array([code.spread if code.spread is not None else np.nan for code in codes])
    goes_with = float("nan")
    if not np.isnan(spread).any():
        goes_with = float(np.corrcoef(spread, shares * (1 - shares))[0, 1])
    distance = float(manhattan_distance(truth, said).mean())
    return right, float(cross_entropy(truth, said).mean()), distance, goes_with


def quiet(line: str) -> None:
    """Nobody listens."""


ROWS: tuple[tuple[str, Targets], ...] = (
    ("TF-IDF", "majority"),
    ("TF-IDF", "distribution"),
    ("encoder", "majority"),
    ("encoder", "distribution"),
    ("encoder", "annotators"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--items", type=int, default=300)
    given = parser.parse_args()
    started, book = time.perf_counter(), load_shipped("empathy-practices")
    questions = tuple(each for each in model_questions(book) if each.code_id == CODE)
    found: dict[tuple[str, Targets], list[tuple[float, float, float, float]]] = {row: [] for row in ROWS}
    least = []
    with tempfile.TemporaryDirectory() as folder:
        backbone = make_backbone(Path(folder) / "tiny")
        for seed in range(given.times):
            rng = np.random.default_rng(seed)
            train, _ = invent(rng, given.items)
            dev, _ = invent(rng, given.items // 3)
            test, shares = invent(rng, 400)
            truth = np.stack([1 - shares, shares], axis=1)
            least.append(float(cross_entropy(truth, truth).mean()))
            for name, targets in ROWS:
                learner = learner_of(name, targets, questions, backbone)
                learner.fit(train, dev, seed=seed, report=quiet)
                found[name, targets].append(measure(learner, test, shares))
    print(
        f"{given.items} items of {EACH} annotators each, {given.times} times; least CE {np.mean(least):.3f}"
    )
    print(f"{'learner':<9}{'targets':<14}{'accuracy':>9}{'CE':>7}{'MD':>7}{'spread':>8}")
    for (name, targets), values in found.items():
        right, entropy, distance, spread = np.mean(values, axis=0)
        said = "–" if np.isnan(spread) else f"{spread:.2f}"
        print(f"{name:<9}{targets:<14}{right:>9.1%}{entropy:>7.3f}{distance:>7.3f}{said:>8}")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
