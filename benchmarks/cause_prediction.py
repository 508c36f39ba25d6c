"""Times co-attention from texts to marked sentences, and a bare loop over the same sentences, in one run.

    python -m benchmarks.cause_prediction [--items N] [--threads N]

The bare loop is the backbone over the different sentences, like lengths together, and the network over the very batches
that the learner makes. What the learner adds is cutting, tokenizing, positions, relations, trees and answers.
"""

from __future__ import annotations

import argparse
import sys

import torch

from benchmarks.invented_items import invented_examples
from benchmarks.prediction import fastest, quiet
from codebook.questions import model_questions
from codebook.shipped import load_shipped
from ml_backend.co_attention.batches import scores_of
from ml_backend.co_attention.config import CoAttentionConfig
from ml_backend.co_attention.learner import CoAttentionLearner
from ml_backend.co_attention.preparing import SentenceList, prepare
from ml_backend.co_attention.relations import with_network_rows, with_relations

WANTED_RATIO = 0.85
CAUSES = load_shipped("empathy-cause")


def make_learner() -> CoAttentionLearner:
    """It has learned next to nothing, and is as fast as any other."""
    learner = CoAttentionLearner(model_questions(CAUSES), CoAttentionConfig(epochs=1))
    learner.fit(invented_examples(CAUSES, 48, 1), invented_examples(CAUSES, 24, 2), seed=1, report=quiet)
    return learner


def ratio(learner: CoAttentionLearner, n_items: int) -> float:
    """Of the speed of the bare loop, by processor time."""
    on = invented_examples(CAUSES, n_items, 3)
    sentences = SentenceList()
    prepared = prepare(on, learner.questions, learner.known, sentences)
    sentences.read(learner.encoder)
    related = with_relations(prepared, sentences)
    rows = with_network_rows(related, positions=learner.config.positions, scaling=learner.scaling)

    def bare() -> None:
        with torch.inference_mode():
            learner.encoder.vectors(sentences.windows)
        scores_of(learner.whole.network, learner.encoder, sentences, learner.questions, rows)

    def whole() -> None:
        learner.predict(on, adapter_id="a", report=quiet)

    seconds = fastest({"bare loop": bare, "learner.predict": whole})
    for name, took in seconds.items():
        print(f"{name:16} {n_items / took:7.1f} items a second of processor time")
    return seconds["bare loop"] / seconds["learner.predict"]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    found = ratio(make_learner(), options.items)
    print(f"learner.predict is {found:.3f} of the bare loop (at least {WANTED_RATIO} wanted)")
    return 0 if found >= WANTED_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
