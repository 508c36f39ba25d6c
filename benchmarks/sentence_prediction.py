"""Times a learner that reads sentences one by one against a bare loop: the backbone over the very sentences that it
reads, tokenized beforehand, and nothing else.

    python -m benchmarks.sentence_prediction [--learner micromodels] [--items N] [--threads N]

Processor seconds are compared, since a machine may be shared; the fastest of several rounds counts, both taken in turn.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

import torch

from annotation.answers import ItemText
from benchmarks.invented_items import WORDS
from benchmarks.prediction import fastest, quiet
from codebook.questions import model_questions
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped
from ml_backend.co_attention.config import CoAttentionConfig
from ml_backend.co_attention.learner import CoAttentionLearner
from ml_backend.encoder.windows import Window
from ml_backend.examples import Example, Target
from ml_backend.learners.position_features import words_of
from ml_backend.micromodels.config import MicromodelsConfig
from ml_backend.micromodels.learner import ITEMS_TOGETHER, MicromodelsLearner

WANTED_RATIO = 0.85
LEARNERS = {MicromodelsLearner.name: "epitome", CoAttentionLearner.name: "empathy-cause"}
BARE, LEARNER = "the backbone alone (the bare loop)", "learner.predict, from texts to answers"


def invent_examples(codebook: Codebook, n: int, seed: int) -> list[Example]:
    """Of several sentences each; in a third of them the first of each part is marked for a code, whatever it says."""
    rng = random.Random(seed)
    found = []
    for number in range(n):
        text = ItemText(f"item-{number:05d}", "", _talk(rng), _talk(rng))
        targets = {}
        for question in model_questions(codebook):
            is_there = rng.random() < 1 / 3
            marks = text.sentences_of(question.part)[:1] if is_there else ()
            value = question.values[-1 if is_there else 0].value
            targets[question.code_id] = Target(value, 1.0, marks)
        found.append(Example(text, targets))
    return found


def _talk(rng: random.Random) -> str:
    said = (" ".join(rng.choices(WORDS, k=rng.randint(3, 18))) for _ in range(rng.randint(1, 8)))
    return " ".join(f"{words.capitalize()}{rng.choice('...?!')}" for words in said)


def make_learner(name: str) -> MicromodelsLearner | CoAttentionLearner:
    """With a hundred seeds for each code; how well is of no matter here."""
    codebook = load_shipped(LEARNERS[name])
    train, dev = invent_examples(codebook, 300, 1), invent_examples(codebook, 60, 2)
    questions = model_questions(codebook)
    learner: MicromodelsLearner | CoAttentionLearner
    if name == MicromodelsLearner.name:
        learner = MicromodelsLearner(questions, MicromodelsConfig(bags=1))
    else:
        learner = CoAttentionLearner(questions, CoAttentionConfig(epochs=1))
    learner.fit(train, dev, seed=1, report=quiet)
    return learner


def windows_of(
    learner: MicromodelsLearner | CoAttentionLearner, on: Sequence[Example], parts: Sequence[Part]
) -> list[list[Window]]:
    """Of each stretch of items that is read together, every different sentence once."""
    found = []
    for first in range(0, len(on), ITEMS_TOGETHER):
        some = on[first : first + ITEMS_TOGETHER]
        texts = {text: None for each in some for part in parts for text in words_of(each.text, part)}
        found.append(learner.encoder.windows(list(texts))[0])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--learner", choices=LEARNERS, default=MicromodelsLearner.name)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    learner = make_learner(options.learner)
    on = invent_examples(load_shipped(LEARNERS[options.learner]), options.items, 3)
    parts = [Part.REPLY] if options.learner == MicromodelsLearner.name else list(Part)
    windows = windows_of(learner, on, parts)

    def bare() -> None:
        with torch.inference_mode():
            for some in windows:
                learner.encoder.vectors(some)

    seconds = fastest({BARE: bare, LEARNER: lambda: learner.predict(on, adapter_id="a", report=quiet)})
    for name, took in seconds.items():
        print(f"{name:42} {len(on) / took:7.1f} items a second of processor time")
    ratio = seconds[BARE] / seconds[LEARNER]
    print(f"learner.predict is {ratio:.3f} of the bare loop (at least {WANTED_RATIO} wanted)")
    return 0 if ratio >= WANTED_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
